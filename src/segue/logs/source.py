"""Where lines come from: files, plain or compressed, standard input, or the caller.

Lines are bytes without their newline's meaning; a line beyond the limit is never held in memory,
only its beginning.  What cannot be opened or unpacked is `UnreadableLog`, with the reason.
"""

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final, cast

from segue.errors import ConfigurationError, UnreadableLog

__all__ = ["LONGEST_LINE", "Path", "lines_of", "name_of"]

Path = str | os.PathLike[str]

LONGEST_LINE: Final = 16 * 1024 * 1024
"""Bytes; a longer line is a finding (SG501)."""

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_REPORT_EVERY: Final = 2_000
_BUFFER: Final = 1 << 20


def name_of(path: Path) -> str:
    """Return how findings call this log."""
    return "<stdin>" if path == "-" else os.fspath(path)


def lines_of(path: Path, progress: Callable[[int], None] | None = None) -> Iterator[bytes]:
    """Yield the lines of a log, each with at most one byte more than `LONGEST_LINE`.

    `progress` is told now and then how many bytes of the file have been read.
    """
    count = 0
    with _opened(path) as (raw, stream):
        read = stream.readline
        try:
            while line := read(LONGEST_LINE + 1):
                count += 1
                if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                    _skip(stream)
                if progress is not None and count % _REPORT_EVERY == 0:
                    progress(raw.tell())
                yield line
        except (EOFError, zlib.error, OSError, _damage()) as error:
            msg = f"{name_of(path)} is damaged after line {count}: {error}"
            raise UnreadableLog(msg) from error


def _skip(stream: BinaryIO) -> None:
    """Read on to the end of an overlong line."""
    while (more := stream.readline(_BUFFER)) and not more.endswith(b"\n"):
        pass


@contextmanager
def _opened(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a log; yield the file itself and the stream of its unpacked bytes."""
    try:
        raw = (
            cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", sys.stdin.buffer), _BUFFER))
            if path == "-"
            else open(path, "rb", buffering=_BUFFER)  # noqa: PTH123, SIM115 - closed below
        )
        magic = cast("io.BufferedReader", raw).peek(4)[:4]
    except OSError as error:
        msg = f"{name_of(path)} cannot be read: {error.strerror or error}"
        raise UnreadableLog(msg) from error
    try:
        if magic.startswith(_GZIP):
            with gzip.open(raw, "rb") as stream:
                yield raw, cast("BinaryIO", io.BufferedReader(stream, _BUFFER))
        elif magic == _ZSTD:
            with _zstd().open(raw, "rb") as stream:
                yield raw, cast("BinaryIO", stream)
        else:
            yield raw, raw
    finally:
        if path != "-":
            raw.close()


def _zstd():  # type: ignore[no-untyped-def]  # noqa: ANN202 - one of two modules
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd  # noqa: PLC0415
        else:
            from backports import zstd  # noqa: PLC0415 - an extra
    except ImportError as error:
        msg = 'reading .zst needs an extra: python -m pip install "segue[zstd]"'
        raise ConfigurationError(msg) from error
    return zstd


def _damage() -> type[Exception]:
    """Return the exception of the zstd module in use, if there is one."""
    try:
        return cast("type[Exception]", _zstd().ZstdError)
    except ConfigurationError:
        return EOFError
