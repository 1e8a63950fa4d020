"""Where lines come from: files, plain or compressed, and standard input.

It decides how bytes are unpacked (by their first bytes, never by the name) and where a line ends;
tables are left to `parquet`.
House rules: (1) what cannot be opened or unpacked is `UnreadableLog` with the reason, and every
complete line before the damage has been given; (2) of an overlong line only the beginning is ever
held; (3) one call a line, at most: the loop over lines is the hottest of all.

It refuses to know what a line says.
"""

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO, Final, Protocol, TypeAlias, cast

from segue.errors import ConfigurationError, UnreadableLog
from segue.logs.field_mapping import FieldMapping
from segue.logs.parquet import PARQUET, rows_of

__all__ = [
    "LONGEST_LINE",
    "Path",
    "ahead_in",
    "is_plain",
    "lines_between",
    "lines_of",
    "name_of",
    "open_file",
]

Path = str | os.PathLike[str]

LONGEST_LINE: Final = 16 * 1024 * 1024
"""Bytes without the newline; a longer line is a finding (SG501)."""

_ENOUGH: Final = LONGEST_LINE + len(b"\r\n")
_BUFFER: Final = 1 << 20
_AHEAD: Final = 64
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_MAGIC: Final = len(_ZSTD)

_Errors: TypeAlias = tuple[type[Exception], ...]
_GZIP_DAMAGE: Final[_Errors] = (EOFError, OSError, zlib.error)


class _Lines(Protocol):
    """What gives one line after the other, and nothing in the end."""

    def readline(self, size: int, /) -> bytes: ...


class _Rows:
    """The rows of a table as a stream of lines."""

    def __init__(self, rows: Iterator[bytes]) -> None:
        self._rows = rows

    def readline(self, _: int, /) -> bytes:
        """Return the next row, whole."""
        return next(self._rows, b"")


def name_of(path: Path) -> str:
    """Return how findings call this log."""
    return "<stdin>" if path == "-" else os.fspath(path)


def ahead_in(path: Path) -> int:
    """Return how many lines of a log may be read ahead: of what may still be written, none."""
    return _AHEAD if path != "-" and os.path.isfile(path) else 1  # noqa: PTH113 - any PathLike


def lines_of(
    path: Path,
    progress: Callable[[int], None] | None = None,
    field_mapping: FieldMapping | None = None,
) -> Iterator[bytes]:
    """Yield the lines of a log (`-`: standard input), newlines included.

    Of a line that is too long only so much is given that one can tell. `progress` is told now and
    then how many bytes of the file, compressed or not, have been read. Of a table (Parquet) the
    rows are given as lines, with the columns that `layout` speaks of, or else those of an envelope.
    """
    return _lines(partial(_opened, path, progress, field_mapping), name_of(path))


def lines_between(  # noqa: PLR0913, PLR0917 - all that a part of a file is
    file: io.FileIO,
    name: str,
    start: int,
    end: int | None,
    progress: Callable[[int], None] | None = None,
    before: int = 0,
) -> Iterator[bytes]:
    """Yield the lines of a part of a plain file, as `lines_of` does.

    `end` is None where the file ends, whenever that is; `before` is how many lines there are before
    the part, as far as an error message goes.
    """
    return _lines(lambda _: _between(file, start, end, progress), name, before)


def is_plain(path: Path) -> bool | None:
    """Return whether a log is a file of lines that need no unpacking; None: it is no file of lines.

    Raises `OSError` when it cannot be opened.
    """
    if path == "-" or not os.path.isfile(path):  # noqa: PTH113 - any PathLike
        return None
    with open_file(path) as file:
        magic = file.read(_MAGIC)
    if magic == PARQUET:
        return None
    return not (magic.startswith(_GZIP) or magic == _ZSTD)


def _lines(opened: Callable[[ExitStack], _Lines], name: str, count: int = 0) -> Iterator[bytes]:
    with ExitStack() as stack:
        stream = opened(stack)
        try:
            pieces = iter(partial(stream.readline, _ENOUGH), b"")
            for count, line in enumerate(pieces, start=count + 1):  # noqa: B007, B020, PLR1704 - the error says it
                if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                    _skip(stream)
                yield line
        except _Damage as error:
            msg = f"{name} cannot be read beyond line {count}: {error}"
            raise UnreadableLog(msg) from error.__cause__


def _between(
    file: io.FileIO, start: int, end: int | None, progress: Callable[[int], None] | None
) -> BinaryIO:
    at = file.seek(start)

    def read(size: int) -> bytes:
        nonlocal at
        data = file.read(size if end is None else min(size, end - at))
        at += len(data)
        return data

    return _buffered(_Pipe(read, (OSError, ValueError), progress))


def _skip(stream: _Lines) -> None:
    """Read on to the end of an overlong line."""
    while (more := stream.readline(_BUFFER)) and not more.endswith(b"\n"):
        pass


def _opened(
    path: Path,
    progress: Callable[[int], None] | None,
    field_mapping: FieldMapping | None,
    stack: ExitStack,
) -> _Lines:
    """Open a log and return the stream of its unpacked bytes, or the rows of a table."""
    try:
        raw = _standard_input() if path == "-" else stack.enter_context(open_file(path))
        read = getattr(raw, "read1", raw.read)
        magic = b""
        while len(magic) < _MAGIC and (piece := read(_MAGIC - len(magic))):
            magic += piece
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path, a closed stream
        msg = f"{name_of(path)} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise UnreadableLog(msg) from error
    if magic == PARQUET:
        if path == "-" or not os.path.isfile(path):  # noqa: PTH113 - any PathLike
            msg = f"{name_of(path)} cannot be read: Parquet is read from a file only"
            raise UnreadableLog(msg)
        return _Rows(
            stack.enter_context(closing(rows_of(os.fspath(path), progress, field_mapping)))
        )
    packed = _buffered(_Pipe(read, (OSError, ValueError), progress, magic))
    if magic.startswith(_GZIP):
        unpacked = stack.enter_context(gzip.GzipFile(fileobj=packed))
        return _buffered(_Pipe(unpacked.read1, _GZIP_DAMAGE))
    if magic == _ZSTD:
        zstd = _zstd()
        unpacked = stack.enter_context(zstd.ZstdFile(packed))
        return _buffered(_Pipe(unpacked.read1, (EOFError, OSError, zstd.ZstdError)))
    return packed


def open_file(path: Path) -> io.FileIO:
    """Open a file without a buffer, which would hold lines back that have come in."""
    return open(path, "rb", buffering=0)  # noqa: PTH123 - a path may be any PathLike


def _standard_input() -> BinaryIO:
    buffer: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        msg = "there is no binary standard input"
        raise ValueError(msg)
    return buffer


def _buffered(pipe: io.RawIOBase) -> BinaryIO:
    return io.BufferedReader(pipe, _BUFFER)


class _Zstd(Protocol):
    """What is used of `compression.zstd` and its backport alike."""

    ZstdFile: Callable[[BinaryIO], Any]
    ZstdError: type[Exception]


def _zstd() -> _Zstd:
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        return cast("_Zstd", import_module(name))
    except ImportError as error:
        msg = 'reading .zst needs an extra: python -m pip install "segue[zstd]"'
        raise ConfigurationError(msg) from error


class _Damage(Exception):  # noqa: N818 - the reason says what happened
    """Bytes end where they must not, or are not what they should be."""


class _Pipe(io.RawIOBase):
    """Gives on what comes, piece by piece: all that came before an error counts."""

    def __init__(
        self,
        read: Callable[[int], bytes],
        errors: _Errors,
        progress: Callable[[int], None] | None = None,
        head: bytes = b"",
    ) -> None:
        super().__init__()
        self._read = read
        self._errors = errors
        self._progress = progress
        self._head = head
        self._count = 0

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - a writable buffer
        """Fill a part of the buffer; 0 is the end."""
        data, self._head = self._head, b""
        if not data:
            try:
                data = self._read(len(buffer))
            except self._errors as error:
                reason = getattr(error, "strerror", None) or str(error)
                raise _Damage(reason) from error
        buffer[: len(data)] = data
        self._count += len(data)
        if self._progress is not None:
            self._progress(self._count)
        return len(data)
