"""The class `LifecycleMachine`, which judges events and messages and adds them to the entries.

`apply` handles a delivery and `_apply_event` one of its events. It resolves the agent, asks
`transition` for the decision of the table, runs the checks, and stores the event with `_keep`. The
other functions make the finding of an offence, with the earlier events that led to it.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Final, cast

from segue.core.engine.checks import DELIVERY_CHECKS, EVENT_CHECKS, REMEMBERED, run_checks
from segue.core.engine.entries import Entry
from segue.core.engine.machine import ApplyResult, Machine
from segue.core.engine.state import AgentRecord, Facts, State
from segue.core.events import Delivery, Event, EventKind, Flaw, Json, same
from segue.core.events.ids import listed, short
from segue.core.findings import BY_CODE, Finding, Place, Severity, find
from segue.core.lifecycle import (
    AGENTLESS_KINDS,
    CONSULTANT_EXITS,
    MESSAGES,
    MOST_MEMOIZED,
    UNNAMED,
    AgentRole,
    Decision,
    Phase,
    Presence,
    PresenceEffect,
    Situation,
    can_repeat,
    expected,
    resolve,
    situation_of,
    transition,
)

_NOTHING: Final = ApplyResult()
# Constants, because looking up a member of an Enum searches the class and its bases.
_ENDED: Final = Phase.ENDED
_END, _UNPROCESSABLE = EventKind.END, EventKind.UNPROCESSABLE
_AGENT_MESSAGE: Final = EventKind.AGENT_MESSAGE
_SHAPE: Final = 5
"""The family of rules about the shape of events."""
_OF_DELIVERY, _OF_EVENT = DELIVERY_CHECKS["lifecycle"], EVENT_CHECKS["lifecycle"]


class LifecycleMachine:
    """The state machine of lifecycle events and messages (E21).

    `machines` contains all machines by name. The machines that have a session in the conversation
    observe its lifecycle events.
    """

    name = "lifecycle"

    def __init__(self, machines: Mapping[str, Machine]) -> None:
        self._machines = machines

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply the events of a delivery in order, and return their findings.

        Flaws of the delivery itself are reported at its first event. `enforce` has no effect.
        """
        del enforce  # an event has already happened
        before = len(state.findings)
        facts = Facts(state, delivery, state.position, delivery_number=state.deliveries)
        found = self._of_delivery(facts, delivery)
        for event in delivery.events:
            facts.event, facts.position = event, state.position
            self._apply_event(facts, event, found)
            state.position += 1
            found = []
        if found:
            state.add_findings(by_code(found))
        if len(state.findings) == before:
            return _NOTHING
        return ApplyResult(tuple(state.findings[before:]))

    def _of_delivery(self, facts: Facts, delivery: Delivery) -> list[Finding]:
        """Note the bot and the time of a delivery, and return the findings about it as a whole."""
        state, found = facts.state, list[Finding]()
        if delivery.flaws:
            found = findings_of(delivery.flaws, facts)
        if state.presence.phase is not _ENDED:
            run_checks(facts, _OF_DELIVERY, found)
            if state.bot_id is None:
                state.bot_id = delivery.bot_id
        if delivery.received_at is not None:
            facts.at, facts.is_adjusted = state.note_time(delivery.received_at)
        if delivery.events:
            state.deliveries += 1
        return found

    def _apply_event(self, facts: Facts, event: Event, found: list[Finding]) -> None:
        """Judge an event and apply it to the state.

        For the first event of a delivery, `found` contains the findings about the delivery itself.
        """
        state = facts.state
        before = state.presence
        if event.kind is _UNPROCESSABLE:
            found += findings_of(event.flaws, facts)
            state.add_findings(by_code(found))
            if any(map(_is_unreadable, found)):
                state.add_unreadable(facts)
            return
        state.processable = True
        before, after, decision = _decided(facts, before, event)
        code = decision.code and decision.reported_code
        if code is not None and not _report(facts, event, decision, before):
            state.add_findings(by_code(found))
            return
        if event.flaws:
            found += findings_of(event.flaws, facts)
        if before.phase is not _ENDED:
            run_checks(facts, _OF_EVENT, found)
        if found:
            state.add_findings(by_code(found))
        state.presence = after
        if before.phase is not _ENDED:
            self._keep(facts, event, decision)
        else:
            state.add_after_end(facts, event)

    def _keep(self, facts: Facts, event: Event, decision: Decision) -> None:
        """Store an event that was applied, and pass it to the other machines."""
        state = facts.state
        if facts.kind in MESSAGES:
            state.add_message(facts)
            return
        if facts.agent in state.absences and facts.kind.is_entry:
            state.absences = tuple([each for each in state.absences if each != facts.agent])
        state.append(facts, event, decision)
        for name in sorted(state.sessions):
            machine = self._machines[name]
            if facts.kind is _END:
                place = Place(event=facts.position, line=facts.delivery.line)
                machine.close(state, place)
            else:
                machine.observe(facts, decision)

    def foresee(self, state: State, delivery: Delivery) -> tuple[str, ...]:
        """Return the codes of the findings about order that the delivery would cause now.

        SG206 is left out too, because no order avoids another letter case.
        """
        presence, known = state.presence, state.agents
        previous: Event | str | None = state.last_fingerprint
        codes: list[str] = []
        for event in delivery.events:
            if event.kind is _UNPROCESSABLE:
                continue
            kind, agent, number = _resolve_agent(known, presence.agents, event)
            presence, after, decision = _transition(state, presence, kind, agent, number)
            code = decision.reported_code
            if code is not None and can_repeat(decision) and same(previous, event):
                if delivery.delivery_id is not None:
                    codes.append("SG601")
                continue
            if code is not None and _is_out_of_order(state, code, agent):
                codes.append(code)
            if kind not in MESSAGES and presence.phase is not _ENDED:
                previous = event
                is_followed = event is not delivery.events[-1]
                if is_followed and number is not None and agent not in known:
                    known = copy(known) if known is state.agents else known
                    known[agent] = AgentRecord(number)
            presence = after
        return tuple(codes)

    def position(self, state: State) -> int:
        """Return the number of events so far."""
        return state.position

    def skip(self, state: State, events: int) -> None:
        """Set the position as if `events` events had already been applied."""
        state.position = events
        if state.ended:
            state.ended_at = events - 1

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Do nothing, because the lifecycle events are this machine's own events."""

    def from_json(self, state: State, value: Json) -> None:
        """Do nothing, because this machine stores everything in the state and has no session."""

    def close(self, state: State, place: Place) -> None:
        """Report that the log ended before END_OF_CONVERSATION (SG108).

        Close the other machines.
        """
        before = state.presence
        state.presence, decision = transition(before, EventKind.CLOSE, None)
        facts = Facts(state, _NO_DELIVERY, None)
        facts.kind = EventKind.CLOSE
        missing = replace(
            _offence(facts, "SG108", before),
            expected=expected(state.presence, tuple(state.agents), most=_MOST),
        )
        if decision.reported_code is not None:
            state.add_findings([_offence(facts, decision.reported_code, before)])
        for name in sorted(state.sessions):
            self._machines[name].close(state, place)
        state.add_findings([missing])


_NO_DELIVERY: Final = Delivery(None, None)


def _resolve_agent(
    known: Mapping[str, AgentRecord], next_number: int, event: Event
) -> tuple[EventKind, str, int | None]:
    """Return the kind of an event, and the identity and the number of its agent.

    The identity is empty and the number is None for an event without an agent. An agent that is not
    in `known` gets the number `next_number`.
    """
    kind, agent = cast("EventKind", event.kind), event.agent
    number, record = None, known.get(agent)
    if kind in AGENTLESS_KINDS:
        agent = ""
    elif agent:
        if record is None:
            agent = resolve(known, kind, agent)
            record = known.get(agent)
        number = next_number if record is None else record.number
    elif kind is _AGENT_MESSAGE:
        kind = EventKind.MESSAGE  # without an identity, it is unknown whether the agent is present
    return kind, agent, number


_LEAVES: Final = frozenset({PresenceEffect.LEAVE, PresenceEffect.SETTLE})
_CONSULTED: Final = 8
"""The maximum number of former consultants in a presence. For others, their latest event decides.
"""


def _decided(facts: Facts, before: Presence, event: Event) -> tuple[Presence, Presence, Decision]:
    """Return the presences before and after an event, and the decision of the table."""
    resolved = _resolve_agent(facts.state.agents, before.agents, event)
    facts.kind, facts.agent, facts.number = resolved
    return _transition(facts.state, before, *resolved)


def _transition(
    state: State, before: Presence, kind: EventKind, agent: str, number: int | None
) -> tuple[Presence, Presence, Decision]:
    """Return the presences before and after an event of a known agent, and the decision."""
    if len(before.consulted) >= _CONSULTED:
        before = _with_consulted(state, before, agent, number)
    crowd = len(before.consultants) + len(before.pending_exits)
    step = transition if crowd <= MOST_MEMOIZED else transition.__wrapped__
    after, decision = step(before, kind, number)
    if len(after.consulted) > _CONSULTED:
        after = after._replace(consulted=after.consulted[-_CONSULTED:])
    return before, after, decision


def _with_consulted(state: State, before: Presence, agent: str, number: int | None) -> Presence:
    """Return the presence, with the agent added to the former consultants if it is one.

    This is needed for agents that the presence no longer contains, see `_CONSULTED`.
    """
    if number is None or number in before.consulted or number in before.present:
        return before
    record = state.agents.get(agent)
    if record is None or record.latest is None or record.effect not in _LEAVES:
        return before
    if record.latest.kind not in CONSULTANT_EXITS:
        return before
    return before._replace(consulted=tuple(sorted((*before.consulted, number))))


def findings_of(flaws: Iterable[Flaw], facts: Facts) -> list[Finding]:
    """Return the findings that report flaws at the place of the current event.

    A check reports blanks around an id (SG510), once a spelling.
    """
    return [flaw.finding(facts.place) for flaw in flaws if flaw.code != "SG510"]


def _is_unreadable(finding: Finding) -> bool:
    """Return whether a finding says that an event cannot be read."""
    return finding.rule.family == _SHAPE and finding.rule.severity is Severity.ERROR


def by_code(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings sorted by their codes."""
    return sorted(findings, key=lambda finding: finding.code)


def _offence(facts: Facts, code: str, before: Presence) -> Finding:
    """Return the finding of a rule of the lifecycle table, with expected and earlier events.

    `before` is the presence before the event.
    """
    names = tuple(facts.state.agents)
    return find(
        code,
        facts.place,
        _values(facts, before, names),
        expected=expected(before, names, most=_MOST),
        because=tuple(event.cause for event in _evidence(facts, code, before, names)),
    )


_ROLES: Final = {
    AgentRole.PRIMARY: "primary",
    AgentRole.RELIEVER: "primary",
    AgentRole.CONSULTANT: "consultant",
    AgentRole.ONE_OF_TWO: "consultant",
    AgentRole.LAST: "last",
    AgentRole.OWED: "owed",
}
"""The names of agent roles in situations. All other roles are named `absent`."""


def _situations(before: Presence, number: int | None, what: str) -> tuple[str, ...]:
    """Return the names of the current situation, by which a rule selects its advice.

    The most specific name comes first, such as `consultant consulting`.
    """
    role = _ROLES.get(Situation.of(situation_of(before, number)).role, "absent")
    phase = "released" if before.phase is Phase.SUMMARIZED else before.phase.value
    beside = "beside consultants" if before.consultants else "alone"
    return f"{what} {phase}", f"{role} {phase}", f"{phase} {beside}", phase, role


_WITH_LAST: Final = frozenset({Phase.TRANSFERRING, Phase.RELEASED})
_AFTER_A_TURN: Final = frozenset({Phase.SUMMARIZED, Phase.ENDED})
_MOST: Final = 20
"""The maximum number of expected events, and of earlier events, in a finding."""
_ABOUT_CONSULTANTS: Final = frozenset({"SG107", "SG116", "SG204"})
"""Rules whose findings also show the events of the consultants."""


def _evidence(facts: Facts, code: str, before: Presence, names: Sequence[str]) -> list[Entry]:
    """Return the earlier events by which the agents concerned got their current roles."""
    if before.phase not in _AFTER_A_TURN:
        numbers = [before.primary]
        if before.phase in _WITH_LAST:
            numbers.append(before.last)
        if code in _ABOUT_CONSULTANTS:
            numbers += before.consultants
        events = facts.state.latest_events([facts.agent, *_named(numbers, names)])
        if events:
            return events[-_MOST:]
    last = facts.state.last
    return [] if last is None else [last]


def _report(facts: Facts, event: Event, decision: Decision, before: Presence) -> bool:
    """Add the finding of the table about an event to the state.

    Return False if the event equals the one before. It is then reported as SG601, and the caller
    must not apply it. SG205 is reported only once for each absence of an agent.
    """
    state, agent, code = facts.state, facts.agent, cast("str", decision.reported_code)
    if can_repeat(decision) and same(state.last_fingerprint, event):
        state.add_findings([_offence(facts, "SG601", state.presence)])
        state.append(facts, event, decision, is_repeat=True)
        return False
    if _is_silent(state, code, agent):
        return True
    if code == "SG205":
        state.absences = (*state.absences, agent)
    state.add_findings([_offence(facts, code, before)])
    return True


def _is_out_of_order(state: State, code: str, agent: str) -> bool:
    """Return whether a rule of the table would report an event as more than a note."""
    return BY_CODE[code].severity is not Severity.NOTE and not _is_silent(state, code, agent)


def _is_silent(state: State, code: str, agent: str) -> bool:
    """Return whether this absence of an agent has already been reported (SG205)."""
    absences = state.absences
    return code == "SG205" and (agent in absences or len(absences) >= REMEMBERED)


_LABELS: Final = {
    EventKind.CLOSE: "the end of the log",
    EventKind.SUMMARY: "summary",
    EventKind.USER_MESSAGE: "message",
    EventKind.AGENT_MESSAGE: "message",
}
"""The words for kinds of events in messages, if they differ from the labels of the kinds."""


def _values(facts: Facts, before: Presence, names: Sequence[str]) -> Mapping[str, str]:
    """Return the values for the templates of the rules SG1 and SG2."""
    primary = listed(_named((before.primary,), names))
    if before.candidates:
        primary = f"one of {listed(_named(before.candidates, names))}"
    elif before.primary == UNNAMED:
        primary = "an agent no event named"
    what = _LABELS.get(facts.kind, facts.kind.value)
    return {
        "agent": short(facts.agent),
        "what": what,
        "an_event": f"{'an' if what.startswith('NA') else 'a'} {what}",
        "phase": before.phase.value,
        "primary": primary,
        "present": listed(_named(before.present, names)),
        "consultants": listed(_named(before.consultants, names)),
        "last": listed(_named((before.last,), names)),
        "situations": "/".join(_situations(before, facts.number, what)),
    }


def _named(numbers: Iterable[int | None], names: Sequence[str]) -> list[str]:
    """Return the identities of agents. `UNNAMED` and None are left out."""
    return [names[number] for number in numbers if number is not None and number != UNNAMED]
