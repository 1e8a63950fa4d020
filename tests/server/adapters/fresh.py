"""Applications for real servers: every request finds a world of its own, and is marked as seen."""

from collections.abc import Iterable
from typing import Any

from tests.server.http import world

MARK = "x-handed-over"


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    """Answer one request; there is nothing to start or to stop."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return

    async def marked(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (MARK.encode(), b"1")]
        await send(message)

    await world.asgi()(scope, receive, marked)


def wsgi(environ: Any, start_response: Any) -> Iterable[bytes]:
    """Answer one request."""

    def marked(status: str, headers: Any, *_: Any) -> Any:
        return start_response(status, [*headers, (MARK, "1")])

    return world.wsgi()(environ, marked)
