"""Functions for the rows of the outbox: messages, and the queues that they form.

The messages of a conversation form a queue, which is leased or postponed as a whole. A queue has
one row, so that a claim finds the due queues by an index, however many are postponed. Each change
of a queue or of its messages first locks that row, so changes of one queue never overlap.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from segue.core.epoch import microseconds
from segue.server.processor import OutboxMessage
from segue.server.stores import row_codec as codec
from segue.server.stores.schema import Database
from segue.server.stores.statements import columns_of, delete, insert, records, select, update

_LEASED: Final = "number = ? AND lease = ? AND lease <> ''"
"""The SQL condition for the message with a number, if a lease holds it."""
_FARTHEST: Final = timedelta(days=1)
"""The maximum time of a postponement or a lease from now. A later time was written by a wrong
clock."""
_LAST: Final = datetime.max.replace(tzinfo=UTC)
_ENDLESS: Final = 2**63 - 1
_PLACES: Final = {"conversation_id": "c.conversation_id", "bot_id": "c.bot_id"}
"""The columns that are read from the table of conversations."""
_DUE: Final = """(
    SELECT * FROM (
        SELECT conversation, first FROM segue_queues WHERE until = 0 ORDER BY first LIMIT ?
    ) AS new
    UNION ALL SELECT * FROM (
        SELECT conversation, first FROM segue_queues WHERE until <> 0 AND until <= ?
        ORDER BY until LIMIT ?
    ) AS ended
    UNION ALL SELECT * FROM (
        SELECT conversation, first FROM segue_queues WHERE until <> 0 AND until > ?
        ORDER BY until LIMIT ?
    ) AS misdated
) AS q ORDER BY q.first LIMIT ?"""
"""The SQL source of the queues that may be claimed. Each part reads a few rows of one index."""
_FIRST_MESSAGES: Final = """
    segue_queues AS q
    JOIN segue_outbox AS t ON t.conversation = q.conversation AND t.dead = 0
    AND t.number < coalesce((
        SELECT m.number FROM segue_outbox AS m WHERE m.conversation = q.conversation AND m.dead = 0
        ORDER BY m.number LIMIT 1 OFFSET ?
    ), ?)
    JOIN segue_conversations AS c ON c.number = t.conversation"""
"""The SQL source of the first messages of each queue, of which there may be many."""
_FIRST: Final = (
    "coalesce((SELECT min(t.number) FROM segue_outbox AS t"
    " WHERE t.conversation = segue_queues.conversation AND t.dead = 0), 0)"
)


def add(
    database: Database, conversation: int, since: int, messages: Sequence[OutboxMessage]
) -> None:
    """Append messages to the queue of a conversation, given by its number.

    `since` is the time of the delivery that they belong to, in microseconds.
    """
    numbers: list[int] = []
    for message in messages:
        text = {"id": message.id, "kind": message.kind, "data": message.data}
        row = {"conversation": conversation, "since": since, **text}
        rows = insert(database, "segue_outbox", row, " RETURNING number").fetchall()
        numbers.append(rows[0][0])
    _queue(database, conversation, min(numbers))


def _queue(database: Database, conversation: int, number: int) -> None:
    """Create or lock the queue of a conversation, to which the message with a number belongs."""
    row = {"conversation": conversation, "first": number}
    first = "CASE WHEN excluded.first < segue_queues.first THEN excluded.first"
    first += " ELSE segue_queues.first END"
    known = f" ON CONFLICT (conversation) DO UPDATE SET first = {first}"
    insert(database, "segue_queues", row, known)


def claim(
    database: Database, lease: str, now: datetime, until: datetime, limit: int
) -> list[OutboxMessage]:
    """Lease due messages to a worker until the time `until`, and return them in order.

    `lease` is the worker's token. At most `limit` messages are leased. A message is skipped if
    its conversation is leased or postponed.
    """
    latest = min(now, _LAST - _FARTHEST) + _FARTHEST
    times = microseconds(now), microseconds(latest)
    values = limit, times[0], limit, times[1], limit, limit
    due = [number for (number,) in select(database, "q.conversation", _DUE, values)]
    if not due:
        return []
    places = ", ".join("?" * len(due))
    found = select(
        database,
        f"t.conversation, {columns_of(OutboxMessage, _PLACES)}",
        f"{_FIRST_MESSAGES} WHERE q.conversation IN ({places}) ORDER BY t.number LIMIT ?",
        (limit, _ENDLESS, *due, limit),
    )
    claimed = list({row[0] for row in found}) if len(found) == limit else due
    places = ", ".join("?" * len(claimed))
    where, ends = f"conversation IN ({places})", microseconds(until)
    update(database, "segue_queues", "lease = ?, until = ?", where, (lease, ends, *claimed))
    if not found:
        return []  # the queues are damaged, and put off
    messages = [codec.read_leniently(OutboxMessage, row[1:]) for row in found]
    places = ", ".join("?" * len(messages))
    where = f"number IN ({places}) RETURNING number"
    numbers = [each.number for each in messages]
    rows = update(database, "segue_outbox", "lease = ?", where, (lease, *numbers)).fetchall()
    left = {number for (number,) in rows}
    return [replace(each, lease=lease) for each in messages if each.number in left]


def acknowledge(database: Database, number: int, lease: str) -> bool:
    """Delete a message whose handler has returned.

    Return False, without changes, if the lease no longer holds the message.
    """
    conversation = _locked(database, number, lease)
    if (
        conversation is None
        or not delete(database, "segue_outbox", _LEASED, (number, lease)).rowcount
    ):
        return False
    _end_lease_if_done(database, conversation)
    return True


def postpone(database: Database, number: int, lease: str, until: datetime) -> bool:
    """Record a failed attempt to handle a message, and postpone its conversation to a time.

    The lease ends for all messages of the conversation. Return False, without changes, if the lease
    no longer holds the message.
    """
    conversation = _locked(database, number, lease)
    changes, values = "tries = tries + 1", (number, lease)
    if (
        conversation is None
        or not update(database, "segue_outbox", changes, _LEASED, values).rowcount
    ):
        return False
    where = "conversation = ? AND lease = ? AND lease <> ''"
    update(database, "segue_outbox", "lease = ''", where, (conversation, lease))
    changes = f"lease = '', until = ?, first = {_FIRST}"
    update(
        database, "segue_queues", changes, "conversation = ?", (microseconds(until), conversation)
    )
    return True


def bury(database: Database, number: int, lease: str, reason: str) -> bool:
    """Make a message a dead letter, which is stored but never claimed again.

    Return False, without changes, if the lease no longer holds the message.
    """
    conversation = _locked(database, number, lease)
    changes = "tries = tries + 1, lease = '', dead = 1, reason = ?"
    values = reason, number, lease
    if (
        conversation is None
        or not update(database, "segue_outbox", changes, _LEASED, values).rowcount
    ):
        return False
    _end_lease_if_done(database, conversation)
    return True


def revive(database: Database, number: int) -> bool:
    """Turn a dead letter back into a due message. Return False if it does not exist."""
    changes = "dead = 0, tries = 0, reason = ''"
    where = "number = ? AND dead = 1 RETURNING conversation"
    rows = update(database, "segue_outbox", changes, where, (number,)).fetchall()
    for (conversation,) in rows:
        _queue(database, conversation, number)
    return bool(rows)


def dead(database: Database, after: int, limit: int) -> list[OutboxMessage]:
    """Return the dead letters after the number `after`, in order."""
    joined = "segue_outbox AS t JOIN segue_conversations AS c ON c.number = t.conversation"
    source = f"{joined} WHERE t.dead = 1 AND t.number > ? ORDER BY t.number LIMIT ?"
    return records(database, OutboxMessage, source, (after, limit), _PLACES)


def _locked(database: Database, number: int, lease: str) -> int | None:
    """Lock the queue of a message that a lease holds, and return the number of its conversation.

    Return None if the lease no longer holds the message.
    """
    where = f"conversation = (SELECT conversation FROM segue_outbox WHERE {_LEASED}) AND lease = ?"
    values = number, lease, lease
    rows = update(
        database, "segue_queues", "lease = lease", f"{where} RETURNING conversation", values
    ).fetchall()
    return None if not rows else int(rows[0][0])


def _end_lease_if_done(database: Database, conversation: int) -> None:
    """Delete a queue that is empty, or end its lease if that holds no more of its messages."""
    left = "SELECT 1 FROM segue_outbox AS t WHERE t.conversation = segue_queues.conversation"
    values: tuple[Any, ...] = (conversation,)
    where = f"conversation = ? AND NOT EXISTS ({left} AND t.dead = 0)"
    if not delete(database, "segue_queues", where, values).rowcount:
        held = f"{left} AND t.lease = segue_queues.lease AND t.lease <> ''"
        where = f"conversation = ? AND NOT EXISTS ({held})"
        changes = f"lease = '', until = 0, first = {_FIRST}"
        update(database, "segue_queues", changes, where, values)
