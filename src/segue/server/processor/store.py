"""The port to a store: what the processor needs of a database.

`tests/server/stores` holds every store to this contract. A store knows rows, not conversations.
Trouble with the database is `StoreUnavailable` and ends by itself once the database works again. No
method leaves half of its work behind.
"""

from collections.abc import Collection, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Protocol, runtime_checkable

from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.server.processor.records import (
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


class StoreDamaged(StoreUnavailable):
    """What is stored of one conversation is not what was written; others are not concerned."""

    def __init__(self, what: str = "what is stored of the conversation is damaged") -> None:
        super().__init__(f"{what}: segue doctor says more, and mends it")


class BodyGoneError(ConfigurationError):
    """A quarantined body that is not in the quarantine any more."""

    def __init__(self, number: int) -> None:
        super().__init__(f"quarantined body {number} is gone: it was sent again, or removed")


def reason_of(error: Exception) -> str:
    """Return what is logged of an error: the text of a store's, and of another one the type."""
    return str(error) if isinstance(error, StoreUnavailable) else type(error).__name__


@runtime_checkable
class Store(Protocol):
    """Where conversations are stored.

    Ids are any text without NUL and lone surrogates, of any length a body may have.

    Every method may be called from any thread, by many concurrently, and may block unless
    `immediate` is true. Every method may raise `StoreUnavailable` (locked, full, read-only, gone,
    closed): then nothing of the call was applied, or, when the connection was lost during a commit,
    it is unknown, and a retry finds out by the version. What returns a `Future` may also put the
    exception there. Constructing a store touches no database.
    """

    @property
    def immediate(self) -> bool:
        """Whether no method ever waits (memory): drivers then need no thread."""

    @property
    def queues(self) -> bool:
        """Whether `save` and `acknowledge` return a `Future` at once, without waiting."""

    # Life.

    def migrate(self) -> None:
        """Create the schema if there is none; idempotent, safe in many processes.

        The processor calls it before anything else. Raises `SchemaTooNew` for a database of a newer
        Segue, `ConfigurationError` for one of an older, and leaves both unchanged.
        """

    def ping(self) -> None:
        """Raise `StoreUnavailable` unless the store could be written to now."""

    def stats(self) -> StoreStats:
        """Count what an operator watches, as of about one moment."""

    def close(self) -> None:
        """Finish what is queued, then close all connections; idempotent."""

    # The unit of work.

    def load(self, key: ConversationKey, identity: Identity | None = None) -> Loaded:
        """Return the conversation with what it holds, and the fingerprint under a delivery id.

        Both are of one moment, agents included. The id may have come with another conversation.
        """

    def save(self, commit: Commit) -> Future[None] | None:
        """Apply a commit, durably: when this returns (or the future is done), it survives a crash.

        `StoreConflict`, with nothing applied, unless the conversation's version is
        `commit.expected` (0: it must not exist) and `commit.identity` is unknown. `BodyGoneError`,
        with nothing applied, if `commit.replays` is not in the quarantine. A refused commit
        fails alone, whatever it was grouped with. A future is resolved only after the commit it
        belongs to, and a cancelled one may still have been committed.

        Numbers (`JournalEntry`, `OutboxMessage`, `ConversationSummary`) are given in an order that
        readers cannot outrun: after a reader has seen a number, no smaller one appears.
        `ConversationSummary.number` is given at the first commit of a conversation and stays.
        """

    def held(self, key: ConversationKey) -> Sequence[HeldEntry]:
        """Return what a conversation holds, in order of arrival, as far as it can be read."""

    def restore(self, rebuilt: RebuiltConversation) -> None:
        """Put a conversation that was made of its journal in the place of what is stored of it.

        What it holds, but is not in the rebuilt one, is quarantined.

        `StoreConflict`, with nothing changed, if the journal has gone on.
        """

    def put_under_its_key(self, key: ConversationKey, *, is_sent: bool) -> bool:
        """Store a conversation whose key is damaged where it is found by its ids.

        Returns False, with nothing changed, if there is none, if another has begun there, or if
        the ids did not come with a delivery (`is_sent`) and no entry of its journal has them.
        """

    # Reading.

    def owners(
        self, conversation_id: str, limit: int, bots: Collection[str] | None
    ) -> Sequence[str]:
        """Return the bots that have a conversation of this id, in order of their names.

        `bots` restricts it to these; None means all.
        """

    def history(
        self,
        key: ConversationKey,
        after: int,
        until: int,
        limit: int,
        *,
        with_findings: bool = False,
    ) -> Sequence[HistoryPiece]:
        """Return what commits added to the history, in order: those of versions behind `after`.

        `until` is the last version that counts: that of the conversation as it was loaded.
        `with_findings` leaves out what has none.
        """

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[ConversationSummary]:
        """Return conversations, newest (largest number) first: those below `after`.

        `bots` restricts it to conversations of these owners; None means all.
        """

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]:
        """Return the entries behind `after` (0: from the beginning) that are news, in order.

        `bots` as in `list`. The bodies may be left empty.
        """

    def latest(self) -> int:
        """Return the number of the newest entry, 0 if there is none; `feed` goes on behind it."""

    def journal(
        self, after: int, limit: int, key: ConversationKey | None
    ) -> Sequence[JournalEntry]:
        """Return all entries behind `after`, with their bodies, in order; or one conversation's."""

    # The outbox.

    def claim(
        self, lease: str, now: datetime, until: datetime, limit: int
    ) -> Sequence[OutboxMessage]:
        """Lease messages to a worker until a time, in order; no message is with two at once.

        Claimable are the messages of a conversation none of whose messages is leased or put off
        beyond `now`; so one conversation's messages go to one worker, in order, and what is behind
        a failing one waits while other conversations go on. A lease that has run out (`until <=
        now`) does not hinder a claim, nor does one beyond a day from now, which was written by a
        clock that was wrong; until a claim is made, it may still acknowledge. `limit` may cut
        a conversation: the rest then waits for the first part. `lease` is a token, fresh for each
        claim. Dead letters do not count.
        """

    def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
        """Delete a message that was delivered; False if this lease does not hold it any more."""

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Count a failed try of a message and put its conversation off until then.

        All messages of that conversation which this lease holds are given back. Returns False, with
        nothing changed, if this lease does not hold the message any more.
        """

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a message a dead letter: stored, counted as tried, never claimed, blocking nothing.

        Returns False as in `postpone`. The lease keeps its other messages.
        """

    def dead(self, after: int, limit: int) -> Sequence[OutboxMessage]:
        """Return the dead letters behind `after` (0: from the beginning), in order."""

    def revive(self, number: int) -> bool:
        """Make a dead letter claimable again, as if never tried; False if there is none."""

    # The quarantine.

    def quarantine(self, item: Quarantined) -> int:
        """Store a body that was not applied, durably; return its number."""

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return quarantined bodies behind `after` (0: from the beginning), in order."""

    def newest_quarantined(
        self, before: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[Quarantined]:
        """Return what is in the quarantine, newest first, without the bodies.

        `before` restricts it to smaller numbers, `bots` as in `list`.
        """

    def release(self, number: int) -> Quarantined | None:
        """Remove one from the quarantine and return it, or None if there is none."""

    # Requests of the host.

    def expect(self, request: HostRequest, asked_at: datetime) -> None:
        """Store what the host asked for, durably; the time of what is stored already stays."""

    def find_request(self, callback: HostRequest) -> tuple[bool, datetime | None]:
        """Return whether a callback was asked for: its ids are those of a request, or fewer.

        The first value says whether the bot of the callback has named any request to its endpoint;
        the second when the latest was made that agrees with the callback in all ids that both name,
        which is one at least, or None if there is none.
        """

    # Held deliveries.

    def deadlines(self, limit: int) -> Sequence[tuple[ConversationKey, datetime]]:
        """Return conversations that hold deliveries, with their deadlines, the earliest first."""

    # Retention.

    def purge(self, before: datetime) -> int:
        """Remove what was last touched before a time; return how many conversations that were.

        A conversation goes with its journal, its delivery ids and its dead letters, unless it has
        messages that are still due or holds deliveries. Quarantined bodies and requests go by their
        own times.
        """
