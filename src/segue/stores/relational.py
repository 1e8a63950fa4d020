"""The port in SQL that both databases speak: what SQLite and PostgreSQL have in common.

A write is one transaction. Its guard, if it has one, names what only one writer may touch at a
time. How a transaction is run, made durable and retried is up to the database. Work raises
`StoreConflict` to have it undone. Values are always parameters of a statement, never in its text.
"""

# ruff: noqa: S608 - statements are made of constants, values are parameters

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, TypeVar

from segue.errors import StoreConflict
from segue.processor import (
    Commit,
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    Identity,
    JournalEntry,
    Loaded,
    OutboxMessage,
    Quarantined,
    RebuiltConversation,
    StoreDamaged,
    StoreStats,
)
from segue.stores import row_codec as codec
from segue.stores.schema import Database, Rows

T = TypeVar("T")
N = TypeVar("N", bound=JournalEntry | ConversationSummary | Quarantined)

ENDLESS: Final = 2**63 - 1
"""Larger than any number."""

_OUTBOX: Final = "outbox"
"""Guards what decides which messages are due."""
_FARTHEST: Final = timedelta(days=1)
"""No message is leased or put off for longer: a clock that was wrong wrote a later time."""
_LAST: Final = datetime.max.replace(tzinfo=UTC)
_LEASED: Final = "number = ? AND lease = ? AND lease <> ''"
_QUARANTINED_AT_MOST: Final = 2_000
"""Bodies in the quarantine; the oldest make room for new ones."""
_PURGED_AT_ONCE: Final = 200
"""Conversations removed in one transaction, so that deliveries wait no longer than that takes."""
_OUTDATED: Final = (
    "updated_at < ? AND NOT EXISTS (SELECT 1 FROM segue_outbox AS n"
    " WHERE n.conversation = segue_conversations.number AND n.dead = 0)"
    " AND deadline IS NULL"
)
_PAGE: Final = "t.number > ? AND t.number <= ? ORDER BY t.number LIMIT ?"
"""Rows are read by number up to the largest one that is to be read."""
_ONE: Final = "t.conversation = (SELECT number FROM segue_conversations WHERE key = ?)"
_JOURNAL: Final = "segue_journal AS t JOIN segue_conversations AS c ON c.number = t.conversation"
_PLAIN: Final[Mapping[str, str]] = {}
_OF_CONVERSATION: Final = {"conversation_id": "c.conversation_id"}
_OF_MESSAGE: Final = {**_OF_CONVERSATION, "bot_id": "c.bot_id"}
"""Where a column is that a table has not itself."""


class RelationalStore(ABC):
    """A store whose rows are in tables."""

    immediate = False

    @abstractmethod
    def _read(self, work: Callable[[Database], T]) -> T:
        """Run what writes nothing."""

    @abstractmethod
    def _read_settled(self, work: Callable[[Database, int], Sequence[N]]) -> Sequence[N]:
        """Run what reads rows up to a number, so that none of a smaller one appears later."""

    @abstractmethod
    def _write(self, work: Callable[[Database], T], guard: str | None = None) -> T:
        """Run one transaction, durably."""

    def ping(self) -> None:
        """Write something that is never read."""
        self._write(
            lambda database: database.execute("UPDATE segue_schema SET probes = probes + 1")
        )

    def stats(self) -> StoreStats:
        """Count what an operator watches."""
        return self._read(_stats)

    def load(self, key: ConversationKey, identity: Identity | None = None) -> Loaded:
        """Return the conversation, and the fingerprint stored under a delivery id."""
        return self._read(partial(_load, key=key, identity=identity))

    def save(self, commit: Commit) -> Future[None] | None:
        """Apply a commit, or raise `StoreConflict`."""
        guard = f"conversation {codec.key(commit.conversation.summary.key).hex()}"
        return self._write(partial(save, commit=commit), guard)

    def restore(self, rebuilt: RebuiltConversation) -> None:
        """Put a conversation that was made of its journal in the place of what is stored."""
        guard = f"conversation {codec.key(rebuilt.record.summary.key).hex()}"
        self._write(partial(_restore, rebuilt=rebuilt), guard)

    def owners(
        self, conversation_id: str, limit: int, bots: Collection[str] | None
    ) -> Sequence[str]:
        """Return the bots that have a conversation of this id."""
        where, values = _owned("bot_id", bots)
        source = f"segue_conversations WHERE key >= ? AND key <= ? AND {where}"
        values = [*codec.keys_of(conversation_id), *values, limit]
        return [
            bot_id
            for (bot_id,) in self._read(
                lambda database: _select(
                    database, "bot_id", f"{source} ORDER BY bot_id LIMIT ?", values
                )
            )
        ]

    def history(
        self,
        key: ConversationKey,
        after: int,
        until: int,
        limit: int,
        *,
        with_findings: bool = False,
    ) -> Sequence[HistoryPiece]:
        """Return what commits of versions behind `after` added to the history."""
        chosen = " AND t.findings > 0" if with_findings else ""
        source = (
            f"segue_history AS t WHERE {_ONE} AND t.version > ? AND t.version <= ?{chosen}"
            " ORDER BY t.version LIMIT ?"
        )
        values = codec.key(key), after, until, limit
        return self._read(lambda database: _exact_rows(database, HistoryPiece, source, values))

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[ConversationSummary]:
        """Return conversations, newest first."""
        where, values = _owned("bot_id", bots)
        upto = ENDLESS if after is None else after - 1
        rows = f"segue_conversations AS t WHERE {where} AND number <= ?"
        source = f"{rows} ORDER BY number DESC LIMIT ?"
        return self._read_settled(
            lambda database, newest: _rows(
                database, ConversationSummary, source, (*values, min(newest, upto), limit)
            )
        )

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]:
        """Return the entries behind `after` that are news, without their bodies."""
        where, values = _owned("t.owner", bots)
        news = f"(t.findings <> '[]' OR t.phase <> t.phase_before) AND {where} AND {_PAGE}"
        return self._entries("''", news, (*values, after), limit)

    def latest(self) -> int:
        """Return the number of the newest entry."""
        rows = self._entries("''", "t.number <= ? ORDER BY t.number DESC LIMIT ?", (), 1)
        return max((entry.number for entry in rows), default=0)

    def journal(
        self, after: int, limit: int, key: ConversationKey | None
    ) -> Sequence[JournalEntry]:
        """Return all entries behind `after`."""
        if key is None:
            return self._entries("t.body", _PAGE, (after,), limit)
        source, where = f"{_JOURNAL} WHERE {_ONE} AND {_PAGE}", (codec.key(key), after)
        return self._read_settled(
            lambda database, newest: _exact_rows(
                database, JournalEntry, source, (*where, newest, limit), _OF_CONVERSATION
            )
        )

    def claim(
        self, lease: str, now: datetime, until: datetime, limit: int
    ) -> Sequence[OutboxMessage]:
        """Lease messages of conversations none of whose messages is leased or put off."""
        latest = min(now, _LAST - _FARTHEST) + _FARTHEST
        values = (lease, *map(codec.micros, (until, now, latest)), limit)
        return self._write(partial(_claim, values=values), _OUTBOX)

    def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
        """Delete a message that was delivered."""
        return self._write(partial(acknowledge, number=number, lease=lease))

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Put a conversation off, and give back what the lease holds of it."""
        work = partial(_postpone, number=number, lease=lease, until=until)
        return self._write(work, _OUTBOX)

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a message a dead letter."""
        changes = "tries = tries + 1, lease = '', until = 0, dead = 1, reason = ?"
        return self._change_message(changes, _LEASED, reason, number, lease)

    def dead(self, after: int, limit: int) -> Sequence[OutboxMessage]:
        """Return the dead letters behind `after`."""
        where = "t.dead = 1 AND t.number > ?"
        return self._read(lambda database: _messages(database, where, [after], limit))

    def revive(self, number: int) -> bool:
        """Make a dead letter claimable again."""
        changes = "dead = 0, tries = 0, reason = ''"
        return self._change_message(changes, "number = ? AND dead = 1", number)

    def quarantine(self, item: Quarantined) -> int:
        """Store a body that was not applied."""
        return self._write(partial(_quarantine, item=item))

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return quarantined bodies behind `after`."""
        source = f"segue_quarantine AS t WHERE {_PAGE}"
        return self._read_settled(
            lambda database, newest: _rows(database, Quarantined, source, (after, newest, limit))
        )

    def release(self, number: int) -> Quarantined | None:
        """Remove one from the quarantine."""
        return self._write(partial(_release, number=number))

    def deadlines(self, limit: int) -> Sequence[tuple[ConversationKey, datetime]]:
        """Return conversations that hold deliveries, with their deadlines, the earliest first."""
        source = "segue_conversations WHERE deadline IS NOT NULL ORDER BY deadline LIMIT ?"
        rows = self._read(
            lambda database: _select(
                database, "bot_id, conversation_id, deadline", source, (limit,)
            )
        )
        return [(ConversationKey(bot, name), codec.time(at)) for bot, name, at in rows]

    def purge(self, before: datetime) -> int:
        """Remove what was last touched before a time, some conversations in each transaction."""
        numbers = self._read(partial(_outdated, before=before))
        removed = 0
        for start in range(0, len(numbers), _PURGED_AT_ONCE):
            some = numbers[start : start + _PURGED_AT_ONCE]
            removed += self._write(partial(_purge, numbers=some, before=before), _OUTBOX)
        old = "received_at < ?", (codec.micros(before),)
        self._write(lambda database: _delete(database, "segue_quarantine", *old))
        return removed

    def _entries(
        self, body: str, where: str, values: Sequence[Any], limit: int
    ) -> Sequence[JournalEntry]:
        """Read entries of the journal; the last two values are the largest number and `limit`."""
        source, special = f"{_JOURNAL} WHERE {where}", {**_OF_CONVERSATION, "body": body}
        return self._read_settled(
            lambda database, newest: _rows(
                database, JournalEntry, source, (*values, newest, limit), special
            )
        )

    def _change_message(self, changes: str, where: str, *values: object) -> bool:
        statement = f"UPDATE segue_outbox SET {changes} WHERE {where}"
        return self._write(
            lambda database: database.execute(statement, values).rowcount == 1, _OUTBOX
        )


def _stats(database: Database) -> StoreStats:
    """Count what an operator watches."""
    ((number, waiting, since, dead_letters, bodies, held, healed),) = database.execute(
        "SELECT (SELECT count(*) FROM segue_conversations WHERE phase <> 'ended'),"
        " (SELECT count(*) FROM segue_outbox WHERE dead = 0),"
        " (SELECT since FROM segue_outbox WHERE dead = 0 ORDER BY number LIMIT 1),"
        " (SELECT count(*) FROM segue_outbox WHERE dead <> 0),"
        " (SELECT count(*) FROM segue_quarantine),"
        " (SELECT count(*) FROM segue_held),"
        " (SELECT count(*) FROM segue_journal WHERE healed <> '')"
    ).fetchall()
    first = None if since is None else codec.time(since)
    return StoreStats(number, waiting, first, dead_letters, bodies, held, healed)


def _load(database: Database, key: ConversationKey, identity: Identity | None) -> Loaded:
    """Read a conversation with its agents and a fingerprint, in one statement."""
    columns = _columns(ConversationSummary, {"number": "0"})
    identity_key = None if identity is None else codec.identity_key(identity)
    first, *others = _select(
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
    if not isinstance(version, int) or not isinstance(snapshot, bytes):
        raise StoreDamaged
    summary = codec.read(ConversationSummary, values)
    agents = {row[2]: row[3] for row in (first, *others) if row[2] is not None}
    held = () if deadline is None else _held(database, key)
    return Loaded(ConversationRecord(summary, version, snapshot, agents, held), fingerprint)


def _held(database: Database, key: ConversationKey) -> tuple[HeldEntry, ...]:
    """Read what a conversation holds, in order of arrival."""
    source = f"segue_held AS t WHERE {_ONE} ORDER BY t.arrival"
    return tuple(_rows(database, HeldEntry, source, (codec.key(key),)))


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
    if commit.history is not None:
        _append(database, number, commit.history)
    if commit.hold is not None:
        _insert(database, "segue_held", {"conversation": number, **codec.row(commit.hold)})
    if commit.release is not None:
        values = number, commit.release
        _delete(database, "segue_held", "conversation = ? AND arrival = ?", values)
    if commit.entry is None:
        return
    row = codec.row(commit.entry, "number", "conversation_id")
    _insert(database, "segue_journal", {"conversation": number, **row})
    for message in commit.outbox:
        due = {"id": message.id, "kind": message.kind, "data": message.data}
        since = row["received_at"]
        _insert(database, "segue_outbox", {"conversation": number, "since": since, **due})


def _append(database: Database, number: int, piece: HistoryPiece) -> None:
    """Add a piece to the history of a conversation; there is none of its version yet."""
    row = {"conversation": number, **codec.row(piece)}
    unknown = " ON CONFLICT (conversation, version) DO NOTHING RETURNING 1"
    if not _insert(database, "segue_history", row, unknown).fetchall():
        raise StoreDamaged


def _restore(database: Database, rebuilt: RebuiltConversation) -> None:
    """Replace the row of a conversation, its agents and its history."""
    record = rebuilt.record
    source = "segue_conversations AS t JOIN segue_journal AS j ON j.conversation = t.number"
    found = _select(
        database,
        "t.number, t.version, max(j.number)",
        f"{source} WHERE t.key = ? GROUP BY t.number, t.version",
        (codec.key(record.summary.key),),
    )
    if [newest for *_, newest in found] != [rebuilt.newest]:
        raise StoreConflict("the conversation has gone on: rebuild it again")
    number, version, _ = found[0]
    if not isinstance(version, int) or version < record.version:
        version = record.version  # otherwise it stays, for ids of callbacks are made of it
    row = codec.row(record.summary, "number") | {"version": version, "snapshot": record.snapshot}
    changes = ", ".join(f"{column} = ?" for column in row)
    _update(database, "segue_conversations", changes, "number = ?", (*row.values(), number))
    for table in ("segue_agents", "segue_history"):
        _delete(database, table, "conversation = ?", (number,))
    for agent, data in record.agents.items():
        values = {"conversation": number, "number": agent, "data": data}
        _insert(database, "segue_agents", values)
    _insert(database, "segue_history", {"conversation": number, **codec.row(rebuilt.history)})


def swap(database: Database, record: ConversationRecord, expected: int) -> int:
    """Put the new state in the place of the expected one; return the conversation's number."""
    row = codec.row(record.summary, "number")
    deadline = codec.micros(min(entry.deadline for entry in record.held)) if record.held else None
    row |= {"version": record.version, "snapshot": record.snapshot, "deadline": deadline}
    key = codec.key(record.summary.key)
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
    found = int(rows[0][0])
    known = " ON CONFLICT (conversation, number) DO UPDATE SET data = excluded.data"
    for number, data in record.agents.items():
        agent = {"conversation": found, "number": number, "data": data}
        _insert(database, "segue_agents", agent, known)
    return found


def _claim(database: Database, values: Sequence[Any]) -> list[OutboxMessage]:
    """Lease messages of conversations of which nothing is leased or put off."""
    rows = database.execute(
        "UPDATE segue_outbox SET lease = ?, until = ? WHERE number IN ("
        " SELECT free.number FROM segue_outbox AS free WHERE free.dead = 0 AND NOT EXISTS ("
        "  SELECT 1 FROM segue_outbox AS held WHERE held.conversation = free.conversation"
        "  AND held.dead = 0 AND held.until > ? AND held.until <= ?"
        " ) ORDER BY free.number LIMIT ?"
        ") RETURNING number",
        values,
    ).fetchall()
    if not rows:
        return []
    claimed = f"t.number IN ({', '.join('?' * len(rows))})"
    return _messages(database, claimed, [row[0] for row in rows], len(rows))


def acknowledge(database: Database, number: int, lease: str) -> bool:
    """Delete a message."""
    return _delete(database, "segue_outbox", _LEASED, (number, lease)).rowcount == 1


def _postpone(database: Database, number: int, lease: str, until: datetime) -> bool:
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


def _quarantine(database: Database, item: Quarantined) -> int:
    """Insert a body, and delete the oldest beyond those that are stored."""
    row, number = codec.row(item, "number"), " RETURNING number"
    rows = _insert(database, "segue_quarantine", row, number).fetchall()
    beyond = "SELECT number FROM segue_quarantine ORDER BY number DESC LIMIT 100 OFFSET ?"
    _delete(database, "segue_quarantine", f"number IN ({beyond})", (_QUARANTINED_AT_MOST,))
    return int(rows[0][0])


def _release(database: Database, number: int) -> Quarantined | None:
    """Remove one and return it."""
    found = _rows(database, Quarantined, "segue_quarantine AS t WHERE t.number = ?", (number,))
    gone = _delete(database, "segue_quarantine", "number = ?", (number,)).rowcount == 1
    return found[0] if found and gone else None


def _outdated(database: Database, before: datetime) -> list[int]:
    """Read the numbers of the conversations that a purge is to remove."""
    source = f"segue_conversations WHERE {_OUTDATED} ORDER BY number"
    rows = _select(database, "number", source, (codec.micros(before),))
    return [number for (number,) in rows]


def _purge(database: Database, numbers: Sequence[int], before: datetime) -> int:
    """Delete conversations and all that belongs to them, unless they were touched meanwhile."""
    where = f"number IN ({', '.join('?' * len(numbers))}) AND {_OUTDATED}"
    values = (*numbers, codec.micros(before))
    return _delete(database, "segue_conversations", where, values).rowcount


def _messages(
    database: Database, where: str, values: Sequence[Any], limit: int
) -> list[OutboxMessage]:
    joined = "segue_outbox AS t JOIN segue_conversations AS c ON c.number = t.conversation"
    source = f"{joined} WHERE {where} ORDER BY t.number LIMIT ?"
    return _rows(database, OutboxMessage, source, (*values, limit), _OF_MESSAGE)


def _owned(column: str, bots: Collection[str] | None) -> tuple[str, list[Any]]:
    if bots is None:
        return "1 = 1", []
    places = ", ".join("?" * len(bots)) or "NULL"
    return f"{column} IN ({places})", list(bots)


def _columns(kind: type, special: Mapping[str, str]) -> str:
    return ", ".join(special.get(column, f"t.{column}") for column in codec.COLUMNS[kind])


def _rows(
    database: Database,
    kind: type[T],
    source: str,
    values: Sequence[Any],
    special: Mapping[str, str] = _PLAIN,
) -> list[T]:
    """Read rows; in place of what is damaged there is nothing."""
    rows = _select(database, _columns(kind, special), source, values)
    return [codec.read_leniently(kind, row) for row in rows]


def _exact_rows(
    database: Database,
    kind: type[T],
    source: str,
    values: Sequence[Any],
    special: Mapping[str, str] = _PLAIN,
) -> list[T]:
    """Read rows; raise `StoreDamaged` for one that is not what was written."""
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
