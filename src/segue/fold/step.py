"""The fold: state and delivery in, findings out.

Places what the wire found wrong with a body at its position in the conversation, lets the table
judge each event, and keeps the books (trail, segments, transcription).  Pure but for the state it
is given; positions are its only clock, times are only carried along.

Findings of one place stand in this order: the event's own rule, then the others by code.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from segue.events import Action, Delivery, Event, EventKind, Flaw, fingerprint, same
from segue.findings import Finding, Place, Severity, find
from segue.fold.plain import NOBODYS, count, enter, plainly
from segue.fold.state import State
from segue.fold.trail import REPEATED, SAID, SILENT, Moment
from segue.lifecycle import (
    MESSAGES,
    UNNAMED,
    Move,
    Phase,
    Roster,
    advance,
    expected,
)
from segue.transcription import Outcome, Session, act, crosscheck

__all__ = ["Step", "finish", "step"]

_UNPROCESSABLE: Final = EventKind.UNPROCESSABLE
_AGENT_MESSAGE: Final = EventKind.AGENT_MESSAGE
_ENDED: Final = Phase.ENDED

_LONGEST_FACT: Final = 120
"""Characters of an id that a finding repeats; a longer one is cut."""


class Step(NamedTuple):
    """What one delivery did."""

    findings: tuple[Finding, ...] = ()
    """Already in the state, in the order they were found."""
    duplicate: bool = False
    """The delivery was here before, by its id; nothing was applied."""
    outcome: Outcome | None = None
    """What became of a transcription action."""


_NOTHING: Final = Step()


def step(state: State, delivery: Delivery, *, believe: bool = True) -> Step:
    """Apply one delivery to the state and return what was found.

    `believe` is for transcription actions: True for a log, where the action has happened; False
    for a live command, which a wrong state refuses (SG401) and which then leaves no trace.
    """
    before = len(state.findings)
    if delivery.delivery_id is not None and (known := _remember(state, delivery)) is not None:
        if known:
            return Step(duplicate=True)
        place = Place(event=state.position, line=delivery.line)
        facts = {"delivery_id": _short(delivery.delivery_id)}
        state.findings.append(find("SG603", place, facts))
        return Step(tuple(state.findings[before:]))
    if delivery.action is not None:
        return _act(state, delivery, delivery.action, believe=believe)
    envelope = [] if _is_unremarkable(state, delivery) else _judge_envelope(state, delivery)
    if not delivery.events:
        state.findings += _sorted(envelope)
    for event in delivery.events:
        if envelope or not plainly(state, delivery, event):
            _consider(state, delivery, event, envelope)
            envelope = []
    return _NOTHING if len(state.findings) == before else Step(tuple(state.findings[before:]))


def _remember(state: State, delivery: Delivery) -> bool | None:
    """Remember a delivery id. None: it is new; else whether it came with the same body before."""
    endpoint = "hooks" if delivery.action is None else "transcription"  # ids are scoped by it
    identity, digest = f"{endpoint} {delivery.delivery_id}", fingerprint(delivery.body)
    if state.delivered is None:
        state.delivered = {}
    if identity not in state.delivered:
        state.delivered[identity] = digest
        return None
    return state.delivered[identity] == digest


def _is_unremarkable(state: State, delivery: Delivery) -> bool:
    """Whether nothing but its events can be wrong with a delivery; the common case, cheaply."""
    at = delivery.received_at
    if delivery.flaws:
        return False
    if delivery.bot_id != state.bot_id:
        if state.bot_id is not None or state.roster.phase is _ENDED:
            return False
        state.bot_id = delivery.bot_id
    if at is not None:
        if state.latest is not None and at < state.latest:
            return False
        state.latest = at
    return True


def _judge_envelope(state: State, delivery: Delivery) -> list[Finding]:
    """Find what is wrong with the delivery rather than with one of its events."""
    place = Place(event=state.position, line=delivery.line)
    found = _flawed(delivery.flaws, place)
    bot, at = delivery.bot_id, delivery.received_at
    if state.ended:
        return found
    if bot is not None and bot != state.bot_id:
        if state.bot_id is None:
            state.bot_id = bot
        elif bot not in state.bots:
            state.bots |= {bot}
            at_bot = Place(event=state.position, pointer="/botId", line=delivery.line)
            found.append(
                find("SG302", at_bot, {"first": _short(state.bot_id), "bot": _short(bot)}),
            )
    if at is not None:
        if state.latest is None or at >= state.latest:
            state.latest = at
        else:
            facts = {"received_at": at.isoformat(), "latest": state.latest.isoformat()}
            found.append(find("SG602", place, facts))
    return found


def _consider(state: State, delivery: Delivery, event: Event, envelope: list[Finding]) -> None:
    """Judge an event with all that may be wrong with it, and apply it at the next position."""
    position, state.position = state.position, state.position + 1
    kind = event.kind
    if kind is _UNPROCESSABLE:
        if envelope or event.flaws:
            place = Place(event=position, line=delivery.line)
            state.findings += _sorted([*envelope, *_flawed(event.flaws, place)])
        return
    state.processable = True
    agent = event.agent if kind not in NOBODYS else ""
    if kind is _AGENT_MESSAGE and not agent:
        kind = EventKind.MESSAGE  # whether an agent nobody names is present cannot be told
    move = advance(state.roster, kind, agent, event.value, same=same)
    place = Place(event=position, pointer=event.pointer, line=delivery.line)
    own = [_offence(state, move, place)] if move.code is not None else []
    others = envelope if move.code == "SG601" else [*envelope, *_others(state, event, move, place)]
    state.findings += [*own, *_sorted(others)]
    if move.phase_before is _ENDED:
        return
    if kind in MESSAGES:
        count(state, delivery, kind, move.agent)
        return
    verdict = SILENT if move.code is None else REPEATED if move.code == "SG601" else SAID
    enter(state, delivery, event, position, move.stamp, verdict, move.agent)
    if state.roster.phase is _ENDED:
        state.findings += _crosscheck(state, Place(event=position, line=delivery.line))


def _others(state: State, event: Event, move: Move, place: Place) -> list[Finding]:
    """Find what is wrong with an event besides its place in the order."""
    found = _flawed(event.flaws, Place(event=place.event, line=place.line))
    if move.respelled:
        facts = {"spelling": _short(event.agent), "agent": _short(move.agent)}
        found.append(find("SG206", place, facts))
    if event.experience and move.phase_before is not _ENDED:
        found += _judge_experience(state, event.experience, place)
    return found


def _judge_experience(state: State, experience: str, place: Place) -> list[Finding]:
    if not state.experience:
        state.experience = experience
    if experience == state.experience or state.told_experience:
        return []
    state.told_experience = True
    pointer = f"{place.pointer}/experience"
    facts = {"first": state.experience, "experience": experience}
    return [find("SG301", Place(event=place.event, pointer=pointer, line=place.line), facts)]


def _act(state: State, delivery: Delivery, action: Action, *, believe: bool) -> Step:
    """Apply one transcription action."""
    if state.session is None:
        state.session = Session()
    session = state.session
    place = Place(action=session.position, line=delivery.line)
    found: list[Finding] = []
    if delivery.flaws or action.flaws:
        found = _flawed((*delivery.flaws, *action.flaws), place)
    outcome = None
    if action.name:
        agent = state.roster.resolve(EventKind.MESSAGE, action.agent)
        respelled = agent != action.agent and action.agent not in state.roster.spellings
        meant = action if agent == action.agent else replace(action, agent=agent)
        outcome = act(
            session,
            meant,
            believe=believe,
            at=delivery.received_at,
            stay=state.stays(agent),
            ended=state.ended,
        )
        if respelled and not state.ended:
            state.roster.spellings |= {action.agent}
            facts = {"spelling": _short(action.agent), "agent": _short(agent)}
            found.append(find("SG206", place, facts))
        if outcome.code is not None:
            facts = {
                "action": meant.label,
                "agent": _short(agent),
                "state": outcome.state_before.value,
                "allowed": ", ".join(outcome.allowed_before) or "none",
            }
            own = find(outcome.code, place, facts, expected=outcome.allowed_before)
            found = [own, *_sorted(found)]
            if outcome.code == "SG401" and not believe:
                return Step(tuple(found), outcome=outcome)
    state.findings += found
    return Step(tuple(found), outcome=outcome)


def finish(state: State) -> Step:
    """Close the log of this conversation and return what is found only now."""
    before = len(state.findings)
    if state.closed:
        return _NOTHING
    state.closed = True
    is_cut = state.partial in ("end", "both")
    if state.processable and not state.ended and not is_cut:
        move = advance(state.roster, EventKind.CLOSE, "")
        if move.code is not None:
            state.findings.append(_offence(state, move, Place()))
        state.findings += _crosscheck(state, Place())
        missing_end = move._replace(code="SG108", expected=expected(state.roster))
        state.findings.append(_offence(state, missing_end, Place()))
    return Step(tuple(state.findings[before:]))


def _crosscheck(state: State, place: Place) -> list[Finding]:
    """Hold transcription against the lifecycle, once both are complete."""
    if state.session is None:
        return []
    roster = state.roster
    moments = list(state.trail.moments(roster.known))
    departed = {moment.agent for moment in moments if moment.kind is EventKind.COLD_EXIT}
    lines: dict[int | None, int | None] = {moment.position: moment.line for moment in moments}
    return [
        find(
            remark.code,
            place
            if remark.event is None and remark.action is None
            else Place(remark.event, remark.action, line=lines.get(remark.event)),
            {key: _short(value) for key, value in remark.facts.items()},
        )
        for remark in crosscheck(
            state.session, _Among(roster, roster.known), _Among(roster, departed)
        )
    ]


class _Among:
    """Some agents of a conversation, in any letter case that means exactly one of its agents."""

    def __init__(self, roster: Roster, agents: Container[str]) -> None:
        self._roster = roster
        self._agents = agents

    def __contains__(self, agent: object) -> bool:
        return self._roster.resolve(EventKind.MESSAGE, str(agent)) in self._agents


def _offence(state: State, move: Move, place: Place) -> Finding:
    """Build the finding of the event's own rule, with its evidence."""
    assert move.code is not None  # noqa: S101
    return find(
        move.code,
        place,
        _facts(move),
        expected=move.expected,
        because=tuple(moment.cause for moment in _evidence(state, move)),
    )


_WITH_LAST: Final = frozenset({Phase.TRANSFERRING, Phase.RELEASED})
_AFTER_A_TURN: Final = frozenset({Phase.SUMMARIZED, Phase.ENDED})
_OF_CONSULTANTS: Final = frozenset({"SG107", "SG116", "SG204"})


def _evidence(state: State, move: Move) -> list[Moment]:
    """Find what set an offence up: how those it is about came to be where they are."""
    if move.phase_before not in _AFTER_A_TURN:
        about = [move.agent, move.primary_before]
        if move.phase_before in _WITH_LAST:
            about.append(move.last_before)
        if move.code in _OF_CONSULTANTS:
            about += move.consultants_before
        moments = state.trail.latest(state.roster.known, *about)
        if moments:
            return moments
    last = state.trail.last(state.roster.known)
    return [] if last is None else [last]


_LABELS: Final = {
    EventKind.CLOSE: "the end of the log",
    EventKind.SUMMARY: "summary",
    EventKind.USER_MESSAGE: "message",
    EventKind.AGENT_MESSAGE: "message",
}


def _facts(move: Move) -> Mapping[str, str]:
    primary = move.primary_before
    present = (primary, *move.consultants_before) if primary else move.consultants_before
    return {
        "agent": _short(move.agent),
        "what": _LABELS.get(move.kind, move.kind.value),
        "phase": move.phase_before.value,
        "primary": "an agent no event named" if primary == UNNAMED else _names((primary,)),
        "present": _names(present),
        "consultants": _names(move.consultants_before),
        "last": _names((move.last_before,)),
    }


def _names(agents: Iterable[str | None]) -> str:
    return ", ".join(_short(agent) for agent in agents if agent) or "nobody"


def _short(text: str | None) -> str:
    text = text or ""
    return text if len(text) <= _LONGEST_FACT else f"{text[:_LONGEST_FACT]}…"


def _flawed(flaws: Iterable[Flaw], place: Place) -> list[Finding]:
    return [
        find(
            flaw.code,
            Place(event=place.event, action=place.action, pointer=flaw.pointer, line=place.line),
            flaw.facts,
            severity=Severity.WARNING if flaw.is_warning else None,
        )
        for flaw in flaws
    ]


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: finding.code)
