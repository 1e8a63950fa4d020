"""The files that a user names in addition to logs: small files to read, and files to write.

Opening a file never waits for another process. Only regular files are read. Writing to a pipe is
possible only if a process is reading from it.
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
"""The flag for opening a pipe without waiting for a process at its other end."""


def read_small_file(path: Path | str, mib: int = 1, what: str = "") -> str:
    """Return the text of a regular file in UTF-8, without a byte order mark.

    Raise `ConfigurationError` if the file cannot be read or is larger than `mib` MiB. The message
    begins with the path, or with `what`, such as `the baseline known.json`.
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
    """Return the value in a JSON file of at most 64 MiB.

    Raise `ConfigurationError` if the file cannot be read or is not JSON.
    """
    try:
        return json.loads(read_small_file(path, _JSON_MIB))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path} is not JSON: {error}") from error


def read_toml_file(path: Path | str) -> dict[str, Any]:
    """Return the contents of a TOML file as a dictionary.

    Raise `ConfigurationError` if the file cannot be read or is not TOML.
    """
    return read_toml(read_small_file(path), path)


def read_toml(text: str, name: Path | str) -> dict[str, Any]:
    """Return the contents of TOML text as a dictionary.

    Raise `ConfigurationError`, with `name` in its message, if the text is not TOML.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{name} is not TOML: {error}") from error


class _WrittenFile(FileIO):
    """A file opened for writing bytes, whose errors name the file.

    They can thus be told from errors of standard output.
    """

    def __init__(self, path: Path, shown: Path) -> None:
        self._failure = f"{shown} cannot be written"
        with failing_as(self._failure):
            super().__init__(path, "w", opener=_open_to_write)

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes, and return their number. Raise `ConfigurationError` if that fails."""
        with failing_as(self._failure):
            return super().write(data)


def open_file(path: Path, shown: Path | None = None) -> TextIO:
    """Return a file opened for writing text.

    If opening or writing fails, `ConfigurationError` is raised. Its message names `shown`, by
    default the path.
    """
    refuse_dash(path)
    file = BufferedWriter(_WrittenFile(path, shown or path))
    return TextIOWrapper(file, encoding="utf-8", newline="\n", line_buffering=file.isatty())


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Return a context manager that opens a file for writing bytes and closes it.

    If opening or writing fails, `ConfigurationError` is raised. Its message names the path.
    """
    refuse_dash(path)
    with (
        failing_as(f"{path} cannot be written"),
        open(path, "wb", opener=_open_to_write) as stream,
    ):
        yield stream


@contextmanager
def complete_file(path: Path, inputs: Iterable[str]) -> Iterator[TextIO]:
    """Return a context manager that opens a file for writing text.

    The file appears only when the `with` block has ended without an exception. A link or a device
    is written directly. Raise `ConfigurationError` if the file is one of `inputs` or cannot be
    written.
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
    """Return whether a path ends with a slash or names an existing folder."""
    return path.endswith(("/", os.sep)) or Path(path).is_dir()


def make_folder(path: Path | str) -> None:
    """Create a folder and its parents unless they exist.

    Raise `ConfigurationError` if the folder cannot be created.
    """
    with failing_as(f"{path} is not a folder that can be written to"):
        Path(path).mkdir(parents=True, exist_ok=True)


def refuse_dash(path: Path) -> None:
    """Raise `ConfigurationError` for the path `-`, which other options use for standard output."""
    if str(path) == "-":
        raise ConfigurationError(
            "- is not a file, and standard output is not possible: give a file"
        )


def refuse_pipe(path: Path) -> None:
    """Raise `ConfigurationError` for a named pipe, since opening it would wait for a reader."""
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
    """Open a file without waiting, and return its descriptor.

    Raise `OSError` for a pipe that no process reads.
    """
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
    """Return the kind of a file, such as `a pipe`, or None for a regular file."""
    return _KINDS.get(stat.S_IFMT(status.st_mode))
