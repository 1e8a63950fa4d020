"""The port in SQL that both databases speak: what SQLite and PostgreSQL have in common.

A write is one transaction. Its guard, if it has one, names what only one writer may touch at a
time. How a transaction is run, made durable and retried is up to the database. Work raises
`StoreConflict` to have it undone. Values are always parameters of a statement, never in its text.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar

from segue.core.epoch import microseconds, time_at
from segue.server.processor import (
    Commit,
    ConversationKey,
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    HostRequest,
    Identity,
    JournalEntry,
    Loaded,
    OutboxMessage,
    Quarantined,
    RebuiltConversation,
    StoreStats,
)
from segue.server.stores import (
    conversation_rows,
    outbox_rows,
    quarantine_rows,
    request_rows,
    row_codec as codec,
)
from segue.server.stores.schema import Database
from segue.server.stores.statements import OF_ONE, delete, of_bots, records, select, update

T = TypeVar("T")
N = TypeVar("N", bound=JournalEntry | ConversationSummary | Quarantined)

ENDLESS: Final = 2**63 - 1
"""Larger than any number."""

_OUTBOX: Final = "outbox"
"""Guards what decides which messages are due."""
_PURGED_AT_ONCE: Final = 200
"""Conversations removed in one transaction, so that deliveries wait no longer than that takes."""
_PAGE: Final = "t.number > ? AND t.number <= ? ORDER BY t.number LIMIT ?"
"""Rows are read by number up to the largest one that is to be read."""
_JOURNAL: Final = "segue_journal AS t JOIN segue_conversations AS c ON c.number = t.conversation"
_OF_CONVERSATION: Final = {"conversation_id": "c.conversation_id"}
"""Where a column is that a table has not itself."""


class RelationalStore(ABC):
    """A store whose rows are in tables."""

    immediate = False

    @abstractmethod
    def _read(self, work: Callable[[Database], T]) -> T:
        """Run what writes nothing."""

    @abstractmethod
    def _write(self, work: Callable[[Database], T], guard: str | None = None) -> T:
        """Run one transaction, durably."""

    def _read_settled(self, work: Callable[[Database, int], Sequence[N]]) -> Sequence[N]:
        """Run what reads rows up to a number, so that none of a smaller one appears later.

        While there is one writer, none does.
        """
        return self._read(lambda database: work(database, ENDLESS))

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
        return self._read(partial(conversation_rows.load, key=key, identity=identity))

    def save(self, commit: Commit) -> Future[None] | None:
        """Apply a commit, or raise `StoreConflict`."""
        guard = f"conversation {codec.key(commit.conversation.summary.key).hex()}"
        return self._write(partial(conversation_rows.save, commit=commit), guard)

    def held(self, key: ConversationKey) -> Sequence[HeldEntry]:
        """Return what a conversation holds, with nothing in the place of what is damaged."""
        return self._read(partial(conversation_rows.held, key=key))

    def restore(self, rebuilt: RebuiltConversation) -> None:
        """Put a conversation that was made of its journal in the place of what is stored."""
        guard = f"conversation {codec.key(rebuilt.record.summary.key).hex()}"
        self._write(partial(conversation_rows.restore, rebuilt=rebuilt), guard)

    def put_under_its_key(self, key: ConversationKey, *, is_sent: bool) -> bool:
        """Store a conversation whose key is damaged where it is found by its ids."""
        guard = f"conversation {codec.key(key).hex()}"
        work = partial(conversation_rows.put_under_its_key, key=key, is_sent=is_sent)
        return self._write(work, guard)

    def owners(
        self, conversation_id: str, limit: int, bots: Collection[str] | None
    ) -> Sequence[str]:
        """Return the bots that have a conversation of this id."""
        where, values = of_bots("bot_id", bots)
        rows = f"segue_conversations WHERE key >= ? AND key <= ? AND {where}"
        source = f"{rows} ORDER BY bot_id LIMIT ?"
        values = [*codec.keys_of(conversation_id), *values, limit]
        found = self._read(lambda database: select(database, "bot_id", source, values))
        return [bot_id for (bot_id,) in found]

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
            f"segue_history AS t WHERE {OF_ONE} AND t.version > ? AND t.version <= ?{chosen}"
            " ORDER BY t.version LIMIT ?"
        )
        values = codec.key(key), after, until, limit
        return self._read(
            lambda database: records(database, HistoryPiece, source, values, read=codec.read)
        )

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[ConversationSummary]:
        """Return conversations, newest first."""
        where, values = of_bots("bot_id", bots)
        upto = ENDLESS if after is None else after - 1
        rows = f"segue_conversations AS t WHERE {where} AND number <= ?"
        source = f"{rows} ORDER BY number DESC LIMIT ?"
        return self._read_settled(
            lambda database, newest: records(
                database, ConversationSummary, source, (*values, min(newest, upto), limit)
            )
        )

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]:
        """Return the entries behind `after` that are news, without their bodies."""
        where, values = of_bots("t.owner", bots)
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
        source, where = f"{_JOURNAL} WHERE {OF_ONE} AND {_PAGE}", (codec.key(key), after)
        read = partial(records, special={"conversation_id": "''"}, read=codec.read)
        entries = self._read_settled(
            lambda database, newest: read(database, JournalEntry, source, (*where, newest, limit))
        )
        return [replace(entry, conversation_id=key.conversation_id) for entry in entries]

    def claim(
        self, lease: str, now: datetime, until: datetime, limit: int
    ) -> Sequence[OutboxMessage]:
        """Lease messages of conversations none of whose messages is leased or put off."""
        work = partial(outbox_rows.claim, lease=lease, now=now, until=until, limit=limit)
        return self._write(work, _OUTBOX)

    def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
        """Delete a message that was delivered."""
        return self._write(partial(outbox_rows.acknowledge, number=number, lease=lease))

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Put a conversation off, and give back what the lease holds of it."""
        work = partial(outbox_rows.postpone, number=number, lease=lease, until=until)
        return self._write(work, _OUTBOX)

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a message a dead letter."""
        changes = "tries = tries + 1, lease = '', until = 0, dead = 1, reason = ?"
        return self._change_message(changes, outbox_rows.LEASED, reason, number, lease)

    def dead(self, after: int, limit: int) -> Sequence[OutboxMessage]:
        """Return the dead letters behind `after`."""
        where = "t.dead = 1 AND t.number > ?"
        return self._read(lambda database: outbox_rows.messages(database, where, [after], limit))

    def revive(self, number: int) -> bool:
        """Make a dead letter claimable again."""
        changes = "dead = 0, tries = 0, reason = ''"
        return self._change_message(changes, "number = ? AND dead = 1", number)

    def quarantine(self, item: Quarantined) -> int:
        """Store a body that was not applied."""
        return self._write(partial(quarantine_rows.add, item=item))

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return quarantined bodies behind `after`."""
        source = f"segue_quarantine AS t WHERE {_PAGE}"
        return self._read_settled(
            lambda database, newest: records(database, Quarantined, source, (after, newest, limit))
        )

    def newest_quarantined(
        self, before: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[Quarantined]:
        """Return what is in the quarantine, newest first, without the bodies."""
        where, values = of_bots("t.bot_id", bots)
        source = f"segue_quarantine AS t WHERE {where} AND t.number <= ?"
        source += " ORDER BY t.number DESC LIMIT ?"
        values += [ENDLESS if before is None else before - 1, limit]
        empty = {"body": "substr(t.body, 1, 0)"}
        return self._read(lambda database: records(database, Quarantined, source, values, empty))

    def release(self, number: int) -> Quarantined | None:
        """Remove one from the quarantine."""
        return self._write(partial(quarantine_rows.release, number=number))

    def expect(self, request: HostRequest, asked_at: datetime) -> None:
        """Store a request, unless it is stored already."""
        self._write(partial(request_rows.add, request=request, asked_at=asked_at))

    def find_request(self, callback: HostRequest) -> tuple[bool, datetime | None]:
        """Return whether its bot has named any request, and when the one it answers was made."""
        return self._read(partial(request_rows.find, callback=callback))

    def deadlines(self, limit: int) -> Sequence[tuple[ConversationKey, datetime]]:
        """Return conversations that hold deliveries, with their deadlines, the earliest first."""
        source = "segue_conversations WHERE deadline IS NOT NULL ORDER BY deadline LIMIT ?"
        rows = self._read(
            lambda database: select(database, "bot_id, conversation_id, deadline", source, (limit,))
        )
        return [
            (ConversationKey(bot, name), time_at(at)) for bot, name, at in rows if codec.is_time(at)
        ]

    def purge(self, before: datetime) -> int:
        """Remove what was last touched before a time, some conversations in each transaction."""
        numbers = self._read(partial(conversation_rows.outdated, before=before))
        removed = 0
        for start in range(0, len(numbers), _PURGED_AT_ONCE):
            some = numbers[start : start + _PURGED_AT_ONCE]
            work = partial(conversation_rows.purge, numbers=some, before=before)
            removed += self._write(work, _OUTBOX)
        at = (microseconds(before),)
        self._write(lambda database: delete(database, "segue_quarantine", "received_at < ?", at))
        self._write(lambda database: delete(database, "segue_requests", "asked_at < ?", at))
        return removed

    def _entries(
        self, body: str, where: str, values: Sequence[Any], limit: int
    ) -> Sequence[JournalEntry]:
        """Read entries of the journal; the last two values are the largest number and `limit`."""
        source, special = f"{_JOURNAL} WHERE {where}", {**_OF_CONVERSATION, "body": body}
        return self._read_settled(
            lambda database, newest: records(
                database, JournalEntry, source, (*values, newest, limit), special
            )
        )

    def _change_message(self, changes: str, where: str, *values: object) -> bool:
        return self._write(
            lambda database: update(database, "segue_outbox", changes, where, values).rowcount == 1,
            _OUTBOX,
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
    first = time_at(since) if codec.is_time(since) else None
    return StoreStats(number, waiting, first, dead_letters, bodies, held, healed)
