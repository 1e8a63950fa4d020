"""Functions for the rows of the outbox: messages that are due, leased or postponed."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from segue.core.epoch import microseconds
from segue.server.processor import OutboxMessage
from segue.server.stores.schema import Database
from segue.server.stores.statements import delete, records, update

LEASED: Final = "number = ? AND lease = ? AND lease <> ''"
"""The SQL condition for the message with a number, if a lease holds it."""
_FARTHEST: Final = timedelta(days=1)
"""The maximum time of a postponement or a lease from now. A later time was written by a wrong
clock."""
_LAST: Final = datetime.max.replace(tzinfo=UTC)
_PLACES: Final = {"conversation_id": "c.conversation_id", "bot_id": "c.bot_id"}
"""The columns that are read from the table of conversations."""


def claim(
    database: Database, lease: str, now: datetime, until: datetime, limit: int
) -> list[OutboxMessage]:
    """Lease messages to a worker until a time, and return them in order.

    A message is left out if a message of its conversation is leased or postponed.
    """
    latest = min(now, _LAST - _FARTHEST) + _FARTHEST
    rows = database.execute(
        "UPDATE segue_outbox SET lease = ?, until = ? WHERE number IN ("
        " SELECT free.number FROM segue_outbox AS free WHERE free.dead = 0 AND NOT EXISTS ("
        "  SELECT 1 FROM segue_outbox AS held WHERE held.conversation = free.conversation"
        "  AND held.dead = 0 AND held.until > ? AND held.until <= ?"
        " ) ORDER BY free.number LIMIT ?"
        ") RETURNING number",
        (lease, *map(microseconds, (until, now, latest)), limit),
    ).fetchall()
    if not rows:
        return []
    claimed = f"t.number IN ({', '.join('?' * len(rows))})"
    return messages(database, claimed, [row[0] for row in rows], len(rows))


def acknowledge(database: Database, number: int, lease: str) -> bool:
    """Delete a delivered message. Return False if the lease no longer holds it."""
    return delete(database, "segue_outbox", LEASED, (number, lease)).rowcount == 1


def postpone(database: Database, number: int, lease: str, until: datetime) -> bool:
    """Count a failed attempt of a message, and postpone its conversation.

    The lease releases all messages of the conversation. Return False, without changes, if the lease
    no longer holds the message.
    """
    changes = "tries = tries + 1, lease = '', until = ?"
    values = (microseconds(until), number, lease)
    where = f"{LEASED} RETURNING conversation"
    rows = update(database, "segue_outbox", changes, where, values).fetchall()
    for (conversation,) in rows:
        database.execute(
            "UPDATE segue_outbox SET lease = '', until = 0 WHERE conversation = ? AND lease = ?",
            (conversation, lease),
        )
    return bool(rows)


def messages(
    database: Database, where: str, values: Sequence[Any], limit: int
) -> list[OutboxMessage]:
    """Return the messages that match an SQL condition, each with the ids of its conversation."""
    joined = "segue_outbox AS t JOIN segue_conversations AS c ON c.number = t.conversation"
    source = f"{joined} WHERE {where} ORDER BY t.number LIMIT ?"
    return records(database, OutboxMessage, source, (*values, limit), _PLACES)
