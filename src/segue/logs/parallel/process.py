"""The process of a helper: a fork of this one where that is safe, a command elsewhere.

It decides how a process begins and ends, and that it ends when whoever started it is gone.  A fork
has imported everything, which takes a command a fifth of a second; it is safe on Linux, and in a
process of one thread, for locks that other threads hold would never be released in the fork.

House rule: a helper touches nothing it was not told to.  As a fork it leaves what it inherited
alone, garbage included; as a command it does not run the main module of a program that knows
nothing of this, which `multiprocessing` would import.
"""

import gc
import os
import pickle
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import current_process, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import BinaryIO, Final, TypeAlias

__all__ = ["Command", "Fork", "Process", "Work", "can_fork", "main", "start"]

Work: TypeAlias = Callable[[int], object]
"""What is to be done, with the number of the file that takes what it comes to."""

_PROGRAM: Final = "from segue.logs.parallel.process import main; main()"
_OUT: Final = 1
_ERR: Final = 2
_GARBAGE: Final = 100_000


class Process(ABC):
    """A process that does some work; it has no other outcome than what is in the file then."""

    @property
    @abstractmethod
    def is_at_work(self) -> bool:
        """Whether it has not ended."""

    @abstractmethod
    def wait(self, seconds: float | None) -> bool:
        """Wait for its end; return whether it came."""

    @abstractmethod
    def stop(self) -> None:
        """End it, and wait until that is done."""


class Fork(Process):
    """A fork of this process."""

    def __init__(self, work: Work, out: BinaryIO) -> None:
        assert sys.platform != "win32"  # noqa: S101
        self._process = get_context("fork").Process(target=_apart, args=(work, out.fileno()))
        self._process.start()

    @property
    def is_at_work(self) -> bool:
        """Whether it has not ended."""
        return self._process.is_alive()

    def wait(self, seconds: float | None) -> bool:
        """Wait for its end; return whether it came."""
        self._process.join(seconds)
        return not self._process.is_alive()

    def stop(self) -> None:
        """End it, and wait until that is done."""
        self._process.kill()
        self._process.join()


class Command(Process):
    """An interpreter of its own; the work has to be picklable."""

    def __init__(self, work: Work, out: BinaryIO) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
        )
        assert self._process.stdin is not None  # noqa: S101
        with suppress(BrokenPipeError):  # it has ended without any outcome
            self._process.stdin.write(pickle.dumps(work))
            self._process.stdin.flush()  # and it stays open: when it is cut, the process ends

    @property
    def is_at_work(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def wait(self, seconds: float | None) -> bool:
        """Wait for its end; return whether it came."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        self._hang_up()
        return True

    def stop(self) -> None:
        """End it, and wait until that is done."""
        self._process.kill()
        self._process.wait()
        self._hang_up()

    def _hang_up(self) -> None:
        assert self._process.stdin is not None  # noqa: S101
        with suppress(OSError):
            self._process.stdin.close()


def can_fork() -> bool:
    """Whether a fork of this process is safe, and starts at once."""
    try:
        # Python does not know of them all.
        threads = sum(1 for _ in Path("/proc/self/task").iterdir())
    except OSError:  # not Linux
        return False
    return threads == 1 and not current_process().daemon  # a daemon may not


def start(work: Work, out: BinaryIO) -> Process:
    """Start a process that does some work.

    Raises `OSError` when there cannot be one.
    """
    return (Fork if can_fork() else Command)(work, out)


def main() -> None:
    """Do the work on standard input, as a command."""
    work: Work = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started us
    _do(work, _OUT, sys.stdin.fileno())


def _apart(work: Work, out: int) -> None:
    """Do some work, as a fork."""
    gc.freeze()  # what was inherited is not ours to finalize
    signal.set_wakeup_fd(-1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), _ERR)
    parent = parent_process()
    assert parent is not None  # noqa: S101
    _do(work, out, parent.sentinel)


def _do(work: Work, out: int, line: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that is for the one who waits
    Thread(target=_live, args=(line,), daemon=True).start()
    gc.set_threshold(_GARBAGE, 50, 50)
    work(out)


def _live(line: int) -> None:
    """End when nobody waits any more."""
    os.read(line, 1)  # nothing ever comes but the end
    os._exit(1)
