"""Mount Segue at /segue in a Starlette application.

SEGUE_SECRET=… uvicorn samples.hosts.starlette_app:app
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

import segue

processor = segue.Processor(store=segue.SqliteStore(os.environ.get("SEGUE_STORE", "segue.db")))
hook = segue.asgi(processor, auth=segue.JwtAuth(secret=os.environ["SEGUE_SECRET"]))


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """Start and stop the processor, because mounted applications get no lifespan events."""
    async with processor:
        yield


async def home(_: Request) -> PlainTextResponse:
    """Show that the host still answers its own routes."""
    return PlainTextResponse("the host's own page")


app = Starlette(routes=[Route("/", home), Mount("/segue", app=hook)], lifespan=lifespan)
