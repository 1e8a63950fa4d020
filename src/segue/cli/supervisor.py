"""Several server processes on one socket and one store, and the process that looks after them.

It decides when a worker is replaced: when it ended although nobody wanted it to.  House rules: one
that does not even start is not tried again; stopping is a pipe that is closed, so workers whose
parent was killed stop as well; a worker shares nothing with another but the socket.
"""

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from threading import Thread
from types import FrameType
from typing import Final

from segue.cli.log_format import record
from segue.cli.problem import complain
from segue.cli.server import STOPPED, Server
from segue.cli.server_config import Plan
from segue.errors import SegueError
from segue.http import LogObserver

__all__ = ["Workers"]

_SPAWN: Final = get_context("spawn")
_FAILED: Final = 2


class Workers:
    """Keeps as many workers running as the plan says."""

    def __init__(self, plan: Plan, sock: socket.socket, on_ready: Callable[[], object]) -> None:
        self._plan, self._sock = plan, sock
        self._on_ready: Callable[[], object] | None = on_ready
        self._life, self._rope = _SPAWN.Pipe(duplex=False)
        self._ready, self._say_ready = _SPAWN.Pipe(duplex=False)
        self._workers = [self._hire() for _ in range(plan.workers)]
        self._code: int | None = None
        """How it ends; None: it goes on."""

    def run(self) -> int:
        """Look after the workers until a signal comes; return the exit code."""
        for number in STOPPED:
            signal.signal(number, self._stop)
        while self._workers:
            for found in connection.wait([self._ready, *(each.sentinel for each in self._workers)]):
                if found is self._ready:
                    self._told_ready()
            self._replace()
        return self._code or 0

    def _told_ready(self) -> None:
        self._ready.recv()
        if self._on_ready is not None and self._code is None:
            self._on_ready()
            self._on_ready = None

    def _replace(self) -> None:
        for worker in [each for each in self._workers if not each.is_alive()]:
            worker.join()
            self._workers.remove(worker)
            if self._code is not None:
                continue
            if self._on_ready is not None:  # none has ever started
                self._end(_FAILED)
            else:
                complain(f"worker {worker.pid} ended unasked, another one takes over")
                self._workers.append(self._hire())

    def _hire(self) -> BaseProcess:
        worker = _SPAWN.Process(
            target=_work, args=(self._plan, self._sock, self._life, self._say_ready)
        )
        worker.start()
        return worker

    def _stop(self, number: int, frame: FrameType | None) -> None:
        del frame
        self._end(STOPPED[signal.Signals(number)])

    def _end(self, code: int) -> None:
        if self._code is None:
            self._code = code
            self._sock.close()
            self._rope.close()


def _work(
    plan: Plan,
    sock: socket.socket,
    life: connection.Connection,
    ready: connection.Connection,
) -> None:
    """Live as a worker."""
    record(plan.log_format, is_quiet=plan.is_quiet)
    processor = plan.processor()

    def tell() -> None:
        with suppress(OSError):
            ready.send(None)

    def watch() -> None:
        with suppress(EOFError, OSError):
            life.recv()  # nothing ever comes but the end
        server.should_exit = True

    try:
        server = Server(plan, plan.application(processor, LogObserver()), tell)
    except SegueError as error:
        complain(str(error))
        raise SystemExit(_FAILED) from None
    Thread(target=watch, daemon=True).start()
    server.serve_on(sock)
