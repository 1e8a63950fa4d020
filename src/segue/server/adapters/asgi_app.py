"""The adapter for ASGI 3 servers such as uvicorn, and for hosts such as Starlette."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeAlias, Unpack

from segue.core.errors import ConfigurationError, SegueError
from segue.server.adapters.build import AppOptions, RequestHandler, build
from segue.server.http import Authenticator, Body, BodyError, Headers, ReadBody, Request
from segue.server.processor import Effect, Processor, adrive, aperform

AsgiMessage: TypeAlias = MutableMapping[str, Any]
AsgiReceive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
AsgiSend: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]

_WITH_CONNECTION: Final = ("1.0", "1.1")
"""The versions of HTTP that have the header `Connection`."""


class AsgiApp:
    """An ASGI application, created by `segue.asgi`. Serve it, or mount it under a path."""

    def __init__(self, app: RequestHandler, processor: Processor) -> None:
        self._app, self._processor = app, processor

    async def __call__(self, scope: AsgiMessage, receive: AsgiReceive, send: AsgiSend) -> None:
        """Answer one HTTP request, or start and stop the processor for the lifespan of the server.

        Websockets are refused. Raises `ConfigurationError` for other types of connections.
        """
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] == "websocket":
            with suppress(OSError):  # the sender has disconnected
                await receive()
                await send({"type": "websocket.close"})  # the server answers 403
            return
        if scope["type"] != "http":
            raise ConfigurationError(
                f"the application answers http, not {scope['type']}: mount it for http"
            )
        unit = self._app.handle(_request(scope))
        response = await adrive(unit, partial(_perform, receive))
        status, pairs = response.status, response.headers
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]
        if response.closes and _has_connection_header(scope):
            headers.append((b"connection", b"close"))
        with suppress(OSError):  # the sender has disconnected
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": response.body})

    async def _live(self, receive: AsgiReceive, send: AsgiSend) -> None:
        await receive()
        try:
            await self._processor.__aenter__()
        except SegueError as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._processor.__aexit__(None, None, None)
        await send({"type": "lifespan.shutdown.complete"})


def _has_connection_header(scope: AsgiMessage) -> bool:
    """Return whether a response may have the header `Connection`.

    HTTP/2 does not have it. Under a2wsgi the server is one of WSGI, which forbids it.
    """
    return scope.get("http_version") in _WITH_CONNECTION and "wsgi_environ" not in scope


def _request(scope: AsgiMessage) -> Request:
    root, path = scope.get("root_path", "").rstrip("/"), scope["path"]
    pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    return Request(
        method=scope["method"],
        path=path[len(root) :] if root and path.startswith(root + "/") else path,
        headers=Headers(pairs),
        query=scope.get("query_string", b"").decode("latin-1"),
        mount=root,
    )


async def _perform(receive: AsgiReceive, effect: Effect[Any]) -> object:
    """Perform an effect and return its result.

    The effect `ReadBody` reads the body from `receive`. `aperform` performs all other effects.
    """
    if not isinstance(effect, ReadBody):
        return await aperform(effect)
    data = bytearray()
    try:
        async with asyncio.timeout(effect.seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return Body(bytes(data), BodyError.CUT_OFF)
                data += message.get("body", b"")
                if len(data) > effect.limit:
                    return Body(bytes(data[: effect.limit]), BodyError.TOO_LARGE)
                if not message.get("more_body", False):
                    return Body(bytes(data))
    except TimeoutError:
        return Body(bytes(data), BodyError.TOO_SLOW)


def asgi(
    processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[AppOptions]
) -> AsgiApp:
    """Return an ASGI application that receives deliveries and answers readers.

    The application starts the processor when the server starts, and stops it when the server stops.
    If you mount it in a host with its own lifespan, use `async with processor` there. An example is
    `app = segue.asgi(processor, auth=segue.JwtAuth(secret=…), read=True)`.

    Args:
        processor: The processor that applies deliveries.
        auth: The authenticator of senders: `segue.JwtAuth(…)`, your own, or `segue.NoAuth()`.
        options: `prefix` is the prefix of every path, such as `/segue`. Leave it out if your host
            mounts the application. `read` selects the readers of conversations: False for no one,
            True for principals of `auth` with the permission `read`, or a separate authenticator.
            `inspector` adds a page at `/inspect` that shows readers conversations as they happen.
            `limits` is a `segue.server.RequestLimits`. `observers` are functions that are called
            with a `segue.server.RequestRecord` after each response. `callback_secret` signs the
            addresses that `segue.server.callback_url` creates.

    Raises `ConfigurationError` if `auth` is missing or an option is not valid.

    """
    return AsgiApp(build(processor, auth, **options), processor)
