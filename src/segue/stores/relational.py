"""The port in transactions: what SQLite and PostgreSQL have in common.

A write is one transaction. Its guard, if it has one, names what only one writer may touch at a
time. How a transaction is run, made durable and retried is up to the database.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

from segue.processor import (
    Commit,
    ConversationSummary,
    Identity,
    JournalEntry,
    Loaded,
    OutboxMessage,
    Quarantined,
    StoreStats,
)
from segue.stores import queries
from segue.stores.schema import Database

__all__ = ["ENDLESS", "RelationalStore"]

T = TypeVar("T")
N = TypeVar("N", bound=JournalEntry | ConversationSummary | Quarantined)

ENDLESS: Final = 2**63 - 1
"""Larger than any number."""

_OUTBOX: Final = "outbox"
"""Guards what decides which messages are due."""

_PURGED_AT_ONCE: Final = 200
"""Conversations removed in one transaction, so that deliveries wait no longer than that takes."""


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
        """Write a little."""
        self._write(queries.probe)

    def stats(self) -> StoreStats:
        """Count what an operator watches."""
        return self._read(queries.stats)

    def load(self, conversation_id: str, identity: Identity | None = None) -> Loaded:
        """Return the conversation, and the fingerprint stored under a delivery id."""
        work = partial(queries.load, conversation_id=conversation_id, identity=identity)
        return self._read(work)

    def save(self, commit: Commit) -> Future[None] | None:
        """Apply a commit, or raise `StoreConflict`."""
        guard = f"conversation {commit.conversation.summary.conversation_id}"
        return self._write(partial(queries.save, commit=commit), guard)

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[ConversationSummary]:
        """Return conversations, newest first."""
        return self._read_settled(partial(queries.page, after=after, limit=limit, bots=bots))

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]:
        """Return the entries behind `after` that are news."""
        return self._read_settled(partial(queries.feed, after=after, limit=limit, bots=bots))

    def latest(self) -> int:
        """Return the number of the newest entry."""
        return max((entry.number for entry in self._read_settled(queries.latest)), default=0)

    def journal(
        self, after: int, limit: int, conversation_id: str | None
    ) -> Sequence[JournalEntry]:
        """Return all entries behind `after`."""
        work = partial(queries.journal, after=after, limit=limit, conversation_id=conversation_id)
        return self._read_settled(work)

    def claim(
        self, lease: str, now: datetime, until: datetime, limit: int
    ) -> Sequence[OutboxMessage]:
        """Lease messages of conversations none of whose messages is leased or put off."""
        work = partial(queries.claim, lease=lease, now=now, until=until, limit=limit)
        return self._write(work, _OUTBOX)

    def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
        """Delete a message that was delivered."""
        return self._write(partial(queries.acknowledge, number=number, lease=lease))

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Put a conversation off, and give back what the lease holds of it."""
        work = partial(queries.postpone, number=number, lease=lease, until=until)
        return self._write(work, _OUTBOX)

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a message a dead letter."""
        work = partial(queries.bury, number=number, lease=lease, reason=reason)
        return self._write(work, _OUTBOX)

    def dead(self, after: int, limit: int) -> Sequence[OutboxMessage]:
        """Return the dead letters behind `after`."""
        return self._read(partial(queries.dead, after=after, limit=limit))

    def revive(self, number: int) -> bool:
        """Make a dead letter claimable again."""
        return self._write(partial(queries.revive, number=number), _OUTBOX)

    def quarantine(self, item: Quarantined) -> int:
        """Store a body that was not applied."""
        return self._write(partial(queries.quarantine, item=item))

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return quarantined bodies behind `after`."""
        return self._read_settled(partial(queries.quarantined, after=after, limit=limit))

    def release(self, number: int) -> Quarantined | None:
        """Remove one from the quarantine."""
        return self._write(partial(queries.release, number=number))

    def purge(self, before: datetime) -> int:
        """Remove what was last touched before a time, some conversations in each transaction."""
        numbers = self._read(partial(queries.outdated, before=before))
        removed = 0
        for start in range(0, len(numbers), _PURGED_AT_ONCE):
            some = numbers[start : start + _PURGED_AT_ONCE]
            work = partial(queries.delete, numbers=some, before=before)
            removed += self._write(work, _OUTBOX)
        self._write(partial(queries.sweep, before=before))
        return removed
