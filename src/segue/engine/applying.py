"""The fold: state and delivery in, findings out.

Places what the wire found wrong with a body at its position in the conversation, lets the table
judge each event, and keeps the books (trail, segments, transcription).  Pure but for the state it
is given; positions are its only clock, times are only carried along.

Findings of one place stand in this order: the event's own rule, then the others by code.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from segue.engine.consistency import crosscheck
from segue.engine.history import REPEATED, SAID, SILENT, Moment
from segue.engine.plain import count, plainly, scoped, show
from segue.engine.state import State
from segue.engine.truncation import short
from segue.events import ActionKind, Delivery, Event, EventKind, Flaw, fingerprint, same
from segue.findings import Finding, Place, find
from segue.lifecycle import (
    AGENTLESS_KINDS,
    MESSAGES,
    UNNAMED,
    Move,
    Phase,
    advance,
    expected,
)
from segue.transcription import Outcome, Session, act

__all__ = ["Step", "finish", "step"]

_UNPROCESSABLE: Final = EventKind.UNPROCESSABLE
_AGENT_MESSAGE: Final = EventKind.AGENT_MESSAGE
_ENDED: Final = Phase.ENDED


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
        facts = {"delivery_id": short(delivery.delivery_id)}
        state.findings.append(find("SG603", place, facts))
        return Step(tuple(state.findings[before:]))
    return _MACHINES[delivery.intake.machine](state, delivery, believe)


def _judge(state: State, delivery: Delivery, believe: bool) -> Step:  # noqa: ARG001, FBT001 - as all machines
    """Apply the events of one delivery to the lifecycle."""
    before = len(state.findings)
    envelope = _judge_envelope(state, delivery) if delivery.flaws or not delivery.events else None
    for event in delivery.events:
        if envelope or event.flaws or not _is_plain(state, delivery, event):
            if envelope is None:
                envelope = _judge_envelope(state, delivery)
            _consider(state, delivery, event, envelope)
            envelope = []
    if envelope:
        state.findings += _sorted(envelope)
    return _NOTHING if len(state.findings) == before else Step(tuple(state.findings[before:]))


def _is_plain(state: State, delivery: Delivery, event: Event) -> bool:
    """Apply an event the short way, if that goes."""
    facts = (
        "", EventKind(event.kind), event.agent, event.experience, event.value,
        delivery.bot_id, delivery.received_at, None, "", event.value,
    )  # fmt: skip
    return plainly(state, facts, delivery.line)


def _remember(state: State, delivery: Delivery) -> bool | None:
    """Remember a delivery id. None: it is new; else whether it came with the same body before."""
    assert delivery.delivery_id is not None  # noqa: S101
    identity = scoped(delivery.delivery_id, delivery.intake)
    mark = fingerprint(delivery.body)
    if state.delivered is None:
        state.delivered = {}
    if identity not in state.delivered:
        state.delivered[identity] = mark
        return None
    return state.delivered[identity] == mark


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
                find("SG302", at_bot, {"first": short(state.bot_id), "bot": short(bot)}),
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
    kind = EventKind(event.kind)
    if kind is _UNPROCESSABLE:
        if envelope or event.flaws:
            place = Place(event=position, line=delivery.line)
            state.findings += _sorted([*envelope, *_flawed(event.flaws, place)])
        return
    state.processable = True
    agent = event.agent if kind not in AGENTLESS_KINDS else ""
    if kind is _AGENT_MESSAGE and not agent:
        kind = EventKind.MESSAGE  # whether an agent nobody names is present cannot be told
    roster = state.roster
    move = advance(roster, kind, agent, event.value, same=same)
    state.roster = roster
    place = Place(event=position, pointer=event.pointer, line=delivery.line)
    own = [_offence(state, move, place)] if move.code is not None else []
    others = envelope if move.code == "SG601" else [*envelope, *_others(state, event, move, place)]
    state.findings += [*own, *_sorted(others)]
    if move.phase_before is _ENDED:
        return
    at = None if delivery.received_at is None else state.latest
    number = roster.known.get(move.agent)
    if kind in MESSAGES:
        count(state, kind, number, at, is_primary=move.agent == roster.primary)
        return
    verdict = SILENT if move.code is None else REPEATED if move.code == "SG601" else SAID
    state.trail.enter(
        position, delivery.line, at, move.stamp, verdict, number, event.value, event.experience
    )
    if state.session is not None and verdict != REPEATED:
        show(state, state.session, move.stamp, kind, move.agent, position, delivery.line)


def _others(state: State, event: Event, move: Move, place: Place) -> list[Finding]:
    """Find what is wrong with an event besides its place in the order."""
    found = _flawed(event.flaws, Place(event=place.event, line=place.line))
    if move.respelled:
        facts = {"spelling": short(event.agent), "agent": short(move.agent)}
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


def _act(state: State, delivery: Delivery, believe: bool) -> Step:  # noqa: FBT001 - as all machines
    """Apply one transcription action."""
    (action,) = delivery.events
    kind = ActionKind(action.kind)
    session = state.session
    if session is None:
        session = state.session = Session()
    position = session.position
    meant, outcome, ended = action, None, state.ended
    if kind is not ActionKind.UNPROCESSABLE:
        if action.agent not in state.known:
            agent = state.roster.resolve(EventKind.MESSAGE, action.agent)
            meant = action if agent == action.agent else replace(action, agent=agent)
        at, stay = delivery.received_at, state.stays(meant.agent)
        outcome = act(session, kind, meant.agent, believe=believe, at=at, stay=stay, ended=ended)
        if outcome.code is None and meant is action and not (delivery.flaws or action.flaws):
            return Step(outcome=outcome)
    place = Place(action=position, line=delivery.line)
    found = _flawed((*delivery.flaws, *action.flaws), place)
    if meant is not action and not ended and action.agent not in state.roster.spellings:
        state.roster.spellings |= {action.agent}
        facts = {"spelling": short(action.agent), "agent": short(meant.agent)}
        found.append(find("SG206", place, facts))
    if outcome is not None and outcome.code is not None:
        found = [_refused(outcome, meant, place), *_sorted(found)]
        if outcome.code == "SG401" and not believe:
            return Step(tuple(found), outcome=outcome)
    state.findings += found
    return Step(tuple(found), outcome=outcome)


_MACHINES: Final = {"lifecycle": _judge, "transcription": _act}


def _refused(outcome: Outcome, action: Event, place: Place) -> Finding:
    """Build the finding of an action that was not allowed, repeated, or too late."""
    assert outcome.code is not None  # noqa: S101
    allowed = outcome.allowed_before
    facts = {
        "action": action.kind.value,
        "agent": short(action.agent),
        "state": outcome.state_before.value,
        "allowed": ", ".join(allowed),
    }
    return find(outcome.code, place, facts, expected=allowed)


def finish(state: State) -> Step:
    """Close the log of this conversation and return what is found only now."""
    before = len(state.findings)
    if state.closed:
        return _NOTHING
    state.closed = True
    is_cut = state.partial in ("end", "both")
    if state.processable and not state.ended and not is_cut:
        roster = state.roster
        move = advance(roster, EventKind.CLOSE, "")
        state.roster = roster
        if move.code is not None:
            state.findings.append(_offence(state, move, Place()))
        state.findings += crosscheck(state, Place())
        missing_end = move._replace(code="SG108", expected=expected(roster))
        state.findings.append(_offence(state, missing_end, Place()))
    return Step(tuple(state.findings[before:]))


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
        moments = state.trail.latest(state.known, *about)
        if moments:
            return moments
    last = state.trail.last(state.known)
    return [] if last is None else [last]


_LABELS: Final = {
    EventKind.CLOSE: "the end of the log",
    EventKind.SUMMARY: "summary",
    EventKind.USER_MESSAGE: "message",
    EventKind.AGENT_MESSAGE: "message",
}


def _facts(move: Move) -> Mapping[str, str]:
    primary = move.primary_before
    what = _LABELS.get(move.kind, move.kind.value)
    return {
        "agent": short(move.agent),
        "what": what,
        "an_event": f"{'an' if what.startswith('NA') else 'a'} {what}",
        "phase": move.phase_before.value,
        "primary": "an agent no event named" if primary == UNNAMED else _names((primary,)),
        "present": _names((primary, *move.consultants_before)),
        "consultants": _names(move.consultants_before),
        "last": _names((move.last_before,)),
    }


def _names(agents: Iterable[str | None]) -> str:
    return ", ".join(short(agent) for agent in agents if agent) or "nobody"


def _flawed(flaws: Iterable[Flaw], place: Place) -> list[Finding]:
    return [flaw.finding(place) for flaw in flaws]


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: finding.code)
