"""Applies deliveries, and commits each one before it is answered.

The checks come in this order: the sender's permission, whether the body can be read and filed,
whether its id was seen before, and whether the state or the policy refuses it. A delivery that is
not applied leaves a trace only in the quarantine. Refusals are decided only on a conversation that
was just loaded, never on a cached state. If another delivery was committed in the meantime, the
delivery starts again from the load.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

from segue.core.engine import MACHINES, State
from segue.core.engine.snapshot import PastSize, forget_past
from segue.core.errors import ConfigurationError, StoreConflict
from segue.core.events import INTAKES, Intake
from segue.core.events.ids import one_spelling
from segue.core.findings import Finding, Place, find
from segue.core.wire import with_required
from segue.server.processor.callback_payloads import (
    SEGMENT_CLOSED,
    AppliedDelivery,
    StateBefore,
    closed_by,
)
from segue.server.processor.commits import LONGEST_QUARANTINED, commit_of, quarantined
from segue.server.processor.damage import rebuild
from segue.server.processor.effects import Compute, Unit
from segue.server.processor.held_deliveries import TRIES, HeldDeliveries, lost_races
from segue.server.processor.ingest_options import IngestOptions, is_rejected
from segue.server.processor.records import (
    Commit,
    ConversationKey,
    ConversationRecord,
    DeliveryOutcome,
    HostRequest,
    Quarantined,
)
from segue.server.processor.runtime import CachedState, Runtime
from segue.server.processor.store import BodyGoneError, Store, StoreDamaged
from segue.server.processor.stored_history import prepare
from segue.server.processor.submission import (
    RECEIPTS,
    Body,
    ControlReceipt,
    Judgement,
    Receipt,
    Submission,
    SubmissionContext,
    aware,
    read,
    spelt,
)

T = TypeVar("T")

_LONGEST_FACT: Final = 120
_LARGE: Final = 4 * 1024
"""The size in bytes from which a body is read in a thread instead of on the event loop."""
_MANY: Final = 64
"""The number of events of a delivery and agents of a conversation above which the delivery is
judged in a thread instead of on the event loop."""
_QUARANTINED: Final = frozenset(
    {
        DeliveryOutcome.UNREADABLE,
        DeliveryOutcome.UNFILED,
        DeliveryOutcome.UNADDRESSABLE,
        DeliveryOutcome.REJECTED,
        DeliveryOutcome.REUSED,
    },
)
_TRIED: Final = frozenset({DeliveryOutcome.REJECTED, DeliveryOutcome.HELD})
"""Outcomes that are known only after the state was changed."""


class Ingest:
    """Applies deliveries to stored conversations.

    The methods return generators of effects, which `drive` or `adrive` runs.
    """

    def __init__(self, runtime: Runtime, options: IngestOptions) -> None:
        self._runtime = runtime
        self._options = options
        self._held = HeldDeliveries(runtime, options)
        self._enforces = options.policy.transcription != "observe"

    def submit(
        self,
        intake: Intake,
        body: Body,
        context: SubmissionContext,
        receipt: Callable[[Judgement], T],
    ) -> Unit[T]:
        """Apply one delivery and return its receipt.

        Args:
            intake: The endpoint that received the delivery.
            body: Bytes, text or a mapping.
            context: The ids in the address, the delivery id and the sender.
            receipt: A function that converts the judgement of the delivery to the result; see
                `RECEIPTS`. It is called while the conversation is locked.

        """
        options, locks = self._options, self._runtime.locks
        if isinstance(body, bytes) and len(body) > _LARGE:
            function = partial(read, intake, body, context, options.limits)
            submission = yield Compute(partial(function, store_text=options.store_text))
        else:
            submission = read(intake, body, context, options.limits, store_text=options.store_text)
        if submission.refusal is not None:
            findings = options.policy.apply(submission.findings)
            judgement = Judgement(submission.refusal, submission, findings)
            if submission.refusal in _QUARANTINED:
                yield self._runtime.call(Store.quarantine, quarantined(judgement, self._options))
            return receipt(judgement)
        if intake.is_callback:
            submission = yield from self._with_request(submission, context)
        committed, now = None, options.clock()
        place = locks.acquire(submission.key)
        try:
            guess = place.result() if place.done() else (yield from locks.wait(place))
            cached, fingerprint = guess, None
            if cached is None:
                cached, fingerprint = yield from self._held.load(
                    submission.key, submission.identity, now
                )
            judgement, committed = yield from self._apply(
                submission, cached, fingerprint, now, is_guess=guess is not None
            )
            after, make = judgement.state, partial(receipt, judgement)
            is_long = after is not None and len(after.agents) > _MANY
            return (yield Compute(make)) if is_long else make()
        except StoreDamaged:
            item = quarantined(Judgement(DeliveryOutcome.UNFILED, submission), self._options)
            yield self._runtime.call(Store.quarantine, replace(item, reason="damaged"))
            yield from self._mend(submission.key)
            raise
        finally:
            locks.release(submission.key, place, committed)

    def _with_request(self, submission: Submission, context: SubmissionContext) -> Unit[Submission]:
        """Add to a callback the time at which the host made the request that the callback answers.

        Return the submission unchanged if the host has recorded no requests for the bot.
        """
        if context.asked_at is not None or context.is_unasked:
            return submission.answering(context.asked_at)
        bot_id, conversation_id = submission.key
        callback = HostRequest(submission.intake.name, bot_id, conversation_id, context.request_id)
        is_told, asked_at = yield self._runtime.call(Store.find_request, callback)
        return submission.answering(asked_at) if is_told else submission

    def expect(self, request: HostRequest, asked_at: datetime | None) -> Unit[None]:
        """Store that the host makes a request to the platform, now or at `asked_at`.

        Raises `ConfigurationError` if `request` has neither a conversation id nor a request id.
        """
        if not request.conversation_id and not request.request_id:
            raise ConfigurationError("a request needs an id: give conversation_id or request_id")
        at = self._options.clock() if asked_at is None else aware(asked_at)
        named = spelt(request.conversation_id)
        stored = HostRequest(
            request.endpoint,
            spelt(request.bot_id) or "",
            named and one_spelling(named),
            spelt(request.request_id),
        )
        yield self._runtime.call(Store.expect, stored, at)

    def _mend(self, key: ConversationKey) -> Unit[None]:
        """Repair a conversation whose stored data is damaged.

        If only its key in the store is damaged, correct the key. Otherwise rebuild the conversation
        from its journal.
        """
        options = self._options
        if (yield self._runtime.call(Store.put_under_its_key, key, is_sent=True)):
            return
        rebuilt = yield from rebuild(self._runtime, key, options.policy, options.limits)
        yield self._runtime.call(Store.restore, rebuilt)

    def settle(self, key: ConversationKey) -> Unit[None]:
        """Apply the held deliveries of a conversation whose wait is over.

        If the stored conversation is damaged, repair it instead.
        """
        place = self._runtime.locks.acquire(key)
        try:
            yield from self._runtime.locks.wait(place)
            yield from self._held.load(key, None, self._options.clock())
        except StoreDamaged:
            yield from self._mend(key)
        finally:
            self._runtime.locks.release(key, place)

    def resubmit(self, item: Quarantined) -> Unit[Receipt | ControlReceipt]:
        """Apply a quarantined body as if it arrived now; see `Processor.resubmit`."""
        there = yield self._runtime.call(Store.quarantined, item.number - 1, 1)
        if not any(each.number == item.number for each in there):
            raise BodyGoneError(item.number)
        if item.size > len(item.body):
            raise ConfigurationError(
                f"quarantined body {item.number} was not stored completely "
                f"({len(item.body)} of {item.size} bytes): ask its sender to send it again",
            )
        delivery_id = None if item.reason == DeliveryOutcome.REUSED else item.delivery_id
        intake = INTAKES[item.endpoint]
        context = SubmissionContext(
            item.bot_id,
            item.conversation_id,
            delivery_id,
            request_id=item.request_id,
            replays=item.number,
        )
        receipt = yield from self.submit(intake, item.body, context, RECEIPTS[intake.receipt])
        yield self._runtime.call(Store.release, item.number)
        return receipt

    def quarantine(
        self,
        intake: Intake,
        bot_id: str,
        body: bytes,
        *,
        reason: str,
        conversation_id: str | None = None,
    ) -> Unit[None]:
        """Quarantine a body that cannot be submitted: incomplete, or with an unusable id.

        Args:
            intake: The endpoint that received the body.
            bot_id: The bot id in the path.
            body: The bytes that were read.
            reason: The type of the problem in the response, `urn:segue:problem:…`.
            conversation_id: The conversation id in the query, if it is usable.

        """
        item = Quarantined(
            endpoint=intake.name,
            bot_id=spelt(bot_id) or "",
            conversation_id=conversation_id,
            delivery_id=None,
            received_at=self._options.clock(),
            reason=reason,
            codes=(),
            body=body[:LONGEST_QUARANTINED] if self._options.store_text else b"",
            size=len(body),
        )
        yield self._runtime.call(Store.quarantine, item)

    def _apply(
        self,
        submission: Submission,
        cached: CachedState | None,
        fingerprint: str | None,
        now: datetime,
        *,
        is_guess: bool,
    ) -> Unit[tuple[Judgement, CachedState | None]]:
        """Judge a delivery to a locked conversation, then commit, hold or quarantine it.

        Return the judgement, and the new state to cache. The state is None if nothing may be
        cached. The attempt is repeated with a freshly loaded state if another process has changed
        the conversation.

        Args:
            submission: The delivery.
            cached: The state of the conversation, or None to load it.
            fingerprint: The fingerprint stored under the same delivery id, or None.
            now: The time at which the delivery arrived.
            is_guess: Whether `cached` comes from the cache, and may be older than the stored state.

        """
        for _ in range(TRIES):
            if cached is None:
                cached, fingerprint = yield from self._held.load(
                    submission.key, submission.identity, now
                )
            state, record, callbacks = cached.state, cached.record, self._options.callbacks
            if callbacks or state.sessions or state.segments is not None:
                before = yield from prepare(self._runtime, record, state, submission, callbacks)
            else:
                before = StateBefore(state.presence, PastSize.of(state))
            decide = partial(self._decide, submission, cached, fingerprint, before)
            is_end = before.since.final > state.first  # the past was read for the report
            is_long = is_end or len(submission.delivery.events) + len(state.agents) > _MANY
            judgement, commit = (yield Compute(decide)) if is_long else decide()
            if commit is not None:
                with suppress(StoreConflict):
                    yield self._runtime.call(Store.save, commit)
                    if commit.outbox:
                        self._runtime.wake()
                    if judgement.findings or state.presence.phase is not before.presence.phase:
                        self._runtime.feed_watcher.notify()
                    held = commit.conversation.held
                    done = (yield from self._held.try_again(judgement, now)) if held else judgement
                    forget_past(state)
                    stored = replace(commit.conversation, snapshot=b"", agents={})
                    return done, None if held else CachedState(state, stored)
            elif not is_guess:
                with suppress(StoreConflict):
                    return (yield from self._refuse(judgement, record)), None
            cached, is_guess = None, False
        raise lost_races()

    def _refuse(self, judgement: Judgement, record: ConversationRecord | None) -> Unit[Judgement]:
        """Store a delivery that is not applied, as held or in the quarantine.

        Some outcomes, such as `REFUSED`, need neither. Return the judgement of the delivery, with
        the state before it.
        """
        if judgement.outcome in _TRIED:
            before = CachedState.of(judgement.submission.key.conversation_id, record)
            judgement = replace(judgement, state=before.state)
        if judgement.outcome in _QUARANTINED:
            yield self._runtime.call(Store.quarantine, quarantined(judgement, self._options))
        elif judgement.outcome is DeliveryOutcome.HELD:
            yield self._runtime.call(Store.save, self._held.hold(judgement, record))
        return judgement

    def _decide(
        self,
        submission: Submission,
        cached: CachedState,
        fingerprint: str | None,
        before: StateBefore,
    ) -> tuple[Judgement, Commit | None]:
        """Judge a delivery. Return the judgement, and the commit to save.

        The commit is None if the delivery is not applied. `cached` may be changed even then, and
        must not be used again.
        """
        policy, state, record = self._options.policy, cached.state, cached.record
        delivery, callbacks = submission.delivery, self._options.callbacks
        if fingerprint is not None:
            return self._known(submission, state, fingerprint), None
        if submission.received_at is None:  # our own clock never runs backwards in a conversation
            now = self._options.clock()
            delivery.received_at = now if record is None else max(now, record.summary.updated_at)
        machine = MACHINES[submission.intake.machine]
        if policy.require:
            delivery = with_required(delivery, policy.require)
        codes = self._held.codes_if_held(submission, cached) if self._options.patience else None
        applied = machine.apply(state, delivery, enforce=self._enforces)
        action, found = applied.outcome, applied.findings
        findings = policy.apply(found) if found else ()
        outcome = DeliveryOutcome.APPLIED
        if action is not None and action.is_refused:
            outcome = DeliveryOutcome.REFUSED
        elif found and is_rejected(policy, found):
            outcome = DeliveryOutcome.REJECTED
        elif codes is not None:
            held = Judgement(DeliveryOutcome.HELD, submission, (), state, held_codes=codes)
            return held, None
        judgement = Judgement(outcome, submission, findings, state, applied)
        if outcome is not DeliveryOutcome.APPLIED:
            return judgement, None
        closed = tuple(closed_by(state, before)) if SEGMENT_CLOSED in callbacks else ()
        change = AppliedDelivery(judgement, state, before, closed)
        return judgement, commit_of(change, record, self._options)

    def _known(self, submission: Submission, state: State, fingerprint: str) -> Judgement:
        """Judge a delivery whose delivery id was used before.

        The outcome is `DUPLICATE` if the delivery is the same, and `REUSED` if it differs.
        """
        if fingerprint == submission.digest:
            return Judgement(DeliveryOutcome.DUPLICATE, submission, (), state)
        findings = self._options.policy.apply([_reused(submission, state.position)])
        return Judgement(DeliveryOutcome.REUSED, submission, findings, state)


def _reused(submission: Submission, position: int) -> Finding:
    delivery_id = submission.delivery_id or ""
    return find("SG603", Place(event=position), {"delivery_id": delivery_id[:_LONGEST_FACT]})
