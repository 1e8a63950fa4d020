"""The processor: deliveries in, receipts out, callbacks behind."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from random import random
from typing import Final, Self, TypeVar

from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.core.events import HOOKS, TRANSCRIPTION
from segue.core.findings import DEFAULT, Finding, Policy
from segue.core.options import Bounds, check_choices, check_options
from segue.core.wire import BodyLimits
from segue.server.processor.callback import HANDLER_TIMEOUT, Handler, check_handler
from segue.server.processor.callback_methods import CallbackMethods
from segue.server.processor.callback_payloads import CALLBACKS
from segue.server.processor.conversation_pages import TimelineEvent
from segue.server.processor.damage import Damage, examine
from segue.server.processor.effects import adrive, drive
from segue.server.processor.ingest import Ingest
from segue.server.processor.ingest_options import IngestOptions
from segue.server.processor.journal import log_lines
from segue.server.processor.loading import load_lines
from segue.server.processor.outbox import OutboxOptions, Retry
from segue.server.processor.queries import ConversationView, FeedEntry, Page, Queries
from segue.server.processor.records import (
    ConversationSummary,
    OutboxMessage,
    Quarantined,
)
from segue.server.processor.runtime import Runtime
from segue.server.processor.store import Store
from segue.server.processor.submission import (
    Body,
    ControlReceipt,
    Receipt,
    SubmissionContext,
    aware,
)

T = TypeVar("T")

_LIMITS: Final = BodyLimits(max_events=1000)
_RETRY: Final = Retry()
_now: Final = partial(datetime.now, tz=UTC)
_POSITIVE: Final = Bounds(above=timedelta(0))
_EXAMPLES: Final = {
    "store": 'segue.open_store("sqlite:segue.db")',
    "policy": 'segue.Policy(ignore=["SG110"])',
    "retention": "timedelta(days=90)",
    "retry": "segue.server.Retry(tries=3)",
    "callbacks": '["finding"]',
}


class Processor(CallbackMethods):
    """Stores conversations: applies deliveries durably, answers, and calls back.

    Safe for use by many threads and by an event loop concurrently; several processes may share a
    store. Enter it (`with` or `async with`) to start and stop it; otherwise the first request
    starts it, and `close` stops it. Leaving it closes the store.

    Handlers are functions or coroutine functions of one `Callback`. They run after the commit, in
    order for each conversation, and again until they return; `Callback.id` identifies repetitions.
    Messages for handlers are written with the delivery, by the process that receives it. So
    processes that share a store must have the same handlers, or none: those are told by `callbacks`
    which ones the others have.

    Args:
        store: where conversations are stored; see `segue.open_store`.
        policy: which findings are reported, and which deliveries are rejected.
        store_text: False stores no text of conversations: `query` and the values of `customFields`
            are blanked as soon as a delivery has been read (same JSON type, no content), before it
            is judged, so neither journal, snapshot, outbox nor quarantine ever has them; of an
            unreadable body only the size is stored. Two events that differ in nothing else are then
            the same event.
        retention: removes conversations that long after their last delivery, as `purge` does.
        patience: how long a delivery waits for others that it may have overtaken: one that would be
            an error of families 1 or 2, and END_OF_CONVERSATION always. It is committed as held,
            applied as soon as others made room for it, and at the end of this time whatever it
            gives. A finding that the policy rejects is refused at once.
        keeps_deadlines: whether a held delivery is applied here when its time is over. False is for
            a program that only reads or maintains a store: what it applied would call none of the
            handlers that the processes which receive have.
        limits: how large and deep a body may be, and how many events it may have (1,000).
        retry: when failed callbacks are tried again.
        handler_timeout: how long a call of a handler may take; after it the call has failed.
        on_finding: called for each reported finding.
        on_summary_requested: called for each summary event.
        on_transcription_changed: called when an action changes the transcription.
        on_message: called for each message.
        on_segment_closed: called when a connection of a segment closes.
        on_conversation_ended: called once, with the report.
        on_call_finished: called once a call, with what its final notification says.
        callbacks: of a process without handlers: the kinds, such as `call_finished`, for which
            other processes that share the store have one.
        clock: returns the time now, aware.
        chance: returns a random number from 0 to 1, which spreads retries.

    """

    def __init__(  # noqa: PLR0913 - the options of a server, by name
        self,
        *,
        store: Store,
        policy: Policy = DEFAULT,
        store_text: bool = True,
        retention: timedelta | None = None,
        patience: timedelta | None = None,
        keeps_deadlines: bool = True,
        limits: BodyLimits = _LIMITS,
        retry: Retry = _RETRY,
        handler_timeout: timedelta = HANDLER_TIMEOUT,
        on_finding: Handler | None = None,
        on_summary_requested: Handler | None = None,
        on_transcription_changed: Handler | None = None,
        on_message: Handler | None = None,
        on_segment_closed: Handler | None = None,
        on_conversation_ended: Handler | None = None,
        on_call_finished: Handler | None = None,
        callbacks: Collection[str] = (),
        clock: Callable[[], datetime] = _now,
        chance: Callable[[], float] = random,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        bounds = dict.fromkeys(("retention", "patience", "handler_timeout"), _POSITIVE)
        check_options(Processor.__init__, given, examples=_EXAMPLES, bounds=bounds)
        handlers = {kind: each for kind in CALLBACKS if (each := given[f"on_{kind}"]) is not None}
        for kind, handler in handlers.items():
            check_handler(f"on_{kind}", handler)
        self._policy, self._limits = policy, limits
        self.store = store
        """The store it was given."""
        outbox = OutboxOptions(handlers, retry, clock, chance, handler_timeout)
        self._runtime = Runtime(store, outbox, retention, patience)
        written = _checked_callbacks(callbacks, handlers)
        self._is_plain = not written and patience is None
        options = IngestOptions(policy, written, clock, store_text, limits, patience)
        self.ingest = Ingest(self._runtime, options)
        """Applies deliveries, also for senders that may act for some bots only; see `drive`."""
        if keeps_deadlines:
            self._runtime.settle = lambda key: drive(self.ingest.settle(key))
        self.queries = Queries(self._runtime, policy)
        """Reads, also for readers that may see some bots only; see `drive`."""

    # Deliveries.

    def receive(
        self,
        bot_id: str | None,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> Receipt:
        """Apply one delivery of events (E21) and return its receipt, after the commit.

        Args:
            bot_id: the bot it was sent for; without one, that of the body.
            body: bytes, text or a mapping; what is wrong with it is in the receipt's findings.
            delivery_id: the same id with the same body is applied once.
            received_at: when it was received, with a time zone (else `ConfigurationError`); by
                default the time now.

        Raises `StoreUnavailable`, with nothing applied, when the store is locked, full or gone.

        """
        context = SubmissionContext(bot_id, None, delivery_id, received_at)
        return drive(self.ingest.submit(HOOKS, body, context, Receipt.of))

    async def areceive(
        self,
        bot_id: str | None,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> Receipt:
        """Apply one delivery of events (E21) without blocking the event loop; see `receive`."""
        context = SubmissionContext(bot_id, None, delivery_id, received_at)
        return await adrive(self.ingest.submit(HOOKS, body, context, Receipt.of))

    def control(
        self,
        bot_id: str | None,
        conversation_id: str,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> ControlReceipt:
        """Apply one transcription action (E1) and return its receipt, after the commit.

        Args:
            bot_id: the bot it was sent for; without one, that of the body.
            conversation_id: that of the query.
            body: bytes, text or a mapping; what is wrong with it is in the receipt's findings.
            delivery_id: the same id with the same body is applied once.
            received_at: when it was received, with a time zone (else `ConfigurationError`); by
                default the time now.

        Raises `StoreUnavailable`, with nothing applied, when the store is locked, full or gone.

        """
        context = SubmissionContext(bot_id, conversation_id, delivery_id, received_at)
        return drive(self.ingest.submit(TRANSCRIPTION, body, context, ControlReceipt.of))

    async def acontrol(
        self,
        bot_id: str | None,
        conversation_id: str,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> ControlReceipt:
        """Apply one transcription action (E1) without blocking the event loop; see `control`."""
        context = SubmissionContext(bot_id, conversation_id, delivery_id, received_at)
        return await adrive(self.ingest.submit(TRANSCRIPTION, body, context, ControlReceipt.of))

    # Reading.

    def conversation(
        self, conversation_id: str, bot_id: str | None = None
    ) -> ConversationView | None:
        """Return one conversation, or None if there is none of this id.

        Raises `ConfigurationError`, which names the bots, if several bots have one of this id and
        no bot is given.
        """
        return drive(self.queries.conversation(conversation_id, bot_id))

    async def aconversation(
        self, conversation_id: str, bot_id: str | None = None
    ) -> ConversationView | None:
        """Return one conversation without blocking the event loop; see `conversation`."""
        return await adrive(self.queries.conversation(conversation_id, bot_id))

    def findings(
        self,
        conversation_id: str,
        bot_id: str | None = None,
        *,
        after: str | None = None,
        limit: int = 100,
    ) -> Page[Finding] | None:
        """Return a page of the findings of one conversation, in order; None if there is none."""
        found = self.queries.findings(conversation_id, bot_id, after=after, limit=limit)
        return drive(found)

    async def afindings(
        self,
        conversation_id: str,
        bot_id: str | None = None,
        *,
        after: str | None = None,
        limit: int = 100,
    ) -> Page[Finding] | None:
        """Return a page of the findings without blocking the event loop; see `findings`."""
        found = self.queries.findings(conversation_id, bot_id, after=after, limit=limit)
        return await adrive(found)

    def events(
        self,
        conversation_id: str,
        bot_id: str | None = None,
        *,
        after: str | None = None,
        limit: int = 100,
    ) -> Page[TimelineEvent] | None:
        """Return a page of the lifecycle events of one conversation; None if there is none."""
        found = self.queries.events(conversation_id, bot_id, after=after, limit=limit)
        return drive(found)

    async def aevents(
        self,
        conversation_id: str,
        bot_id: str | None = None,
        *,
        after: str | None = None,
        limit: int = 100,
    ) -> Page[TimelineEvent] | None:
        """Return a page of the events without blocking the event loop; see `events`."""
        found = self.queries.events(conversation_id, bot_id, after=after, limit=limit)
        return await adrive(found)

    def conversations(
        self, *, after: str | None = None, limit: int = 50
    ) -> Page[ConversationSummary]:
        """Return a page of the list, newest first: up to `limit` (1 to 1000) after a cursor."""
        return drive(self.queries.conversations(after, limit))

    async def aconversations(
        self, *, after: str | None = None, limit: int = 50
    ) -> Page[ConversationSummary]:
        """Return a page of the list without blocking the event loop; see `conversations`."""
        return await adrive(self.queries.conversations(after, limit))

    def read_feed(
        self, *, after: str | None = None, limit: int = 100, wait: float = 0.0
    ) -> Page[FeedEntry]:
        """Return the deliveries that gave findings or changed a phase, oldest first.

        Args:
            after: cursor of an earlier page, `now` for the end of the feed, None for its beginning.
            limit: entries on the page, from 1 to 1000.
            wait: seconds to wait for the first entry if there is none yet.

        """
        return drive(self.queries.read_feed(after, limit, wait))

    async def aread_feed(
        self, *, after: str | None = None, limit: int = 100, wait: float = 0.0
    ) -> Page[FeedEntry]:
        """Return a page of the feed without blocking the event loop; see `read_feed`."""
        return await adrive(self.queries.read_feed(after, limit, wait))

    # Starting and stopping.

    def __enter__(self) -> Self:
        self._start(None)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._start, asyncio.get_running_loop())
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Let running callbacks finish, and close the store."""
        self._runtime.stop()

    # The store.

    def purge(self, before: datetime) -> int:
        """Remove what was received before a time; return how many conversations that were.

        A conversation counts by its last delivery, and stays while callbacks of it are due.
        """
        return self._runtime.started().purge(aware(before))

    def export(
        self, conversation_id: str | None = None, bot_id: str | None = None
    ) -> Iterator[str]:
        """Yield the journal as the lines of a log: of all conversations in order, or of one.

        Raises `ConfigurationError` as `conversation` does, and for a bot without a conversation.
        """
        store, key = self._runtime.started(), None
        if conversation_id is not None:
            key = drive(self.queries.key(conversation_id, bot_id))
            if key is None:
                return
        elif bot_id is not None:
            raise ConfigurationError("bot_id says whose conversation: give conversation_id as well")
        yield from log_lines(store, key)

    def load(self, lines: Iterable[str | bytes]) -> int:
        """Apply the lines of `export` to an empty store, with their times; return how many.

        The reports are those of the store that was exported. What it had beside its journal is not
        in the lines: the quarantine, dead letters and what waits, and requests that were expected.
        Raises `ConfigurationError` if there are conversations already, for a line that is not of a
        journal, and for a processor that calls back (handlers were called before) or has patience.
        """
        if not self._is_plain:
            raise ConfigurationError(
                "load with a Processor(store=…) without handlers, callbacks and patience: what is "
                "in a journal was called back about already"
            )
        if self.conversations(limit=1).items:
            raise ConfigurationError(
                "there are conversations in the store: load into a new one, the whole journal"
            )
        return load_lines(self.ingest, lines)

    def examine(self, *, is_mending: bool = False) -> Iterator[Damage]:
        """Return what is damaged of the stored conversations, newest first, as it is found.

        With `is_mending` what can be mended is made anew from the journal.
        """
        return examine(self._runtime, self._policy, self._limits, is_mending=is_mending)

    def quarantined(self, *, after: int = 0, limit: int = 100) -> Sequence[Quarantined]:
        """Return bodies that were answered but not applied, oldest first, behind a number."""
        return self._runtime.started().quarantined(after, limit)

    def resubmit(self, item: Quarantined) -> Receipt | ControlReceipt:
        """Apply a quarantined body as if it came now, and remove it from the quarantine.

        What is not applied this time either is quarantined again, under a new number. An id that
        was taken (`reused`) is not used again. Raises `ConfigurationError` for a body that was cut,
        or is gone.
        """
        return drive(self.ingest.resubmit(item))

    def discard(self, number: int) -> Quarantined | None:
        """Remove a body from the quarantine and return it, or None if it is not there."""
        return self._runtime.started().release(number)

    def dead_letters(self, *, after: int = 0, limit: int = 100) -> Sequence[OutboxMessage]:
        """Return callbacks that were given up, oldest first, behind a number."""
        return self._runtime.started().dead(after, limit)

    def revive(self, number: int) -> bool:
        """Make a dead letter due again, from the first try on; return False if there is none."""
        revived = self._runtime.started().revive(number)
        self._runtime.wake()
        return revived

    def _start(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Start; a store that is away now may be there for the first request."""
        self._runtime.loop = loop
        with suppress(StoreUnavailable):
            self._runtime.started()


def _checked_callbacks(callbacks: Collection[str], handlers: Collection[str]) -> frozenset[str]:
    """Return the kinds of callbacks to write: those with a handler here or in other processes.

    Raises `ConfigurationError` for unknown kinds, and if both are given.
    """
    check_choices("callbacks", callbacks, sorted(CALLBACKS))
    if callbacks and handlers:
        raise ConfigurationError(
            "`callbacks` is for a process without handlers, and this one has handlers: leave it "
            "out, and give every process that has handlers the same ones"
        )
    return frozenset(callbacks or handlers)
