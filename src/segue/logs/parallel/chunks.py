"""Divides logs into chunks for several processes.

A chunk consists of slices: whole files, or parts of plain files that end after a newline.
Compressed files are not split, and small files share a chunk. Chunks are in the order of the logs.
Only the first slice of a chunk may begin within a file.
"""

import io
import math
import os
import sys
from collections.abc import Iterator, Sequence
from errno import ENOENT
from multiprocessing import current_process
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from segue.core.options import Bounds, check_option
from segue.logs.plan import ChunkSizes
from segue.logs.sources import LogPath, LogSlice, is_plain, lines_of, lines_of_slice, open_file

_COMPRESSION: Final = 8
"""The assumed compression ratio of compressed logs."""
_BLOCK: Final = 1 << 20

Chunk: TypeAlias = tuple[LogSlice, ...]
"""The slices that a worker reads as one task."""


class _LogFile(NamedTuple):
    path: str
    size: int
    weight: int
    identity: tuple[int, int] | None
    number: int


def count_processes(jobs: int) -> int:
    """Return the number of processes for the option `jobs`, where 0 means one for each core.

    Raises `ConfigurationError` if `jobs` is negative or not an integer.
    """
    check_option("jobs", jobs, int, bounds=Bounds(least=0))
    if jobs == 0:
        affinity = getattr(os, "sched_getaffinity", None)
        return (os.cpu_count() or 1) if affinity is None else len(affinity(0))
    return jobs


class LogChunks:
    """An iterable of chunks: parts of logs of similar size, one for each task of a worker.

    The files that are split stay open until `close`, so renaming or deleting one has no effect.
    """

    def __init__(self, logs: Sequence[LogPath], jobs: int, sizes: ChunkSizes) -> None:
        self._logs = [] if jobs == 1 or not _can_have_workers() else _measured(logs)
        total = sum(log.weight for log in self._logs)
        self.processes = min(jobs, total // sizes.per_process)
        """The number of worker processes worth starting. Use no workers if it is less than 2."""
        share = math.ceil(total / max(self.processes, 1))
        self._target = math.ceil(share / max(math.ceil(share / sizes.largest), 1))
        self._files: dict[tuple[int, int] | None, io.FileIO] = {}

    def __iter__(self) -> Iterator[Chunk]:
        """Yield the chunks in order. Line numbers are counted just before a chunk is yielded."""
        slices: list[LogSlice] = []
        weight = 0
        for log in self._logs:
            for part in self._slices(log, weight):
                if part.start:
                    yield tuple(slices)
                    slices, weight = [], 0
                slices.append(part)
                weight += part.size if log.identity else log.weight
            if weight >= self._target:
                yield tuple(slices)
                slices, weight = [], 0
        if slices:
            yield tuple(slices)

    def _slices(self, log: _LogFile, weight: int) -> Iterator[LogSlice]:
        """Yield a log as one slice, or as several slices if it is larger than a chunk.

        `weight` is the number of bytes in the chunk to which the first slice will be added.
        """
        if log.identity is None or weight + log.size <= self._target:
            yield LogSlice(log.path, size=log.size, log=log.number)
            return
        part = LogSlice(log.path, identity=log.identity, log=log.number)
        file = self.hold(part)
        target = self._target - weight
        while (end := _line_start(file, part.start + target)) < log.size:
            yield part._replace(end=end, size=end - part.start)
            lines = _count_lines(file, part.start, end)
            part = part._replace(start=end, first_line=part.first_line + lines)
            target = self._target
        yield part._replace(size=log.size - part.start)

    def lines(self, part: LogSlice) -> Iterator[bytes]:
        """Yield the lines of a slice. If its file was split, read from the file kept open."""
        if part.identity is None:
            return lines_of(part.path)
        return lines_of_slice(self.hold(part), part)

    def hold(self, part: LogSlice) -> io.FileIO:
        """Return the open file of a slice, which stays open until `close`."""
        if part.identity not in self._files:
            self._files[part.identity] = _open_slice(part)
        return self._files[part.identity]

    def close(self) -> None:
        """Close the files that were split."""
        for file in self._files.values():
            file.close()


def slice_lines(part: LogSlice) -> Iterator[bytes]:
    """Yield the lines of a slice in a worker process, which opens the file itself.

    Raises `FileNotFoundError` if the file has been replaced by another of the same name.
    """
    if part.identity is None:
        yield from lines_of(part.path)
    else:
        with _open_slice(part) as file:
            yield from lines_of_slice(file, part)


def _open_slice(part: LogSlice) -> io.FileIO:
    """Open the file of a slice. Raise `FileNotFoundError` if another file has replaced it."""
    file = open_file(part.path)
    status = os.fstat(file.fileno())
    if (status.st_dev, status.st_ino) != part.identity:
        file.close()
        raise FileNotFoundError(ENOENT, "it was replaced by another file", part.path)
    return file


def _can_have_workers() -> bool:
    """Return whether this process may start workers. Frozen programs and daemons may not."""
    return not getattr(sys, "frozen", False) and not current_process().daemon


def _measured(logs: Sequence[LogPath]) -> list[_LogFile]:
    """Return the logs with their sizes, or an empty list if they cannot be shared by processes."""
    measured = []
    for number, log in enumerate(logs):
        try:
            plain, status = is_plain(log), Path(log).stat()
        except (OSError, ValueError):
            return []
        if plain is None:
            return []
        identity = (status.st_dev, status.st_ino) if plain else None
        weight = status.st_size * (1 if plain else _COMPRESSION)
        measured.append(_LogFile(os.fspath(log), status.st_size, weight, identity, number))
    return measured if len(measured) > 1 or any(log.identity for log in measured) else []


def _line_start(file: io.FileIO, place: int) -> int:
    """Return the offset of the first line at or after the offset `place`, or the file's size."""
    at = file.seek(max(place - 1, 0))
    while block := file.read(_BLOCK):
        found = block.find(b"\n")
        if found >= 0:
            return at + found + 1
        at += len(block)
    return at


def _count_lines(file: io.FileIO, start: int, end: int) -> int:
    count, at = 0, file.seek(start)
    while at < end and (block := file.read(min(_BLOCK, end - at))):
        count += block.count(b"\n")
        at += len(block)
    return count
