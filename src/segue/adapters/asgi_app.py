"""The shell for ASGI 3 servers: uvicorn, granian, hypercorn, and hosts such as Starlette."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, TypeAlias, Unpack

from segue.adapters.build import Options, build
from segue.errors import ConfigurationError, SegueError
from segue.http import (
    Authenticator,
    Body,
    Headers,
    Hook,
    Lack,
    ReadBody,
    Request,
    Response,
)
from segue.processor import Effect, Processor, adrive, aperform

__all__ = ["Asgi", "asgi"]

_Message: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[_Message]]
_Send: TypeAlias = Callable[[_Message], Awaitable[None]]


class Asgi:
    """An ASGI application."""

    def __init__(self, hook: Hook, processor: Processor) -> None:
        self._hook, self._processor = hook, processor

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Answer one request, or live through one lifespan."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            raise ConfigurationError(f"Segue answers http, not {scope['type']}: mount it there")

        async def performing(ask: Effect[Any]) -> Any:  # noqa: ANN401 - whatever is asked for
            return await (read_body(receive, ask) if isinstance(ask, ReadBody) else aperform(ask))

        answer = await adrive(self._hook.handle(_request(scope)), performing)
        await _send(send, answer)

    async def _live(self, receive: _Receive, send: _Send) -> None:
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


def _request(scope: _Message) -> Request:
    root, path = scope.get("root_path", "").rstrip("/"), scope["path"]
    pairs = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    return Request(
        method=scope["method"],
        path=path[len(root) :] if root and path.startswith(root + "/") else path,
        headers=Headers(pairs),
        query=scope.get("query_string", b"").decode("latin-1"),
        mount=root,
    )


async def read_body(receive: _Receive, ask: ReadBody) -> Body:
    """Read a body as far as it is wanted and as long as is allowed."""
    data = bytearray()
    try:
        async with asyncio.timeout(ask.seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return Body(bytes(data), Lack.CUT_OFF)
                data += message.get("body", b"")
                if len(data) > ask.limit:
                    return Body(bytes(data[: ask.limit]), Lack.TOO_LARGE)
                if not message.get("more_body", False):
                    return Body(bytes(data))
    except TimeoutError:
        return Body(bytes(data), Lack.TOO_SLOW)


async def _send(send: _Send, answer: Response) -> None:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    with suppress(OSError):  # the sender is gone, and so is whoever would care
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})


def asgi(
    processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[Options]
) -> Asgi:
    """Return an ASGI application that receives deliveries and answers readers.

    Its lifespan starts and stops the processor; a host that has a lifespan of its own does that
    with `async with processor`. `prefix` stands before every path; a host that mounts an
    application needs none. `read` says who may read conversations: nobody, the principals of `auth`
    that may read (True), or those of an authenticator of its own. `inspector=True` gives readers a
    page at `/inspect` that shows conversations as they happen.
    """
    return Asgi(build(processor, auth, **options), processor)
