"""Which callbacks a delivery causes, and what each of them is told.

It decides what a host hears of, from values the core gives out: events, findings, phases, segments.
House rules: a notice is worked out once and stored as it is, so every attempt says the same; what
END and repeats do not do a second time is not told a second time; nothing is worked out for a
callback that nobody asked for.
"""

import json
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from segue.conversation import Report
from segue.engine import State, Step
from segue.events import AUTHORS, ActionKind, Event, EventKind
from segue.findings import Finding, Policy
from segue.lifecycle import Phase
from segue.processor.records import Kept, Notice
from segue.processor.submission import Sent

__all__ = ["CALLBACKS", "Before", "Change", "notices"]

_MESSAGES: Final[dict[StrEnum, str | None]] = {
    EventKind.USER_MESSAGE: AUTHORS[0],
    EventKind.AGENT_MESSAGE: AUTHORS[1],
    EventKind.MESSAGE: None,
}
_WISHES: Final = ("language", "locale", "type")


@dataclass(frozen=True, slots=True)
class Before:
    """What a conversation was like before the delivery."""

    phase: Phase
    closed: frozenset[tuple[int, int]]
    """Connections that were closed: index of the segment, index within it."""

    @classmethod
    def of(cls, state: State, wanted: Container[str]) -> "Before":
        """Take down what the notices of the next delivery compare with."""
        closed = frozenset(_closed(state)) if "segment_closed" in wanted else frozenset()
        return cls(state.phase, closed)


@dataclass(frozen=True, slots=True)
class Change:
    """One delivery, applied."""

    sent: Sent
    before: Before
    state: State
    step: Step
    reported: tuple[Finding, ...]


def notices(
    change: Change, kept: Kept, policy: Policy, wanted: Container[str]
) -> tuple[Notice, ...]:
    """Return the outbox rows of a change, in order; `wanted` names the callbacks there are."""
    common = {"bot_id": kept.bot_id or None, "received_at": kept.updated_at.isoformat()}
    return tuple(
        Notice(
            id=f"{kept.conversation_id}:{kept.version}:{kind}:{index}",
            conversation_id=kept.conversation_id,
            kind=kind,
            data=json.dumps({**common, **data}),
        )
        for kind, tell in _TELL.items()
        if kind in wanted
        for index, data in enumerate(tell(change, policy))
    )


_Data: TypeAlias = Iterator[dict[str, Any]]


def _messages(change: Change, _: Policy) -> _Data:
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


def _summaries(change: Change, _: Policy) -> _Data:
    repeats = {found.place.event for found in change.step.findings if found.code == "SG601"}
    ended = change.before.phase is Phase.ENDED
    for position, event in _placed(change):
        if event.kind is EventKind.SUMMARY and not ended and position not in repeats:
            data = event.value.get("data")
            wish = data if isinstance(data, Mapping) else {}
            yield {"event": position, **{key: wish.get(key) for key in _WISHES}}
        ended = ended or event.kind is EventKind.END


def _segments(change: Change, _: Policy) -> _Data:
    now = sorted(set(_closed(change.state)) - change.before.closed)
    segments = Report(change.state).segments if now else ()
    for segment, connection in now:
        yield {"connection": connection, "segment": segments[segment].to_dict()}


def _transcription(change: Change, _: Policy) -> _Data:
    outcome = change.step.outcome
    if outcome is None or not outcome.changed:
        return
    for event in change.sent.delivery.events:
        kind = ActionKind(event.kind)
        yield {
            "action": kind.action,
            "handover": kind.handover,
            "agent": event.agent,
            "position": outcome.position,
            "state_before": outcome.state_before.value,
            **Report(change.state).transcription,
        }


def _findings(change: Change, _: Policy) -> _Data:
    return (finding.to_dict() for finding in change.reported)


def _ended(change: Change, policy: Policy) -> _Data:
    if change.state.ended and change.before.phase is not Phase.ENDED:
        yield {"report": Report(change.state, policy=policy).to_dict()}


_TELL: Final[dict[str, Callable[[Change, Policy], _Data]]] = {
    "message": _messages,
    "summary_requested": _summaries,
    "segment_closed": _segments,
    "transcription_changed": _transcription,
    "finding": _findings,
    "conversation_ended": _ended,
}
"""In this order they are told of one delivery."""

CALLBACKS: Final = tuple(_TELL)


def _placed(change: Change) -> Iterator[tuple[int, Event]]:
    events = change.sent.delivery.events
    return enumerate(events, change.state.position - len(events))


def _closed(state: State) -> Iterator[tuple[int, int]]:
    for segment in Report(state).segments:
        for index, connection in enumerate(segment.connections):
            if not connection.is_open:
                yield segment.index, index
