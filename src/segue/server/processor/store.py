"""The interface of a store.

`tests/server/stores` holds every store to this contract. A store knows rows, not conversations.
Problems of the database are `StoreUnavailable`, and end once the database works again. No method
leaves a partial change.
"""

from collections.abc import Collection, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Protocol, runtime_checkable

from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.server.processor.misdated import LONGEST_WAITS, LongestWaits
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
    StoredEntry,
    StoreStats,
)


class StoreDamaged(StoreUnavailable):
    """The stored data of one conversation is damaged. Other conversations are not affected."""

    def __init__(self, what: str = "what is stored of the conversation is damaged") -> None:
        super().__init__(f"{what}: segue doctor says more, and mends it")


class BodyGoneError(ConfigurationError):
    """A quarantined body is no longer in the quarantine."""

    def __init__(self, number: int) -> None:
        super().__init__(f"quarantined body {number} is gone: it was sent again, or removed")


def reason_of(error: Exception) -> str:
    """Return a text that describes an exception in a log line.

    The text is the message of a `StoreUnavailable`, or the name of the type of another exception,
    such as `ValueError`.
    """
    return str(error) if isinstance(error, StoreUnavailable) else type(error).__name__


@runtime_checkable
class Store(Protocol):
    """The interface of a store, which keeps conversations, their journal, and due callbacks.

    Ids may be any text without NUL and lone surrogates. Their length is only limited by that of a
    body.

    Every method may be called from any thread, concurrently, and may block unless `immediate` is
    true. Every method may raise `StoreUnavailable` if the store is locked, full, read-only, gone or
    closed. The call then had no effect. There is one exception: if the connection was lost during a
    commit, the commit may have succeeded. A retry detects this by the version. A method that
    returns a `Future` may also set the exception there. Constructing a store does not access the
    database.
    """

    @property
    def immediate(self) -> bool:
        """Whether no method ever waits, as in a memory store. Drivers then need no thread."""

    @property
    def queues(self) -> bool:
        """Whether `save` and `acknowledge` return a `Future` at once, without waiting."""

    # Life.

    def migrate(self) -> None:
        """Create the schema if it does not exist. It is idempotent and safe in many processes.

        The processor calls it before other methods. Raises `SchemaTooNew` for a database of a newer
        Segue and `ConfigurationError` for one of an older Segue. Both leave the database unchanged.
        """

    def ping(self) -> None:
        """Raise `StoreUnavailable` unless the store accepts writes at the moment."""

    def stats(self) -> StoreStats:
        """Return counts of the contents for operators, taken at approximately one moment."""

    def close(self) -> None:
        """Finish queued work, then close all connections. Further calls do nothing."""

    # The unit of work.

    def load(self, key: ConversationKey, identity: Identity | None = None) -> Loaded:
        """Return a conversation, and the fingerprint stored for a delivery id.

        Both are read at the same moment, with all agents and held deliveries of the conversation.
        The delivery id in `identity` may have been used in another conversation.
        """

    def save(self, commit: Commit) -> Future[None] | None:
        """Apply a commit durably. It is durable once the method returns or the future is done.

        Raises `StoreConflict`, without changes, unless the conversation's version is
        `commit.expected` (0: it must not exist) and `commit.identity` is unknown. Raises
        `BodyGoneError`, without changes, if `commit.replays` is not in the quarantine. A refused
        commit fails alone, even if it was grouped with others. A future is resolved only after its
        commit, and a cancelled commit may still have been committed.

        The store assigns the numbers of `JournalEntry`, `OutboxMessage` and `ConversationSummary`
        so that readers miss none: after a reader has seen a number, no smaller one appears. The
        first commit of a conversation assigns `ConversationSummary.number`, which then stays the
        same.
        """

    def held(self, key: ConversationKey) -> Sequence[HeldEntry]:
        """Return the held deliveries of a conversation, in order of arrival.

        Damaged data does not raise an exception. The damaged fields are empty.
        """

    def restore(self, rebuilt: RebuiltConversation) -> None:
        """Replace a stored conversation with `rebuilt`, which was rebuilt from the journal.

        Held deliveries that are missing in `rebuilt` are moved to the quarantine.

        Raises `StoreConflict`, without changes, if the journal has grown since it was read.
        """

    def put_under_its_key(self, key: ConversationKey, *, is_sent: bool) -> bool:
        """Repair the key of a stored conversation, so that it can be found by its ids again.

        Returns True if the conversation was stored under the key that belongs to its ids. Returns
        False, without changes, if no conversation with these ids has another key, if another
        conversation has this key, or if the ids were not sent with a delivery (`is_sent` is False)
        and no journal entry of the conversation has them.
        """

    # Reading.

    def owners(
        self, conversation_id: str, limit: int, bots: Collection[str] | None
    ) -> Sequence[str]:
        """Return the ids of the bots that have a conversation with this id, sorted.

        `bots` restricts the result to these bots. None means all.
        """

    def entries(
        self, key: ConversationKey, after: int, until: int, limit: int
    ) -> Sequence[StoredEntry]:
        """Return the entries with numbers above `after` and below `until`, in order."""

    def history(
        self,
        key: ConversationKey,
        after: int,
        until: int,
        limit: int,
        *,
        with_findings: bool = False,
    ) -> Sequence[HistoryPiece]:
        """Return the findings and actions that the versions after `after` added, in order.

        `until` is the last version to return, which is that of the loaded conversation.
        `with_findings` omits pieces without findings.
        """

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[ConversationSummary]:
        """Return conversations with a number below `after`, newest (largest number) first.

        `bots` restricts the result to conversations of these bots. None means all.
        """

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]:
        """Return the entries of the feed with numbers above `after`, in order.

        The feed consists of the journal entries with findings or a change of phase. If `after` is
        0, it is read from the beginning. `bots` has the same meaning as in `list`. The bodies may
        be left empty.
        """

    def latest(self) -> int:
        """Return the number of the newest journal entry, or 0 if the journal is empty."""

    def journal(
        self, after: int, limit: int, key: ConversationKey | None
    ) -> Sequence[JournalEntry]:
        """Return the journal entries with numbers above `after`, with their bodies, in order.

        `key` restricts the result to one conversation. None means all.
        """

    # The outbox.

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

        No other worker gets a leased message. The messages of a conversation are only claimed if
        none of them is leased or postponed to a time after `now`. So the messages of one
        conversation are handled in order by one worker, and messages after a failed one wait, while
        other conversations continue.

        An expired lease (`until <= now`) does not prevent a claim. Neither does a lease or a
        postponement that ends more than twice its longest time from now, because a wrong clock must
        have written it. The holder of such a lease may still
        acknowledge the message until its conversation is claimed again.

        No conversation is claimed whose first message is of a kind in `without`, because the worker
        has no room for more of them. At most `limit` messages of each other kind are claimed. Of
        one conversation only those up to the first of another kind are claimed, and only those
        stored soon after its first one. If that splits the messages of a conversation, the rest
        waits for the first part. `lease` is a token that is new for each claim. Dead letters are
        never claimed.
        """

    def due_after(self, now: datetime) -> datetime | None:
        """Return the earliest time after `now` at which a lease or a postponement ends, or None."""

    def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
        """Delete a message whose handler has returned.

        Returns False, and changes nothing, if this lease no longer holds the message. A store that
        `queues` returns a future of the result.
        """

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Record a failed attempt to handle a message, and postpone its conversation to a time.

        The lease ends for all messages of that conversation. Returns False, and changes nothing, if
        this lease no longer holds the message.
        """

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a message a dead letter, which is stored but never claimed again.

        The failed attempt is counted. A dead letter does not delay other messages of its
        conversation, and the lease keeps its other messages. Returns False, and changes nothing, if
        this lease no longer holds the message.
        """

    def dead(self, after: int, limit: int) -> Sequence[OutboxMessage]:
        """Return the dead letters with numbers above `after`, in order.

        If `after` is 0, the result starts at the beginning.
        """

    def revive(self, number: int) -> bool:
        """Turn a dead letter back into a due message, with its count of failed attempts reset to 0.

        Return False if there is no dead letter with this number.
        """

    # The quarantine.

    def quarantine(self, item: Quarantined) -> int:
        """Store a body that was not applied, durably. Return the number of the item."""

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return the quarantined bodies with numbers above `after`, in order.

        If `after` is 0, the result starts at the beginning.
        """

    def newest_quarantined(
        self, before: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[Quarantined]:
        """Return the quarantined items, newest first, without the bodies.

        `before` restricts the result to items with a smaller number. `bots` restricts it to these
        bots. None means no restriction.
        """

    def count_quarantined(self, key: ConversationKey, reasons: Collection[str]) -> int:
        """Return the number of bodies for a conversation in the quarantine with these reasons."""

    def release(self, number: int) -> Quarantined | None:
        """Remove one item from the quarantine and return it, or None if it does not exist."""

    # Requests of the host.

    def expect(self, request: HostRequest, asked_at: datetime) -> None:
        """Store a request that the host has made, with the time `asked_at`, durably.

        If the request is stored already, the earlier time is kept.
        """

    def find_request(self, callback: HostRequest) -> tuple[bool, datetime | None]:
        """Look up the request of the host that a callback answers. Return `(is_known, asked_at)`.

        `is_known` tells whether the bot of the callback has stored any request for its endpoint.
        `asked_at` is the time of the latest matching request, or None. A request matches if it
        shares at least one id with the callback, and no id that both have differs.
        """

    # Held deliveries.

    def deadlines(
        self, limit: int, after: datetime | None = None
    ) -> Sequence[tuple[ConversationKey, datetime]]:
        """Return `(key, deadline)` for each conversation that holds deliveries.

        The deadline is the time at which the first held delivery of the conversation must be
        applied. The earliest deadline comes first. `after` restricts the result to later deadlines.
        """

    # Retention.

    def purge(self, before: datetime) -> int:
        """Remove data last changed before a time. Return the number of removed conversations.

        A conversation is removed with its journal, its delivery ids and its dead letters, unless it
        has due messages or holds deliveries. Quarantined bodies and requests are removed by their
        own times.
        """
