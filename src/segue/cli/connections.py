"""Limits of a server's connections: how long a sender may take, and how many may wait at once.

uvicorn has a time limit for idle connections only: half a head, or bytes that drip after an answer,
hold a connection for ever. So each of its connections is wrapped: one that waits for its sender has
a deadline, and when descriptors get scarce, those that wait longest are closed to make room.
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
"""From the first moment, or from the first byte after an answer, to the end of a request's head."""
BODY_SECONDS: Final = 7.0
"""From the end of the head to the end of the body."""
IDLE_SECONDS: Final = 75.0
"""After an answer; more than proxies keep an idle connection, so that the proxy closes it."""
WRITE_SECONDS: Final = 10.0
"""How long a sender may not read its answer while more of it is waiting."""
LINGER_SECONDS: Final = 1.0
"""After an answer that did not wait for the whole body, so that the sender can read it."""
_RESERVED: Final = 64
"""Descriptors for everything but connections: the store, and those accepted but not counted yet."""
_FEWEST: Final = 16
_MOST: Final = 100_000
_SHARE: Final = 16
"""One in so many of the waiting connections is closed at once, for choosing them costs time."""


def most_connections() -> int:
    """Return how many connections this process may have, by its limit of descriptors."""
    if sys.platform == "win32":
        return _MOST
    import resource  # not on Windows

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if soft == resource.RLIM_INFINITY else max(_FEWEST, soft - _RESERVED)


@dataclass(slots=True)
class Connections:
    """The connections of one process."""

    most: int = field(default_factory=most_connections)
    all: set["LimitedConnection"] = field(default_factory=set)
    waiting: dict["LimitedConnection", float] = field(default_factory=dict)
    """Those that wait for their sender, and since when."""

    def protocol(self, *args: Any, **options: Any) -> "LimitedConnection":
        """Return the protocol of a new connection; the arguments are those of uvicorn's own."""
        return LimitedConnection(self, *args, **options)

    def add(self, connection: "LimitedConnection") -> None:
        """Count a connection, and close those that wait longest if there are too many."""
        self.all.add(connection)
        if len(self.all) > self.most:
            number = max(1, len(self.waiting) // _SHARE)
            for each in heapq.nsmallest(number, self.waiting, self.waiting.__getitem__):
                each.abort()


class LimitedConnection(asyncio.Protocol):
    """One connection: passes everything on to uvicorn's protocol, and keeps the deadlines."""

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
        """Until the sender must have read of its answer."""
        self._is_idle = False
        """Whether nothing came since the last answer."""
        self._is_over = False
        """Whether the rest of what comes is dropped."""

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first head."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._inner.connection_made(transport)
        self._wait(HEAD_SECONDS)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Pass on what came; the deadline for a head begins with its first byte."""
        if self._is_over:
            return
        if self._is_idle:
            self._is_idle = False
            self._set_timer(HEAD_SECONDS)
        self._inner.data_received(data)

    def eof_received(self) -> None:
        """Pass it on."""
        self._inner.eof_received()

    def pause_writing(self) -> None:
        """Give the sender a while to read."""
        self._reading = self._loop.call_later(WRITE_SECONDS, self.abort)
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Go on writing."""
        self._stop_reading_timer()
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._set_timer(None)
        self._stop_reading_timer()
        self._connections.all.discard(self)
        self._connections.waiting.pop(self, None)
        self._inner.connection_lost(exc)

    def abort(self) -> None:
        """Close the connection now, with whatever is still unsent."""
        self._is_over = True
        self._connections.all.discard(self)
        self._connections.waiting.pop(self, None)
        if self._transport is not None:
            self._transport.abort()

    # What uvicorn's protocol calls, once for each request.

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
        """Wait for the sender."""
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
    """Whether the head of a request announces a body."""
    return any(
        (name == b"content-length" and value != b"0") or name == b"transfer-encoding"
        for name, value in scope["headers"]
    )
