"""Runs several server processes on one socket and one store, and replaces those that exit.

If no worker starts, the supervisor exits. Workers stop when a pipe is closed, so that they stop
with a parent that was killed as well; then they are gone within two seconds, whatever runs.
"""

import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from threading import Thread
from time import sleep
from types import FrameType
from typing import Final

from segue.cli.errors import FAILED, print_error
from segue.cli.log_format import log_to_stderr
from segue.cli.server import STOPPED, Server, ServerConfig
from segue.errors import SegueError
from segue.http import LogObserver

_LOOK: Final = 0.2
"""Seconds between two looks whether the supervisor is still there, while a worker stops."""
_LAST: Final = 1.5
"""Seconds that running requests get when it is gone."""

_SPAWN: Final = get_context("spawn")


class Supervisor:
    """Keeps the configured number of workers running.

    Args:
        config: What is served.
        sock: The listening socket that the workers share.
        on_ready: Called once, when the first worker accepts connections.

    """

    def __init__(
        self, config: ServerConfig, sock: socket.socket, on_ready: Callable[[], object]
    ) -> None:
        self._config, self._sock = config, sock
        self._on_ready: Callable[[], object] | None = on_ready
        self._stop_reader, self._stop_writer = _SPAWN.Pipe(duplex=False)
        self._ready_reader, self._ready_writer = _SPAWN.Pipe(duplex=False)
        self._workers = [self._start_worker() for _ in range(config.workers)]
        self._code: int | None = None
        """The exit code, once it is stopping."""

    def run(self) -> int:
        """Replace workers that exit until a signal comes; return the exit code."""
        for number in STOPPED:
            signal.signal(number, self._stop)
        while self._workers:
            sentinels = [each.sentinel for each in self._workers]
            if self._ready_reader in connection.wait([self._ready_reader, *sentinels]):
                self._note_ready()
            self._replace()
        return self._code or 0

    def _note_ready(self) -> None:
        self._ready_reader.recv()
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
                self._end(FAILED)
            else:
                print_error(f"worker {worker.pid} exited unexpectedly; starting a replacement")
                self._workers.append(self._start_worker())

    def _start_worker(self) -> BaseProcess:
        worker = _SPAWN.Process(
            target=_work, args=(self._config, self._sock, self._stop_reader, self._ready_writer)
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
            self._stop_writer.close()


def _work(
    config: ServerConfig,
    sock: socket.socket,
    stop: connection.Connection,
    ready: connection.Connection,
) -> None:
    """Run a worker: serve until the pipe `stop` is closed."""
    log_to_stderr(config.log_format, is_quiet=config.is_quiet)
    processor = config.processor()

    def send_ready() -> None:
        with suppress(OSError):
            ready.send(None)

    parent = os.getppid()

    def wait_for_stop() -> None:
        with suppress(EOFError, OSError):
            stop.recv()  # nothing is ever sent
        server.should_exit = True
        while os.getppid() == parent:
            sleep(_LOOK)
        sleep(_LAST)
        os._exit(FAILED)  # what still runs would answer for a server that is gone

    try:
        server = Server(config, config.application(processor, LogObserver()), send_ready)
    except SegueError as error:
        print_error(str(error))
        raise SystemExit(FAILED) from None
    Thread(target=wait_for_stop, daemon=True).start()
    server.serve_on(sock)
