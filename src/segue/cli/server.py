"""One server process on uvicorn, its configuration, and its log records.

When a server stops, it accepts no more connections, finishes the running requests and closes the
store. After a signal the process exits with the exit code of the command, and is not killed by the
signal. The log records of an exception show only its type and the source lines it passed, since its
message may quote a sender.
"""

import asyncio
import logging
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import FrameType
from typing import Any, Final, Literal, cast

from segue.cli.errors import INTERRUPTED, print_error
from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.core.findings import Policy
from segue.report.escape import visible
from segue.server import JwtAuth
from segue.server.adapters import AsgiApp, asgi
from segue.server.http import JsonLogFormatter, NoAuth, Observer, RequestLimits
from segue.server.processor import Processor
from segue.server.stores.address import open_store, sqlite_path

try:
    import uvicorn

    from segue.cli.connections import BODY_SECONDS, IDLE_SECONDS, Connections
except ModuleNotFoundError as error:
    raise ConfigurationError(
        'a server needs an extra: python -m pip install "segue[serve]"'
    ) from error

_FINISH: Final = 30
"""Seconds in which running requests must finish when the server stops."""
_BACKLOG: Final = 2048
_BATCH: Final = 8
"""The number of connections that asyncio accepts in one go.

By default this number is the backlog. Without free file descriptors asyncio would then fail, and
log the failure, thousands of times.
"""
_SILENCE: Final = 1.0
"""The minimum number of seconds between two log records of the same event loop failure."""

_LOG: Final = logging.getLogger("segue.server")

STOPPED: Final = {signal.SIGTERM: 0, signal.SIGINT: INTERRUPTED}
"""The exit code of a server for each signal that stops it."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Raise `ConfigurationError` if the address or the port is not available.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        found = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (")[0]
        raise ConfigurationError(
            f"cannot listen on {host}:{port} ({reason}): give another --host or --port"
        ) from error
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # accepted sockets inherit it
    return found


def url_of(sock: socket.socket, prefix: str = "") -> str:
    """Return the URL of a listening socket, such as `http://127.0.0.1:8080/segue`."""
    host, port = sock.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}"


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The configuration of a server, which is also sent to its worker processes."""

    host: str
    port: int
    store: str = field(repr=False)
    """The address of the store, such as `sqlite:segue.db`."""
    auth: Mapping[str, Any] | None = field(repr=False)
    """The keyword arguments for `segue.JwtAuth`, or None for a server without authentication."""
    policy: Policy
    callback_secret: str | None = field(default=None, repr=False)
    """The secret that signs callback URLs.

    If it is None, requests to callback URLs need a token like all others.
    """
    allow_hosts: tuple[str, ...] = ()
    """Further values of the header `Host` that a server without authentication accepts."""
    prefix: str = ""
    stores_text: bool = True
    retention: timedelta | None = None
    patience: timedelta | None = None
    callbacks: tuple[str, ...] = ()
    """The kinds of callbacks that another process on the store has handlers for."""
    workers: int = 1
    log_format: Literal["text", "json"] = "text"
    is_quiet: bool = False
    """Whether the server logs only problems, and not every request."""

    @property
    def allows_reading(self) -> bool:
        """Whether clients may read conversations."""
        return self.auth is None or "read" in self.auth.get("scopes", {})

    def processor(self) -> Processor:
        """Return a new processor on the store, for one process."""
        return Processor(
            store=open_store(self.store),
            policy=self.policy,
            store_text=self.stores_text,
            retention=self.retention,
            patience=self.patience,
            callbacks=self.callbacks,
        )

    def application(self, processor: Processor, *observers: Observer) -> AsgiApp:
        """Return the ASGI application for one process."""
        return asgi(
            processor,
            auth=NoAuth(self.allow_hosts) if self.auth is None else JwtAuth(**self.auth),
            prefix=self.prefix,
            observers=observers,
            read=self.allows_reading,
            inspector=self.allows_reading,
            limits=RequestLimits(body_seconds=BODY_SECONDS),
            callback_secret=self.callback_secret,
        )

    def validate(self) -> None:
        """Raise `SegueError` for a configuration with which the server cannot work.

        An unavailable database server is only reported on stderr.
        """
        self.application(self.processor())
        store = open_store(self.store)
        try:
            store.migrate()
        except StoreUnavailable as error:
            if sqlite_path(self.store) is not None:
                raise
            print_error(f"deliveries are answered with 503 for now: {error}")
        finally:
            store.close()


class TextFormatter(logging.Formatter):
    """A formatter that writes each log record as one line: time, level, logger and message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a log record, with control characters escaped."""
        return visible(super().format(record))

    def formatException(self, ei: Any) -> str:  # noqa: ANN401, N802 - logging's own
        """Return the type of an exception and the source lines it passed, such as `a.py:17`."""
        kind, _, trace = ei
        frames = (f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(trace))
        return " ".join([getattr(kind, "__name__", "exception"), *frames])


def log_to_stderr(form: Literal["text", "json"], *, is_quiet: bool) -> None:
    """Write log records to stderr from now on, as lines of text or JSON.

    They are about every request, or with `is_quiet` only about problems. A request that is not
    valid HTTP, which uvicorn answers and logs, is not a problem of the server.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLogFormatter() if form == "json" else TextFormatter())
    segue, uvicorns = logging.INFO, logging.WARNING
    if is_quiet:
        segue, uvicorns = logging.WARNING, logging.ERROR
    for name, level in (("segue", segue), ("uvicorn", uvicorns)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


class FailureLog:
    """An exception handler for asyncio, which logs the same failure at most once a second."""

    def __init__(self) -> None:
        self._logged: dict[str, float] = {}

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log a failure of the event loop, unless it was logged within the last second."""
        message = context["message"]
        if loop.time() - self._logged.get(message, -_SILENCE) >= _SILENCE:
            self._logged[message] = loop.time()
            _LOG.error("%s", message, exc_info=context.get("exception"))


class Server(uvicorn.Server):
    """The uvicorn server of one process.

    Args:
        app: The application.
        on_ready: Called once when connections are accepted.
        background: A coroutine function that runs until the server stops.

    """

    def __init__(
        self,
        app: AsgiApp,
        on_ready: Callable[[], object],
        background: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="on",
                loop="asyncio",
                http=cast("Any", Connections().protocol),
                ws="none",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                backlog=_BATCH,
                timeout_keep_alive=int(IDLE_SECONDS),
                timeout_graceful_shutdown=_FINISH,
            )
        )
        self._on_ready = on_ready
        self._background = background
        self._task: asyncio.Task[None] | None = None
        self._signal: int | None = None
        self._is_signalled = False

    def serve_on(self, sock: socket.socket) -> int:
        """Serve on a socket until a signal comes or `should_exit` is set.

        Return the exit code of the command: 0 after SIGTERM, 130 after an interrupt.
        """
        for number in STOPPED:
            signal.signal(number, self._note_signal)  # uvicorn raises it later
        try:
            self.run([sock])
        finally:
            for number in STOPPED:
                signal.signal(number, signal.SIG_DFL)
        return 0 if self._signal is None else STOPPED[signal.Signals(self._signal)]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections, call `on_ready`, and start the background task."""
        asyncio.get_running_loop().set_exception_handler(FailureLog())
        await super().startup(sockets)
        for sock in sockets or ():
            sock.listen(_BACKLOG)
        if self.started:
            self._on_ready()
            if self._background is not None:
                self._task = asyncio.create_task(self._background())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Cancel the background task, finish the running requests, and close the connections."""
        if self._task is not None:
            self._task.cancel()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop the server after the running requests, or after a second interrupt at once.

        uvicorn would take the first interrupt for a second one if the server was stopping already.
        This happens to a worker whose supervisor got the same signal from the terminal.
        """
        super().handle_exit(sig, frame)
        self.force_exit = self.force_exit and self._is_signalled
        self._is_signalled = True

    def _note_signal(self, number: int, frame: FrameType | None) -> None:
        del frame
        self._signal = number
