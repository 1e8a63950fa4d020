"""A helper: a process that reads a part of a log for the one that started it.

    python -c "from segue.logs.team.helper import main; main()"  < task  > spool

It decides nothing about reports.  House rules: it ends when its task is done or nobody waits for it
any more; an interrupt is for the one who waits; whatever goes wrong, it ends without an outcome,
and its part is read by somebody else, who can say what it was.
"""

import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from threading import Thread
from typing import BinaryIO, Final, NamedTuple

from segue.logs.options import Options
from segue.logs.team.freight import Load, Wanted
from segue.logs.team.piece import Part
from segue.logs.team.spool import FREIGHT, Index, put, put_outcome, tell
from segue.logs.team.tracer import Tracer

__all__ = ["AHEAD", "Task", "main", "read"]

AHEAD: Final = 64
_A_LOAD: Final = 256
_OUT: Final = 1
_BUFFER: Final = 1 << 20
_GARBAGE: Final = 100_000


class Task(NamedTuple):
    """What a helper is to do."""

    part: Part
    options: Options
    wanted: Wanted


def read(task: Task, out: BinaryIO, told: Callable[[int], object]) -> None:
    """Read a part and write what it comes to; `told` is how many bytes have been read."""
    index = Index(out)
    tracer = Tracer(task.options, index.note)
    lines: list[int] = []
    load = Load(task.wanted)
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


def main() -> None:
    """Do the task on standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    task: Task = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started us
    Thread(target=_live, daemon=True).start()
    gc.set_threshold(_GARBAGE, 50, 50)
    with os.fdopen(os.dup(_OUT), "wb", _BUFFER) as out:
        read(task, out, partial(tell, _OUT))


def _live() -> None:
    """End when nobody waits any more."""
    os.read(0, 1)  # nothing ever comes but the end
    os._exit(1)
