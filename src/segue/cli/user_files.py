"""The files that a user names in addition to logs: small files to read, and files to write.

Opening a file never waits for a pipe or a device. Only regular files are read. Writing to a pipe
needs a process that reads it.
"""

import errno
import json
import os
import stat
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TextIO

from segue.cli.errors import failing_as
from segue.core.errors import ConfigurationError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_MIB: Final = 1 << 20
_JSON_MIB: Final = 64
_KINDS: Final = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_NONBLOCKING: Final = getattr(os, "O_NONBLOCK", 0)
"""The flag that opens a pipe at once, whether or not another process has opened it."""


def read_small_file(path: Path | str, mib: int = 1, what: str = "") -> str:
    """Return the text of a regular file of at most `mib` MiB, without a byte order mark.

    Raise `ConfigurationError` if that fails. Its message begins with the path, or with `what`, such
    as `the baseline known.json`.
    """
    what = what or str(path)
    with failing_as(f"{what} cannot be read"):
        descriptor = os.open(Path(path), os.O_RDONLY | _NONBLOCKING)
        with os.fdopen(descriptor, "rb") as stream:
            kind = _kind(os.fstat(descriptor))
            if kind is not None:
                raise ConfigurationError(f"{what} cannot be read: it is {kind}; give a file")
            data = stream.read(mib * _MIB + 1)
    if len(data) > mib * _MIB:
        raise ConfigurationError(f"{what} is larger than {mib} MiB: is it the right file?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigurationError(f"{what} is not text in UTF-8: is it the right file?") from None


def read_json_file(path: str) -> object:
    """Return the JSON in a regular file. Raise `ConfigurationError` if it is not JSON."""
    try:
        return json.loads(read_small_file(path, _JSON_MIB))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path} is not JSON: {error}") from error


def read_toml_file(path: Path | str) -> dict[str, Any]:
    """Return the table of a TOML file. Raise `ConfigurationError` if it is not TOML."""
    return read_toml(read_small_file(path), path)


def read_toml(text: str, name: Path | str) -> dict[str, Any]:
    """Return the table of TOML text. Raise `ConfigurationError` with `name` if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{name} is not TOML: {error}") from error


class _WrittenFile(FileIO):
    """A file opened for writing. Its errors name it, so that they differ from those of stdout."""

    def __init__(self, path: Path, shown: Path) -> None:
        self._failure = f"{shown} cannot be written"
        with failing_as(self._failure):
            super().__init__(path, "w", opener=_open_to_write)

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes."""
        with failing_as(self._failure):
            return super().write(data)


def open_file(path: Path, shown: Path | None = None) -> TextIO:
    """Open a file for writing text. All errors, including later ones, name `shown` or the path."""
    refuse_dash(path)
    file = BufferedWriter(_WrittenFile(path, shown or path))
    return TextIOWrapper(file, encoding="utf-8", newline="\n", line_buffering=file.isatty())


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing bytes. All errors, including later ones, name the path."""
    refuse_dash(path)
    with (
        failing_as(f"{path} cannot be written"),
        open(path, "wb", opener=_open_to_write) as stream,
    ):
        yield stream


@contextmanager
def complete_file(path: Path, inputs: Iterable[str]) -> Iterator[TextIO]:
    """Open a file for writing text that appears only when all of it has been written.

    A link or a device is written directly.
    """
    refuse_dash(path)
    refuse_input(path, inputs, "--output")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with open_file(path) as stream:
            yield stream
        return
    part = path.with_name(f"{path.name}.{os.urandom(4).hex()}.part")
    try:
        with open_file(part, path) as stream:
            yield stream
        with failing_as(f"{path} cannot be written"):
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def is_folder(path: str) -> bool:
    """Return whether a path ends with a slash or is that of an existing folder."""
    return path.endswith(("/", os.sep)) or Path(path).is_dir()


def make_folder(path: Path | str) -> None:
    """Create a folder unless it exists. Raise `ConfigurationError` if that is not possible."""
    with failing_as(f"{path} is not a folder that can be written to"):
        Path(path).mkdir(parents=True, exist_ok=True)


def refuse_dash(path: Path) -> None:
    """Raise `ConfigurationError` for `-`, which means standard output where that is possible."""
    if str(path) == "-":
        raise ConfigurationError(
            "- is not a file, and standard output is not possible: give a file"
        )


def refuse_pipe(path: Path) -> None:
    """Raise `ConfigurationError` for a pipe, since opening it would wait for a reader."""
    if path.is_fifo():
        raise ConfigurationError(f"{path} is a pipe: give a file, or leave it out")


def refuse_input(path: Path, inputs: Iterable[str], option: str) -> None:
    """Raise `ConfigurationError` if a file to be written is one of the inputs."""
    for each in inputs:
        are_there = path.exists() and Path(each).exists()
        is_same = path.samefile(each) if are_there else path.absolute() == Path(each).absolute()
        if each != "-" and is_same:
            raise ConfigurationError(f"{path} is read by this command: give {option} another file")


def _open_to_write(path: str, flags: int) -> int:
    """Open a file without waiting. A pipe that no process reads is an error."""
    try:
        descriptor = os.open(path, flags | _NONBLOCKING, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "it is a pipe that no process reads") from error
        raise
    if _NONBLOCKING:
        os.set_blocking(descriptor, True)
    return descriptor


def _kind(status: os.stat_result) -> str | None:
    """Return the kind of a file, or None for a regular file."""
    return _KINDS.get(stat.S_IFMT(status.st_mode))
