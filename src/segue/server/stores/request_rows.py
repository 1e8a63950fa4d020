"""Functions for the rows of requests that the host makes to the platform.

The callbacks of the platform are matched with these requests.
"""

from datetime import datetime

from segue.core.epoch import microseconds, time_at
from segue.server.processor import HostRequest
from segue.server.stores import row_codec as codec
from segue.server.stores.schema import Database
from segue.server.stores.statements import insert, select

_TABLE = "segue_requests"


def add(database: Database, request: HostRequest, asked_at: datetime) -> None:
    """Insert a request. A request that is stored already keeps its time."""
    row = {**_ids(request), "asked_at": microseconds(asked_at)}
    insert(database, _TABLE, row, " ON CONFLICT (bot, conversation, request) DO NOTHING")


def find(database: Database, callback: HostRequest) -> tuple[bool, datetime | None]:
    """Return whether the bot has recorded any request, and the time of the latest match.

    A request matches a callback if all ids that both name are equal. The time is None without a
    match.
    """
    bot, conversation, request = _ids(callback).values()
    where, values = "conversation = ?", [conversation]
    if callback.request_id:
        where = "conversation IN (?, ?) AND request IN (?, ?)"
        values = [conversation, codec.text_key(""), codec.text_key(""), request]
    ((is_known, asked_at),) = select(
        database,
        f"EXISTS (SELECT 1 FROM {_TABLE} WHERE bot = ?),"
        f" (SELECT max(asked_at) FROM {_TABLE} WHERE bot = ? AND {where})",
        "(SELECT 1 AS one) AS o",
        (bot, bot, *values),
    )
    return bool(is_known), time_at(asked_at) if codec.is_time(asked_at) else None


def _ids(request: HostRequest) -> dict[str, bytes]:
    """Return the columns that identify a request, with digests of its ids as values."""
    return {
        "bot": codec.names_key(request.endpoint, request.bot_id),
        "conversation": codec.text_key(request.conversation_id or ""),
        "request": codec.text_key(request.request_id or ""),
    }
