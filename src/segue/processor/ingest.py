"""The intake: one delivery, one unit of work, one commit.

It decides the outcome.  The order of questions: may the sender do this, can it be read and filed,
does the conversation belong to somebody else, was it here before, does the state or the policy
refuse it; only then is it applied, and answered once it is committed.

House rules: (1) what is not applied leaves no trace but in the quarantine; (2) a decision not to
apply is only taken on a conversation that was just loaded, never on a guess; (3) whoever loses a
race begins again from the load, a bounded number of times.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from segue.engine import Step, dump, load, new, step
from segue.errors import StoreConflict, StoreUnavailable
from segue.findings import Finding, Place, Policy, find
from segue.processor.callback_payloads import Before, Change, notices
from segue.processor.effects import Load, Quarantine, Save, Unit
from segue.processor.keyed_lock import Turns
from segue.processor.receipt import DeliveryOutcome
from segue.processor.records import Commit, Entry, Kept, Quarantined
from segue.processor.results import Done
from segue.processor.state_cache import Desk, Draft
from segue.processor.store import Store
from segue.processor.submission import Sent
from segue.wire import Limits

__all__ = ["Ingestion", "Settings"]

T = TypeVar("T")

_TRIES: Final = 64
"""Each lost race is somebody else's success, so this many in a row are a sick store."""

_LONGEST_FACT: Final = 120
_QUARANTINED: Final = frozenset(
    {
        DeliveryOutcome.UNREADABLE,
        DeliveryOutcome.UNFILED,
        DeliveryOutcome.REJECTED,
        DeliveryOutcome.REUSED,
    },
)
_NEVER_REJECTED: Final = frozenset({"SG403", "SG404", "SG405", "SG406", "SG407", "SG408"})
"""Cross-checks between two endpoints that have no order: they blame no single delivery."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What every unit of work goes by."""

    store: Store
    policy: Policy
    wanted: frozenset[str]
    """The callbacks somebody asked for."""
    clock: Callable[[], datetime]
    store_text: bool
    limits: Limits
    longest_quarantined: int
    """Bytes of a body that the quarantine keeps."""


class Ingestion:
    """Takes deliveries in."""

    def __init__(self, settings: Settings, on_commit: Callable[[Commit], None]) -> None:
        self._settings = settings
        self._on_commit = on_commit
        self._turns = Turns()
        self._desk = Desk()

    def take(
        self, sent: Sent, allowed_bots: Collection[str] | None, answer: Callable[[Done], T]
    ) -> Unit[T]:
        """Take one delivery in; `answer` is called while its conversation stands still."""
        if allowed_bots is not None and sent.bot_id not in allowed_bots:
            return answer(Done(DeliveryOutcome.FORBIDDEN, sent))
        if sent.verdict is not None:
            found = self._settings.policy.apply(sent.findings())
            done = Done(sent.verdict, sent, found)
            yield from self._set_aside(done)
            return answer(done)
        turn = self._turns.join(sent.conversation_id)
        try:
            yield turn
            done = yield from self._decide(sent, allowed_bots)
            return answer(done)
        finally:
            turn.leave()

    def _decide(self, sent: Sent, allowed_bots: Collection[str] | None) -> Unit[Done]:
        settings = self._settings
        for _ in range(_TRIES):
            fingerprint = None
            draft = self._desk.take(sent.conversation_id)
            guessed = draft is not None
            if draft is None:
                loaded = yield Load(settings.store, sent.conversation_id, sent.identity)
                draft = _draft(sent.conversation_id, loaded.conversation)
                fingerprint = loaded.fingerprint
            before = Before.of(draft.state, settings.wanted)
            done, step_ = self._judge(sent, draft, fingerprint, allowed_bots)
            if done.outcome is not DeliveryOutcome.APPLIED:
                if guessed:
                    continue
                yield from self._set_aside(done)
                return done
            commit = self._commit(sent, draft, before, step_)
            try:
                yield Save(settings.store, commit)
            except StoreConflict:
                continue
            draft.kept = commit.conversation
            self._desk.put(sent.conversation_id, draft)
            self._on_commit(commit)
            return done
        raise StoreUnavailable(
            f"others changed the conversation {_TRIES} times while this delivery was worked on: "
            "send it again",
        )

    def _judge(
        self,
        sent: Sent,
        draft: Draft,
        fingerprint: str | None,
        allowed_bots: Collection[str] | None,
    ) -> tuple[Done, Step]:
        """Decide the outcome, stepping the draft if it comes to that."""
        policy, kept, state = self._settings.policy, draft.kept, draft.state
        if kept is not None and allowed_bots is not None and kept.bot_id not in allowed_bots:
            return Done(DeliveryOutcome.FORBIDDEN, sent), Step()
        if fingerprint is not None:
            if fingerprint == sent.digest:
                return Done(DeliveryOutcome.DUPLICATE, sent, (), state), Step()
            return Done(
                DeliveryOutcome.REUSED, sent, policy.apply([_reused(sent, draft)]), state
            ), Step()
        sent.delivery.received_at = self._time(sent, kept)
        done = step(state, sent.delivery, believe=_believes(policy))
        reported = policy.apply(done.findings)
        if done.outcome is not None and done.outcome.code == "SG401" and not _believes(policy):
            return Done(DeliveryOutcome.REFUSED, sent, reported, state, done.outcome), done
        if any(_rejects(policy, finding) for finding in done.findings):
            untouched = _draft(sent.conversation_id, kept).state
            return Done(DeliveryOutcome.REJECTED, sent, reported, untouched), done
        return Done(DeliveryOutcome.APPLIED, sent, reported, state, done.outcome), done

    def _time(self, sent: Sent, kept: Kept | None) -> datetime:
        """When a delivery was received; our own clock never runs backwards in a conversation."""
        if sent.received_at is not None:
            return sent.received_at
        now = self._settings.clock()
        return now if kept is None else max(now, kept.updated_at)

    def _commit(self, sent: Sent, draft: Draft, before: Before, done: Step) -> Commit:
        """Put together everything the delivery changes."""
        policy, state, was = self._settings.policy, draft.state, draft.kept
        at = sent.delivery.received_at or self._settings.clock()
        version = 0 if was is None else was.version
        kept = Kept(
            conversation_id=sent.conversation_id,
            bot_id=sent.bot_id if was is None else was.bot_id,
            version=version + 1,
            phase=state.phase.value,
            events=state.position,
            findings=sum(policy.reports(finding.rule) for finding in state.findings),
            started_at=at if was is None else was.started_at,
            updated_at=at if was is None else max(at, was.updated_at),
            snapshot=dump(state),
        )
        reported = policy.apply(done.findings)
        entry = Entry(
            conversation_id=sent.conversation_id,
            bot_id=sent.path_bot,
            owner=kept.bot_id,
            endpoint=sent.intake.name,
            delivery_id=sent.delivery_id,
            received_at=at,
            body=sent.text,
            phase_before=before.phase.value,
            phase=state.phase.value,
            findings=json.dumps([finding.to_dict() for finding in reported]),
        )
        change = Change(sent, before, state, done, reported)
        due = notices(change, kept, policy, self._settings.wanted)
        return Commit(version, kept, entry, sent.identity, sent.digest, due)

    def _set_aside(self, done: Done) -> Unit[None]:
        """Put into the quarantine what is refused for what it is."""
        if done.outcome not in _QUARANTINED:
            return
        settings, sent = self._settings, done.sent
        body = sent.raw if settings.store_text else sent.text.encode()
        item = Quarantined(
            endpoint=sent.intake.name,
            bot_id=sent.bot_id,
            conversation_id=sent.conversation_id or None,
            delivery_id=sent.delivery_id,
            received_at=sent.received_at or settings.clock(),
            reason=done.outcome.value,
            codes=tuple(finding.code for finding in done.findings),
            body=body[: settings.longest_quarantined],
            size=len(body) or len(sent.raw),
        )
        yield Quarantine(settings.store, item)


def _draft(conversation_id: str, kept: Kept | None) -> Draft:
    return Draft(new(conversation_id) if kept is None else load(kept.snapshot), kept)


def _believes(policy: Policy) -> bool:
    return policy.transcription == "observe"


def _rejects(policy: Policy, finding: Finding) -> bool:
    return finding.code not in _NEVER_REJECTED and policy.rejects(finding)


def _reused(sent: Sent, draft: Draft) -> Finding:
    delivery_id = sent.delivery_id or ""
    return find(
        "SG603",
        Place(event=draft.state.position),
        {"delivery_id": delivery_id[:_LONGEST_FACT]},
    )
