"""Functions for the rows of the outbox: messages, and the queues that they form.

The messages of a conversation form a queue, which is leased or postponed as a whole. A queue has
one row, so that a claim finds the due queues by an index, however many are postponed. The row names
the kind of its first message, so that a claim passes over the queues that wait for a busy handler
without reading them. Each change of a queue or of its messages first locks that row, so changes of
one queue never overlap.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from operator import attrgetter
from typing import Final

from segue.core.epoch import microseconds, time_at
from segue.server.processor import OutboxMessage
from segue.server.processor.misdated import LongestWaits, latest_end
from segue.server.stores import row_codec as codec
from segue.server.stores.schema import Database
from segue.server.stores.statements import columns_of, delete, insert, records, select, update

_LEASED: Final = "number = ? AND lease = ? AND lease <> ''"
"""The SQL condition for the message with a number, if a lease holds it."""
_PLACES: Final = {"conversation_id": "c.conversation_id", "bot_id": "c.bot_id"}
"""The columns that are read from the table of conversations."""
_KINDS: Final = """(
    WITH RECURSIVE kinds (kind) AS (
        SELECT min(kind) FROM segue_queues
        UNION ALL
        SELECT (SELECT min(q.kind) FROM segue_queues AS q WHERE q.kind > kinds.kind)
        FROM kinds WHERE kinds.kind IS NOT NULL
    )
    SELECT kind FROM kinds WHERE kind IS NOT NULL LIMIT ?
) AS found"""
"""The SQL source of the kinds of all queues. It reads one entry of an index for each kind."""
_MOST_KINDS: Final = 64
"""The maximum number of kinds in a claim. Only a damaged store has so many."""
_DUE: Final = """(
    SELECT * FROM (
        SELECT conversation, first FROM segue_queues WHERE kind = ? AND until <= 0
        ORDER BY until, first LIMIT ?
    ) AS new
    UNION ALL SELECT * FROM (
        SELECT conversation, first FROM segue_queues WHERE kind = ? AND until > 0 AND until <= ?
        ORDER BY until LIMIT ?
    ) AS ended
    UNION ALL SELECT * FROM (
        SELECT conversation, first FROM segue_queues WHERE kind = ? AND until > ?
        ORDER BY until LIMIT ?
    ) AS misdated
    UNION ALL SELECT * FROM (
        SELECT conversation, first FROM segue_queues
        WHERE lease <> '' AND kind = ? AND until > ? ORDER BY until LIMIT ?
    ) AS misleased
) AS q ORDER BY q.first LIMIT ?"""
"""The SQL source of the queues of a kind that may be claimed. Each part reads a few rows of one
index."""
_FIRST_MESSAGES: Final = """(
        SELECT conversation, CASE WHEN first < ? THEN first ELSE 0 END + ? AS span_end
        FROM segue_queues WHERE conversation IN ({places}) LIMIT ?
    ) AS q
    JOIN segue_outbox AS t
    ON t.conversation = q.conversation AND t.dead = 0 AND t.number < q.span_end
    JOIN segue_conversations AS c ON c.number = t.conversation
    ORDER BY t.number LIMIT ?"""
"""The SQL source of the first messages of each queue. There may be many more.

The first LIMIT leaves nothing out. It makes PostgreSQL read the queues first, and then their
messages by the index of the conversation. Otherwise it may read all messages in order.
"""
_SPAN: Final = 256
"""The difference from the number of the first message of a queue at which a claim stops reading."""
_HIGHEST: Final = 2**62
"""A number that no message has, and to which `_SPAN` can be added."""
_OF_FIRST: Final = (
    "(SELECT t.{} FROM segue_outbox AS t WHERE t.conversation = segue_queues.conversation"
    " AND t.dead = 0 ORDER BY t.number LIMIT 1)"
)
_FIRST: Final = _OF_FIRST.format("number")
"""The SQL expression for the number of the first message of a queue, or NULL if it is empty."""
_KIND: Final = _OF_FIRST.format("kind")
"""The SQL expression for the kind of that message."""
_RENEWED: Final = f"first = coalesce({_FIRST}, 0), kind = coalesce({_KIND}, kind)"
"""The SQL changes that let the row of a queue tell its first message."""
_UNLESS_QUEUED: Final = " ON CONFLICT (conversation) DO UPDATE SET lease = segue_queues.lease"
"""The end of an SQL statement that creates a queue, or only locks the row of an existing one."""


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
    row = {"conversation": conversation, "first": numbers[0], "kind": messages[0].kind}
    insert(database, "segue_queues", row, _UNLESS_QUEUED)


def claim(
    database: Database,
    lease: str,
    now: datetime,
    until: datetime,
    limit: int,
    *,
    longest: LongestWaits,
    without: Collection[str] = (),
) -> list[OutboxMessage]:
    """Lease due messages to a worker until the time `until`, and return them in order.

    `lease` is the worker's token. At most `limit` messages of each kind are leased, and none of the
    kinds in `without`. A message is skipped if its conversation is leased or postponed, unless
    until a time that a wrong clock has written, or if it follows a message of another kind.
    """
    kinds = select(database, "kind", _KINDS, (_MOST_KINDS,))
    ends = now, latest_end(now, max(longest)), latest_end(now, longest.lease)
    claimed: list[OutboxMessage] = []
    for (kind,) in kinds:
        if kind not in without and _is_encodable(kind):
            due = _due(database, kind, ends, limit)
            found = _first_messages(database, due, microseconds(until), limit)
            claimed += _lease(database, found, lease, microseconds(until))
    return sorted(claimed, key=attrgetter("number"))


def _is_encodable(kind: str | bytes) -> bool:
    """Return False for text of a damaged column that cannot be the value of a parameter."""
    return isinstance(kind, bytes) or kind.isascii()


def _due(database: Database, kind: str, ends: Iterable[datetime], limit: int) -> set[int]:
    """Return the numbers of the conversations whose queues may be claimed, at most `limit`.

    `ends` are the latest times at which a wait ends that is over, and after which any wait and any
    lease is misdated.
    """
    bounds = [value for end in ends for value in (kind, microseconds(end), limit)]
    values: tuple[object, ...] = (kind, limit, *bounds, limit)
    return {number for (number,) in select(database, "q.conversation", _DUE, values)}


def _first_messages(
    database: Database, due: Collection[int], until: int, limit: int
) -> dict[int, list[OutboxMessage]]:
    """Return the first messages of due queues, by conversation, up to the first of another kind.

    Queues that are damaged, because they have no messages where they begin, are postponed.
    """
    if not due:
        return {}
    rows = select(
        database,
        f"t.conversation, {columns_of(OutboxMessage, _PLACES)}",
        _FIRST_MESSAGES.format(places=_places(due)),
        (_HIGHEST, _SPAN, *due, len(due), limit),
    )
    found: dict[int, list[OutboxMessage]] = {}
    for conversation, *values in rows:
        message = codec.read_leniently(OutboxMessage, values)
        found.setdefault(conversation, []).append(message)
    if len(rows) < limit and found.keys() != due:
        damaged = [number for number in due if number not in found]
        where = f"conversation IN ({_places(damaged)})"
        update(database, "segue_queues", f"until = ?, {_RENEWED}", where, (until, *damaged))
    return {number: _until_another_kind(messages) for number, messages in found.items()}


def _until_another_kind(messages: Sequence[OutboxMessage]) -> list[OutboxMessage]:
    return list(takewhile(lambda each: each.kind == messages[0].kind, messages))


def _lease(
    database: Database, found: Mapping[int, Collection[OutboxMessage]], lease: str, until: int
) -> list[OutboxMessage]:
    """Lease messages, given by conversation, and return those that still exist."""
    if not found:
        return []
    where, values = f"conversation IN ({_places(found)})", (lease, until, *found)
    update(database, "segue_queues", "lease = ?, until = ?", where, values)
    messages = {each.number: each for some in found.values() for each in some}
    where = f"number IN ({_places(messages)}) RETURNING number, conversation"
    rows = update(database, "segue_outbox", "lease = ?", where, (lease, *messages)).fetchall()
    left: dict[int, int] = dict(map(tuple, rows))
    for conversation in found.keys() - {*left.values()}:  # another worker was quicker
        _end_lease_if_done(database, conversation)
    return [replace(each, lease=lease) for number, each in messages.items() if number in left]


def _places(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def due_after(database: Database, now: datetime) -> datetime | None:
    """Return the earliest time after `now` at which a lease or a postponement ends, or None."""
    source = "segue_queues WHERE until <> 0 AND until > ? ORDER BY until LIMIT 1"
    rows = select(database, "until", source, (microseconds(now),))
    return time_at(rows[0][0]) if rows and codec.is_time(rows[0][0]) else None


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
    changes = f"lease = '', until = ?, {_RENEWED}"
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
    where = "number = ? AND dead = 1 RETURNING conversation, kind"
    rows = update(database, "segue_outbox", changes, where, (number,)).fetchall()
    for conversation, kind in rows:
        row = {"conversation": conversation, "first": number, "kind": kind}
        insert(database, "segue_queues", row, _UNLESS_QUEUED)
        update(database, "segue_queues", _RENEWED, "conversation = ?", (conversation,))
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
    values = (conversation,)
    where = f"conversation = ? AND {_FIRST} IS NULL"
    if not delete(database, "segue_queues", where, values).rowcount:
        held = "SELECT 1 FROM segue_outbox AS t WHERE t.conversation = segue_queues.conversation"
        held += " AND t.lease = segue_queues.lease AND t.lease <> ''"
        changes = f"lease = '', until = 0, {_RENEWED}"
        where = f"conversation = ? AND NOT EXISTS ({held})"
        update(database, "segue_queues", changes, where, values)
