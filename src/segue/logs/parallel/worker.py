"""A helper: it reads a part of a log in a process of its own, for the one that started it.

It decides nothing about reports.  House rule: whatever goes wrong, it ends without an outcome, and
its part is read by somebody else, who can say what it was.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import BinaryIO, Final, NamedTuple

from segue.logs.options import ReplayOptions
from segue.logs.parallel.chunk_replayer import Tracer
from segue.logs.parallel.chunks import Part
from segue.logs.parallel.report_codec import Detail, Load
from segue.logs.parallel.result_file import FREIGHT, Index, put, put_outcome, tell

__all__ = ["AHEAD", "Task", "do", "read"]

AHEAD: Final = 64
_A_LOAD: Final = 256
_BUFFER: Final = 1 << 20


class Task(NamedTuple):
    """What a helper is to do."""

    part: Part
    options: ReplayOptions
    detail: Detail


def do(task: Task, file: int) -> None:
    """Do a task; `file` is the number of the file of a spool."""
    with os.fdopen(os.dup(file), "wb", _BUFFER) as out:
        read(task, out, partial(tell, file))


def read(task: Task, out: BinaryIO, told: Callable[[int], object]) -> None:
    """Read a part and write what it comes to; `told` is how many bytes have been read."""
    index = Index(out)
    tracer = Tracer(task.options, index.note)
    lines: list[int] = []
    load = Load(task.detail)
    before = 0

    for piece in task.part.pieces:
        count = 0

        def progress(read: int) -> None:
            nonlocal count
            count = read
            told(before + count)  # noqa: B023 - called while this piece is read

        index.begin()
        tracer.source = piece.name
        with ExitStack() as stack:
            for report in tracer.feed_all(piece.lines(piece.opened(stack), progress), AHEAD):
                load.add(tracer.before + tracer.line, report)
                if len(load) == _A_LOAD:
                    put(out, FREIGHT, load.pack())
        index.write()
        before += count
        lines.append(index.lines)
        tracer.before += index.lines
    put(out, FREIGHT, load.pack())
    put_outcome(out, tracer.outcome(tuple(lines)))
    out.flush()
