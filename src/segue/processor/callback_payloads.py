"""Which callbacks a delivery causes, and the payload of each.

A payload is computed once and stored, so every attempt delivers the same. What END and repeats do
not do a second time causes no second callback; without a handler nothing is computed.
"""

import json
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast
from urllib.parse import quote

from segue.conversation import Report
from segue.engine import TRANSCRIPTION_MACHINE, HistorySize, State
from segue.events import AUTHORS, CALL_NOTIFICATIONS, ActionKind, Event, EventKind
from segue.findings import Policy
from segue.lifecycle import Phase
from segue.processor.records import ConversationRecord, OutboxMessage
from segue.processor.submission import Judgement, Submission
from segue.segments import IMPLIED

if TYPE_CHECKING:
    from segue.calls import CallOutcome

_MESSAGES: Final[dict[StrEnum, str | None]] = {
    EventKind.USER_MESSAGE: AUTHORS[0],
    EventKind.AGENT_MESSAGE: AUTHORS[1],
    EventKind.MESSAGE: None,
}
_SUMMARY_FIELDS: Final = ("language", "locale", "type")


@dataclass(frozen=True, slots=True)
class AppliedDelivery:
    """One delivery that was applied, and what it changed."""

    judgement: Judgement
    state: State
    phase_before: Phase
    since: HistorySize
    """How much of its history was in the state before."""
    closed_before: frozenset[tuple[int, int]]
    """Connections that were closed before; see `closed_connections`."""


def closed_connections(state: State) -> frozenset[tuple[int, int]]:
    """Return the closed connections: index of the segment, index within it.

    One that closed by implication may still have an exit, until the conversation is over.
    """
    is_over = state.ended or state.rare.closed
    return frozenset(
        (segment.index, index)
        for segment in Report(state).segments
        for index, connection in enumerate(segment.connections)
        if connection.closed_kind not in {None, *(() if is_over else (IMPLIED,))}
    )


def needs_history(submission: Submission, state: State, wanted: Container[str]) -> bool:
    """Return whether a delivery cannot be applied, or a callback not be computed, without it."""
    kinds = {event.kind for event in submission.delivery.events}
    if EventKind.END in kinds and (state.sessions or "conversation_ended" in wanted):
        return True
    return "segment_closed" in wanted and bool(kinds - _MESSAGES.keys())


def outbox_messages(
    change: AppliedDelivery,
    conversation: ConversationRecord,
    policy: Policy,
    wanted: Container[str],
) -> tuple[OutboxMessage, ...]:
    """Return the outbox rows of a delivery, in order.

    Args:
        change: the delivery and what it changed.
        conversation: what it is committed as.
        policy: chooses the findings of the final report.
        wanted: kinds of the callbacks that have a handler.

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
    repeats = {
        finding.place.event for finding in change.judgement.step.findings if finding.code == "SG601"
    }
    ended = change.phase_before is Phase.ENDED
    for position, event in _placed(change):
        if event.kind is EventKind.SUMMARY and not ended and position not in repeats:
            data = event.value.get("data")
            fields = data if isinstance(data, Mapping) else {}
            yield {"event": position, **{key: fields.get(key) for key in _SUMMARY_FIELDS}}
        ended = ended or event.kind is EventKind.END


def _segments(change: AppliedDelivery, _: Policy) -> _Payloads:
    closed = sorted(closed_connections(change.state) - change.closed_before)
    segments = Report(change.state).segments if closed else ()
    for segment, connection in closed:
        yield {"connection": connection, "segment": segments[segment].to_dict()}


def _transcription(change: AppliedDelivery, _: Policy) -> _Payloads:
    outcome, intake = change.judgement.step.outcome, change.judgement.submission.intake
    if outcome is None or not outcome.changed or intake.machine != TRANSCRIPTION_MACHINE.name:
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
    outcome = cast("CallOutcome | None", change.judgement.step.outcome)
    if outcome is not None and outcome.is_final:
        yield {"position": outcome.position, "call": Report(change.state).call}


def _findings(change: AppliedDelivery, _: Policy) -> _Payloads:
    return (finding.to_dict() for finding in change.judgement.findings)


def _ended(change: AppliedDelivery, policy: Policy) -> _Payloads:
    if change.state.ended and change.phase_before is not Phase.ENDED:
        report = Report(change.state, policy=policy, keyed_by="bot")
        yield {"report": report.to_dict()}


_PAYLOADS: Final[dict[str, Callable[[AppliedDelivery, Policy], _Payloads]]] = {
    "message": _messages,
    "summary_requested": _summaries,
    "segment_closed": _segments,
    "transcription_changed": _transcription,
    "call_finished": _calls,
    "finding": _findings,
    "conversation_ended": _ended,
}
"""The callbacks of one delivery are called in this order."""

CALLBACKS: Final = tuple(_PAYLOADS)


def _placed(change: AppliedDelivery) -> Iterator[tuple[int, Event]]:
    events = change.judgement.submission.delivery.events
    return enumerate(events, change.state.position - len(events))
