"""What each method of the port does to the tables, in SQL that both databases speak.

A function is one transaction or a part of one, and raises `StoreConflict` to have it undone. Values
are always parameters of a statement, never in its text.
"""

# ruff: noqa: S608 - statements are made of constants, values are parameters

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from segue.errors import StoreConflict
from segue.processor import (
    Commit,
    ConversationRecord,
    ConversationSummary,
    Identity,
    JournalEntry,
    Loaded,
    OutboxMessage,
    Quarantined,
    StoreStats,
)
from segue.stores import row_codec as codec
from segue.stores.schema import Database, Rows

__all__ = [
    "acknowledge", "bury", "claim", "dead", "delete", "feed", "journal", "latest", "load",
    "outdated", "page", "postpone", "probe", "quarantine", "quarantined", "release", "revive",
    "save", "stats", "swap", "sweep",
]  # fmt: skip


T = TypeVar("T")

_PLAIN: Final[Mapping[str, str]] = {}


def probe(database: Database) -> None:
    """Write something that is never read."""
    database.execute("UPDATE segue_schema SET probes = probes + 1")


def stats(database: Database) -> StoreStats:
    """Count what an operator watches."""
    ((number, waiting, since, dead_letters, bodies),) = database.execute(
        "SELECT (SELECT count(*) FROM segue_conversations WHERE phase <> 'ended'),"
        " (SELECT count(*) FROM segue_outbox WHERE dead = 0),"
        " (SELECT since FROM segue_outbox WHERE dead = 0 ORDER BY number LIMIT 1),"
        " (SELECT count(*) FROM segue_outbox WHERE dead <> 0),"
        " (SELECT count(*) FROM segue_quarantine)"
    ).fetchall()
    first = None if since is None else codec.time(since)
    return StoreStats(number, waiting, first, dead_letters, bodies)


# The unit of work.

_OF_CONVERSATION: Final = {"conversation_id": "c.conversation_id"}
"""Where a column is that a table has not itself."""


def load(database: Database, conversation_id: str, identity: Identity | None) -> Loaded:
    """Read a conversation and a fingerprint, in one statement."""
    columns = _columns(ConversationSummary, {"number": "0"})
    identity_key = None if identity is None else codec.identity_key(identity)
    ((fingerprint, version, snapshot, *values),) = _select(
        database,
        f"d.fingerprint, t.version, t.snapshot, {columns}",
        "(SELECT 1 AS one) AS o LEFT JOIN segue_deliveries AS d ON d.identity = ?"
        " LEFT JOIN segue_conversations AS t ON t.key = ?",
        (identity_key, codec.key(conversation_id)),
    )
    if version is None:
        return Loaded(None, fingerprint)
    summary = codec.read(ConversationSummary, values)
    return Loaded(ConversationRecord(summary, version, snapshot), fingerprint)


def save(database: Database, commit: Commit) -> None:
    """Compare the version, and write all of a commit."""
    number = swap(database, commit.conversation, commit.expected)
    if commit.identity is not None:
        delivery = {
            "identity": codec.identity_key(commit.identity),
            "conversation": number,
            "fingerprint": commit.fingerprint,
        }
        unknown = " ON CONFLICT (identity) DO NOTHING RETURNING 1"
        if not _insert(database, "segue_deliveries", delivery, unknown).fetchall():
            raise StoreConflict("the delivery id is known by now: load it")
    row = codec.row(commit.entry, "number", "conversation_id")
    _insert(database, "segue_journal", {"conversation": number, **row})
    for message in commit.outbox:
        due = {"id": message.id, "kind": message.kind, "data": message.data}
        since = row["received_at"]
        _insert(database, "segue_outbox", {"conversation": number, "since": since, **due})


def swap(database: Database, record: ConversationRecord, expected: int) -> int:
    """Put the new state in the place of the expected one; return the conversation's number."""
    row = codec.row(record.summary, "number")
    row |= {"version": record.version, "snapshot": record.snapshot}
    key = codec.key(record.summary.conversation_id)
    if expected:
        changes = ", ".join(f"{column} = ?" for column in row)
        where = "key = ? AND version = ? RETURNING number"
        values = (*row.values(), key, expected)
        rows = _update(database, "segue_conversations", changes, where, values).fetchall()
    else:
        unknown = " ON CONFLICT (key) DO NOTHING RETURNING number"
        rows = _insert(database, "segue_conversations", {"key": key, **row}, unknown).fetchall()
    if not rows:
        raise StoreConflict("the conversation has another version by now: load it again")
    return int(rows[0][0])


# Reading. Where rows are read by number, `newest` is the largest one to be read.

_PAGE: Final = "t.number > ? AND t.number <= ? ORDER BY t.number LIMIT ?"


def page(
    database: Database, newest: int, after: int | None, limit: int, bots: Collection[str] | None
) -> list[ConversationSummary]:
    """Read a page of the list, newest first."""
    where, values = _owned("bot_id", bots)
    upto = newest if after is None else min(newest, after - 1)
    source = f"segue_conversations AS t WHERE {where} AND number <= ? ORDER BY number DESC LIMIT ?"
    return _read(database, ConversationSummary, source, (*values, upto, limit))


def feed(
    database: Database, newest: int, after: int, limit: int, bots: Collection[str] | None
) -> list[JournalEntry]:
    """Read entries that are news, without their bodies."""
    where, values = _owned("t.owner", bots)
    news = f"(t.findings <> '[]' OR t.phase <> t.phase_before) AND {where}"
    return _entries(database, "''", f"{news} AND {_PAGE}", (*values, after, newest, limit))


def latest(database: Database, newest: int) -> list[JournalEntry]:
    """Read the newest entry, without its body."""
    where = "t.number <= ? ORDER BY t.number DESC LIMIT 1"
    return _entries(database, "''", where, (newest,))


def journal(
    database: Database, newest: int, after: int, limit: int, conversation_id: str | None
) -> list[JournalEntry]:
    """Read entries with their bodies."""
    span = (after, newest, limit)
    if conversation_id is None:
        return _entries(database, "t.body", _PAGE, span)
    one = "t.conversation = (SELECT number FROM segue_conversations WHERE key = ?)"
    return _entries(database, "t.body", f"{one} AND {_PAGE}", (codec.key(conversation_id), *span))


def _entries(
    database: Database, body: str, where: str, values: Sequence[Any]
) -> list[JournalEntry]:
    joined = "segue_journal AS t JOIN segue_conversations AS c ON c.number = t.conversation"
    special = {**_OF_CONVERSATION, "body": body}
    return _read(database, JournalEntry, f"{joined} WHERE {where}", values, special)


def _owned(column: str, bots: Collection[str] | None) -> tuple[str, list[Any]]:
    if bots is None:
        return "1 = 1", []
    places = ", ".join("?" * len(bots)) or "NULL"
    return f"{column} IN ({places})", list(bots)


# The outbox.

_LEASED: Final = "number = ? AND lease = ? AND lease <> ''"


def claim(
    database: Database, lease: str, now: datetime, until: datetime, limit: int
) -> list[OutboxMessage]:
    """Lease messages of conversations of which nothing is leased or put off."""
    rows = database.execute(
        "UPDATE segue_outbox SET lease = ?, until = ? WHERE number IN ("
        " SELECT free.number FROM segue_outbox AS free WHERE free.dead = 0 AND NOT EXISTS ("
        "  SELECT 1 FROM segue_outbox AS held WHERE held.conversation = free.conversation"
        "  AND held.dead = 0 AND held.until > ?"
        " ) ORDER BY free.number LIMIT ?"
        ") RETURNING number",
        (lease, codec.micros(until), codec.micros(now), limit),
    ).fetchall()
    if not rows:
        return []
    claimed = f"t.number IN ({', '.join('?' * len(rows))})"
    return _messages(database, claimed, [row[0] for row in rows], len(rows))


def acknowledge(database: Database, number: int, lease: str) -> bool:
    """Delete a message."""
    return _delete(database, "segue_outbox", _LEASED, (number, lease)).rowcount == 1


def postpone(database: Database, number: int, lease: str, until: datetime) -> bool:
    """Put a conversation off, and give back what the lease holds of it."""
    changes = "tries = tries + 1, lease = '', until = ?"
    values = (codec.micros(until), number, lease)
    where = f"{_LEASED} RETURNING conversation"
    rows = _update(database, "segue_outbox", changes, where, values).fetchall()
    for (conversation,) in rows:
        database.execute(
            "UPDATE segue_outbox SET lease = '', until = 0 WHERE conversation = ? AND lease = ?",
            (conversation, lease),
        )
    return bool(rows)


def bury(database: Database, number: int, lease: str, reason: str) -> bool:
    """Make a message a dead letter."""
    changes = "tries = tries + 1, lease = '', until = 0, dead = 1, reason = ?"
    values = (reason, number, lease)
    return _update(database, "segue_outbox", changes, _LEASED, values).rowcount == 1


def dead(database: Database, after: int, limit: int) -> list[OutboxMessage]:
    """Read dead letters."""
    return _messages(database, "t.dead = 1 AND t.number > ?", [after], limit)


def revive(database: Database, number: int) -> bool:
    """Make a dead letter claimable."""
    changes, where = "dead = 0, tries = 0, reason = ''", "number = ? AND dead = 1"
    return _update(database, "segue_outbox", changes, where, (number,)).rowcount == 1


def _messages(
    database: Database, where: str, values: Sequence[Any], limit: int
) -> list[OutboxMessage]:
    joined = "segue_outbox AS t JOIN segue_conversations AS c ON c.number = t.conversation"
    source = f"{joined} WHERE {where} ORDER BY t.number LIMIT ?"
    return _read(database, OutboxMessage, source, (*values, limit), _OF_CONVERSATION)


# The quarantine.


def quarantine(database: Database, item: Quarantined) -> int:
    """Store a body."""
    row, number = codec.row(item, "number"), " RETURNING number"
    rows = _insert(database, "segue_quarantine", row, number).fetchall()
    return int(rows[0][0])


def quarantined(database: Database, newest: int, after: int, limit: int) -> list[Quarantined]:
    """Read quarantined bodies."""
    source = f"segue_quarantine AS t WHERE {_PAGE}"
    return _read(database, Quarantined, source, (after, newest, limit))


def release(database: Database, number: int) -> Quarantined | None:
    """Remove one and return it."""
    found = _read(database, Quarantined, "segue_quarantine AS t WHERE t.number = ?", (number,))
    gone = _delete(database, "segue_quarantine", "number = ?", (number,)).rowcount == 1
    return found[0] if found and gone else None


# Retention.

_OUTDATED: Final = (
    "updated_at < ? AND NOT EXISTS (SELECT 1 FROM segue_outbox AS n"
    " WHERE n.conversation = segue_conversations.number AND n.dead = 0)"
)


def outdated(database: Database, before: datetime) -> list[int]:
    """Read the numbers of the conversations that a purge is to remove."""
    source = f"segue_conversations WHERE {_OUTDATED} ORDER BY number"
    rows = _select(database, "number", source, (codec.micros(before),))
    return [number for (number,) in rows]


def delete(database: Database, numbers: Sequence[int], before: datetime) -> int:
    """Delete conversations and all that belongs to them, unless they were touched meanwhile."""
    where = f"number IN ({', '.join('?' * len(numbers))}) AND {_OUTDATED}"
    values = (*numbers, codec.micros(before))
    return _delete(database, "segue_conversations", where, values).rowcount


def sweep(database: Database, before: datetime) -> None:
    """Delete old bodies from the quarantine."""
    _delete(database, "segue_quarantine", "received_at < ?", (codec.micros(before),))


# Statements. Their text is made of constants; values are parameters.


def _columns(kind: type, special: Mapping[str, str]) -> str:
    return ", ".join(special.get(column, f"t.{column}") for column in codec.COLUMNS[kind])


def _read(
    database: Database,
    kind: type[T],
    source: str,
    values: Sequence[Any],
    special: Mapping[str, str] = _PLAIN,
) -> list[T]:
    rows = _select(database, _columns(kind, special), source, values)
    return [codec.read(kind, row) for row in rows]


def _select(
    database: Database, columns: str, source: str, values: Sequence[Any]
) -> Sequence[Sequence[Any]]:
    return database.execute(f"SELECT {columns} FROM {source}", values).fetchall()


def _insert(database: Database, table: str, row: Mapping[str, Any], tail: str = "") -> Rows:
    places = ", ".join("?" * len(row))
    return database.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places}){tail}",
        tuple(row.values()),
    )


def _update(
    database: Database, table: str, changes: str, where: str, values: Sequence[Any]
) -> Rows:
    return database.execute(f"UPDATE {table} SET {changes} WHERE {where}", values)


def _delete(database: Database, table: str, where: str, values: Sequence[Any]) -> Rows:
    return database.execute(f"DELETE FROM {table} WHERE {where}", values)
