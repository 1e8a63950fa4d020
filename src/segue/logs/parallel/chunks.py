"""Pieces of logs: how the reading is shared out among processes.

It decides where files are cut, and which part the process that asked reads itself.  House rules: a
file is cut behind a newline, so that no line is; what is compressed is not cut; what is too small
to be worth a process is not shared.  Parts come in the order of the logs, and only the first piece
of a part may begin within its file.

It refuses to know what a line says.
"""

import io
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from errno import ENOENT
from typing import Final, NamedTuple

from segue.errors import ConfigurationError
from segue.logs.parallel.process import can_fork
from segue.logs.sources import Path, is_plain, lines_between, lines_of, name_of, open_file

__all__ = ["USUAL", "Measure", "Part", "Piece", "processes", "share"]

_UNPACKED: Final = 8
"""How many times as much is in a compressed log, about."""
_TAKING_IN: Final = 0.05
"""What it costs to take in what another process has read, as a part of reading it."""
_LEAST: Final = 0.2
"""Part of an equal share that the process that asked reads at least."""
_CLOSE: Final = 0.9
_SEVERAL: Final = 2
_BLOCK: Final = 1 << 16


class Measure(NamedTuple):
    """How large parts may be, in bytes."""

    smallest: int = 32 << 20
    largest: int = 1 << 30
    starting: int = 12 << 20
    """How much is read in the time it takes a process to start that cannot be forked."""


USUAL: Final = Measure()


class Piece(NamedTuple):
    """A log, or what of a file is between two newlines."""

    path: str
    start: int = 0
    end: int | None = None
    """Where the next piece starts; None: where the file ends, whenever that is."""
    identity: tuple[int, int] | None = None
    """Which file it is, whatever it is called by now; None: whichever bears the name."""

    @property
    def name(self) -> str:
        """How findings call this log."""
        return name_of(self.path)

    def opened(self, stack: ExitStack) -> io.FileIO | None:
        """Open the file, if the piece is a part of it; the stack will close it.

        Raises `OSError` when it is not there any more under its name.
        """
        if self.identity is None:
            return None
        file = stack.enter_context(open_file(self.path))
        status = os.fstat(file.fileno())
        if (status.st_dev, status.st_ino) != self.identity:
            raise FileNotFoundError(ENOENT, "it was replaced by another file", self.path)
        return file

    def lines(
        self,
        file: io.FileIO | None,
        progress: Callable[[int], None] | None = None,
        before: int = 0,
    ) -> Iterator[bytes]:
        """Yield the lines of the piece; `before` is how many there are before it in the file."""
        if file is None:
            return lines_of(self.path, progress)
        return lines_between(file, self.name, self.start, self.end, progress, before)


class Part(NamedTuple):
    """What one process reads in one go."""

    pieces: tuple[Piece, ...]
    is_own: bool
    """It is for the process that asked."""


class _Log(NamedTuple):
    path: str
    size: int
    weight: int
    identity: tuple[int, int] | None


def processes(jobs: int) -> int:
    """Return how many processes are meant: 0 is one for each core.

    Raises `ConfigurationError` for what is no number of them.
    """
    if type(jobs) is not int or jobs < 0:
        msg = f"jobs is how many processes may read at once, 0 for one a core, not {jobs!r}"
        raise ConfigurationError(msg)
    if jobs == 0:
        affinity = getattr(os, "sched_getaffinity", None)
        return (os.cpu_count() or 1) if affinity is None else len(affinity(0))
    return jobs


def share(logs: Sequence[Path], jobs: int, measure: Measure | None = None) -> list[Part]:
    """Share logs out among so many processes; an empty list: it is not worth it, or cannot be."""
    measure = measure or USUAL
    if jobs < _SEVERAL or getattr(sys, "frozen", False):  # no interpreter to start
        return []
    weighed = _weighed(logs)
    total = sum(log.weight for log in weighed)
    jobs = min(jobs, total // measure.smallest)
    if jobs < _SEVERAL:
        return []
    starting = 0 if can_fork() else measure.starting
    parts = _cut(weighed, _bounds(total, jobs, measure._replace(starting=starting)))
    return _owned(parts, jobs) if len(parts) > 1 else []


def _weighed(logs: Sequence[Path]) -> list[_Log]:
    """Return the logs with their sizes; none, if one is no file that can be opened."""
    weighed = []
    for log in logs:
        try:
            plain, status = is_plain(log), os.stat(log)  # noqa: PTH116 - any PathLike
        except (OSError, ValueError):
            return []
        if plain is None:
            return []
        identity = (status.st_dev, status.st_ino) if plain else None
        weight = status.st_size * (1 if plain else _UNPACKED)
        weighed.append(_Log(os.fspath(log), status.st_size, weight, identity))
    return weighed


def _bounds(total: int, jobs: int, measure: Measure) -> list[float]:
    """Return where parts end, in bytes of all logs."""
    rounds = math.ceil(total / (jobs * measure.largest))
    others = jobs - 1
    while_reading = (rounds - 1) / rounds  # the last is taken in when nobody reads any more
    helping = 1 / others - _TAKING_IN * while_reading
    own = max((helping + measure.starting * rounds / total) / (1 + helping), _LEAST / jobs)
    ends = [own + (1 - own) * number / others for number in range(jobs)]
    return [total * (turn + end) / rounds for turn in range(rounds) for end in ends]


def _cut(logs: list[_Log], bounds: list[float]) -> list[tuple[tuple[Piece, ...], int]]:
    """Return parts with their weights."""
    parts: list[list[Piece]] = [[]]
    weights = [0]
    before = 0
    for log in logs:
        within = [int(bound - before) for bound in bounds if before < bound <= before + log.weight]
        cuts = [log.size] if within else []
        if log.identity is not None:
            cuts = _behind_newlines(log, within)
        start = 0
        for cut in cuts:
            if cut < log.size:
                parts[-1].append(Piece(log.path, start, cut, log.identity))
                weights[-1] += cut - start
                parts.append([])
                weights.append(0)
                start = cut
        identity = log.identity if start else None
        parts[-1].append(Piece(log.path, start, None, identity))
        weights[-1] += log.weight - start
        if start or log.size in cuts:
            parts.append([])
            weights.append(0)
        before += log.weight
    return [(tuple(part), weight) for part, weight in zip(parts, weights, strict=True) if part]


def _behind_newlines(log: _Log, places: list[int]) -> list[int]:
    """Return where lines begin, at these places of a file or behind them, in order."""
    with open_file(log.path) as file:
        return sorted({_behind_newline(file, place, log.size) for place in places})


def _behind_newline(file: io.FileIO, place: int, size: int) -> int:
    at = file.seek(max(place - 1, 0))
    while (block := file.read(_BLOCK)) and at < size:
        found = block.find(b"\n")
        if found >= 0:
            return min(at + found + 1, size)
        at += len(block)
    return size


def _owned(parts: list[tuple[tuple[Piece, ...], int]], jobs: int) -> list[Part]:
    """Decide who reads what, so that nobody has to wait for long."""
    own, others = 0.0, [0.0] * (jobs - 1)
    shared = []
    for pieces, weight in parts:
        least = min(range(len(others)), key=others.__getitem__)
        is_own = own * _CLOSE <= others[least]
        if is_own:
            own += weight
        else:
            others[least] += weight
            own += _TAKING_IN * weight
        shared.append(Part(pieces, is_own))
    return shared
