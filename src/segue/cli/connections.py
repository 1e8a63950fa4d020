"""Limits for the connections of a server: time limits for senders, and a maximum number.

uvicorn limits only the time of idle connections. A sender that stops in the middle of a request, or
slowly sends bytes after an answer, would hold its connection forever. Every connection is therefore
wrapped. It has a deadline while it waits for its sender. When file descriptors become scarce, the
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
"""Seconds to receive the head of a request.

They begin with the connection, or with the first byte after an answer.
"""
BODY_SECONDS: Final = 7.0
"""Seconds to receive the body of a request, from the end of the head."""
IDLE_SECONDS: Final = 75.0
"""Seconds that a connection may be idle after an answer.

Proxies usually wait for less time, so that the proxy closes the connection first.
"""
WRITE_SECONDS: Final = 10.0
"""Seconds after which a client that does not read its answer is disconnected."""
LINGER_SECONDS: Final = 1.0
"""Seconds for the client to read an answer that was sent before the whole body had arrived."""
_RESERVED: Final = 64
"""The number of file descriptors kept free, for the store and for connections being accepted."""
_FEWEST: Final = 16
_MOST: Final = 100_000
_SHARE: Final = 16
"""One in this number of waiting connections is closed when there are too many.

Finding the connections that have waited longest takes time, so several are closed together.
"""


def most_connections() -> int:
    """Return the maximum number of connections that the file descriptors of this process allow."""
    if sys.platform == "win32":
        return _MOST
    import resource  # missing on Windows

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if soft == resource.RLIM_INFINITY else max(_FEWEST, soft - _RESERVED)


@dataclass(slots=True)
class Connections:
    """The open connections of one process, with their maximum number."""

    most: int = field(default_factory=most_connections)
    all: set["LimitedConnection"] = field(default_factory=set)
    waiting: dict["LimitedConnection", float] = field(default_factory=dict)
    """The connections that wait for data from their sender, with the time since which they wait."""

    def protocol(self, *args: Any, **options: Any) -> "LimitedConnection":
        """Return a protocol for a new connection, for the arguments that uvicorn passes."""
        return LimitedConnection(self, *args, **options)

    def add(self, connection: "LimitedConnection") -> None:
        """Register a new connection.

        If there are now more than `most`, close a few of those that have waited longest.
        """
        self.all.add(connection)
        if len(self.all) > self.most:
            number = max(1, len(self.waiting) // _SHARE)
            for each in heapq.nsmallest(number, self.waiting, self.waiting.__getitem__):
                each.abort()


class LimitedConnection(asyncio.Protocol):
    """A connection that enforces the time limits, and passes its data on to uvicorn's protocol."""

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
        """Whether no data has arrived since the last answer."""
        self._is_over = False
        """Whether further data from the sender is dropped."""

    # Called by the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection, and start the deadline for the head of the first request."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._inner.connection_made(transport)
        self._wait(HEAD_SECONDS)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Pass data on to uvicorn. The first byte after an answer starts the limit for a head."""
        if self._is_over:
            return
        if self._is_idle:
            self._is_idle = False
            self._set_timer(HEAD_SECONDS)
        self._inner.data_received(data)

    def eof_received(self) -> None:
        """Tell uvicorn's protocol that the sender has finished sending."""
        self._inner.eof_received()

    def pause_writing(self) -> None:
        """Start the time limit for reading the answer, since its buffer is full."""
        self._reading = self._loop.call_later(WRITE_SECONDS, self.abort)
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Stop the time limit for reading the answer, since its buffer has space again."""
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
        """Mark the connection as waiting for its sender, and close it after these seconds."""
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
