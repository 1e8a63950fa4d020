"""The processor as a host holds it: deliveries in, receipts out, callbacks behind.

It decides nothing of its own; it puts the parts together and offers each unit of work three times:
as a generator for the hook, blocking, and async.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import random
from time import monotonic
from types import TracebackType
from typing import Final, Self

from segue.errors import ConfigurationError, StoreUnavailable
from segue.findings import DEFAULT, Policy
from segue.processor.answer import control_receipt, receipt
from segue.processor.asks import Quarantine, Unit
from segue.processor.bell import Bell
from segue.processor.callback import Caller, Handler
from segue.processor.chores import Chores
from segue.processor.drivers import adriven, drive, driven
from segue.processor.intake import Intake, Settings
from segue.processor.journal import lines
from segue.processor.lookup import feeding, listing, pinging, reporting
from segue.processor.outbox import Outbox, Retry
from segue.processor.reading import Body, read
from segue.processor.receipt import ControlReceipt, Known, News, Outcome, Page, Receipt, Row
from segue.processor.rows import Commit, Endpoint, Notice, Quarantined
from segue.processor.start import Engine
from segue.processor.store import Store
from segue.processor.text import spelt, storable
from segue.processor.worker import Worker
from segue.wire import LIMITS, Limits

__all__ = ["Processor"]

_LONGEST_QUARANTINED: Final = 256 * 1024


def _now() -> datetime:
    return datetime.now(tz=UTC)


class Processor:
    """Keeps conversations: applies deliveries durably, answers, and calls back.

    Safe for use by many threads and by an event loop at once; several processes may share a store.
    Enter it (`with` or `async with`) to start and stop it; otherwise the first unit of work starts
    it, and `close` stops it.  Leaving it closes the store.

    Handlers are functions or coroutine functions of one `Callback`.  They run after the commit, in
    order for each conversation, and again until they return; `Callback.id` tells repetitions.
    Processes that share a store must have the same handlers.

    `store_text=False` keeps no text of conversations: `query` and the values of `customFields`
    are blanked as soon as a delivery has been read (same JSON type, no content), before it is
    judged, so neither journal, snapshot, outbox nor quarantine ever has them; an unreadable body is
    not kept at all, only its size. Two events that differ in nothing else are then the same event.

    `retention` removes conversations that long after their last delivery, as `purge` does.
    """

    def __init__(  # noqa: PLR0913 - the switches of a server, all optional
        self,
        *,
        store: Store,
        policy: Policy = DEFAULT,
        store_text: bool = True,
        retention: timedelta | None = None,
        limits: Limits = LIMITS,
        retry: Retry = Retry(),  # noqa: B008 - frozen
        on_finding: Handler | None = None,
        on_summary_requested: Handler | None = None,
        on_transcription_changed: Handler | None = None,
        on_message: Handler | None = None,
        on_segment_closed: Handler | None = None,
        on_conversation_ended: Handler | None = None,
        clock: Callable[[], datetime] = _now,
        chance: Callable[[], float] = random,
    ) -> None:
        if retention is not None and retention <= timedelta(0):
            raise ConfigurationError("retention is how long conversations are kept: more than 0")
        handlers = {
            "finding": on_finding,
            "summary_requested": on_summary_requested,
            "transcription_changed": on_transcription_changed,
            "message": on_message,
            "segment_closed": on_segment_closed,
            "conversation_ended": on_conversation_ended,
        }
        self._handlers = {kind: call for kind, call in handlers.items() if call is not None}
        self._store = store
        self._policy = policy
        self._store_text = store_text
        self._limits = limits
        self._clock = clock
        self._chance = chance
        self._retry = retry
        self._retention = retention
        self._bell = Bell()
        self._engine = Engine(store, self._hire)
        settings = Settings(
            store=store,
            policy=policy,
            wanted=frozenset(self._handlers),
            clock=clock,
            store_text=store_text,
            longest_quarantined=_LONGEST_QUARANTINED,
        )
        self._intake = Intake(settings, self._committed)

    # Units of work, for whoever drives them.

    def receiving(
        self,
        bot_id: str | None,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Receipt]:
        """Apply one delivery to the hook (E21).

        `bot_id` is that of the path. `received_at` is aware; without it the clock is read when the
        conversation's turn has come. `allowed_bots`: whom the sender may act for; None: anybody.
        """
        yield from self._started()
        sent = read(
            "hooks",
            body,
            bot_id=bot_id,
            delivery_id=delivery_id,
            received_at=_aware(received_at),
            store_text=self._store_text,
            limits=self._limits,
        )
        return (yield from self._intake.take(sent, allowed_bots, receipt))

    def controlling(  # noqa: PLR0913 - all that comes with an action
        self,
        bot_id: str | None,
        conversation_id: str,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[ControlReceipt]:
        """Apply one transcription action (E1); `conversation_id` is that of the query."""
        yield from self._started()
        sent = read(
            "transcription",
            body,
            bot_id=bot_id,
            conversation_id=conversation_id,
            delivery_id=delivery_id,
            received_at=_aware(received_at),
            store_text=self._store_text,
            limits=self._limits,
        )
        return (yield from self._intake.take(sent, allowed_bots, control_receipt))

    def keeping(self, endpoint: Endpoint, bot_id: str, body: bytes, *, reason: str) -> Unit[None]:
        """Put a body into the quarantine that cannot be taken for a delivery at all.

        It was cut off, or sent under an id nobody could file it under.
        """
        yield from self._started()
        item = Quarantined(
            endpoint=endpoint,
            bot_id=storable(bot_id) or "",
            conversation_id=None,
            delivery_id=None,
            received_at=self._clock(),
            reason=reason,
            codes=(),
            body=body[:_LONGEST_QUARANTINED] if self._store_text else b"",
            size=len(body),
        )
        yield Quarantine(self._store, item)

    def reporting(
        self, conversation_id: str, *, allowed_bots: Collection[str] | None = None
    ) -> Unit[Known | None]:
        """Give an account of one conversation; None: there is none that the asker may see."""
        yield from self._started()
        found = spelt(conversation_id) or ""
        return (yield from reporting(self._store, self._policy, found, allowed_bots))

    def listing(
        self,
        *,
        after: str | None = None,
        limit: int = 50,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Page[Row]]:
        """Give a page of all conversations, newest first."""
        yield from self._started()
        return (yield from listing(self._store, after, limit, allowed_bots))

    def feeding(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        wait: float = 0.0,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Page[News]]:
        """Give a page of the deliveries that gave findings or changed a phase, oldest first.

        Without any behind `after`, wait up to `wait` seconds for some.
        """
        yield from self._started()
        return (
            yield from feeding(
                self._store,
                self._bell,
                after,
                monotonic=monotonic,
                limit=limit,
                wait=wait,
                allowed_bots=allowed_bots,
            )
        )

    def ready(self) -> Unit[bool]:
        """Find out whether the store answers."""
        try:
            yield from self._started()
        except StoreUnavailable:
            return False
        return (yield from pinging(self._store))

    # The same, driven.

    receive = driven(receiving)
    areceive = adriven(receiving)
    control = driven(controlling)
    acontrol = adriven(controlling)
    report = driven(reporting)
    areport = adriven(reporting)
    conversations = driven(listing)
    aconversations = adriven(listing)
    feed = driven(feeding)
    afeed = adriven(feeding)

    # Life.

    def __enter__(self) -> Self:
        self._start(None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._start, asyncio.get_running_loop())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Let callbacks under way finish, and close the store."""
        self._engine.stop()

    def purge(self, before: datetime) -> int:
        """Remove what was received before a time; return how many conversations that were.

        A conversation counts by its last delivery, and stays while callbacks of it are due.
        """
        drive(self._started())
        return self._store.purge(_aware(before) or before)

    # What was not applied, and what could not be called.

    def export(self, conversation_id: str | None = None) -> Iterator[str]:
        """Yield the journal as the lines of a log: of all conversations in order, or of one."""
        drive(self._started())
        yield from lines(self._store, conversation_id)

    def quarantined(self, *, after: int = 0, limit: int = 100) -> Sequence[Quarantined]:
        """Return bodies that were answered but not applied, oldest first, behind a number."""
        drive(self._started())
        return self._store.quarantined(after, limit)

    def resubmit(self, item: Quarantined) -> Receipt | ControlReceipt:
        """Send a quarantined body once more, as if it came now, and take it out of quarantine.

        What is not applied this time either goes back, under a new number. An id that was taken
        (`reused`) is not used again. Raises `ConfigurationError` for a body that was cut.
        """
        if item.size > len(item.body):
            raise ConfigurationError(
                f"quarantined body {item.number} was not kept whole: ask its sender for it",
            )
        delivery_id = None if item.reason == Outcome.REUSED else item.delivery_id
        answer: Receipt | ControlReceipt
        if item.endpoint == "hooks":
            answer = self.receive(item.bot_id, item.body, delivery_id=delivery_id)
        else:
            name = item.conversation_id or ""
            answer = self.control(item.bot_id, name, item.body, delivery_id=delivery_id)
        self._store.release(item.number)
        return answer

    def discard(self, number: int) -> Quarantined | None:
        """Take a body out of the quarantine for good, and return it; None: it is not there."""
        drive(self._started())
        return self._store.release(number)

    def dead_letters(self, *, after: int = 0, limit: int = 100) -> Sequence[Notice]:
        """Return callbacks that were given up, oldest first, behind a number."""
        drive(self._started())
        return self._store.dead(after, limit)

    def revive(self, number: int) -> bool:
        """Call a dead letter's handler again, from the first try on. False: there is none."""
        drive(self._started())
        revived = self._store.revive(number)
        self._engine.ring()
        return revived

    def _start(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Start; a store that is away is no reason not to: it may be there for the first unit."""
        self._engine.loop = loop
        with suppress(StoreUnavailable):
            self._engine.perform()

    def _started(self) -> Unit[None]:
        if not self._engine.running:
            yield self._engine

    def _hire(self, loop: asyncio.AbstractEventLoop | None) -> Worker | None:
        if not self._handlers and self._retention is None:
            return None
        caller = Caller(loop)
        outbox = Outbox(
            self._store,
            self._handlers,
            caller,
            clock=self._clock,
            chance=self._chance,
            retry=self._retry,
        )
        return Worker(outbox, caller, Chores(self._store, self._clock, self._retention))

    def _committed(self, commit: Commit) -> None:
        if commit.notices:
            self._engine.ring()
        if commit.entry.is_news:
            self._bell.ring()


def _aware(at: datetime | None) -> datetime | None:
    if at is None:
        return None
    if at.tzinfo is None:
        raise ConfigurationError("the time has no time zone: pass an aware datetime")
    return at.astimezone(UTC)
