"""Holds deliveries that arrive too early, until they need not wait for others any longer.

The held deliveries of a conversation are tried again whenever it is loaded, and after each
committed delivery. `segue.core.engine.reordering` decides which deliveries wait, and how long.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from segue.core.engine import State
from segue.core.engine.reordering import (
    MOST_HELD,
    Outlook,
    apply_held,
    deadline_of,
    foresee,
    next_to_apply,
)
from segue.core.errors import StoreConflict, StoreUnavailable
from segue.core.events import INTAKES, Delivery, IdSource
from segue.core.wire import BodyLimits, with_required
from segue.server.processor.callback_payloads import SEGMENT_CLOSED, AppliedDelivery, closed_by
from segue.server.processor.commits import commit_of, held_commit, rejected_commit
from segue.server.processor.effects import Compute, Unit
from segue.server.processor.ingest_options import IngestOptions, is_rejected
from segue.server.processor.misdated import latest_end
from segue.server.processor.records import (
    Commit,
    ConversationKey,
    ConversationRecord,
    DeliveryOutcome,
    HeldEntry,
    Identity,
)
from segue.server.processor.runtime import CachedState, Runtime
from segue.server.processor.store import Store, StoreDamaged
from segue.server.processor.stored_history import prepare
from segue.server.processor.submission import Judgement, Submission, SubmissionContext, read

TRIES: Final = 64
"""The maximum number of attempts to commit a delivery. An attempt fails only if another delivery
was committed in the meantime, so more failures mean that the store is broken."""
_LONGEST_HELD: Final = 1024 * 1024
"""The maximum total length of the held bodies of one conversation, in characters."""


@dataclass(frozen=True, slots=True)
class HeldSubmission:
    """A held delivery that was read from the store and decoded again."""

    entry: HeldEntry
    submission: Submission
    deadline: datetime
    """The time at which the delivery is applied even if it is still out of order."""

    @property
    def delivery(self) -> Delivery:
        """The decoded delivery."""
        return self.submission.delivery


class HeldDeliveries:
    """Holds deliveries that arrive out of order, and applies them later.

    A delivery is held while earlier deliveries of its conversation seem to be missing. The caller
    must lock the conversation during each call.
    """

    def __init__(self, runtime: Runtime, options: IngestOptions) -> None:
        self._runtime = runtime
        self._options = options

    def codes_if_held(self, submission: Submission, cached: CachedState) -> tuple[str, ...] | None:
        """Return the codes of the findings, such as `SG103`, that holding a delivery may avoid.

        Return None if the delivery should be applied at once, because it is in order or the
        conversation cannot hold another delivery.
        """
        codes, must_wait = foresee(cached.state, submission.delivery)
        return codes if must_wait and _has_room(cached.record, submission) else None

    def hold(self, judgement: Judgement, record: ConversationRecord | None) -> Commit:
        """Create the commit that holds the judged delivery until its deadline.

        `record` is the stored conversation, or None for a new one.
        """
        submission, at = judgement.submission, judgement.submission.delivery.received_at
        now = self._options.clock()
        if not submission.received_at and at is not None:
            now = min(now, at)  # `at` is later if the clock was set back
        deadline = deadline_of(now, self._options.patience or timedelta(0))
        return held_commit(judgement, record, at or now, deadline)

    def load(
        self, key: ConversationKey, identity: Identity | None, now: datetime
    ) -> Unit[tuple[CachedState, str | None]]:
        """Load a conversation after applying its held deliveries whose wait is over.

        The caller must have locked the conversation. Return its state, and the fingerprint of the
        body that was stored under the delivery id `identity`, or None if the id is new.

        `now` is the time at which the delivery that needs the conversation arrived. Deadlines are
        compared with it, so that a slow store does not make a delivery late.
        """
        for _ in range(TRIES):
            loaded = yield self._runtime.call(Store.load, key, identity)
            cached = CachedState.of(key.conversation_id, loaded.conversation)
            record = cached.record
            if record is None or not record.held:
                return cached, loaded.fingerprint
            found = yield Compute(partial(self._next_held, cached.state, record, now))
            if found is None:
                return cached, loaded.fingerprint
            with suppress(StoreConflict):
                yield from self._release(cached.state, record, *found)
        raise lost_races()

    def _next_held(
        self, state: State, record: ConversationRecord, now: datetime
    ) -> tuple[HeldSubmission, Outlook] | None:
        """Return the held delivery that can be applied next, with the findings it would cause.

        Return None if all held deliveries have to wait.
        """
        key, limits = record.summary.key, self._options.limits
        latest = latest_end(now, self._options.longest_hold)
        waiting = [_read_held(key, entry, limits) for entry in record.held]
        waiting = [
            replace(each, deadline=now) if each.deadline > latest else each for each in waiting
        ]
        return next_to_apply(state, waiting, now)

    def try_again(self, judgement: Judgement, now: datetime) -> Unit[Judgement]:
        """Apply the held deliveries that need not wait any more after a commit.

        Return the judgement of the committed delivery with the new state. If the store fails, the
        held deliveries stay held until their deadlines, and the committed delivery is not affected.
        """
        with suppress(StoreUnavailable):
            cached, _ = yield from self.load(judgement.submission.key, None, now)
            return replace(judgement, state=cached.state)
        return judgement

    def _release(
        self, state: State, record: ConversationRecord, held: HeldSubmission, outlook: Outlook
    ) -> Unit[None]:
        """Apply a held delivery and commit the result.

        If the policy rejects the delivery, its body is moved to the quarantine.
        """
        submission, policy = held.submission, self._options.policy
        callbacks = self._options.callbacks
        before = yield from prepare(self._runtime, record, state, submission, callbacks)
        delivery = with_required(submission.delivery, policy.require)
        applied = apply_held(state, delivery)
        submission.delivery.received_at = delivery.received_at
        findings = policy.apply(applied.findings)
        outcome = DeliveryOutcome.APPLIED
        if is_rejected(policy, applied.findings):
            outcome = DeliveryOutcome.REJECTED
        judgement = Judgement(outcome, submission, findings, state, applied, outlook.codes)
        if outcome is DeliveryOutcome.APPLIED:
            closed = tuple(closed_by(state, before)) if SEGMENT_CLOSED in callbacks else ()
            change = AppliedDelivery(judgement, state, before, closed)
            commit = commit_of(change, record, self._options, held.entry)
        else:
            commit = rejected_commit(judgement, record, held.entry, self._options)
        yield self._runtime.call(Store.save, commit)
        self._runtime.wake()
        self._runtime.feed_watcher.notify()


def _has_room(record: ConversationRecord | None, submission: Submission) -> bool:
    """Return whether the conversation can hold another delivery, by number and total size."""
    held = () if record is None else record.held
    size = sum(len(entry.body) for entry in held) + len(submission.text)
    return len(held) < MOST_HELD and size <= _LONGEST_HELD


def _read_held(key: ConversationKey, entry: HeldEntry, limits: BodyLimits) -> HeldSubmission:
    """Decode the stored entry of a held delivery in the same way as when it arrived.

    Raises `StoreDamaged` if the entry does not belong to the conversation or cannot be decoded.
    """
    intake = INTAKES.get(entry.endpoint)
    if intake is None or entry.arrival < 1:
        raise StoreDamaged
    # A misspelled id in the body is found again only if no other id is given.
    name = None if intake.ids is IdSource.BODY else key.conversation_id
    context = SubmissionContext(entry.bot_id, name, entry.delivery_id, entry.received_at)
    submission = read(intake, entry.body, context, limits, store_text=True)
    if submission.refusal is not None or submission.key != key:
        raise StoreDamaged
    return HeldSubmission(entry, submission, entry.deadline)


def is_readable(key: ConversationKey, entry: HeldEntry, limits: BodyLimits) -> bool:
    """Return whether the stored entry of a held delivery can be decoded."""
    try:
        _read_held(key, entry, limits)
    except StoreDamaged:
        return False
    return True


def lost_races() -> StoreUnavailable:
    """Create the exception for a delivery that failed because others changed its conversation.

    Each of its `TRIES` attempts was based on a version that another process had replaced.
    """
    return StoreUnavailable(
        f"the conversation was changed {TRIES} times while this delivery was applied: send it again"
    )
