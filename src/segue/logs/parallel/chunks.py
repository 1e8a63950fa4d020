"""Cuts logs into chunks for several processes.

A plain file is cut after a newline, a compressed one is not cut, and small files share a chunk.
Chunks come in the order of the logs; only the first slice of a chunk may begin within its file.
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
"""How many times larger a compressed log is when unpacked, roughly."""
_BLOCK: Final = 1 << 20

Chunk: TypeAlias = tuple[LogSlice, ...]
"""What one worker reads at once."""


class _LogFile(NamedTuple):
    path: str
    size: int
    weight: int
    identity: tuple[int, int] | None


def count_processes(jobs: int) -> int:
    """Return how many processes to use; 0 jobs means one for each core.

    Raises `ConfigurationError` if `jobs` is not a number of processes.
    """
    check_option("jobs", jobs, int, bounds=Bounds(least=0))
    if jobs == 0:
        affinity = getattr(os, "sched_getaffinity", None)
        return (os.cpu_count() or 1) if affinity is None else len(affinity(0))
    return jobs


class LogChunks:
    """The chunks of some logs.  Files that are cut stay open, whatever happens to their names."""

    def __init__(self, logs: Sequence[LogPath], jobs: int, sizes: ChunkSizes) -> None:
        self._logs = [] if jobs == 1 or not _can_have_workers() else _measured(logs)
        total = sum(log.weight for log in self._logs)
        self.processes = min(jobs, total // sizes.per_process)
        """How many processes the logs are worth; less than 2 if one should read them."""
        share = math.ceil(total / max(self.processes, 1))
        self._target = math.ceil(share / max(math.ceil(share / sizes.largest), 1))
        self._files: dict[tuple[int, int] | None, io.FileIO] = {}

    def __iter__(self) -> Iterator[Chunk]:
        """Yield the chunks; the lines before one are counted when it is asked for."""
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
        """Yield the slices of a log; the first joins a chunk that has some weight already."""
        if log.identity is None or weight + log.size <= self._target:
            yield LogSlice(log.path, size=log.size)
            return
        part = LogSlice(log.path, identity=log.identity)
        file = self.hold(part)
        target = self._target - weight
        while (end := _line_start(file, part.start + target)) < log.size:
            yield part._replace(end=end, size=end - part.start)
            lines = _count_lines(file, part.start, end)
            part = part._replace(start=end, first_line=part.first_line + lines)
            target = self._target
        yield part._replace(size=log.size - part.start)

    def lines(self, part: LogSlice) -> Iterator[bytes]:
        """Yield the lines of a slice, of a file that is still open if it was cut."""
        if part.identity is None:
            return lines_of(part.path)
        return lines_of_slice(self.hold(part), part)

    def hold(self, part: LogSlice) -> io.FileIO:
        """Return the open file of a slice, which stays open."""
        if part.identity not in self._files:
            self._files[part.identity] = _open_slice(part)
        return self._files[part.identity]

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()


def slice_lines(part: LogSlice) -> Iterator[bytes]:
    """Yield the lines of a slice in another process.

    Raises `OSError` if its file has been replaced by another of the same name.
    """
    if part.identity is None:
        yield from lines_of(part.path)
    else:
        with _open_slice(part) as file:
            yield from lines_of_slice(file, part)


def _open_slice(part: LogSlice) -> io.FileIO:
    """Open the file of a slice."""
    file = open_file(part.path)
    status = os.fstat(file.fileno())
    if (status.st_dev, status.st_ino) != part.identity:
        file.close()
        raise FileNotFoundError(ENOENT, "it was replaced by another file", part.path)
    return file


def _can_have_workers() -> bool:
    """Return whether this process may start others: not a frozen program, not a daemon."""
    return not getattr(sys, "frozen", False) and not current_process().daemon


def _measured(logs: Sequence[LogPath]) -> list[_LogFile]:
    """Return the logs with their sizes, or none if they cannot be shared out."""
    measured = []
    for log in logs:
        try:
            plain, status = is_plain(log), Path(log).stat()
        except (OSError, ValueError):
            return []
        if plain is None:
            return []
        identity = (status.st_dev, status.st_ino) if plain else None
        weight = status.st_size * (1 if plain else _COMPRESSION)
        measured.append(_LogFile(os.fspath(log), status.st_size, weight, identity))
    return measured if len(measured) > 1 or any(log.identity for log in measured) else []


def _line_start(file: io.FileIO, place: int) -> int:
    """Return where the first line starts at this place or after it; the end if there is none."""
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
