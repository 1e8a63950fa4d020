"""Mount Segue at /segue in an aiohttp application, which supports neither ASGI nor WSGI.

SEGUE_SECRET=… python -m samples.hosts.aiohttp_app 8080
"""

import os
import sys
from collections.abc import AsyncIterator, MutableMapping
from typing import Any

from aiohttp import web

import segue

PREFIX = "/segue"

processor = segue.Processor(store=segue.SqliteStore(os.environ.get("SEGUE_STORE", "segue.db")))
auth = segue.JwtAuth(secret=os.environ["SEGUE_SECRET"])
hook = segue.asgi(processor, auth=auth, prefix=PREFIX)


async def handle(request: web.Request) -> web.Response:
    """Pass one request to Segue and send its response."""
    scope = {
        "type": "http",
        "method": request.method,
        "path": request.path,
        "query_string": request.query_string.encode(),
        "headers": [(name.lower(), value) for name, value in request.raw_headers],
    }
    answer: dict[str, Any] = {}

    async def receive() -> dict[str, Any]:
        data, _ = await request.content.readchunk()
        return {"type": "http.request", "body": data, "more_body": not request.content.at_eof()}

    async def send(message: MutableMapping[str, Any]) -> None:
        answer.update(message)

    await hook(scope, receive, send)
    headers = [(name.decode(), value.decode()) for name, value in answer["headers"]]
    return web.Response(status=answer["status"], headers=headers, body=answer["body"])


async def home(_: web.Request) -> web.Response:
    """Show that the host still answers its own routes."""
    return web.Response(text="the host's own page")


async def running(_: web.Application) -> AsyncIterator[None]:
    """Start and stop the processor with the host."""
    async with processor:
        yield


def application() -> web.Application:
    """Create the host application."""
    app = web.Application()
    app.cleanup_ctx.append(running)
    app.add_routes([web.get("/", home), web.route("*", PREFIX + "/{rest:.*}", handle)])
    return app


if __name__ == "__main__":
    web.run_app(application(), host="127.0.0.1", port=int(sys.argv[1]), print=None)
