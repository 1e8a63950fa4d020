"""Reads the lines of plain and compressed files and of standard input.

The compression of a log is recognized by its first bytes, never by its name. The module `parquet`
reads tables, and the module `framing` splits JSON that does not have one value per line. A log that
cannot be opened or decompressed raises `UnreadableLog`, after all complete lines before the damage
have been yielded. Only the beginning of an overlong line is held in memory.
"""

import bz2
import csv
import gzip
import io
import os
import stat
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, TypeAlias

from segue.core.errors import ConfigurationError, UnreadableLog
from segue.core.events import Delivery
from segue.logs.conversion import converted
from segue.logs.csv_rows import lines_of_rows
from segue.logs.field_mapping import FieldMapping
from segue.logs.file_kinds import kind_of
from segue.logs.framing import (
    HEAD,
    holds_values,
    is_decided,
    joined_objects,
    joined_pieces,
    rows_of_inserts,
    values_in_lines,
    values_of,
)
from segue.logs.parquet import PARQUET, rows_of
from segue.logs.xz import XzFile

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LogPath: TypeAlias = str | os.PathLike[str]
"""The path of a log file, or `-` for standard input."""

LogLine: TypeAlias = Delivery | Mapping[str, Any] | bytes | str
"""A line of a log: a body or an envelope, as a mapping or JSON text, or a `Delivery`."""

LONGEST_LINE: Final = 16 * 1024 * 1024
"""The maximum number of bytes of a line without newline. A longer line is a finding (SG501)."""

_ENOUGH: Final = LONGEST_LINE + len(b"\r\n")
_BUFFER: Final = 1 << 20
_BATCH: Final = 64
_MOST_PEEKED: Final = 1000
"""The number of lines of another platform that are converted to examine a log."""
_MAGIC: Final = len(PARQUET)
_ZIP: Final = b"PK\x03\x04"

_ReadLine: TypeAlias = Callable[[int], bytes]
"""A function that reads the next line, or at most the given number of bytes of it.

It returns `b""` at the end.
"""


class LogSlice(NamedTuple):
    """A whole log, or a part of a plain file that consists of complete lines."""

    path: str
    start: int = 0
    end: int | None = None
    """The byte offset of the slice's end, or None to read to the end of the file."""
    first_line: int = 1
    size: int = 0
    """The number of bytes in the slice when the slice was created."""
    identity: tuple[int, int] | None = None
    """The device and inode of the file if the file was split, otherwise None."""
    log: int = 0
    """The number of the log, from 0 in the order of the logs."""

    @property
    def name(self) -> str:
        """The name of the log in findings."""
        return name_of(self.path)


def name_of(path: LogPath) -> str:
    """Return the name by which findings refer to a log: its path, or `<stdin>`."""
    return "<stdin>" if path == "-" else os.fspath(path)


def is_overlong(line: bytes) -> bool:
    """Return whether a line is longer than `LONGEST_LINE`, so that only its beginning was read."""
    return len(line) > LONGEST_LINE and len(line.rstrip(b"\r\n")) > LONGEST_LINE


def batch_size_of(path: LogPath) -> int:
    """Return the number of lines to read from a log before they are checked.

    The number is 1 for standard input and pipes, whose next line may arrive much later.
    """
    return _BATCH if is_rereadable(path) else 1


def lines_of(
    path: LogPath,
    progress: Callable[[int], None] | None = None,
    field_mapping: FieldMapping | None = None,
) -> Iterator[bytes]:
    """Yield the lines of a log (`-` is standard input), newlines included.

    An overlong line is truncated to a length that still exceeds `LONGEST_LINE`.

    Args:
        path: The path of the log.
        progress: A callback that regularly receives the number of bytes of the file that have been
            read. For a compressed file, these are compressed bytes.
        field_mapping: The format of lines and the pointers to their fields. Only the columns of a
            Parquet table that the mapping uses are read.

    """
    return _lines(partial(_opened, path, progress, field_mapping), name_of(path))


def first_lines(path: LogPath, field_mapping: FieldMapping) -> Iterator[bytes]:
    """Yield lines from the beginning of a log, to examine it before it is read.

    Lines of standard input are not consumed, and only those that have already arrived are yielded.
    A pipe with a path yields no lines, because they could not be read again. Damage ends the
    iteration.
    """
    if path == "-" or is_rereadable(path):
        opened = partial(_opened, path, None, field_mapping, is_peeked=True)
        with suppress(UnreadableLog):
            yield from _lines(opened, name_of(path))


def lines_of_slice(file: io.FileIO, part: LogSlice) -> Iterator[bytes]:
    """Yield the lines of a slice, read from its open uncompressed file."""
    return _lines(lambda _: _between(file, part), part.name, part.first_line - 1)


def is_plain(path: LogPath) -> bool | None:
    """Return whether a log is an uncompressed file that can be split after any line.

    Return None for logs that one process must read in full: standard input, pipes and Parquet
    tables. Raises `OSError` if the log cannot be opened.
    """
    if not is_rereadable(path):
        return None
    with open_file(path) as file:
        head = file.read(HEAD)
    if head.startswith(PARQUET):
        return None
    return not (_is_packed(head) or holds_values(head))


def is_rereadable(path: LogPath) -> bool:
    """Return whether a log is a regular file, which can be read more than once."""
    with suppress(OSError):  # reading it will report the reason
        return path != "-" and Path(path).is_file()
    return False


def _lines(opened: Callable[[ExitStack], _ReadLine], name: str, count: int = 0) -> Iterator[bytes]:
    with ExitStack() as stack:
        try:
            read_line = opened(stack)
            for line in _whole_lines(read_line):
                count += 1
                yield line
        except _DamageError as error:
            where = f" after line {count}" if count else ""
            msg = f"{name} cannot be read{where}: {error}"
            raise UnreadableLog(msg) from error.__cause__


def _between(file: io.FileIO, part: LogSlice) -> _ReadLine:
    at, end = file.seek(part.start), part.end

    def read(size: int) -> bytes:
        nonlocal at
        data = file.read(size if end is None else min(size, end - at))
        at += len(data)
        return data

    return _buffered(_Pipe(read)).readline


def _skip(read_line: _ReadLine) -> None:
    """Skip the rest of an overlong line."""
    while (more := read_line(_BUFFER)) and not more.endswith(b"\n"):
        pass


def _opened(
    path: LogPath,
    progress: Callable[[int], None] | None,
    field_mapping: FieldMapping | None,
    stack: ExitStack,
    *,
    is_peeked: bool = False,
) -> _ReadLine:
    """Open a log, and return a function that reads its decompressed lines or its table rows.

    The opened files are registered with `stack`, which closes them.
    """
    try:
        raw = _standard_input(is_peeked=is_peeked) if path == "-" else None
        raw = raw or stack.enter_context(open_file(path))
        read = getattr(raw, "read1", raw.read)
        magic = b""
        while len(magic) < _MAGIC and (piece := read(_MAGIC - len(magic))):
            magic += piece
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path, a closed stream
        msg = f"{name_of(path)} cannot be read: {_reason(error)}"
        raise UnreadableLog(msg) from error
    if magic == PARQUET:
        if not is_rereadable(path):
            raise UnreadableLog(f"{name_of(path)} cannot be read: Parquet is read from a file only")
        rows = stack.enter_context(closing(rows_of(os.fspath(path), progress, field_mapping)))
        return lambda _: next(rows, b"")
    pipe = _Pipe(read, progress, magic)
    packing = next((open_ for start, open_ in _PACKINGS.items() if magic.startswith(start)), None)
    if packing is not None:
        pipe = _Pipe(stack.enter_context(packing(_buffered(pipe))).read1)
    elif magic == _ZIP:
        pipe = _Pipe(stack.enter_context(_zip_member(path, stack)).read1)
    return _framed(pipe, field_mapping or FieldMapping(), is_peeked=is_peeked)


def _framed(pipe: "_Pipe", mapping: FieldMapping, *, is_peeked: bool) -> _ReadLine:
    """Return a function that reads the lines of a log.

    Exports of other platforms are converted to envelopes if `mapping` names a platform. They are
    converted as a whole, but only their beginning if `is_peeked` is True.
    """
    values = _values(pipe, mapping)
    if mapping.platform is not None:
        lines = iter(lambda: values(_ENOUGH), b"")
        peeked = islice(lines, _MOST_PEEKED) if is_peeked else lines
        events = converted(peeked, mapping.platform, mapping.conversation_at)
        return lambda _: next(events, b"")
    return values


def _values(pipe: "_Pipe", mapping: FieldMapping) -> _ReadLine:
    """Return a function that reads the next line, CSV row or JSON value, as one line."""
    head = pipe.look_ahead()
    if (kind := kind_of(head)) is not None:
        raise _DamageError(f"it looks like {kind}")
    stream = _buffered(pipe)
    if mapping.lines == "csv":
        values = _rows(stream, head)
    elif mapping.lines == "docker":
        values = joined_pieces(_whole_lines(stream.readline), LONGEST_LINE)
    elif mapping.lines == "json" and holds_values(head, has_path=bool(mapping.records_path)):
        values = values_of(lambda: stream.read1(_BUFFER), _ENOUGH, mapping.records_path or ())
    elif mapping.lines == "text" and mapping.records_path is not None:
        lines = rows_of_inserts(_whole_lines(stream.readline))
        values = joined_objects(lines, LONGEST_LINE)
    elif mapping.records_path is not None:
        values = values_in_lines(_whole_lines(stream.readline), _ENOUGH, mapping.records_path)
    else:
        return stream.readline
    return lambda _: next(values, b"")


def _rows(stream: io.BufferedReader, head: bytes) -> Iterator[bytes]:
    try:
        yield from lines_of_rows(_whole_lines(stream.readline), head, _ENOUGH)
    except csv.Error as error:
        raise _DamageError(str(error)) from error


def _whole_lines(read_line: _ReadLine) -> Iterator[bytes]:
    """Yield lines of any length, and truncate those longer than `LONGEST_LINE`.

    The result still exceeds `LONGEST_LINE`, so that the line is reported.
    """
    while line := read_line(_ENOUGH):
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            _skip(read_line)
        yield line


def _is_packed(head: bytes) -> bool:
    return head.startswith((_ZIP, *_PACKINGS))


def _zip_member(path: LogPath, stack: ExitStack) -> Any:  # noqa: ANN401 - as a packing's
    """Open the only file in a zip archive. Raise `UnreadableLog` if it has several files."""
    name = name_of(path)
    if not is_rereadable(path):
        raise UnreadableLog(f"{name} cannot be read: zip is read from a file only")
    try:
        archive = stack.enter_context(zipfile.ZipFile(path))
        return archive.open(_only_file(archive))
    except RuntimeError as error:  # encrypted, or packed in another way
        msg = f"{name} cannot be read: {error}: unpack it and pass its file"
        raise UnreadableLog(msg) from error
    except Exception as error:  # damage raises any of zipfile, zlib, lzma and struct
        raise UnreadableLog(f"{name} cannot be read: {_reason(error)}") from error


def _only_file(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    files = [each for each in archive.infolist() if not each.is_dir()]
    if any(each.filename.startswith("xl/") for each in files):
        raise _DamageError("it is an Excel workbook: save it as CSV")
    if len(files) != 1:
        raise _DamageError(f"it contains {len(files)} files: unpack it and pass those")
    return files[0]


def open_file(path: LogPath) -> io.FileIO:
    """Open a file without a buffer, because a buffer would delay lines that have arrived.

    Raises `ValueError` for a device that is neither a terminal nor the null device.
    """
    file = io.FileIO(os.fspath(path))
    mode = os.fstat(file.fileno()).st_mode
    if stat.S_ISBLK(mode) or (
        stat.S_ISCHR(mode) and not file.isatty() and not Path(path).samefile(os.devnull)
    ):
        file.close()
        raise ValueError("it is a device, not a log")
    return file


def _standard_input(*, is_peeked: bool) -> BinaryIO:
    """Return standard input as a binary stream.

    If `is_peeked` is True, return a copy of the bytes that have arrived, without consuming them.
    """
    buffer: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        raise ValueError("there is no binary standard input")
    return (
        io.BytesIO(buffer.peek()) if is_peeked and isinstance(buffer, io.BufferedReader) else buffer
    )


def _zstandard(packed: BinaryIO) -> Any:  # noqa: ANN401 - the type depends on the Python version
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        zstd = import_module(name)
    except ImportError as error:
        msg = 'reading .zst needs an extra: python -m pip install "segue[zstd]"'
        raise ConfigurationError(msg) from error
    return zstd.ZstdFile(packed)


_PACKINGS: Final[Mapping[bytes, Callable[[BinaryIO], Any]]] = {
    b"\x1f\x8b": lambda packed: gzip.GzipFile(fileobj=packed),
    b"\x28\xb5\x2f\xfd": _zstandard,
    b"BZh": bz2.BZ2File,
    b"\xfd7zX": XzFile,
}
"""The functions that decompress files, by the first bytes of a file."""


def _buffered(pipe: io.RawIOBase) -> io.BufferedReader:
    return io.BufferedReader(pipe, _BUFFER)


def _reason(error: Exception) -> str:
    """Return the message of an error, or its type if it has no message, as `EOFError` may."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class _DamageError(Exception):
    """A log is truncated or cannot be decompressed. The message is the reason."""


class _Pipe(io.RawIOBase):
    """A raw stream that returns data as soon as it is read, so that an error loses no data."""

    def __init__(
        self,
        read: Callable[[int], bytes],
        progress: Callable[[int], None] | None = None,
        head: bytes = b"",
    ) -> None:
        super().__init__()
        self._read = read
        self._progress = progress
        self._head = head
        self._count = 0
        self._failure: _DamageError | None = None

    def readable(self) -> bool:
        """Return True, as `BufferedReader` requires."""
        return True

    def look_ahead(self) -> bytes:
        """Return the first bytes of the stream without consuming them.

        They are enough to decide whether the log has one JSON value per line.
        """
        head = b""
        try:
            while len(head) < HEAD and not is_decided(head) and (data := self.read(HEAD)):
                head += data
        except _DamageError as error:
            self._failure = error
        self._count -= len(head)
        self._head = head
        return head

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read bytes into a buffer. Return the number of bytes, which is 0 at the end."""
        view = memoryview(buffer)
        data, self._head = self._head[: len(view)], self._head[len(view) :]
        if not data and self._failure is not None:
            raise self._failure
        if not data:
            try:
                data = self._read(len(view))
            except _DamageError:
                raise
            except Exception as error:  # unpackers raise exceptions of many types
                raise _DamageError(_reason(error)) from error
        view[: len(data)] = data
        self._count += len(data)
        if self._progress is not None:
            self._progress(self._count)
        return len(data)
