"""The processor, which applies deliveries, returns receipts and calls handlers."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from random import random
from typing import Final, Self, TypeVar

from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.core.events import HOOKS, TRANSCRIPTION
from segue.core.findings import Finding, Policy
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
    """Applies deliveries to stored conversations, answers queries and calls handlers.

    A processor is safe for concurrent use by many threads and by an event loop. Several processes
    may share a store. Use the processor in `with` or `async with` to start and stop it. Otherwise
    the first request starts it, and `close` stops it. Stopping closes the store.

    Handlers are functions or coroutine functions that take one `Callback`. They run after the
    commit, in order for each conversation. A failed call is repeated as `retry` says, so a handler
    may be called several times with the same `Callback.id`. The process that receives a delivery
    stores the callbacks for it, so all processes that share a store must have the same handlers. A
    process without handlers names the kinds that the others handle in `callbacks`.

    Args:
        store: Where conversations are stored; see `segue.open_store`.
        policy: The findings to report and the deliveries to reject. The default reports all rules.
        store_text: Whether the text of conversations is stored. If False, `query` and the values of
            `customFields` are blanked as soon as a delivery has been read, before it is judged.
            They keep their JSON types. Journal, snapshots, outbox and quarantine then contain no
            text, and only the size of an unreadable body is stored. Two events that differ only in
            their text are then the same event.
        retention: The time after the last delivery at which conversations are removed, as by
            `purge`.
        patience: The time for which a delivery waits for others that it may have overtaken. A
            delivery waits if it would give an error or a warning about the order of events (rules
            SG1 and SG2), or, with a delivery id of its own, repeat the event before it (SG601).
            END_OF_CONVERSATION always waits. The waiting delivery is stored as held. It is applied
            once the missing deliveries have arrived, or after this time. A delivery with a finding
            that the policy rejects is refused at once.
        keeps_deadlines: Whether held deliveries are applied here when their time is over. Pass
            False in a program that only reads or maintains a store, because the handlers of the
            receiving processes would not be called.
        limits: The maximum size and depth of a body, and its maximum number of events (1,000).
        retry: The schedule for retries of failed callbacks.
        handler_timeout: The time after which a call of a handler counts as failed. A call that
            does not return keeps its thread, and further calls use other threads; see `is_stalled`.
        on_finding: Called for each reported finding.
        on_summary_requested: Called for each summary event.
        on_transcription_changed: Called when an action changes the transcription.
        on_message: Called for each message.
        on_segment_closed: Called when a connection of a segment closes.
        on_conversation_ended: Called once, with the report.
        on_call_finished: Called once for each call, with the contents of its final notification.
        callbacks: The kinds of callbacks, such as `call_finished`, that other processes on the
            store handle. This is only for a process without handlers.
        clock: A function that returns the current time, with a time zone.
        chance: A function that returns a random number from 0 to 1, which spreads retries.

    """

    def __init__(  # noqa: PLR0913 - the options of a server, by name
        self,
        *,
        store: Store,
        policy: Policy | None = None,
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
        policy = self._policy = Policy.checked(policy)
        self._limits = limits
        self.store = store
        """The store that contains the conversations."""
        outbox = OutboxOptions(handlers, retry, clock, chance, handler_timeout)
        self._runtime = Runtime(store, outbox, retention, patience)
        written = _checked_callbacks(callbacks, handlers)
        self._is_plain = not written and patience is None
        options = IngestOptions(policy, written, clock, store_text, limits, patience)
        self.ingest = Ingest(self._runtime, options)
        """The methods that apply deliveries, for senders that may act for some bots only. They
        return generators for `drive`."""
        if keeps_deadlines:
            self._runtime.settle = lambda key: drive(self.ingest.settle(key))
        self.queries = Queries(self._runtime, policy)
        """The methods that run queries, for readers that may see some bots only. They return
        generators for `drive`."""

    # Deliveries.

    def receive(
        self,
        bot_id: str | None,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> Receipt:
        """Apply one delivery of events (E21) and return its receipt after the commit.

        An example is `processor.receive("st-1", body).findings`.

        Args:
            bot_id: The id of the bot, such as `st-1`. None takes the id in the body.
            body: Bytes, text or a mapping. If it is not valid, the findings of the receipt say why.
            delivery_id: A unique id. A repetition with the same id and body is not applied again.
            received_at: The time of receipt, with a time zone. None means now.

        Raises `ConfigurationError` for a time without a zone. Raises `StoreUnavailable`, and
        applies nothing, if the store is locked, full or gone.

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
        """Apply one transcription action (E1) and return its receipt after the commit.

        An action is `start`, `pause`, `resume` or `end`.

        Args:
            bot_id: The id of the bot, such as `st-1`. None takes the id in the body.
            conversation_id: The conversation id in the query.
            body: Bytes, text or a mapping. If it is not valid, the findings of the receipt say why.
            delivery_id: A unique id. A repetition with the same id and body is not applied again.
            received_at: The time of receipt, with a time zone. None means now.

        Raises `ConfigurationError` for a time without a zone. Raises `StoreUnavailable`, and
        applies nothing, if the store is locked, full or gone.

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
        """Return the report of one conversation and the events that are legal next.

        Return None if the conversation is unknown. Raises `ConfigurationError`, with the names of
        the bots, if `bot_id` is None and several bots have a conversation with this id.
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
        """Return a page of the findings of a conversation, in order.

        Return None if the conversation is unknown. Raises `ConfigurationError` as `conversation`
        does.

        Args:
            conversation_id: The `conversationId` of the platform.
            bot_id: The id of the bot, or None if only one bot has a conversation with this id.
            after: The `next` of the previous page, or None for the first page.
            limit: The maximum number of findings, from 1 to 1000.

        """
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
        """Return a page of the lifecycle events of a conversation, in order.

        Return None if the conversation is unknown. Raises `ConfigurationError` as `conversation`
        does.

        Args:
            conversation_id: The `conversationId` of the platform.
            bot_id: The id of the bot, or None if only one bot has a conversation with this id.
            after: The `next` of the previous page, or None for the first page.
            limit: The maximum number of events, from 1 to 1000.

        """
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
        """Return a page of the list of conversations, newest first.

        `after` is the `next` of the previous page, or None for the first page. `limit` is the
        maximum number of conversations on the page, from 1 to 1000.
        """
        return drive(self.queries.conversations(after, limit))

    async def aconversations(
        self, *, after: str | None = None, limit: int = 50
    ) -> Page[ConversationSummary]:
        """Return a page of conversations without blocking the event loop; see `conversations`."""
        return await adrive(self.queries.conversations(after, limit))

    def read_feed(
        self, *, after: str | None = None, limit: int = 100, wait: float = 0.0
    ) -> Page[FeedEntry]:
        """Return a page of the feed: the deliveries that caused findings or changed a phase.

        The oldest entry comes first. Pass the `next` of a page as `after` to read on.

        Args:
            after: The cursor of an earlier page, `now` for the end of the feed, or None for its
                beginning.
            limit: The maximum number of entries on the page, from 1 to 1000.
            wait: The maximum time to wait for the first entry, in seconds.

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

    @property
    def is_stalled(self) -> bool:
        """Whether 64 calls of handlers have exceeded `handler_timeout` and not returned.

        Callbacks of these handlers are then not delivered any more. Restart the process, and let
        the handlers use time limits of their own.
        """
        return self._runtime.is_stalled

    def close(self) -> None:
        """Wait a few seconds for running handlers to finish, then close the store."""
        self._runtime.stop()

    # The store.

    def purge(self, before: datetime) -> int:
        """Delete data that was last changed before a time, and count the deleted conversations.

        A conversation is deleted if its last delivery was received before `before`, an aware
        datetime, unless it has due callbacks or held deliveries. Quarantined bodies and recorded
        requests from before that time are deleted as well.
        """
        return self._runtime.started().purge(aware(before))

    def export(
        self, conversation_id: str | None = None, bot_id: str | None = None
    ) -> Iterator[str]:
        """Yield the journal, which contains all applied deliveries, as lines of a log.

        If `conversation_id` is given, yield only the deliveries of that conversation.

        Raises `ConfigurationError` if `bot_id` is None and several bots have a conversation with
        this id, or if `bot_id` is given without `conversation_id`.
        """
        store, key = self._runtime.started(), None
        if conversation_id is not None:
            key = drive(self.queries.key(conversation_id, bot_id))
            if key is None:
                return
        elif bot_id is not None:
            raise ConfigurationError(
                "`bot_id` needs a conversation: give `conversation_id` as well"
            )
        yield from log_lines(store, key)

    def load(self, lines: Iterable[str | bytes]) -> int:
        """Apply the lines of `export` to an empty store, and return the number of deliveries.

        The deliveries keep their times of receipt, so reports are the same as in the exported
        store. The lines contain only the journal. The quarantine, dead letters, due callbacks and
        expected requests are not restored.

        Raises `ConfigurationError` if the store already has conversations, if a line does not come
        from `export`, and if the processor has callbacks or `patience`. Callbacks are not allowed
        because the handlers were called before the export.
        """
        if not self._is_plain:
            raise ConfigurationError(
                "a processor with handlers, callbacks or patience cannot load a journal, whose "
                "callbacks were called already: use Processor(store=…)"
            )
        if self.conversations(limit=1).items:
            raise ConfigurationError(
                "the store has conversations already: load the whole journal into a new store"
            )
        return load_lines(self.ingest, lines)

    def examine(self, *, is_mending: bool = False) -> Iterator[Damage]:
        """Search the stored conversations for damage, newest first, and yield a `Damage` for each.

        If `is_mending` is true, also rebuild damaged conversations from the journal where possible.
        """
        return examine(self._runtime, self._policy, self._limits, is_mending=is_mending)

    def quarantined(self, *, after: int = 0, limit: int = 100) -> Sequence[Quarantined]:
        """Return quarantined bodies, oldest first: bodies that were received but not applied.

        `after` is the number of the last body of the previous page, or 0. `limit` is the maximum
        number of bodies.
        """
        return self._runtime.started().quarantined(after, limit)

    def resubmit(self, item: Quarantined) -> Receipt | ControlReceipt:
        """Apply a quarantined body as if it arrived now, and remove it from the quarantine.

        If the body is not applied this time either, it is quarantined again under a new number. Its
        delivery id is ignored if another body had used the id (`reason` is `reused`). Raises
        `ConfigurationError` if the body was stored incompletely, or is no longer in the quarantine.
        """
        return drive(self.ingest.resubmit(item))

    def discard(self, number: int) -> Quarantined | None:
        """Remove the body with this number from the quarantine without applying it.

        Return the removed body, or None if there is no body with this number.
        """
        return self._runtime.started().release(number)

    def dead_letters(self, *, after: int = 0, limit: int = 100) -> Sequence[OutboxMessage]:
        """Return dead letters, oldest first: callbacks whose handlers failed at every attempt.

        `after` is the number of the last dead letter of the previous page, or 0. `limit` is the
        maximum number of dead letters.
        """
        return self._runtime.started().dead(after, limit)

    def revive(self, number: int) -> bool:
        """Schedule a dead letter for delivery again, with the full number of attempts.

        Return False if there is no dead letter with this number.
        """
        revived = self._runtime.started().revive(number)
        self._runtime.wake()
        return revived

    def _start(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Open the store and start the threads.

        If the store is unavailable now, the first request tries again.
        """
        self._runtime.loop = loop
        with suppress(StoreUnavailable):
            self._runtime.started()


def _checked_callbacks(callbacks: Collection[str], handlers: Collection[str]) -> frozenset[str]:
    """Return the kinds of callbacks to store for handlers, here or in other processes.

    Raises `ConfigurationError` if a kind is unknown, or if both arguments are given.
    """
    check_choices("callbacks", callbacks, sorted(CALLBACKS))
    if callbacks and handlers:
        raise ConfigurationError(
            "`callbacks` is for a process without handlers, and this one has handlers: leave it "
            "out, and give every process that has handlers the same ones"
        )
    return frozenset(callbacks or handlers)
