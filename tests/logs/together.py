"""Logs read by one process and by several, to compare: the helpers are in this process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from segue.conversation import Report
from segue.logs import FULL_DETAIL, Crew, Detail, Replayer, ReplayOptions, Team, lines_of, name_of
from segue.logs.parallel.chunks import Part, Piece
from segue.logs.parallel.result_file import Spool
from segue.logs.parallel.worker import Task, read

__all__ = ["Here", "alone", "cut", "everything", "together"]


class Here(Crew):
    """A crew that reads a part when it is asked for it; `lost` parts it does not read at all."""

    def __init__(
        self,
        options: ReplayOptions,
        parts: list[Part],
        jobs: int = 2,
        detail: Detail = FULL_DETAIL,
        lost: Sequence[int] = (),
    ) -> None:
        super().__init__(options, parts, jobs, detail)
        self._work = [Task(part, options, detail) for part in parts]
        self._lost = lost

    def look(self) -> None:
        """There is nobody to start."""

    def wait(self, number: int, tick: Callable[[], object] | None) -> Spool:
        """Read the part."""
        task = pickle.loads(pickle.dumps(self._work[number]))  # noqa: S301 - our own
        with ExitStack() as stack:
            spool = Spool(stack.enter_context(TemporaryFile()))
            if number not in self._lost:
                read(task, spool.file, lambda _: tick and tick())
            stack.pop_all()  # whoever takes it closes it
        return spool


def alone(paths: Sequence[Path], options: ReplayOptions) -> Iterator[Report]:
    """What one process says."""
    replayer = Replayer(options)
    for path in paths:
        replayer.source = name_of(path)
        yield from replayer.feed_all(lines_of(path), 64)
    yield from replayer.close()


def together(parts: list[Part], options: ReplayOptions, **more: Any) -> Iterator[Report]:
    """What several say."""
    return Team(options, parts, Here(options, parts, **more)).reports()


def everything(report: Report) -> tuple[Any, ...]:
    """All that can be seen of a report, its lines and logs included."""
    places = [
        (finding.place, [(cause.place, cause.text) for cause in finding.because])
        for finding in report.findings
    ]
    return report.to_json(), report.timeline, report.times, report.spells, places, repr(report)


def cut(path: Path, at: Sequence[int], own: Sequence[int] = ()) -> list[Part]:
    """Cut a file before these lines; the parts of these numbers are for the one who asked."""
    with path.open("rb") as file:
        lines = file.readlines()
    places = [sum(map(len, lines[:line])) for line in at]
    status = path.stat()
    identity = (status.st_dev, status.st_ino)
    return [
        Part((Piece(str(path), start, end, identity),), number in own)
        for number, (start, end) in enumerate(zip([0, *places], [*places, None], strict=True))
    ]
