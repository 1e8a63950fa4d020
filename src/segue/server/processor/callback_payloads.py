"""The callbacks that a delivery causes, with their payloads.

A payload is computed once and stored, so every attempt delivers the same data. A repeated summary
and a second END cause no second callback. A payload is only computed if there is a handler for it.
"""

import json
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast
from urllib.parse import quote

from segue.core.conversation import Report, explain_state
from segue.core.engine import TRANSCRIPTION_MACHINE, State, awaits_end
from segue.core.engine.segment_tracker import SegmentTracker, latest_connections
from segue.core.engine.snapshot import PastSize
from segue.core.events import AUTHORS, CALL_NOTIFICATIONS, ActionKind, Event, EventKind
from segue.core.findings import Policy
from segue.core.lifecycle import Phase, Presence
from segue.core.segments import IMPLIED
from segue.server.processor.records import ConversationRecord, OutboxMessage
from segue.server.processor.submission import Judgement, Submission

if TYPE_CHECKING:
    from segue.core.calls import CallOutcome
    from segue.core.transcription.session import ActionOutcome

_MESSAGES: Final[dict[StrEnum, str | None]] = {
    EventKind.USER_MESSAGE: AUTHORS[0],
    EventKind.AGENT_MESSAGE: AUTHORS[1],
    EventKind.MESSAGE: None,
}
SEGMENT_CLOSED: Final = "segment_closed"
_OF_ALL: Final = (SEGMENT_CLOSED, "conversation_ended")
"""The kinds of callbacks whose payloads need the whole history when END arrives."""
_SUMMARY_FIELDS: Final = ("language", "locale", "type")


@dataclass(frozen=True, slots=True)
class StateBefore:
    """Facts about a conversation before a delivery, for comparison with the state after it."""

    presence: Presence
    since: PastSize
    """The size of the past."""
    closed: frozenset[tuple[int, int]] | None = None
    """The closed connections, see `closed_connections`. It is None if no callback needs them, or if
    a `SegmentTracker` finds them."""


@dataclass(frozen=True, slots=True)
class AppliedDelivery:
    """A delivery that was applied, with the state of its conversation before and after it."""

    judgement: Judgement
    state: State
    before: StateBefore
    closed: tuple[tuple[int, dict[str, object]], ...] = ()
    """The connections that the delivery closed, see `closed_by`. It is empty without a handler for
    closed segments."""


def closed_by(state: State, before: StateBefore) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield `(index, segment)` for each connection that a delivery closed.

    A segment is the time of one agent in a conversation, and consists of connections. `segment` is
    the segment as a dict of JSON values, and `index` is the position of the closed connection in
    it. The function may be called once per delivery, because it advances the tracker of the state.
    """
    tracker: SegmentTracker | None = state.segments
    if before.closed is not None:
        closed = sorted(closed_connections(state) - before.closed)
        segments = Report(state).segments if closed else ()
        for index, connection in closed:
            yield connection, latest_connections(segments[index].to_dict())
    elif tracker is not None and not state.ended:
        for index, connection in tracker.advance(state, before.presence, before.since.open):
            yield connection, tracker.to_dict(index)
        tracker.trim()


def closed_connections(state: State) -> frozenset[tuple[int, int]]:
    """Return the closed connections as `(segment index, connection index)` pairs.

    A connection that the log does not close explicitly is omitted until the conversation is over,
    because its exit may still arrive.
    """
    is_over = state.ended or state.closed
    return frozenset(
        (segment.index, index)
        for segment in Report(state).segments
        for index, connection in enumerate(segment.connections)
        if connection.closed_kind not in {None, *(() if is_over else (IMPLIED,))}
    )


def needs_history(submission: Submission, state: State, wanted: Container[str]) -> bool:
    """Return whether the whole history must be loaded before a delivery is applied.

    This may be the case if the delivery contains END, or ends a transcription after END. `wanted`
    holds the kinds of callbacks that have a handler.
    """
    kinds = {event.kind for event in submission.delivery.events}
    if state.ended:
        return ActionKind.END in kinds and awaits_end(state)
    if EventKind.END not in kinds:
        return False
    return bool(state.sessions) or any(each in wanted for each in _OF_ALL)


def needs_tracker(submission: Submission, state: State, wanted: Container[str]) -> bool:
    """Return whether the state needs a new `SegmentTracker` before a delivery is applied.

    A tracker finds closed segments for the callback `segment_closed`. `wanted` holds the kinds of
    callbacks that have a handler.
    """
    if SEGMENT_CLOSED not in wanted or state.ended or state.segments is not None:
        return False
    return any(event.kind not in _MESSAGES for event in submission.delivery.events)


def outbox_messages(
    change: AppliedDelivery,
    conversation: ConversationRecord,
    policy: Policy,
    wanted: Container[str],
) -> tuple[OutboxMessage, ...]:
    """Return the callbacks that a delivery causes, as messages for the outbox of the store.

    Args:
        change: The delivery and its changes.
        conversation: The record of the conversation after the delivery.
        policy: The policy that selects the findings of the final report.
        wanted: The kinds of callbacks that have a handler.

    """
    summary = conversation.summary
    name = f"{quote(summary.bot_id, safe='')}:{summary.conversation_id}"
    common = {"bot_id": summary.bot_id or None, "received_at": summary.updated_at.isoformat()}
    return tuple(
        OutboxMessage(
            id=f"{name}:{conversation.version}:{kind}:{index}",
            bot_id=summary.bot_id,
            conversation_id=summary.conversation_id,
            kind=kind,
            data=json.dumps({**common, **data}),
        )
        for kind, payloads in _PAYLOADS.items()
        if kind in wanted
        for index, data in enumerate(payloads(change, policy))
    )


_Payloads: TypeAlias = Iterator[dict[str, Any]]


def _messages(change: AppliedDelivery, _: Policy) -> _Payloads:
    for position, event in _placed(change):
        if event.kind in _MESSAGES:
            yield {
                "event": position,
                "author": _MESSAGES[event.kind],
                "agent": event.agent or None,
                "experience": event.experience or None,
                "language": event.language or None,
                "source": event.value.get("source"),
                "text": event.value.get("query"),
            }


def _summaries(change: AppliedDelivery, _: Policy) -> _Payloads:
    found = change.judgement.applied.findings
    repeats = {finding.place.event for finding in found if finding.code == "SG601"}
    ended = change.before.presence.phase is Phase.ENDED
    for position, event in _placed(change):
        if event.kind is EventKind.SUMMARY and not ended and position not in repeats:
            data = event.value.get("data")
            fields = data if isinstance(data, Mapping) else {}
            yield {"event": position, **{key: fields.get(key) for key in _SUMMARY_FIELDS}}
        ended = ended or event.kind is EventKind.END


def _segments(change: AppliedDelivery, _: Policy) -> _Payloads:
    for number, segment in change.closed:
        is_open = {"role_open": segment["role"] is None}
        yield {"connection": number, "segment": segment | is_open}


def _transcription(change: AppliedDelivery, _: Policy) -> _Payloads:
    if change.judgement.submission.intake.machine != TRANSCRIPTION_MACHINE.name:
        return
    outcome = cast("ActionOutcome | None", change.judgement.applied.outcome)
    if outcome is None or not outcome.changed:
        return
    for event in change.judgement.submission.delivery.events:
        kind = ActionKind(event.kind)
        yield {
            "action": kind.action,
            "handover": kind.handover,
            "agent": event.agent,
            "position": outcome.position,
            "state_before": outcome.state_before,
            **Report(change.state).transcription,
        }


def _calls(change: AppliedDelivery, _: Policy) -> _Payloads:
    if change.judgement.submission.intake.machine != CALL_NOTIFICATIONS.machine:
        return
    outcome = cast("CallOutcome | None", change.judgement.applied.outcome)
    if outcome is not None and outcome.is_final:
        yield {"position": outcome.position, "call": Report(change.state).call}


def _findings(change: AppliedDelivery, _: Policy) -> _Payloads:
    return (finding.to_dict() for finding in change.judgement.findings)


def _ended(change: AppliedDelivery, policy: Policy) -> _Payloads:
    if change.state.ended and change.before.presence.phase is not Phase.ENDED:
        explanation = explain_state(change.state, is_live=True)
        report = Report(change.state, policy=policy, keyed_by="bot", explanation=explanation)
        yield {"report": report.to_dict()}


_PAYLOADS: Final[dict[str, Callable[[AppliedDelivery, Policy], _Payloads]]] = {
    "message": _messages,
    "summary_requested": _summaries,
    SEGMENT_CLOSED: _segments,
    "transcription_changed": _transcription,
    "call_finished": _calls,
    "finding": _findings,
    "conversation_ended": _ended,
}
"""The function that computes the payloads of each kind of callback. The callbacks of a delivery are
called in this order."""

CALLBACKS: Final = tuple(_PAYLOADS)


def _placed(change: AppliedDelivery) -> Iterator[tuple[int, Event]]:
    events = change.judgement.submission.delivery.events
    return enumerate(events, change.state.position - len(events))
