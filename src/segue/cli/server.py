"""One server process, on uvicorn: it answers until it is told to stop, and then finishes.

It decides uvicorn's settings, and what stopping means: nothing new is accepted, what runs is
finished, the store is closed.  House rules: who is ready says so once; a signal ends the process
with the code of the command and not with the signal.
"""

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, Final

from segue.adapters import AsgiApp
from segue.cli.server_config import Plan
from segue.errors import ConfigurationError

try:
    import uvicorn
except ModuleNotFoundError as error:
    raise ConfigurationError(
        'a server needs an extra: python -m pip install "segue[serve]"'
    ) from error

__all__ = ["STOPPED", "Server", "listening", "url_of"]

_FINISH: Final = 30
"""Seconds that running requests have when the server stops."""
_KEEP_ALIVE: Final = 75
"""Longer than proxies keep a connection they do not use: they should hang up first, not we."""
_BACKLOG: Final = 2048

STOPPED: Final = {signal.SIGTERM: 0, signal.SIGINT: 130}
"""How the command ends after a signal."""


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that connections can be made to; who accepts them comes later."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        found = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (")[0]
        raise ConfigurationError(
            f"{host}:{port} cannot be listened on ({reason}): give another --host or --port"
        ) from error
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # what it accepts inherits it
    return found


def url_of(sock: socket.socket, prefix: str = "") -> str:
    """Return the address of what listens there."""
    host, port = sock.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}"


class Server(uvicorn.Server):
    """One process's server."""

    def __init__(
        self,
        plan: Plan,
        app: AsgiApp,
        on_ready: Callable[[], object],
        beside: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=plan.host,
                port=plan.port,
                lifespan="on",
                ws="none",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                backlog=_BACKLOG,
                timeout_keep_alive=_KEEP_ALIVE,
                timeout_graceful_shutdown=_FINISH,
            )
        )
        self._on_ready = on_ready
        self._beside = beside
        self._task: asyncio.Task[None] | None = None
        self._signal: int | None = None

    def serve_on(self, sock: socket.socket) -> int:
        """Answer until a signal comes or somebody sets `should_exit`; return the exit code."""
        for number in STOPPED:
            signal.signal(number, self._noted)  # uvicorn raises what it caught when it is done
        try:
            self.run([sock])
        finally:
            for number in STOPPED:
                signal.signal(number, signal.SIG_DFL)
        return 0 if self._signal is None else STOPPED[signal.Signals(self._signal)]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, and say so."""
        await super().startup(sockets)
        if self.started:
            self._on_ready()
            if self._beside is not None:
                self._task = asyncio.create_task(self._beside())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish what runs, and what runs beside it."""
        if self._task is not None:
            self._task.cancel()
        await super().shutdown(sockets)

    def _noted(self, number: int, frame: FrameType | None) -> None:
        del frame
        self._signal = number
