"""The base class of the SQL stores, with the SQL that SQLite and PostgreSQL have in common.

A write is one transaction. Its optional guard names the data that only one writer at a time may
touch. Each database decides how to run, commit and retry a transaction. A function raises
`StoreConflict` to have its changes undone. Values are always parameters of a statement, never part
of its text.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Final, TypeVar

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
    StoredEntry,
    StoreStats,
)
from segue.server.processor.misdated import LONGEST_WAITS, LongestWaits
from segue.server.stores import (
    conversation_rows,
    outbox_rows,
    quarantine_rows,
    request_rows,
    row_codec as codec,
)
from segue.server.stores.schema import Database
from segue.server.stores.statements import (
    OF_ONE,
    delete,
    of_bots,
    of_each_bot,
    records,
    select,
)

T = TypeVar("T")
N = TypeVar("N", bound=JournalEntry | ConversationSummary | Quarantined)

ENDLESS: Final = 2**63 - 1
"""A number that is larger than the number of any row."""

_number: Final = attrgetter("number")
_OUTBOX: Final = "outbox"
"""The guard for changes to the messages that are due."""
_PURGED_AT_ONCE: Final = 200
"""The maximum number of conversations removed in one transaction, while deliveries wait."""
_PAGE: Final = "t.number > ? AND t.number <= ? ORDER BY t.number LIMIT ?"
"""The SQL condition for a page of rows: after a number, up to another number, in order."""
_JOURNAL: Final = "segue_journal AS t JOIN segue_conversations AS c ON c.number = t.conversation"
_OF_CONVERSATION: Final = {"conversation_id": "c.conversation_id"}
"""The columns of journal entries that are read from the table of conversations."""
_WITHOUT_BODY: Final = {**_OF_CONVERSATION, "body": "''"}
"""The same, with an empty body."""


class RelationalStore(ABC):
    """The base class of stores that use SQL tables. `Store` documents the methods."""

    immediate = False

    @abstractmethod
    def _read(self, work: Callable[[Database], T]) -> T:
        """Call `work` with a connection, and return its result. `work` must only read."""

    @abstractmethod
    def _write(self, work: Callable[[Database], T], guard: str | None = None) -> T:
        """Call `work` with a connection within one durable transaction, and return its result.

        Calls with the same `guard`, such as the name of a conversation, run one after another.
        """

    def _read_settled(self, work: Callable[[Database, int], Sequence[N]]) -> Sequence[N]:
        """Call `work` with a connection and a maximum row number, and return the rows it reads.

        Rows above the maximum are left out, because another transaction may still commit a row with
        a smaller number. A reader that continues after the last number would miss that row. With a
        single writer this cannot happen, so there is no maximum.
        """
        return self._read(lambda database: work(database, ENDLESS))

    def ping(self) -> None:
        """Raise `StoreUnavailable` unless the store accepts writes at the moment.

        The check writes a value that is never read.
        """
        self._write(
            lambda database: database.execute("UPDATE segue_schema SET probes = probes + 1")
        )

    def stats(self) -> StoreStats:
        """Return counts of the contents for operators."""
        return self._read(_stats)

    def load(self, key: ConversationKey, identity: Identity | None = None) -> Loaded:
        """Return a conversation and the fingerprint stored under a delivery id, if they exist."""
        return self._read(partial(conversation_rows.load, key=key, identity=identity))

    def save(self, commit: Commit) -> Future[None] | None:
        """Apply a commit, or raise `StoreConflict` without changes."""
        guard = f"conversation {codec.key(commit.conversation.summary.key).hex()}"
        return self._write(partial(conversation_rows.save, commit=commit), guard)

    def held(self, key: ConversationKey) -> Sequence[HeldEntry]:
        """Return the held deliveries of a conversation, in order of arrival.

        If a column of a row is damaged, the field of that column is empty.
        """
        return self._read(partial(conversation_rows.held, key=key))

    def restore(self, rebuilt: RebuiltConversation) -> None:
        """Replace a stored conversation by one that was rebuilt from its journal.

        Raises `StoreConflict`, without changes, if the journal has grown.
        """
        guard = f"conversation {codec.key(rebuilt.record.summary.key).hex()}"
        self._write(partial(conversation_rows.restore, rebuilt=rebuilt), guard)

    def put_under_its_key(self, key: ConversationKey, *, is_sent: bool) -> bool:
        """Repair the key of a stored conversation, so that it can be found by its ids again.

        Return whether the conversation was moved to the key that belongs to its ids.
        """
        guard = f"conversation {codec.key(key).hex()}"
        work = partial(conversation_rows.put_under_its_key, key=key, is_sent=is_sent)
        return self._write(work, guard)

    def owners(
        self, conversation_id: str, limit: int, bots: Collection[str] | None
    ) -> Sequence[str]:
        """Return the ids of the bots that have a conversation with this id, sorted."""
        where, values = of_bots("bot_id", bots)
        rows = f"segue_conversations WHERE key >= ? AND key <= ? AND {where}"
        source = f"{rows} ORDER BY bot_id LIMIT ?"
        values = [*codec.keys_of(conversation_id), *values, limit]
        found = self._read(lambda database: select(database, "bot_id", source, values))
        return [bot_id for (bot_id,) in found]

    def entries(
        self, key: ConversationKey, after: int, until: int, limit: int
    ) -> Sequence[StoredEntry]:
        """Return the entries with numbers above `after` and below `until`, in order."""
        source = (
            f"segue_entries AS t WHERE {OF_ONE} AND t.number > ? AND t.number < ?"
            " ORDER BY t.number LIMIT ?"
        )
        values = codec.key(key), after, until, limit
        return self._read(
            lambda database: records(database, StoredEntry, source, values, read=codec.read)
        )

    def history(
        self,
        key: ConversationKey,
        after: int,
        until: int,
        limit: int,
        *,
        with_findings: bool = False,
    ) -> Sequence[HistoryPiece]:
        """Return the findings and actions that the versions after `after` added, in order."""
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
        """Return summaries of conversations with a number below `after`, newest first."""
        upto = ENDLESS if after is None else after - 1

        def read(database: Database, newest: int) -> Sequence[ConversationSummary]:
            found = []
            for where, values in of_each_bot("t.bot_id", bots):
                rows = f"segue_conversations AS t WHERE {where} AND t.number <= ?"
                source = f"{rows} ORDER BY t.number DESC LIMIT ?"
                page = *values, min(newest, upto), limit
                found += records(database, ConversationSummary, source, page)
            return sorted(found, key=_number, reverse=True)[:limit]

        return self._read_settled(read)

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]:
        """Return the journal entries after the number `after` that the feed shows, without bodies.

        The feed shows the entries with findings or a change of phase.
        """
        news = "(t.findings <> '[]' OR t.phase <> t.phase_before)"

        def read(database: Database, newest: int) -> Sequence[JournalEntry]:
            found = []
            for where, values in of_each_bot("t.owner", bots):
                source = f"{_JOURNAL} WHERE {news} AND {where} AND {_PAGE}"
                page = *values, after, newest, limit
                found += records(database, JournalEntry, source, page, _WITHOUT_BODY)
            return sorted(found, key=_number)[:limit]

        return self._read_settled(read)

    def latest(self) -> int:
        """Return the number of the newest journal entry, or 0 if the journal is empty."""
        source = f"{_JOURNAL} WHERE t.number <= ? ORDER BY t.number DESC LIMIT 1"
        rows = self._read_settled(
            lambda database, newest: records(
                database, JournalEntry, source, (newest,), _WITHOUT_BODY
            )
        )
        return max(map(_number, rows), default=0)

    def journal(
        self, after: int, limit: int, key: ConversationKey | None
    ) -> Sequence[JournalEntry]:
        """Return the journal entries after the number `after`, of one conversation or of all."""
        if key is None:
            rows = f"{_JOURNAL} WHERE {_PAGE}"
            return self._read_settled(
                lambda database, newest: records(
                    database, JournalEntry, rows, (after, newest, limit), _OF_CONVERSATION
                )
            )
        source, where = f"{_JOURNAL} WHERE {OF_ONE} AND {_PAGE}", (codec.key(key), after)
        read = partial(records, special={"conversation_id": "''"}, read=codec.read)
        entries = self._read_settled(
            lambda database, newest: read(database, JournalEntry, source, (*where, newest, limit))
        )
        return [replace(entry, conversation_id=key.conversation_id) for entry in entries]

    def claim(
        self,
        lease: str,
        now: datetime,
        until: datetime,
        limit: int,
        longest: LongestWaits = LONGEST_WAITS,
        *,
        without: Collection[str] = (),
    ) -> Sequence[OutboxMessage]:
        """Lease due messages to a worker until the time `until`, and return them in order.

        A message is skipped if its conversation is leased or postponed, if it follows a message of
        another kind, or if its kind is in `without`.
        """
        claim = partial(outbox_rows.claim, lease=lease, now=now, until=until, limit=limit)
        return self._write(partial(claim, longest=longest, without=without), _OUTBOX)

    def due_after(self, now: datetime) -> datetime | None:
        """Return the earliest time after `now` at which a lease or a postponement ends, or None."""
        return self._read(partial(outbox_rows.due_after, now=now))

    def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
        """Delete a message whose handler has returned.

        Return False, without changes, if the lease no longer holds the message.
        """
        return self._write(partial(outbox_rows.acknowledge, number=number, lease=lease))

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Record a failed attempt to handle a message, and postpone its conversation to a time.

        Return False, without changes, if the lease no longer holds the message.
        """
        work = partial(outbox_rows.postpone, number=number, lease=lease, until=until)
        return self._write(work, _OUTBOX)

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a message a dead letter, which is stored but never claimed again.

        Return False, without changes, if the lease no longer holds the message.
        """
        work = partial(outbox_rows.bury, number=number, lease=lease, reason=reason)
        return self._write(work, _OUTBOX)

    def dead(self, after: int, limit: int) -> Sequence[OutboxMessage]:
        """Return the dead letters after the number `after`, in order."""
        return self._read(partial(outbox_rows.dead, after=after, limit=limit))

    def revive(self, number: int) -> bool:
        """Turn a dead letter back into a due message. Return False if it does not exist."""
        return self._write(partial(outbox_rows.revive, number=number), _OUTBOX)

    def quarantine(self, item: Quarantined) -> int:
        """Store a body that was not applied, and return its number."""
        return self._write(partial(quarantine_rows.add, item=item))

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return the quarantined bodies after the number `after`, in order."""
        source = f"segue_quarantine AS t WHERE {_PAGE}"
        return self._read_settled(
            lambda database, newest: records(database, Quarantined, source, (after, newest, limit))
        )

    def newest_quarantined(
        self, before: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[Quarantined]:
        """Return the quarantined items, newest first, without the bodies."""
        where, values = of_bots("t.bot_id", bots)
        source = f"segue_quarantine AS t WHERE {where} AND t.number <= ?"
        source += " ORDER BY t.number DESC LIMIT ?"
        values += [ENDLESS if before is None else before - 1, limit]
        empty = {"body": "substr(t.body, 1, 0)"}
        return self._read(lambda database: records(database, Quarantined, source, values, empty))

    def count_quarantined(self, key: ConversationKey, reasons: Collection[str]) -> int:
        """Return the number of bodies for a conversation in the quarantine with these reasons."""
        return self._read(partial(quarantine_rows.count, key=key, reasons=reasons))

    def release(self, number: int) -> Quarantined | None:
        """Remove one item from the quarantine and return it, or None if it does not exist."""
        return self._write(partial(quarantine_rows.release, number=number))

    def expect(self, request: HostRequest, asked_at: datetime) -> None:
        """Store a request of the host. If it is stored already, its time does not change."""
        self._write(partial(request_rows.add, request=request, asked_at=asked_at))

    def find_request(self, callback: HostRequest) -> tuple[bool, datetime | None]:
        """Look up the request of the host that a callback answers. Return `(is_known, asked_at)`.

        `is_known` tells whether the bot has stored any request. `asked_at` is the time of the
        matching one, or None.
        """
        return self._read(partial(request_rows.find, callback=callback))

    def deadlines(
        self, limit: int, after: datetime | None = None
    ) -> Sequence[tuple[ConversationKey, datetime]]:
        """Return `(key, deadline)` for each conversation that holds deliveries.

        The earliest deadline comes first. `after` restricts the result to later deadlines.
        """
        where, values = "deadline IS NOT NULL", [limit]
        if after is not None:
            where, values = f"{where} AND deadline > ?", [microseconds(after), limit]
        source = f"segue_conversations WHERE {where} ORDER BY deadline LIMIT ?"
        rows = self._read(
            lambda database: select(database, "bot_id, conversation_id, deadline", source, values)
        )
        return [
            (ConversationKey(bot, name), time_at(at)) for bot, name, at in rows if codec.is_time(at)
        ]

    def purge(self, before: datetime) -> int:
        """Delete data last changed before a time. Return the number of deleted conversations.

        Conversations are deleted in several short transactions, so that deliveries do not wait
        long.
        """
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


def _stats(database: Database) -> StoreStats:
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
