"""Mount Segue at /segue in a FastAPI application.

SEGUE_SECRET=… uvicorn samples.hosts.fastapi_app:app
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import segue

processor = segue.Processor(store=segue.SqliteStore(os.environ.get("SEGUE_STORE", "segue.db")))


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Start and stop the processor, because mounted applications get no lifespan events."""
    async with processor:
        yield


app = FastAPI(lifespan=lifespan)
app.mount("/segue", segue.asgi(processor, auth=segue.JwtAuth(secret=os.environ["SEGUE_SECRET"])))


@app.get("/")
async def home() -> str:
    """Show that the host still answers its own routes."""
    return "the host's own page"
