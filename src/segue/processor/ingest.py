"""Applies deliveries: one delivery, one commit, then the answer.

The questions, in this order: may the sender do this, can it be read and filed, did it come before,
do the state or the policy refuse it. What is not applied leaves no trace but in the quarantine.
Refusals are decided only on a conversation that was just loaded, never on a cached state; after a
lost race it starts again from the load.
"""

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, TypeVar

from segue.engine import (
    MACHINES,
    NO_HISTORY,
    HistorySize,
    Outlook,
    State,
    apply_held,
    dump_parts,
    foresee,
    next_to_apply,
)
from segue.errors import StoreConflict, StoreUnavailable
from segue.events import Intake
from segue.findings import Finding, Place, Policy, find
from segue.processor.callback_payloads import (
    AppliedDelivery,
    closed_connections,
    needs_history,
    outbox_messages,
)
from segue.processor.effects import Compute, Unit, Wait
from segue.processor.holding import (
    HeldSubmission,
    has_room,
    held_entry,
    read_held,
    with_held,
    without_held,
)
from segue.processor.mending import rebuild
from segue.processor.records import (
    Commit,
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    DeliveryOutcome,
    HeldEntry,
    HistoryPiece,
    Identity,
    JournalEntry,
    Quarantined,
)
from segue.processor.runtime import CachedState, Runtime
from segue.processor.store import Store, StoreDamaged
from segue.processor.stored_history import read_history
from segue.processor.submission import (
    Body,
    Judgement,
    Submission,
    SubmissionContext,
    listed,
    read,
    spelt,
)
from segue.wire import BodyLimits, with_required

T = TypeVar("T")

_TRIES: Final = 64
"""Each lost race is another delivery's success, so as many in a row mean a sick store."""
_LONGEST_QUARANTINED: Final = 256 * 1024
"""Bytes of a body that the quarantine stores."""
_LONGEST_FACT: Final = 120
_LARGE: Final = 4 * 1024
"""A body from here on, in bytes, is read beside the event loop."""
_MANY: Final = 64
"""A delivery is judged beside the event loop if it has more events, or its conversation agents."""
_PACKED: Final = 16 * 1024
"""A piece of the history from here on, in bytes, is compressed: it says much the same again and
again."""
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
"""Outcomes of which it is known only after the state was changed."""
_NONE_CLOSED: Final[frozenset[tuple[int, int]]] = frozenset()
_NEVER_REJECTED: Final = frozenset({"SG403", "SG404", "SG405", "SG406", "SG407"})
"""Cross-checks between two endpoints that have no order: they blame no single delivery."""


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How deliveries are judged and what of them is stored."""

    policy: Policy
    callbacks: frozenset[str]
    """Kinds of the callbacks that have a handler."""
    clock: Callable[[], datetime]
    store_text: bool
    limits: BodyLimits
    patience: timedelta | None
    """How long deliveries that are out of order wait for others; None means not at all."""


class Ingest:
    """Applies deliveries; its methods return generators of effects, for the drivers."""

    def __init__(self, runtime: Runtime, options: IngestOptions) -> None:
        self._runtime = runtime
        self._options = options
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
            intake: where it arrived.
            body: bytes, text or a mapping.
            context: what came with it.
            receipt: makes the result, while the conversation is locked; see `RECEIPTS`.

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
                yield self._runtime.call(Store.quarantine, self._quarantined(judgement))
            return receipt(judgement)
        committed = None
        place = locks.acquire(submission.key)
        try:
            guess = place.result() if place.done() else (yield Wait(place))
            cached, fingerprint = guess, None
            if cached is None:
                cached, fingerprint = yield from self._load(submission.key, submission.identity)
            judgement, committed = yield from self._apply(
                submission, cached, fingerprint, is_guess=guess is not None
            )
            after, make = judgement.state, partial(receipt, judgement)
            is_long = after is not None and len(after.agents) > _MANY
            return (yield Compute(make)) if is_long else make()
        except StoreDamaged:
            item = self._quarantined(Judgement(DeliveryOutcome.UNFILED, submission))
            yield self._runtime.call(Store.quarantine, replace(item, reason="damaged"))
            yield from self._mend(submission.key)
            raise
        finally:
            locks.release(submission.key, place, committed)

    def _mend(self, key: ConversationKey) -> Unit[None]:
        """Make a damaged conversation anew from its journal."""
        rebuilt = yield from rebuild(self._runtime, key, self._options.policy)
        yield self._runtime.call(Store.restore, rebuilt)

    def settle(self, key: ConversationKey) -> Unit[None]:
        """Apply the held deliveries of a conversation that need not wait any longer."""
        place = self._runtime.locks.acquire(key)
        try:
            if not place.done():
                yield Wait(place)
            yield from self._load(key)
        finally:
            self._runtime.locks.release(key, place)

    def quarantine(self, intake: Intake, bot_id: str, body: bytes, *, reason: str) -> Unit[None]:
        """Quarantine a body that cannot be taken for a delivery: cut off, or with an unusable id.

        Args:
            intake: where it arrived.
            bot_id: of the path.
            body: the bytes that were read.
            reason: the type of the problem that was answered.

        """
        item = Quarantined(
            endpoint=intake.name,
            bot_id=spelt(bot_id) or "",
            conversation_id=None,
            delivery_id=None,
            received_at=self._options.clock(),
            reason=reason,
            codes=(),
            body=body[:_LONGEST_QUARANTINED] if self._options.store_text else b"",
            size=len(body),
        )
        yield self._runtime.call(Store.quarantine, item)

    def _apply(
        self,
        submission: Submission,
        cached: CachedState | None,
        fingerprint: str | None,
        *,
        is_guess: bool,
    ) -> Unit[tuple[Judgement, CachedState | None]]:
        """Judge a delivery to a locked conversation, and commit it or quarantine it.

        Returns what was decided, and the state if it was committed. `is_guess` says that the state
        was not loaded but is what this process committed last.
        """
        for _ in range(_TRIES):
            if cached is None:
                cached, fingerprint = yield from self._load(submission.key, submission.identity)
            state, record, phase_before = cached.state, cached.record, cached.state.presence.phase
            since, closed_before = NO_HISTORY._replace(agents=len(state.agents)), _NONE_CLOSED
            callbacks = self._options.callbacks
            if (callbacks or state.sessions) and needs_history(submission, state, callbacks):
                yield from read_history(self._runtime, record, state)
                since, closed_before = HistorySize.of(state), closed_connections(state)
            decide = partial(self._decide, submission, cached, fingerprint, since, closed_before)
            is_long = len(submission.delivery.events) + len(state.agents) > _MANY
            judgement, commit = (yield Compute(decide)) if is_long else decide()
            if commit is not None:
                with suppress(StoreConflict):
                    yield self._runtime.call(Store.save, commit)
                    if commit.outbox:
                        self._runtime.wake()
                    if judgement.findings or state.presence.phase is not phase_before:
                        self._runtime.notifier.notify()
                    held = commit.conversation.held
                    done = (yield from self._try_held_again(judgement)) if held else judgement
                    return done, None if held else CachedState.committed(state, commit.conversation)
            elif not is_guess:
                with suppress(StoreConflict):
                    return (yield from self._refuse(judgement, record)), None
            cached, is_guess = None, False
        raise _lost_races()

    def _refuse(self, judgement: Judgement, record: ConversationRecord | None) -> Unit[Judgement]:
        """Hold or quarantine what is not applied; return it with the state as it was before."""
        if judgement.outcome in _TRIED:
            before = CachedState.of(judgement.submission.key.conversation_id, record)
            judgement = replace(judgement, state=before.state)
        if judgement.outcome in _QUARANTINED:
            yield self._runtime.call(Store.quarantine, self._quarantined(judgement))
        elif judgement.outcome is DeliveryOutcome.HELD:
            yield self._runtime.call(Store.save, self._hold(judgement, record))
        return judgement

    def _decide(
        self,
        submission: Submission,
        cached: CachedState,
        fingerprint: str | None,
        since: HistorySize,
        closed_before: frozenset[tuple[int, int]],
    ) -> tuple[Judgement, Commit | None]:
        """Judge a delivery; return what is to be committed as well if it is applied."""
        record, phase_before = cached.record, cached.state.presence.phase
        judgement = self._judge(submission, cached, fingerprint)
        if judgement.outcome is not DeliveryOutcome.APPLIED:
            return judgement, None
        change = AppliedDelivery(judgement, cached.state, phase_before, since, closed_before)
        return judgement, self._commit(change, record)

    def _judge(
        self, submission: Submission, cached: CachedState, fingerprint: str | None
    ) -> Judgement:
        """Decide the outcome; the state is changed if it comes to applying the delivery."""
        policy, state, record = self._options.policy, cached.state, cached.record
        delivery = submission.delivery
        if fingerprint is not None:
            if fingerprint == submission.digest:
                return Judgement(DeliveryOutcome.DUPLICATE, submission, (), state)
            findings = policy.apply([_reused(submission, state.position)])
            return Judgement(DeliveryOutcome.REUSED, submission, findings, state)
        if submission.received_at is None:  # our own clock never runs backwards in a conversation
            now = self._options.clock()
            delivery.received_at = now if record is None else max(now, record.summary.updated_at)
        machine = MACHINES[submission.intake.machine]
        if policy.require:
            delivery = with_required(delivery, policy.require)
        codes = self._codes_if_held(submission, cached) if self._options.patience else None
        applied = machine.apply(state, delivery, enforce=self._enforces)
        action, findings = applied.outcome, policy.apply(applied.findings)
        outcome = DeliveryOutcome.APPLIED
        if action is not None and action.is_refused:
            outcome = DeliveryOutcome.REFUSED
        elif any(map(self._rejects, applied.findings)):
            outcome = DeliveryOutcome.REJECTED
        elif codes is not None:
            return Judgement(DeliveryOutcome.HELD, submission, (), state, held_codes=codes)
        return Judgement(outcome, submission, findings, state, applied)

    def _rejects(self, finding: Finding) -> bool:
        return finding.code not in _NEVER_REJECTED and self._options.policy.rejects(finding)

    def _commit(
        self,
        change: AppliedDelivery,
        record: ConversationRecord | None,
        held: HeldEntry | None = None,
    ) -> Commit:
        """Put together everything a delivery changes; `held` is what was stored while it waited."""
        state, since, callbacks = change.state, change.since, self._options.callbacks
        submission, findings = change.judgement.submission, change.judgement.findings
        bot_id, conversation_id = submission.key
        before = None if record is None else record.summary
        version = 0 if record is None else record.version
        at = submission.delivery.received_at or self._options.clock()
        summary = ConversationSummary(
            conversation_id=conversation_id,
            bot_id=bot_id,
            phase=state.presence.phase.value,
            events=state.position,
            findings=len(findings) + (0 if before is None else before.findings),
            started_at=at if before is None else before.started_at,
            updated_at=at if before is None else max(at, before.updated_at),
        )
        entry = JournalEntry(
            conversation_id=conversation_id,
            bot_id=submission.path_bot,
            owner=bot_id,
            endpoint=submission.intake.name,
            delivery_id=submission.delivery_id,
            received_at=at,
            body=submission.text,
            phase_before=change.phase_before.value,
            phase=state.presence.phase.value,
            findings=json.dumps(listed(findings) if findings else []),
            arrival=version + 1 if held is None else held.arrival,
            healed=() if held is None or change.judgement.held_codes else held.codes,
        )
        rest = () if record is None else tuple([each for each in record.held if each is not held])
        parts = dump_parts(state, since)
        conversation = ConversationRecord(summary, version + 1, parts.judging, parts.agents, rest)
        data = parts.history if len(parts.history) < _PACKED else zlib.compress(parts.history, 1)
        piece = HistoryPiece(version + 1, parts.events, parts.findings, data)
        policy = self._options.policy
        return Commit(
            expected=version,
            conversation=conversation,
            entry=entry,
            identity=submission.identity if held is None else None,  # it is stored already
            fingerprint=submission.digest,
            outbox=outbox_messages(change, conversation, policy, callbacks) if callbacks else (),
            history=piece if parts.history else None,
            release=None if held is None else held.arrival,
        )

    # Deliveries that wait for others; see `segue.engine.reordering`.

    def _codes_if_held(self, submission: Submission, cached: CachedState) -> tuple[str, ...] | None:
        """Return the codes of the errors that a delivery waits to heal, or None if it does not."""
        codes, must_wait = foresee(cached.state, submission.delivery)
        return codes if must_wait and has_room(cached.record, submission) else None

    def _hold(self, judgement: Judgement, record: ConversationRecord | None) -> Commit:
        """Put together what a delivery changes that waits."""
        submission, at = judgement.submission, judgement.submission.delivery.received_at
        now = self._options.clock() if submission.received_at or at is None else at
        deadline = _later(now, self._options.patience or timedelta(0))
        entry = held_entry(judgement, record, at or now, deadline)
        conversation = with_held(submission.key, record, entry)
        known = submission.identity, submission.digest
        return Commit(conversation.version - 1, conversation, None, *known, hold=entry)

    def _load(
        self, key: ConversationKey, identity: Identity | None = None
    ) -> Unit[tuple[CachedState, str | None]]:
        """Load a locked conversation, after what it need not hold any longer was applied.

        Returns also the fingerprint stored under a delivery id.
        """
        for _ in range(_TRIES):
            loaded = yield self._runtime.call(Store.load, key, identity)
            cached = CachedState.of(key.conversation_id, loaded.conversation)
            record = cached.record
            if record is None or not record.held:
                return cached, loaded.fingerprint
            found = yield Compute(partial(self._next_held, cached.state, record))
            if found is None:
                return cached, loaded.fingerprint
            with suppress(StoreConflict):
                yield from self._release(cached.state, record, *found)
        raise _lost_races()

    def _next_held(
        self, state: State, record: ConversationRecord
    ) -> tuple[HeldSubmission, Outlook] | None:
        """Return which of the held deliveries is applied next, and what that comes to."""
        waiting = [read_held(record, entry, self._options.limits) for entry in record.held]
        return next_to_apply(state, waiting, self._options.clock())

    def _try_held_again(self, judgement: Judgement) -> Unit[Judgement]:
        """Try what is held again after a delivery that was committed; return it with the state now.

        Trouble with that is none of this delivery: what is held stays held until its deadline.
        """
        with suppress(StoreUnavailable):
            cached, _ = yield from self._load(judgement.submission.key)
            return replace(judgement, state=cached.state)
        return judgement

    def _release(
        self, state: State, record: ConversationRecord, held: HeldSubmission, outlook: Outlook
    ) -> Unit[None]:
        """Apply a delivery that was held, or quarantine it if the policy rejects it by now."""
        submission, policy, phase_before = (
            held.submission,
            self._options.policy,
            state.presence.phase,
        )
        since, closed_before = NO_HISTORY._replace(agents=len(state.agents)), _NONE_CLOSED
        if needs_history(submission, state, self._options.callbacks):
            yield from read_history(self._runtime, record, state)
            since, closed_before = HistorySize.of(state), closed_connections(state)
        delivery = with_required(submission.delivery, policy.require)
        applied = apply_held(state, delivery)
        submission.delivery.received_at = delivery.received_at
        findings = policy.apply(applied.findings)
        outcome = DeliveryOutcome.APPLIED
        if any(map(self._rejects, applied.findings)):
            outcome = DeliveryOutcome.REJECTED
        judgement = Judgement(outcome, submission, findings, state, applied, outlook.codes)
        if outcome is DeliveryOutcome.APPLIED:
            change = AppliedDelivery(judgement, state, phase_before, since, closed_before)
            commit = self._commit(change, record, held.entry)
        else:
            # Its id counts as seen, so it could not be submitted again under it.
            item = replace(self._quarantined(judgement), delivery_id=None)
            yield self._runtime.call(Store.quarantine, item)
            commit = without_held(record, held.entry)
        yield self._runtime.call(Store.save, commit)
        self._runtime.wake()
        self._runtime.notifier.notify()

    def _quarantined(self, judgement: Judgement) -> Quarantined:
        """Describe a refused delivery for the quarantine."""
        submission = judgement.submission
        body = submission.raw if self._options.store_text else submission.text.encode()
        return Quarantined(
            endpoint=submission.intake.name,
            bot_id=submission.key.bot_id,
            conversation_id=submission.key.conversation_id or None,
            delivery_id=submission.delivery_id,
            received_at=submission.received_at or self._options.clock(),
            reason=judgement.outcome.value,
            codes=tuple(finding.code for finding in judgement.findings),
            body=body[:_LONGEST_QUARANTINED],
            size=len(body) or len(submission.raw),
        )


def _lost_races() -> StoreUnavailable:
    return StoreUnavailable(
        f"the conversation was changed {_TRIES} times while this delivery was applied: "
        "send it again"
    )


def _later(now: datetime, patience: timedelta) -> datetime:
    try:
        return now + patience
    except OverflowError:  # within the patience of the end of the calendar
        return datetime.max.replace(tzinfo=UTC)


def _reused(submission: Submission, position: int) -> Finding:
    delivery_id = submission.delivery_id or ""
    return find("SG603", Place(event=position), {"delivery_id": delivery_id[:_LONGEST_FACT]})
