"""The port to a store: what the processor needs of a database, and nothing else.

It decides the contract that `tests/stores` holds every store to.  House rules: a store knows no
conversation, only rows; whatever is wrong with the database is `StoreUnavailable`, and heals by
itself once the database is well; no method leaves half of its work behind.
"""

from collections.abc import Collection, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Protocol

from segue.processor.records import (
    Commit,
    Entry,
    Identity,
    Loaded,
    Notice,
    Quarantined,
    Summary,
    Vitals,
)

__all__ = ["Store"]


class Store(Protocol):
    """Where conversations are kept.

    Ids are any text without NUL and lone surrogates, of any length a body may have.

    Every method may be called from any thread, by many at once, and may block unless `immediate`
    says otherwise.  Every method may raise `StoreUnavailable` (locked, full, read-only, gone,
    closed): then nothing of the call was applied, or, when the connection was lost during a commit,
    it is not known, and a retry finds out (the version tells).  What returns a `Future` may also
    put the exception there.  Constructing a store touches no database.
    """

    @property
    def immediate(self) -> bool:
        """Whether no method ever waits (memory): drivers then need no thread."""

    @property
    def queues(self) -> bool:
        """Whether `save` and `acknowledge` return a `Future` at once, without waiting."""

    # Life.

    def migrate(self) -> None:
        """Create the schema or bring it up to this version; idempotent, safe in many processes.

        Called before anything else, by the processor. Raises `SchemaTooNew` for a database of a
        newer Segue, and leaves it untouched.
        """

    def ping(self) -> None:
        """Raise `StoreUnavailable` unless the store could be written to now."""

    def vitals(self) -> Vitals:
        """Count what an operator watches; of about one moment."""

    def close(self) -> None:
        """Finish what is queued, then let go of everything; idempotent."""

    # The unit of work.

    def load(self, conversation_id: str, identity: Identity | None = None) -> Loaded:
        """Return the conversation, and the fingerprint kept under a delivery id.

        Both are of one moment. The id may have come with another conversation.
        """

    def save(self, commit: Commit) -> Future[None] | None:
        """Apply a commit, durably: when this returns (or the future is done), it survives a crash.

        `StoreConflict`, with nothing applied, unless the conversation's version is
        `commit.expected` (0: it must not exist) and `commit.identity` is unknown. A refused commit
        fails alone, whatever it was grouped with. A future is resolved only after the commit it
        belongs to, and a cancelled one may still have been committed.

        Numbers (`Entry`, `Notice`, `Summary`) are given in an order that readers cannot outrun: a
        reader that has seen a number never sees a smaller one appear later. `Summary.number`
        is given at the first commit of a conversation and stays.
        """

    # Reading.

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[Summary]:
        """Return conversations, newest (largest number) first: those below `after`.

        `bots`: only conversations of these owners; None: of all.
        """

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[Entry]:
        """Return the entries behind `after` (0: from the beginning) that are news, in order.

        `bots` as in `list`. The bodies may be left empty.
        """

    def latest(self) -> int:
        """Return the number of the newest entry; 0: there is none. `feed` goes on behind it."""

    def journal(self, after: int, limit: int, conversation_id: str | None) -> Sequence[Entry]:
        """Return all entries behind `after`, with their bodies, in order; or one conversation's."""

    # The outbox.

    def claim(self, lease: str, now: datetime, until: datetime, limit: int) -> Sequence[Notice]:
        """Lease notices to a worker until a time, in order; a notice is never with two at once.

        Claimable are the notices of a conversation none of whose notices is held or put off beyond
        `now`; so one conversation's notices go to one worker, in order, and what is behind a
        failing one waits while other conversations go on. A lease that has run out (`until <=
        now`) keeps nobody from claiming; until somebody does, it may still acknowledge. `limit`
        may cut a conversation: the rest then waits for the first part. `lease` is a token, fresh
        for each claim. Dead letters count for nothing here.
        """

    def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
        """Forget a notice that was delivered. False: this lease does not hold it any more."""

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Count a failed try of a notice and put its conversation off until then.

        All notices of that conversation which this lease holds are given back. False: this lease
        does not hold the notice any more, and nothing was changed.
        """

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a notice a dead letter: kept, counted as tried, never claimed, in nobody's way.

        False: as in `postpone`. The lease keeps what else it holds.
        """

    def dead(self, after: int, limit: int) -> Sequence[Notice]:
        """Return the dead letters behind `after` (0: from the beginning), in order."""

    def revive(self, number: int) -> bool:
        """Make a dead letter claimable again, as if never tried. False: there is none."""

    # The quarantine.

    def quarantine(self, item: Quarantined) -> int:
        """Keep a body that was not applied, durably; return its number."""

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return quarantined bodies behind `after` (0: from the beginning), in order."""

    def release(self, number: int) -> Quarantined | None:
        """Remove one from the quarantine and return it; None: there is none."""

    # Retention.

    def purge(self, before: datetime) -> int:
        """Remove what was last touched before a time; return how many conversations that were.

        A conversation goes with its journal, its delivery ids and its dead letters, unless it has
        notices that are still due. Quarantined bodies go by their own time.
        """
