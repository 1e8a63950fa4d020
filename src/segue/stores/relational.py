"""The port, in transactions: what SQLite and PostgreSQL have in common.

It decides which method reads, which writes, and under which guard.  House rules: a write is one
transaction; a guard names what only one writer may touch at a time; how a transaction is run, made
durable and retried is the database's own business, below.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

from segue.processor import Commit, Entry, Identity, Loaded, Notice, Quarantined, Summary, Vitals
from segue.stores import queries as transactions
from segue.stores.schema import Database

__all__ = ["ENDLESS", "Relational"]

T = TypeVar("T")
N = TypeVar("N", bound=Entry | Summary | Quarantined)

ENDLESS: Final = 2**63 - 1
"""Larger than any number."""

_OUTBOX: Final = "outbox"
"""Guards whatever decides which notices are due."""

_PURGED_AT_ONCE: Final = 200
"""Conversations removed in one transaction, so that deliveries wait no longer than that takes."""


class Relational(ABC):
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
        self._write(transactions.probe)

    def vitals(self) -> Vitals:
        """Count."""
        return self._read(transactions.vitals)

    def load(self, conversation_id: str, identity: Identity | None = None) -> Loaded:
        """Return the conversation, and the fingerprint kept under a delivery id."""
        return self._read(
            lambda database: transactions.load(database, conversation_id, identity),
        )

    def save(self, commit: Commit) -> Future[None] | None:
        """Apply a commit, or raise `StoreConflict`."""
        guard = commit.conversation.conversation_id
        return self._write(partial(transactions.save, commit=commit), f"conversation {guard}")

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[Summary]:
        """Return conversations, newest first."""
        return self._read_settled(
            partial(transactions.page, after=after, limit=limit, bots=bots),
        )

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[Entry]:
        """Return the entries behind `after` that are news."""
        return self._read_settled(
            partial(transactions.feed, after=after, limit=limit, bots=bots),
        )

    def latest(self) -> int:
        """Return the number of the newest entry."""
        return max((entry.number for entry in self._read_settled(transactions.latest)), default=0)

    def journal(self, after: int, limit: int, conversation_id: str | None) -> Sequence[Entry]:
        """Return all entries behind `after`."""
        return self._read_settled(
            partial(
                transactions.journal, after=after, limit=limit, conversation_id=conversation_id
            ),
        )

    def claim(self, lease: str, now: datetime, until: datetime, limit: int) -> Sequence[Notice]:
        """Lease notices of conversations none of whose notices is held or put off."""
        return self._write(
            partial(transactions.claim, lease=lease, now=now, until=until, limit=limit), _OUTBOX
        )

    def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
        """Forget a notice that was delivered."""
        return self._write(partial(transactions.acknowledge, number=number, lease=lease))

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Put a conversation off, and give back what the lease holds of it."""
        return self._write(
            partial(transactions.postpone, number=number, lease=lease, until=until), _OUTBOX
        )

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a notice a dead letter."""
        return self._write(
            partial(transactions.bury, number=number, lease=lease, reason=reason), _OUTBOX
        )

    def dead(self, after: int, limit: int) -> Sequence[Notice]:
        """Return the dead letters behind `after`."""
        return self._read(partial(transactions.dead, after=after, limit=limit))

    def revive(self, number: int) -> bool:
        """Make a dead letter claimable again."""
        return self._write(partial(transactions.revive, number=number), _OUTBOX)

    def quarantine(self, item: Quarantined) -> int:
        """Keep a body that was not applied."""
        return self._write(partial(transactions.quarantine, item=item))

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return quarantined bodies behind `after`."""
        return self._read_settled(partial(transactions.quarantined, after=after, limit=limit))

    def release(self, number: int) -> Quarantined | None:
        """Remove one from the quarantine."""
        return self._write(partial(transactions.release, number=number))

    def purge(self, before: datetime) -> int:
        """Remove what was last touched before a time, some conversations at a time."""
        numbers = self._read(partial(transactions.outdated, before=before))
        gone = 0
        for start in range(0, len(numbers), _PURGED_AT_ONCE):
            some = numbers[start : start + _PURGED_AT_ONCE]
            gone += self._write(partial(transactions.forget, numbers=some, before=before), _OUTBOX)
        self._write(partial(transactions.sweep, before=before))
        return gone
