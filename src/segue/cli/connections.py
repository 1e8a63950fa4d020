"""Limits for the connections of a server: time limits for senders, and a maximum number.

uvicorn limits only the time of idle connections. A sender that stops in the middle of a request, or
slowly sends bytes after an answer, would hold its connection forever. Every connection is therefore
wrapped. It has a deadline while it waits for its sender. When file descriptors become scarce, the
connections that have waited longest are closed.

The wrapper also finishes connections as HTTP requires. A sender that has closed its half of the
connection gets the answer to its request. A sender that has not sent the rest of its request can
read the answer before the connection is closed (RFC 9112, 9.6).
"""

import asyncio
import copy
import heapq
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import h11
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
"""Seconds for the client to read an answer that was sent before its whole request had arrived."""
_RECEIVED: Final = (h11.DONE, h11.MUST_CLOSE)
"""The states of a sender whose request has arrived as a whole, and is being answered."""
_UNFINISHED: Final = (h11.SEND_BODY, h11.ERROR)
"""The states of a sender that may still send data which belongs to no other request."""
_RESERVED: Final = 64
"""The number of file descriptors kept free, for the store and for connections being accepted."""
_FEWEST: Final = 16
_MOST: Final = 100_000
_SHARE: Final = 16
"""One in this number of waiting connections is closed when there are too many.

Finding the connections that have waited longest takes time, so several are closed together.
"""


def most_connections() -> int:
    """Return the number of connections for which this process has file descriptors."""
    if sys.platform == "win32":
        return _MOST
    import resource  # missing on Windows

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if soft == resource.RLIM_INFINITY else max(_FEWEST, soft - _RESERVED)


@dataclass(slots=True)
class Connections:
    """The open connections of one server process, limited to a maximum number."""

    most: int = field(default_factory=most_connections)
    all: set["LimitedConnection"] = field(default_factory=set)
    waiting: dict["LimitedConnection", float] = field(default_factory=dict)
    """The connections that wait for data from their sender, with the time since which they wait."""

    def protocol(self, *args: Any, **options: Any) -> "LimitedConnection":
        """Create the protocol of a new connection. Uvicorn calls this like a protocol class."""
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


class _Transport(asyncio.Transport):
    """The transport of a connection as uvicorn's protocol sees it, with another way to close."""

    def __init__(self, inner: asyncio.Transport, close: Callable[[], None]) -> None:
        super().__init__()
        self._inner, self._close = inner, close
        self._is_closing = False

    def close(self) -> None:
        """Close the connection once."""
        if not self.is_closing():
            self._is_closing = True
            self._close()

    def is_closing(self) -> bool:
        """Return whether the connection is closed or is about to be closed."""
        return self._is_closing or self._inner.is_closing()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send data."""
        self._inner.write(data)

    def pause_reading(self) -> None:
        """Receive no more data for now."""
        self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Receive data again."""
        self._inner.resume_reading()

    def get_extra_info(self, name: str, default: object = None) -> Any:  # noqa: ANN401 - asyncio's
        """Return a fact about the connection, such as its socket."""
        return self._inner.get_extra_info(name, default)


class LimitedConnection(asyncio.Protocol):
    """A connection with time limits for requests and responses.

    A sender that is too slow can therefore not occupy a connection for long. The HTTP protocol
    itself is left to uvicorn's `H11Protocol`.
    """

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
        self._is_half_closed = False
        """Whether the sender has closed its half of the connection."""
        self._is_over = False
        """Whether further data from the sender is dropped, and no further answer is sent."""
        self._lost = asyncio.Event()

    # Called by the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection, and start the time limit for the head of the first request."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._inner.connection_made(_Transport(transport, self._close))
        self._wait(HEAD_SECONDS)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Pass data on to uvicorn's protocol.

        The first data after a response starts the time limit for the head of the next request.
        """
        if self._is_over:
            return
        if self._is_idle:
            self._is_idle = False
            self._set_timer(HEAD_SECONDS)
        try:
            self._inner.data_received(data)
        except h11.LocalProtocolError:  # uvicorn answered an error in the middle of an answer
            self.abort()

    def eof_received(self) -> bool:
        """Keep the connection open if the sender still waits for the answer to a request."""
        self._is_half_closed = True
        return not self._is_over and self._inner.conn.their_state in _RECEIVED

    def pause_writing(self) -> None:
        """Start the time limit for a sender that does not read the response. The buffer is full."""
        self._reading = self._loop.call_later(WRITE_SECONDS, self.abort)
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Stop the time limit that `pause_writing` started. The buffer has space again."""
        self._stop_reading_timer()
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection and stop its timers."""
        self._set_timer(None)
        self._stop_reading_timer()
        self._connections.all.discard(self)
        self._connections.waiting.pop(self, None)
        self._inner.connection_lost(exc)
        self._lost.set()

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

        async def receiving() -> AsgiMessage:
            if self._is_over:
                return {"type": "http.disconnect"}
            waiting[self] = since
            try:
                return await receive()
            finally:
                waiting.pop(self, None)

        async def sending(message: AsgiMessage) -> None:
            if not self._is_over:
                await send(message)

        if not self._is_over:
            self._set_timer(None)
            waiting.pop(self, None)
        try:
            await self._app(scope, receiving, sending)
        finally:
            await self._finish_request()

    async def _finish_request(self) -> None:
        if self._is_over:
            await self._lost.wait()  # until then, uvicorn logs a missing answer as an error
        elif self._is_half_closed and self._inner.conn.their_state not in _RECEIVED:
            self._close()
        else:
            self._is_idle = True
            self._wait(IDLE_SECONDS)

    def _close(self) -> None:
        """Close the connection, but first let a sender with an unfinished request read its answer.

        If data arrives at a closed connection, the sender may lose the answer.
        """
        assert self._transport is not None
        if self._inner.conn.their_state in _UNFINISHED and not self._is_half_closed:
            self._transport.write_eof()
            self._transport.resume_reading()  # to drop what arrives
            self._wait(LINGER_SECONDS)
        else:
            self._transport.close()
        self._is_over = True

    def _wait(self, seconds: float) -> None:
        """Close the connection unless its sender continues within `seconds`.

        Until then, it counts as waiting, so it may be closed earlier to make room for others.
        """
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
