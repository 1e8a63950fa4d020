"""The processor as a host holds it: deliveries in, receipts out, callbacks behind.

It decides nothing of its own; it puts the parts together and offers each unit of work three times:
as a generator for the hook, blocking, and async.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import random
from types import TracebackType
from typing import Final, Self

from segue.errors import ConfigurationError, StoreUnavailable
from segue.events import INTAKES, ReceiptKind
from segue.findings import DEFAULT, Policy
from segue.processor.callback import Handler
from segue.processor.drivers import adriven, drive, driven
from segue.processor.ingest import Settings
from segue.processor.journal import lines
from segue.processor.operations import Units, aware
from segue.processor.outbox import Retry
from segue.processor.receipt import ControlReceipt, DeliveryOutcome, Receipt
from segue.processor.records import Notice, Quarantined
from segue.processor.runtime import Engine
from segue.processor.store import Store
from segue.wire import LIMITS, Limits

__all__ = ["Processor"]

_LONGEST_QUARANTINED: Final = 256 * 1024


def _now() -> datetime:
    return datetime.now(tz=UTC)


class Processor(Units):
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
        wanted = {kind: call for kind, call in handlers.items() if call is not None}
        settings = Settings(
            store=store,
            policy=policy,
            wanted=frozenset(wanted),
            clock=clock,
            store_text=store_text,
            limits=limits,
            longest_quarantined=_LONGEST_QUARANTINED,
        )
        engine = Engine(
            store,
            wanted,
            retry=retry,
            retention=retention,
            clock=clock,
            chance=chance,
        )
        super().__init__(settings, engine)

    # The same, driven.

    receive = driven(Units.receiving)
    areceive = adriven(Units.receiving)
    control = driven(Units.controlling)
    acontrol = adriven(Units.controlling)
    report = driven(Units.reporting)
    areport = adriven(Units.reporting)
    conversations = driven(Units.listing)
    aconversations = adriven(Units.listing)
    feed = driven(Units.feeding)
    afeed = adriven(Units.feeding)

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
        return self._store.purge(aware(before) or before)

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
        delivery_id = None if item.reason == DeliveryOutcome.REUSED else item.delivery_id
        answer: Receipt | ControlReceipt
        if INTAKES[item.endpoint].receipt is ReceiptKind.CONTROL:
            name = item.conversation_id or ""
            answer = self.control(item.bot_id, name, item.body, delivery_id=delivery_id)
        else:
            answer = self.receive(item.bot_id, item.body, delivery_id=delivery_id)
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
