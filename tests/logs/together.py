"""Logs read by one process and by several, to compare: the workers are in this process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from segue.core.conversation import Report
from segue.errors import UnreadableLog
from segue.logs.parallel.chunk_replayer import ChunkResult
from segue.logs.parallel.chunks import Chunk, LogChunks
from segue.logs.parallel.coordinator import ParallelRun, Results
from segue.logs.plan import ChunkSizes, Detail, Replay, ReplayOptions
from segue.logs.replaying import start_replay
from segue.logs.sources import LogSlice

__all__ = ["CutLogs", "alone", "cut", "everything", "here", "together"]


class CutLogs(LogChunks):
    """Logs that are cut as a test says."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        super().__init__((), 1, ChunkSizes())
        self._chunks = chunks

    def __iter__(self) -> Iterator[Chunk]:
        for part in (part for chunk in self._chunks for part in chunk):
            if part.identity is not None:
                self.hold(part)
        yield from self._chunks


def here(
    work: Callable[[Chunk], ChunkResult],
    tasks: Iterable[Chunk],
    _processes: int,
    lost: Sequence[int] = (),
) -> Results:
    """What a pool yields; of the `lost` tasks there is no result."""
    for number, task in enumerate(tasks):
        result: ChunkResult | None = None
        if number not in lost:
            with suppress(OSError, UnreadableLog):
                result = pickle.loads(pickle.dumps(work(task)))  # noqa: S301 - our own
        yield task, result


def alone(paths: Sequence[Path], options: ReplayOptions) -> Iterator[Report]:
    """What one process says."""
    return start_replay(Replay(logs=tuple(paths), options=options)).reports()


def together(
    chunks: Sequence[Chunk],
    options: ReplayOptions,
    lost: Sequence[int] = (),
    detail: Detail | None = None,
) -> ParallelRun:
    """A run by several."""
    plan = Replay(options=options, detail=detail or Detail())
    return ParallelRun(plan, CutLogs(chunks), partial(here, lost=lost))


def everything(report: Report) -> tuple[Any, ...]:
    """All that can be seen of a report, its lines and logs included."""
    places = [
        (finding.place, [(cause.place, cause.text) for cause in finding.because])
        for finding in report.findings
    ]
    return (
        report.to_json(),
        report.timeline,
        report.transcription_intervals,
        places,
        repr(report),
        list(report.notes),
    )


def cut(path: Path, at: Sequence[int], log: int = 0) -> list[Chunk]:
    """Cut a file, which is the log of this number, before these lines, which are in order."""
    with path.open("rb") as file:
        lines = file.readlines()
    places = [sum(map(len, lines[:line])) for line in at]
    status = path.stat()
    identity = (status.st_dev, status.st_ino)
    return [
        (LogSlice(str(path), start, end, line + 1, (end or status.st_size) - start, identity, log),)
        for start, end, line in zip([0, *places], [*places, None], [0, *at], strict=True)
    ]
