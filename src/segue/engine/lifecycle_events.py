"""The lifecycle machine: places events, asks for their transition, and keeps the history."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from segue.engine.checks import check_delivery, check_event
from segue.engine.compact import compact, expanded
from segue.engine.history import DUPLICATE, REPORTED, UNREPORTED, HistoryEvent
from segue.engine.machine import ApplyResult, Machine
from segue.engine.placing import PlacedEvent, by_code, findings_of
from segue.engine.state import State
from segue.engine.truncation import joined, short
from segue.events import Delivery, Event, EventKind, Json, fingerprint, same
from segue.findings import Finding, Place, find
from segue.lifecycle import (
    AGENTLESS_KINDS,
    MESSAGES,
    UNNAMED,
    Decision,
    Phase,
    Presence,
    can_repeat,
    expected,
    resolve,
    transition,
)

__all__ = ["LifecycleMachine"]

_NOTHING: Final = ApplyResult()
_ENDED: Final = Phase.ENDED


class LifecycleMachine:
    """Applies lifecycle events and messages (E21).

    `machines` are all machines; those that have a session are shown what happens.
    """

    name = "lifecycle"

    def __init__(self, machines: Mapping[str, Machine]) -> None:
        self._machines = machines

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply the events of a delivery, in order; `enforce` changes nothing."""
        del enforce  # an event has happened
        before = len(state.findings)
        envelope = _judge_delivery(state, delivery)
        for event in delivery.events:
            self._apply_event(state, delivery, event, envelope)
            envelope = []
        if envelope:
            state.findings += by_code(envelope)
        if len(state.findings) == before:
            return _NOTHING
        return ApplyResult(tuple(state.findings[before:]))

    def _apply_event(
        self, state: State, delivery: Delivery, event: Event, envelope: list[Finding]
    ) -> None:
        """Judge an event with all that may be wrong with it, and apply it at the next position.

        `envelope` are the findings of the delivery, which stand at its first event.
        """
        placed = _placed(state, delivery, event)
        state.position += 1
        found = envelope
        if event.flaws:
            found = [*envelope, *findings_of(event.flaws, placed.place)]
        if placed.kind is EventKind.UNPROCESSABLE:
            state.findings += by_code(found)
            return
        state.processable = True
        before = placed.before
        after, decision = transition(before, placed.kind, placed.number)
        if can_repeat(decision) and same(expanded(state.previous), event.value):
            state.findings += [_offence(state, "SG601", placed), *by_code(envelope)]
            state.history.append(placed, decision, DUPLICATE)
            return
        if decision.reported_code is not None:
            state.findings.append(_offence(state, decision.reported_code, placed))
        if before.phase is not _ENDED:
            where = (placed.position, None)
            found = [*found, *check_event(state, delivery, event, placed.agent, where)]
        if found:
            state.findings += by_code(found)
        state.presence = after
        self._keep(state, placed, decision)

    def _keep(self, state: State, placed: PlacedEvent, decision: Decision) -> None:
        """Write an event down that was applied; what comes after the end leaves no trace."""
        if placed.before.phase is _ENDED:
            return
        if placed.kind in MESSAGES:
            _count(state, placed)
            return
        if placed.number is not None and placed.number == placed.before.agents:
            state.known[placed.agent] = placed.number
        state.previous = compact(placed.event.value)
        verdict = REPORTED if decision.reported_code else UNREPORTED
        state.history.append(placed, decision, verdict)
        for name in state.sessions:
            machine = self._machines[name]
            if placed.kind is EventKind.END:
                machine.close(state, Place(event=placed.position, line=placed.line))
            else:
                machine.observe(state, decision, placed.agent, placed.place)

    def position(self, state: State) -> int:
        """Return how many events there were."""
        return state.position

    def skip(self, state: State, events: int) -> None:
        """Begin behind so many events."""
        state.position = events

    def observe(self, state: State, decision: Decision, agent: str, place: Place) -> None:
        """Take no note: these are its own events."""

    def close(self, state: State, place: Place) -> None:
        """Report that the log is over before END_OF_CONVERSATION has come."""
        before = state.presence
        state.presence, decision = transition(before, EventKind.CLOSE, None)
        closing = PlacedEvent(_NO_EVENT, EventKind.CLOSE, -1, None, None, "", None, before)
        if decision.reported_code is not None:
            own = _offence(state, decision.reported_code, closing)
            state.findings.append(replace(own, place=place))
        for name in state.sessions:
            self._machines[name].close(state, place)
        missing = _offence(state, "SG108", closing)
        legal = expected(state.presence, state.names)
        state.findings.append(replace(missing, place=place, expected=legal))

    def to_json(self, state: State) -> dict[str, Any]:
        """Return who is present, the agents by number, and the last lifecycle event."""
        previous = expanded(state.previous)
        if previous is not None and not isinstance(previous, str):
            previous = fingerprint(previous)
        presence = state.presence.to_json()
        return {"presence": presence, "known": list(state.known), "previous": previous}

    def from_json(self, state: State, value: Json) -> None:
        """Restore what `to_json` returned."""
        state.presence = Presence.from_json(value["presence"])
        state.known = {agent: number for number, agent in enumerate(value["known"])}
        state.previous = value["previous"]


_NO_EVENT: Final = Event(EventKind.CLOSE, "", "", {}, "")


def _placed(state: State, delivery: Delivery, event: Event) -> PlacedEvent:
    """Resolve the agent of an event, and place it."""
    kind = cast("EventKind", event.kind)
    agent, number = event.agent, None
    if kind in AGENTLESS_KINDS:
        agent = ""
    elif agent:
        number = state.known.get(agent)
        if number is None:
            agent = resolve(state.known, kind, agent)
            number = state.known.get(agent, state.presence.agents)
    elif kind is EventKind.AGENT_MESSAGE:
        kind = EventKind.MESSAGE  # whether an agent without identity is present is unknown
    at = None if delivery.received_at is None else state.latest
    return PlacedEvent(
        event, kind, state.position, delivery.line, at, agent, number, state.presence
    )


def _judge_delivery(state: State, delivery: Delivery) -> list[Finding]:
    """Find what is wrong with the delivery rather than with one of its events."""
    found: list[Finding] = []
    if delivery.flaws:
        found += findings_of(delivery.flaws, Place(event=state.position, line=delivery.line))
    if state.presence.phase is _ENDED:
        return found
    found += check_delivery(state, delivery)
    if state.bot_id is None:
        state.bot_id = delivery.bot_id
    at = delivery.received_at
    if at is not None and (state.latest is None or at > state.latest):
        state.latest = at
    return found


def _count(state: State, placed: PlacedEvent) -> None:
    """Count a message for the agent it will be attributed to."""
    if not state.messages and state.phase is Phase.WAITING:
        state.first_message_at = placed.at
    state.messages += 1
    if placed.kind is EventKind.USER_MESSAGE:
        state.history.user_messages += 1
    elif placed.kind is EventKind.AGENT_MESSAGE and placed.number is not None:
        if placed.number == placed.before.primary:
            state.history.agent_messages += 1
        elif placed.number < placed.before.agents:
            state.history.count_other_message(placed.number)


def _offence(state: State, code: str, placed: PlacedEvent) -> Finding:
    """Return the finding of the event's own rule, with its evidence."""
    names = state.names
    return find(
        code,
        placed.place,
        _facts(placed, names),
        expected=expected(placed.before, names),
        because=tuple(event.cause for event in _evidence(state, code, placed)),
    )


_WITH_LAST: Final = frozenset({Phase.TRANSFERRING, Phase.RELEASED})
_AFTER_A_TURN: Final = frozenset({Phase.SUMMARIZED, Phase.ENDED})
_ABOUT_CONSULTANTS: Final = frozenset({"SG107", "SG116", "SG204"})


def _evidence(state: State, code: str, placed: PlacedEvent) -> list[HistoryEvent]:
    """Find what set an offence up: how the agents it is about came to be where they are."""
    before = placed.before
    if before.phase not in _AFTER_A_TURN:
        numbers = [before.primary]
        if before.phase in _WITH_LAST:
            numbers.append(before.last)
        if code in _ABOUT_CONSULTANTS:
            numbers += before.consultants
        about = _named(numbers, state.names)
        events = state.history.latest(state.known, placed.agent, *about)
        if events:
            return events
    last = state.history.last(state.known)
    return [] if last is None else [last]


_LABELS: Final = {
    EventKind.CLOSE: "the end of the log",
    EventKind.SUMMARY: "summary",
    EventKind.USER_MESSAGE: "message",
    EventKind.AGENT_MESSAGE: "message",
}


def _facts(placed: PlacedEvent, names: Sequence[str]) -> Mapping[str, str]:
    """Return the values that templates of families 1 and 2 may use."""
    before = placed.before
    primary = joined(_named((before.primary,), names))
    if before.primary == UNNAMED:
        primary = "an agent no event named"
    what = _LABELS.get(placed.kind, placed.kind.value)
    return {
        "agent": short(placed.agent),
        "what": what,
        "an_event": f"{'an' if what.startswith('NA') else 'a'} {what}",
        "phase": before.phase.value,
        "primary": primary,
        "present": joined(_named((before.primary, *before.consultants), names)),
        "consultants": joined(_named(before.consultants, names)),
        "last": joined(_named((before.last,), names)),
    }


def _named(numbers: Iterable[int | None], names: Sequence[str]) -> list[str]:
    """Return the names of those that have one."""
    return [names[number] for number in numbers if number is not None and number != UNNAMED]
