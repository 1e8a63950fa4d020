"""Transactions: what each method of the port does to the tables, in SQL that both databases speak.

It decides what is compared and what is written.  House rules: a function is one transaction or a
part of one, and raises `StoreConflict` to have it undone; no value is ever put into the text of a
statement; none knows which database it talks to, or which lock it holds.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from segue.errors import StoreConflict
from segue.processor import (
    Commit,
    Entry,
    Identity,
    Kept,
    Loaded,
    Notice,
    Quarantined,
    Summary,
    Vitals,
)
from segue.stores import row_codec as columns
from segue.stores.schema import Database

__all__ = [
    "acknowledge",
    "bury",
    "claim",
    "dead",
    "feed",
    "forget",
    "journal",
    "load",
    "outdated",
    "page",
    "postpone",
    "probe",
    "quarantine",
    "quarantined",
    "release",
    "revive",
    "save",
    "sweep",
]


def probe(database: Database) -> None:
    """Write something that nobody reads."""
    database.execute("UPDATE segue_schema SET probes = probes + 1")


# The unit of work.


def vitals(database: Database) -> Vitals:
    """Count what an operator watches."""
    ((number, waiting, since, dead, quarantined_),) = database.execute(
        "SELECT (SELECT count(*) FROM segue_conversations WHERE phase <> 'ended'),"
        " (SELECT count(*) FROM segue_notices WHERE dead = 0),"
        " (SELECT since FROM segue_notices WHERE dead = 0 ORDER BY number LIMIT 1),"
        " (SELECT count(*) FROM segue_notices WHERE dead <> 0),"
        " (SELECT count(*) FROM segue_quarantine)"
    ).fetchall()
    first = None if since is None else columns.instant(since)
    return Vitals(number, waiting, first, dead, quarantined_)


def load(database: Database, conversation_id: str, identity: Identity | None) -> Loaded:
    """Read a conversation and a fingerprint, in one statement."""
    rows = database.execute(
        "SELECT (SELECT d.fingerprint FROM segue_deliveries AS d WHERE d.identity = ?),"
        " c.bot_id, c.version, c.phase, c.events, c.findings, c.started_at, c.updated_at,"
        " c.snapshot"
        " FROM (SELECT 1 AS one) AS o LEFT JOIN segue_conversations AS c ON c.key = ?",
        (
            None if identity is None else columns.identity_key(identity),
            columns.key(conversation_id),
        ),
    ).fetchall()
    fingerprint, *row = rows[0]
    known = row[0] is not None
    return Loaded(columns.kept(conversation_id, row) if known else None, fingerprint)


def save(database: Database, commit: Commit) -> None:
    """Compare, and write all of a commit."""
    number = _swap(database, commit.conversation, commit.expected)
    if (
        commit.identity is not None
        and not database.execute(
            "INSERT INTO segue_deliveries (identity, conversation, fingerprint) VALUES (?, ?, ?)"
            " ON CONFLICT (identity) DO NOTHING RETURNING 1",
            (columns.identity_key(commit.identity), number, commit.fingerprint),
        ).fetchall()
    ):
        raise StoreConflict("the delivery id is known by now: load it")
    entry = commit.entry
    database.execute(
        "INSERT INTO segue_journal (conversation, bot_id, owner, endpoint, delivery_id,"
        " received_at, body, phase_before, phase, findings) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            entry.bot_id,
            entry.owner,
            entry.endpoint,
            entry.delivery_id,
            columns.micros(entry.received_at),
            entry.body,
            entry.phase_before,
            entry.phase,
            entry.findings,
        ),
    )
    for notice in commit.notices:
        database.execute(
            "INSERT INTO segue_notices (conversation, id, kind, data, since)"
            " VALUES (?, ?, ?, ?, ?)",
            (number, notice.id, notice.kind, notice.data, columns.micros(entry.received_at)),
        )


def _swap(database: Database, kept: Kept, expected: int) -> int:
    """Put the new state in the place of the expected one; return the conversation's number."""
    key = columns.key(kept.conversation_id)
    state = (
        kept.version,
        kept.phase,
        kept.events,
        kept.findings,
        columns.micros(kept.started_at),
        columns.micros(kept.updated_at),
        kept.snapshot,
    )
    if expected:
        rows = database.execute(
            "UPDATE segue_conversations SET version = ?, phase = ?, events = ?, findings = ?,"
            " started_at = ?, updated_at = ?, snapshot = ? WHERE key = ? AND version = ?"
            " RETURNING number",
            (*state, key, expected),
        ).fetchall()
    else:
        rows = database.execute(
            "INSERT INTO segue_conversations (version, phase, events, findings, started_at,"
            " updated_at, snapshot, key, conversation_id, bot_id)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING RETURNING number",
            (*state, key, kept.conversation_id, kept.bot_id),
        ).fetchall()
    if not rows:
        raise StoreConflict("the conversation has another version by now: load it again")
    return int(rows[0][0])


# Reading. Where rows are read by number, `newest` is the largest one to be seen.

_PAGE = "j.number > ? AND j.number <= ? ORDER BY j.number LIMIT ?"


def page(
    database: Database, newest: int, after: int | None, limit: int, bots: Collection[str] | None
) -> list[Summary]:
    """Read a page of the list, newest first."""
    where, values = _owned("bot_id", bots)
    upto = newest if after is None else min(newest, after - 1)
    rows = database.execute(
        f"SELECT {columns.SUMMARY} FROM segue_conversations"  # noqa: S608 - constants
        f" WHERE {where} AND number <= ? ORDER BY number DESC LIMIT ?",
        (*values, upto, limit),
    ).fetchall()
    return [columns.summary(row) for row in rows]


def feed(
    database: Database, newest: int, after: int, limit: int, bots: Collection[str] | None
) -> list[Entry]:
    """Read entries that are news, without their bodies."""
    where, values = _owned("j.owner", bots)
    news = f"(j.findings <> '[]' OR j.phase <> j.phase_before) AND {where}"
    return _entries(database, "''", f"{news} AND {_PAGE}", (*values, after, newest, limit))


def latest(database: Database, newest: int) -> list[Entry]:
    """Read the newest entry, without its body."""
    where = "j.number <= ? ORDER BY j.number DESC LIMIT 1"
    return _entries(database, "''", where, (newest,))


def journal(
    database: Database, newest: int, after: int, limit: int, conversation_id: str | None
) -> list[Entry]:
    """Read entries with their bodies."""
    span = (after, newest, limit)
    if conversation_id is None:
        return _entries(database, "j.body", _PAGE, span)
    one = "j.conversation = (SELECT number FROM segue_conversations WHERE key = ?)"
    return _entries(database, "j.body", f"{one} AND {_PAGE}", (columns.key(conversation_id), *span))


def _entries(database: Database, body: str, where: str, values: Sequence[Any]) -> list[Entry]:
    rows = database.execute(
        f"SELECT {columns.ENTRY.format(body=body)} FROM segue_journal AS j"  # noqa: S608 - constants
        " JOIN segue_conversations AS c ON c.number = j.conversation"
        f" WHERE {where}",
        values,
    ).fetchall()
    return [columns.entry(row) for row in rows]


def _owned(column: str, bots: Collection[str] | None) -> tuple[str, list[Any]]:
    if bots is None:
        return "1 = 1", []
    places = ", ".join("?" * len(bots)) or "NULL"
    return f"{column} IN ({places})", list(bots)


# The outbox.


def claim(
    database: Database, lease: str, now: datetime, until: datetime, limit: int
) -> list[Notice]:
    """Lease notices of conversations of which nothing is held or put off."""
    rows = database.execute(
        "UPDATE segue_notices SET lease = ?, until = ? WHERE number IN ("
        " SELECT free.number FROM segue_notices AS free WHERE free.dead = 0 AND NOT EXISTS ("
        "  SELECT 1 FROM segue_notices AS held WHERE held.conversation = free.conversation"
        "  AND held.dead = 0 AND held.until > ?"
        " ) ORDER BY free.number LIMIT ?"
        ") RETURNING number",
        (lease, columns.micros(until), columns.micros(now), limit),
    ).fetchall()
    if not rows:
        return []
    return _notices(
        database, f"n.number IN ({', '.join('?' * len(rows))})", [row[0] for row in rows]
    )


def acknowledge(database: Database, number: int, lease: str) -> bool:
    """Forget a notice."""
    return (
        database.execute(
            "DELETE FROM segue_notices WHERE number = ? AND lease = ? AND lease <> ''",
            (number, lease),
        ).rowcount
        == 1
    )


def postpone(database: Database, number: int, lease: str, until: datetime) -> bool:
    """Put a conversation off, and give back what the lease holds of it."""
    rows = database.execute(
        "UPDATE segue_notices SET tries = tries + 1, lease = '', until = ?"
        " WHERE number = ? AND lease = ? AND lease <> '' RETURNING conversation",
        (columns.micros(until), number, lease),
    ).fetchall()
    for (conversation,) in rows:
        database.execute(
            "UPDATE segue_notices SET lease = '', until = 0 WHERE conversation = ? AND lease = ?",
            (conversation, lease),
        )
    return bool(rows)


def bury(database: Database, number: int, lease: str, reason: str) -> bool:
    """Make a notice a dead letter."""
    return (
        database.execute(
            "UPDATE segue_notices SET tries = tries + 1, lease = '', until = 0, dead = 1,"
            " reason = ? WHERE number = ? AND lease = ? AND lease <> ''",
            (reason, number, lease),
        ).rowcount
        == 1
    )


def dead(database: Database, after: int, limit: int) -> list[Notice]:
    """Read dead letters."""
    return _notices(database, "n.dead = 1 AND n.number > ?", [after], limit)


def revive(database: Database, number: int) -> bool:
    """Make a dead letter claimable."""
    return (
        database.execute(
            "UPDATE segue_notices SET dead = 0, tries = 0, reason = ''"
            " WHERE number = ? AND dead = 1",
            (number,),
        ).rowcount
        == 1
    )


def _notices(
    database: Database, where: str, values: Sequence[Any], limit: int | None = None
) -> list[Notice]:
    rows = database.execute(
        f"SELECT {columns.NOTICE} FROM segue_notices AS n"  # noqa: S608 - constants
        " JOIN segue_conversations AS c ON c.number = n.conversation"
        f" WHERE {where} ORDER BY n.number" + ("" if limit is None else " LIMIT ?"),
        (*values,) if limit is None else (*values, limit),
    ).fetchall()
    return [columns.notice(row) for row in rows]


# The quarantine.


def quarantine(database: Database, item: Quarantined) -> int:
    """Keep a body."""
    rows = database.execute(
        "INSERT INTO segue_quarantine (endpoint, bot_id, conversation_id, delivery_id,"
        " received_at, reason, codes, body, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " RETURNING number",
        (
            item.endpoint,
            item.bot_id,
            item.conversation_id,
            item.delivery_id,
            columns.micros(item.received_at),
            item.reason,
            " ".join(item.codes),
            item.body,
            item.size,
        ),
    ).fetchall()
    return int(rows[0][0])


def quarantined(database: Database, newest: int, after: int, limit: int) -> list[Quarantined]:
    """Read quarantined bodies."""
    rows = database.execute(
        f"SELECT {columns.QUARANTINED} FROM segue_quarantine"  # noqa: S608 - constants
        " WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
        (after, newest, limit),
    ).fetchall()
    return [columns.quarantined(row) for row in rows]


def release(database: Database, number: int) -> Quarantined | None:
    """Take one out."""
    rows = database.execute(
        "DELETE FROM segue_quarantine WHERE number = ?"  # noqa: S608 - constants
        f" RETURNING {columns.QUARANTINED}",
        (number,),
    ).fetchall()
    return columns.quarantined(rows[0]) if rows else None


# Retention.

_OUTDATED = (
    "updated_at < ? AND NOT EXISTS (SELECT 1 FROM segue_notices AS n"
    " WHERE n.conversation = segue_conversations.number AND n.dead = 0)"
)


def outdated(database: Database, before: datetime) -> list[int]:
    """Read the numbers of the conversations that a purge is to remove."""
    rows = database.execute(
        f"SELECT number FROM segue_conversations WHERE {_OUTDATED} ORDER BY number",  # noqa: S608 - constants
        (columns.micros(before),),
    ).fetchall()
    return [number for (number,) in rows]


def forget(database: Database, numbers: Sequence[int], before: datetime) -> int:
    """Remove conversations and all that belongs to them, unless they were touched meanwhile."""
    return database.execute(
        f"DELETE FROM segue_conversations WHERE number IN ({', '.join('?' * len(numbers))})"  # noqa: S608 - constants
        f" AND {_OUTDATED}",
        (*numbers, columns.micros(before)),
    ).rowcount


def sweep(database: Database, before: datetime) -> None:
    """Remove old bodies from the quarantine."""
    database.execute(
        "DELETE FROM segue_quarantine WHERE received_at < ?", (columns.micros(before),)
    )
