"""A processor for stories: a clock that moves when told, and stores that misbehave when told."""

from collections.abc import Callable, Collection
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from tests.builders import body, end, message, summary, transfer

from segue.core.events import HOOKS
from segue.errors import StoreUnavailable
from segue.server.processor import (
    Commit,
    ConversationKey,
    Identity,
    Loaded,
    OutboxMessage,
    Processor,
    Receipt,
    Store,
    SubmissionContext,
    drive,
)
from segue.server.processor.submission import Body
from segue.server.stores import MemoryStore
from segue.server.stores.statements import records

__all__ = [
    "AT",
    "ENDS",
    "ENTERS",
    "LEAVES",
    "SUMMARY",
    "AwayStore",
    "Clock",
    "QueueingStore",
    "RacingStore",
    "body",
    "due",
    "end",
    "message",
    "processor",
    "send_as",
    "summary",
    "transfer",
]

AT: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)

ENTERS: Final = body(transfer("NA entry", "a-1"))
LEAVES: Final = body(transfer("NA exit", "a-1"))
SUMMARY: Final = body(summary())
ENDS: Final = body(end())


class Clock:
    """Stands still until it is moved."""

    def __init__(self, at: datetime = AT) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def move(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def due(store: MemoryStore) -> list[OutboxMessage]:
    """Return the messages in an outbox that nobody has leased, whatever they wait for."""
    source = "segue_outbox AS t JOIN segue_conversations AS c ON c.number = t.conversation"
    source += " WHERE t.dead = 0 AND t.lease = '' ORDER BY t.number"
    places = {"conversation_id": "c.conversation_id", "bot_id": "c.bot_id"}
    return store._read(  # noqa: SLF001 - a claim returns one kind only of each conversation
        lambda database: records(database, OutboxMessage, source, (), places)
    )


def send_as(
    it: Processor, bots: Collection[str], bot_id: str | None, sent: Body, **known: Any
) -> Receipt:
    """Send a delivery for a sender that may act for these bots only."""
    context = SubmissionContext(bot_id, allowed_bots=bots, **known)
    return drive(it.ingest.submit(HOOKS, sent, context, Receipt.of))


OPEN: list[Processor] = []
"""What `processor` has made for the test that runs; its threads would go on in the next one."""


def processor(store: Store | None = None, **options: Any) -> Processor:
    """Return a processor with a store in memory and a clock that stands still."""
    options.setdefault("clock", Clock())
    made = Processor(store=MemoryStore() if store is None else store, **options)
    OPEN.append(made)
    return made


class RacingStore(MemoryStore):
    """Somebody else is quicker: runs `rival` just before a save, for the given number of saves."""

    def __init__(self, rival: Callable[[MemoryStore], object], times: int = 1) -> None:
        super().__init__()
        self.rival = rival
        self.times = times

    def save(self, commit: Commit) -> None:
        if self.times:
            self.times -= 1
            self.rival(self)
        super().save(commit)


class AwayStore(MemoryStore):
    """Is away while it is told so; what it is asked then is not done."""

    immediate = False  # so that drivers use their threads

    def __init__(self) -> None:
        super().__init__()
        self.away = False

    def _there(self) -> None:
        if self.away:
            raise StoreUnavailable("the store is away: wait for it")

    def migrate(self) -> None:
        self._there()

    def ping(self) -> None:
        self._there()

    def load(self, key: ConversationKey, identity: Identity | None = None) -> Loaded:
        self._there()
        return super().load(key, identity)

    def save(self, commit: Commit) -> None:
        self._there()
        super().save(commit)


class QueueingStore(MemoryStore):
    """Saves when it is told to, as a store that commits in groups does."""

    immediate = False
    queues = True

    def __init__(self) -> None:
        super().__init__()
        self.queued: list[tuple[Commit, Future[None]]] = []

    def save(self, commit: Commit) -> Future[None]:
        future: Future[None] = Future()
        self.queued.append((commit, future))
        return future

    def commit(self) -> None:
        queued, self.queued = self.queued, []
        for commit, future in queued:
            try:
                super().save(commit)
            except Exception as error:  # noqa: BLE001 - it goes to whoever waits
                future.set_exception(error)
            else:
                future.set_result(None)
