"""Rows of conversations and of what belongs to them: loading, saving, restoring, purging."""

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from segue.core.epoch import microseconds
from segue.core.errors import StoreConflict
from segue.server.processor import (
    BodyGoneError,
    Commit,
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    Identity,
    Loaded,
    Quarantined,
    RebuiltConversation,
    StoreDamaged,
    StoredEntry,
)
from segue.server.stores import outbox_rows, quarantine_rows, row_codec as codec
from segue.server.stores.schema import Database
from segue.server.stores.statements import (
    OF_ONE,
    columns_of,
    delete,
    insert,
    records,
    select,
    update,
)

_OUTDATED: Final = (
    "updated_at < ? AND deadline IS NULL AND NOT EXISTS"
    " (SELECT 1 FROM segue_queues AS q WHERE q.conversation = segue_conversations.number)"
)
_DAY: Final = 24 * 60 * 60 * 1_000_000
"""The microseconds of a day."""
_ENTRIES: Final = 20
"""The number of journal entries whose conversations are looked up at once."""


def load(database: Database, key: ConversationKey, identity: Identity | None) -> Loaded:
    """Read a conversation with its agents and a fingerprint, in one statement."""
    columns = columns_of(ConversationSummary, {"number": "0"})
    identity_key = None if identity is None else codec.names_key(*identity)
    first, *others = select(
        database,
        "d.fingerprint, t.version, a.number, a.data, t.deadline,"
        f" CASE WHEN a.number > 0 THEN NULL ELSE t.snapshot END, {columns}",
        "(SELECT 1 AS one) AS o LEFT JOIN segue_deliveries AS d ON d.identity = ?"
        " LEFT JOIN segue_conversations AS t ON t.key = ?"
        " LEFT JOIN segue_agents AS a ON a.conversation = t.number ORDER BY a.number",
        (identity_key, codec.key(key)),
    )
    fingerprint, version, _, _, deadline, snapshot, *values = first
    if version is None:
        return Loaded(None, fingerprint)
    if not isinstance(version, int) or version < 1 or not isinstance(snapshot, bytes):
        raise StoreDamaged
    summary = codec.read(ConversationSummary, values)
    agents = {row[2]: row[3] for row in (first, *others) if row[2] is not None}
    if list(agents) != list(range(len(agents))):
        raise StoreDamaged
    entries = () if deadline is None else tuple(held(database, key))
    return Loaded(ConversationRecord(summary, version, snapshot, agents, entries), fingerprint)


def held(database: Database, key: ConversationKey) -> list[HeldEntry]:
    """Read what a conversation holds, in order of arrival."""
    source = f"segue_held AS t WHERE {OF_ONE} ORDER BY t.arrival"
    return records(database, HeldEntry, source, (codec.key(key),))


def save(database: Database, commit: Commit) -> None:
    """Compare the version, and write all of a commit."""
    number = swap(database, commit.conversation, commit.expected)
    if commit.replays is not None and quarantine_rows.release(database, commit.replays) is None:
        raise BodyGoneError(commit.replays)
    if commit.identity is not None:
        _remember(database, number, commit.identity, commit.fingerprint)
    _put_entries(database, number, commit.entries)
    if commit.history is not None:
        _append(database, number, commit.history)
    _hold(database, number, commit)
    if commit.entry is None:
        return
    row = codec.row(commit.entry, "number", "conversation_id")
    insert(database, "segue_journal", {"conversation": number, **row})
    if commit.outbox:
        outbox_rows.add(database, number, row["received_at"], commit.outbox)


def _remember(database: Database, number: int, identity: Identity, fingerprint: str) -> None:
    """Store a delivery id, which must not be known."""
    delivery = {
        "identity": codec.names_key(*identity),
        "conversation": number,
        "fingerprint": fingerprint,
    }
    unknown = " ON CONFLICT (identity) DO NOTHING RETURNING 1"
    if not insert(database, "segue_deliveries", delivery, unknown).fetchall():
        raise StoreConflict("the delivery id is known by now: load it")


def _hold(database: Database, number: int, commit: Commit) -> None:
    """Store what a commit holds, and remove what it holds no longer."""
    if commit.hold is not None:
        insert(database, "segue_held", {"conversation": number, **codec.row(commit.hold)})
    if commit.release is not None:
        values = number, commit.release
        delete(database, "segue_held", "conversation = ? AND arrival = ?", values)
    if commit.quarantined is not None:
        quarantine_rows.add(database, commit.quarantined)


def _put_entries(database: Database, number: int, entries: Sequence[StoredEntry]) -> None:
    """Add entries to the past of a conversation, or replace those that have changed."""
    for entry in entries:
        row = {"conversation": number, **codec.row(entry)}
        changed = ", ".join(f"{each} = excluded.{each}" for each in row if each not in _FIXED)
        known = f" ON CONFLICT (conversation, number) DO UPDATE SET {changed}"
        insert(database, "segue_entries", row, known)


_FIXED: Final = frozenset({"conversation", "number", "version"})
"""The columns of an entry that never change."""


def _append(database: Database, number: int, piece: HistoryPiece) -> None:
    """Add findings and actions to a conversation; there are none of their version yet."""
    row = {"conversation": number, **codec.row(piece)}
    unknown = " ON CONFLICT (conversation, version) DO NOTHING RETURNING 1"
    if not insert(database, "segue_history", row, unknown).fetchall():
        raise StoreDamaged


def is_under_another_key(database: Database, key: ConversationKey) -> bool:
    """Return whether a conversation of these ids is stored where it is not found."""
    source, ids = "segue_conversations WHERE ids_key = ? AND key <> ? LIMIT 1", codec.key(key)
    return bool(select(database, "1", source, (ids, ids)))


def put_under_its_key(database: Database, key: ConversationKey, *, is_sent: bool) -> bool:
    """Store a conversation where it is found by its ids; return whether that was possible.

    It is not if another has begun there. If the ids were not sent with a delivery, but are those
    of the row, an entry of its journal has to have them, because they may be what is damaged.
    """
    source, ids = "segue_conversations WHERE ids_key = ? AND key <> ?", codec.key(key)
    found = select(database, "number", f"{source} ORDER BY number LIMIT 1", (ids, ids))
    if not found or not (is_sent or _is_in_journal(database, found[0][0], key)):
        return False
    free = "number = ? AND NOT EXISTS (SELECT 1 FROM segue_conversations WHERE key = ?)"
    values = ids, found[0][0], ids
    return update(database, "segue_conversations", "key = ?", free, values).rowcount == 1


def _is_in_journal(database: Database, number: int, key: ConversationKey) -> bool:
    source = "segue_journal WHERE conversation = ? ORDER BY number LIMIT ?"
    for owner, body in select(database, "owner, body", source, (number, _ENTRIES)):
        with suppress(ValueError, TypeError, AttributeError, RecursionError):
            if (owner, json.loads(body).get("conversationId")) == (key.bot_id, key.conversation_id):
                return True
    return False


def restore(database: Database, rebuilt: RebuiltConversation) -> None:
    """Replace the row of a conversation, its agents and its past; quarantine what it held.

    What the record holds stays.
    """
    record = rebuilt.record
    source = "segue_conversations AS t LEFT JOIN segue_journal AS j ON j.conversation = t.number"
    found = select(
        database,
        "t.number, t.version, coalesce(max(j.number), 0)",
        f"{source} WHERE t.key = ? GROUP BY t.number, t.version",
        (codec.key(record.summary.key),),
    )
    if [newest for *_, newest in found] != [rebuilt.newest]:
        raise StoreConflict("the conversation has gone on: rebuild it again")
    number, version, _ = found[0]
    if not isinstance(version, int) or version < record.version:
        version = record.version  # otherwise it stays, for ids of callbacks are made of it
    _quarantine_held(database, number, record)
    row = _row(record) | {"version": version, "ids_key": codec.key(record.summary.key)}
    changes = ", ".join(f"{column} = ?" for column in row)
    update(database, "segue_conversations", changes, "number = ?", (*row.values(), number))
    for table in ("segue_agents", "segue_entries", "segue_history"):
        delete(database, table, "conversation = ?", (number,))
    for agent, data in record.agents.items():
        values = {"conversation": number, "number": agent, "data": data}
        insert(database, "segue_agents", values)
    _put_entries(database, number, rebuilt.entries)
    insert(database, "segue_history", {"conversation": number, **codec.row(rebuilt.history)})


def _quarantine_held(database: Database, number: int, record: ConversationRecord) -> None:
    """Move what a conversation holds to the quarantine, but for what the record has of it."""
    arrivals = [entry.arrival for entry in record.held]
    places = f" AND t.arrival NOT IN ({', '.join('?' * len(arrivals))})" if arrivals else ""
    source = f"segue_held AS t WHERE t.conversation = ?{places}"
    for entry in records(database, HeldEntry, source, (number, *arrivals)):
        body = entry.body.encode("utf-8", "surrogatepass")
        item = Quarantined(
            endpoint=entry.endpoint,
            bot_id=record.summary.bot_id,
            conversation_id=record.summary.conversation_id,
            delivery_id=entry.delivery_id,
            received_at=entry.received_at,
            reason="damaged",
            codes=entry.codes,
            body=body,
            size=len(body),
        )
        quarantine_rows.add(database, item)
    delete(
        database, "segue_held", f"conversation = ?{places.replace('t.', '')}", (number, *arrivals)
    )


def _row(record: ConversationRecord) -> dict[str, Any]:
    """Return the columns of a conversation, without its number and its keys."""
    row = codec.row(record.summary, "number")
    row |= {"version": record.version, "snapshot": record.snapshot}
    row["updated_day"] = row["updated_at"] // _DAY
    deadlines = [entry.deadline for entry in record.held]
    row["deadline"] = microseconds(min(deadlines)) if deadlines else None
    return row


def swap(database: Database, record: ConversationRecord, expected: int) -> int:
    """Put the new state in the place of the expected one; return the conversation's number."""
    row, key = _row(record), codec.key(record.summary.key)
    if expected:
        for column in ("conversation_id", "bot_id"):  # they never change, so no index changes
            del row[column]
        changes = ", ".join(f"{column} = ?" for column in row)
        where = "key = ? AND version = ? RETURNING number"
        values = (*row.values(), key, expected)
        rows = update(database, "segue_conversations", changes, where, values).fetchall()
    else:
        if is_under_another_key(database, record.summary.key):
            raise StoreDamaged
        unknown = " ON CONFLICT (key) DO NOTHING RETURNING number"
        row |= {"key": key, "ids_key": key}
        rows = insert(database, "segue_conversations", row, unknown).fetchall()
    if not rows:
        raise StoreConflict("the conversation has another version by now: load it again")
    found = int(rows[0][0])
    known = " ON CONFLICT (conversation, number) DO UPDATE SET data = excluded.data"
    for number, data in record.agents.items():
        agent = {"conversation": found, "number": number, "data": data}
        insert(database, "segue_agents", agent, known)
    return found


def outdated(database: Database, before: datetime) -> list[int]:
    """Read the numbers of the conversations that a purge is to remove."""
    source, time = (
        f"segue_conversations WHERE updated_day <= ? AND {_OUTDATED}",
        microseconds(before),
    )
    rows = select(database, "number", source, (time // _DAY, time))
    return [number for (number,) in rows]


def purge(database: Database, numbers: Sequence[int], before: datetime) -> int:
    """Delete conversations and all that belongs to them, unless they were touched meanwhile."""
    where = f"number IN ({', '.join('?' * len(numbers))}) AND {_OUTDATED}"
    values = (*numbers, microseconds(before))
    return delete(database, "segue_conversations", where, values).rowcount
