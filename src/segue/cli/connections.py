"""Limits for the connections of a server: deadlines for senders, and a maximum number.

uvicorn has a time limit for idle connections only. A sender that stops in the middle of a head, or
drips bytes after an answer, would hold its connection forever. Every connection is therefore
wrapped. It has a deadline while it waits for its sender, and when descriptors become scarce, the
connections that have waited longest are closed.
"""

import asyncio
import copy
import heapq
import sys
from dataclasses import dataclass, field
from typing import Any, Final

from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from segue.server.adapters.asgi_app import AsgiMessage, AsgiReceive, AsgiSend

HEAD_SECONDS: Final = 5.0
"""The limit for a head, from the connection or from the first byte after an answer."""
BODY_SECONDS: Final = 7.0
"""The limit for a body, from the end of the head."""
IDLE_SECONDS: Final = 75.0
"""The limit after an answer. It is longer than that of proxies, so that the proxy closes first."""
WRITE_SECONDS: Final = 10.0
"""The limit for a sender that does not read its answer while more of it is waiting."""
LINGER_SECONDS: Final = 1.0
"""The time for reading an answer that was sent before the whole body had come."""
_RESERVED: Final = 64
"""Descriptors kept for other uses: the store, and connections that are not registered yet."""
_FEWEST: Final = 16
_MOST: Final = 100_000
_SHARE: Final = 16
"""The number of waiting connections for each one that is closed.

Choosing them takes time, so several are closed together.
"""


def most_connections() -> int:
    """Return the maximum number of connections, from the descriptor limit of this process."""
    if sys.platform == "win32":
        return _MOST
    import resource  # missing on Windows

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if soft == resource.RLIM_INFINITY else max(_FEWEST, soft - _RESERVED)


@dataclass(slots=True)
class Connections:
    """The connections of one process."""

    most: int = field(default_factory=most_connections)
    all: set["LimitedConnection"] = field(default_factory=set)
    waiting: dict["LimitedConnection", float] = field(default_factory=dict)
    """The connections that wait for their sender, with the time when each began to wait."""

    def protocol(self, *args: Any, **options: Any) -> "LimitedConnection":
        """Return the protocol of a new connection. It takes the arguments of uvicorn's protocol."""
        return LimitedConnection(self, *args, **options)

    def add(self, connection: "LimitedConnection") -> None:
        """Register a connection. If there are too many, close those that have waited longest."""
        self.all.add(connection)
        if len(self.all) > self.most:
            number = max(1, len(self.waiting) // _SHARE)
            for each in heapq.nsmallest(number, self.waiting, self.waiting.__getitem__):
                each.abort()


class LimitedConnection(asyncio.Protocol):
    """A connection that enforces the deadlines and passes its data on to uvicorn's protocol."""

    def __init__(
        self,
        connections: Connections,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._connections = connections
        self._loop = asyncio.get_running_loop()
        self._app = config.loaded_app
        config = copy.copy(config)
        config.loaded_app = self._answer
        self._inner = H11Protocol(config, server_state, app_state, _loop)
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        """The timer for a sender that does not read its answer."""
        self._is_idle = False
        """Whether no data has come since the last answer."""
        self._is_over = False
        """Whether further data is dropped."""

    # Called by the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first head."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._inner.connection_made(transport)
        self._wait(HEAD_SECONDS)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Pass data on. The first byte after an answer starts the deadline for a head."""
        if self._is_over:
            return
        if self._is_idle:
            self._is_idle = False
            self._set_timer(HEAD_SECONDS)
        self._inner.data_received(data)

    def eof_received(self) -> None:
        """Pass the end of the data on."""
        self._inner.eof_received()

    def pause_writing(self) -> None:
        """Start the deadline for reading the answer."""
        self._reading = self._loop.call_later(WRITE_SECONDS, self.abort)
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Stop the deadline for reading the answer."""
        self._stop_reading_timer()
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection and stop its timers."""
        self._set_timer(None)
        self._stop_reading_timer()
        self._connections.all.discard(self)
        self._connections.waiting.pop(self, None)
        self._inner.connection_lost(exc)

    def abort(self) -> None:
        """Close the connection at once, and discard unsent data."""
        self._is_over = True
        self._connections.all.discard(self)
        self._connections.waiting.pop(self, None)
        if self._transport is not None:
            self._transport.abort()

    # Called by uvicorn's protocol, once for each request.

    async def _answer(self, scope: AsgiMessage, receive: AsgiReceive, send: AsgiSend) -> None:
        since, waiting = self._loop.time(), self._connections.waiting
        is_whole = not _has_body(scope)

        async def receiving() -> AsgiMessage:
            nonlocal is_whole
            waiting[self] = since
            try:
                message = await receive()
            finally:
                waiting.pop(self, None)
            is_whole = not message.get("more_body", False)
            return message

        self._set_timer(None)
        waiting.pop(self, None)
        try:
            await self._app(scope, receiving, send)
        finally:
            self._is_idle, self._is_over = True, not is_whole
            self._wait(IDLE_SECONDS if is_whole else LINGER_SECONDS)

    def _wait(self, seconds: float) -> None:
        """Wait for the sender, with a deadline after these seconds."""
        if self._transport is not None and not self._transport.is_closing():
            self._connections.waiting[self] = self._loop.time()
            self._set_timer(seconds)

    def _set_timer(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self._loop.call_later(seconds, self.abort)

    def _stop_reading_timer(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


def _has_body(scope: AsgiMessage) -> bool:
    """Return whether the head of a request announces a body."""
    return any(
        (name == b"content-length" and value != b"0") or name == b"transfer-encoding"
        for name, value in scope["headers"]
    )
