"""A FastAPI backend that keeps a record of each call, written by a callback.

SEGUE_SECRET=… uvicorn samples.programs.call_records:app
"""

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from typing import Any

from fastapi import FastAPI, HTTPException

import segue

RECORDS = os.environ.get("RECORDS", "records.db")
TABLE = """
create table if not exists calls (
    id text primary key, conversation text, agents text, talk real, mistakes integer)
"""


def records() -> sqlite3.Connection:
    """Open the database and create the table of calls."""
    connection = sqlite3.connect(RECORDS, isolation_level=None)
    connection.execute(TABLE)
    return connection


def keep_record(callback: segue.server.Callback) -> None:
    """Write the record of a conversation that ended.

    After a crash before its acknowledgement, a callback is repeated. Its id makes the second record
    overwrite the first.
    """
    report = callback.data["report"]
    agents = [segment["agent"] for segment in report["segments"]]
    row = (
        callback.id,
        callback.conversation_id,
        ", ".join(agents),
        report["metrics"]["talk_time"],
        len(report["mistakes"]),
    )
    with closing(records()) as table:
        table.execute("insert or replace into calls values (?, ?, ?, ?, ?)", row)


processor = segue.Processor(
    store=segue.SqliteStore(os.environ.get("SEGUE_STORE", "segue.db")),
    on_conversation_ended=keep_record,
)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Start and stop the processor, because mounted applications get no lifespan events."""
    async with processor:
        yield


app = FastAPI(lifespan=lifespan)
app.mount("/segue", segue.asgi(processor, auth=segue.JwtAuth(secret=os.environ["SEGUE_SECRET"])))


@app.get("/calls/{conversation_id}")
def call(conversation_id: str) -> dict[str, Any]:
    """Return the record of one call."""
    query = "select agents, talk, mistakes from calls where conversation = ?"
    with closing(records()) as table:
        row = table.execute(query, (conversation_id,)).fetchone()
    if row is None:
        raise HTTPException(404, "no call with this id has ended")
    return dict(zip(("agents", "talk", "mistakes"), row, strict=True))
