"""A supervisor of server processes, called workers, that share one socket and one store.

The supervisor replaces workers that exit, and exits itself if no worker starts. A worker exits if
calls of handlers hang in it; see `Processor.is_stalled`. Workers stop when a pipe is closed, which
also happens when the supervisor is killed. In that case they exit within two seconds, even if
requests are running.
"""

import logging
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from threading import Thread
from time import monotonic, sleep
from types import FrameType
from typing import Final

from segue.cli.errors import FAILED, print_error
from segue.cli.server import STOPPED, Server, ServerConfig, log_to_stderr
from segue.core.errors import SegueError
from segue.server.http import LogObserver
from segue.server.processor import Processor

_LOOK: Final = 0.2
"""Seconds between two checks.

The supervisor checks whether workers must be started, and a stopping worker whether its supervisor
is still running.
"""
_STALL_LOOK: Final = 1.0
"""Seconds between two checks whether calls of handlers hang in a worker."""
_LAST: Final = 1.5
"""Seconds in which running requests must finish if the supervisor was killed."""
_SOON: Final = 10.0
"""Seconds after its start within which the exit of a worker counts as a failure to start."""
_LONGEST_DELAY: Final = 30.0

_SPAWN: Final = get_context("spawn")
_LOG: Final = logging.getLogger("segue.server")


class RestartDelay:
    """Growing delays for the replacement of workers that exit soon after their start.

    There is no delay until more of them have exited in a row than there are workers.
    """

    def __init__(self, workers: int) -> None:
        self._workers, self._exits = workers, 0

    def after(self, seconds: float) -> float:
        """Record the exit of a worker that ran for `seconds`, and return the delay in seconds."""
        self._exits = self._exits + 1 if seconds < _SOON else 0
        failures = self._exits - self._workers
        return min(2.0 ** (failures - 1), _LONGEST_DELAY) if failures > 0 else 0.0


class Supervisor:
    """A process that keeps the configured number of workers running.

    Args:
        config: The configuration of the workers.
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
        self._workers: dict[BaseProcess, float] = {}
        """The value of `time.monotonic` at the start of each running worker."""
        self._delay = RestartDelay(config.workers)
        self._due: list[float] = []
        """The values of `time.monotonic` at which further workers must be started."""
        for _ in range(config.workers):
            self._start_worker()
        self._code: int | None = None
        """The exit code if the supervisor is stopping, else None."""

    def run(self) -> int:
        """Run until a signal comes and all workers have exited, and return the exit code.

        Until then, replace workers that exit.
        """
        for number in STOPPED:
            signal.signal(number, self._stop)
        while self._workers or (self._due and self._code is None):
            sentinels = [each.sentinel for each in self._workers]
            timeout = _LOOK if self._due else None
            if self._ready_reader in connection.wait([self._ready_reader, *sentinels], timeout):
                self._note_ready()
            self._remove_exited()
            self._start_due()
        return self._code or 0

    def _note_ready(self) -> None:
        self._ready_reader.recv()
        if self._on_ready is not None and self._code is None:
            self._on_ready()
            self._on_ready = None

    def _remove_exited(self) -> None:
        for worker in [each for each in self._workers if not each.is_alive()]:
            worker.join()
            seconds = monotonic() - self._workers.pop(worker)
            if self._code is not None:
                continue
            if self._on_ready is not None:  # no worker has started yet
                if (worker.exitcode or 0) < 0:  # other workers have said what was wrong
                    print_error(f"worker {worker.pid} was killed while it started: start again")
                self._end(FAILED)
                continue
            delay = self._delay.after(seconds)
            when = f" in {delay:.0f} s" if delay else ""
            print_error(f"worker {worker.pid} exited unexpectedly; starting a replacement{when}")
            self._due.append(monotonic() + delay)

    def _start_due(self) -> None:
        now = monotonic()
        for at in [each for each in self._due if each <= now]:
            if self._code is None:  # a signal may come at any time
                self._due.remove(at)
                self._start_worker()

    def _start_worker(self) -> None:
        worker = _SPAWN.Process(
            target=_work, args=(self._config, self._sock, self._stop_reader, self._ready_writer)
        )
        worker.start()
        self._workers[worker] = monotonic()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        del frame
        self._end(STOPPED[signal.Signals(number)])

    def _end(self, code: int) -> None:
        if self._code is None:
            self._code = code
            self._sock.close()
            self._stop_writer.close()


def wait_until_over(stop: connection.Connection, processor: Processor) -> None:
    """Wait until the pipe `stop` is closed, or calls of handlers hang in this worker."""
    with suppress(EOFError, OSError):
        while not stop.poll(_STALL_LOOK):
            if processor.is_stalled:
                _LOG.error("calls of handlers do not return: this worker exits")
                return


def _work(
    config: ServerConfig,
    sock: socket.socket,
    stop: connection.Connection,
    ready: connection.Connection,
) -> None:
    """Serve as a worker until the pipe `stop` is closed.

    The worker sends None to the pipe `ready` when it accepts connections.
    """
    log_to_stderr(config.log_format, is_quiet=config.is_quiet)
    processor = config.processor()

    def send_ready() -> None:
        with suppress(OSError):
            ready.send(None)

    parent = os.getppid()

    def wait_for_stop() -> None:
        wait_until_over(stop, processor)
        server.should_exit = True
        while os.getppid() == parent:
            sleep(_LOOK)
        sleep(_LAST)
        os._exit(FAILED)  # running requests would answer for a server that is gone

    try:
        server = Server(config.application(processor, LogObserver()), send_ready)
    except SegueError as error:
        print_error(str(error))
        raise SystemExit(FAILED) from None
    Thread(target=wait_for_stop, daemon=True).start()
    server.serve_on(sock)
