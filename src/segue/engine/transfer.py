"""What a report needs of a state, for another process of the same Segue; and lines told anew.

A conversation that has ended is sent a million times, so what later events would be judged by is
left out, and nothing is spelt out: what comes is values that can be pickled.  A state to go on with
is sent as its snapshot.

House rule: whoever read only a part of a log has counted lines from there; `move` says how many
there were before, and changes nothing else.
"""

from dataclasses import replace
from typing import Any

from segue.engine.history import Trail
from segue.engine.state import State, new
from segue.findings import Finding, Place
from segue.lifecycle import Roster

__all__ = ["extract", "move", "moved", "rebuild"]


def extract(state: State) -> tuple[Any, ...]:
    """Return what a report needs."""
    return (
        state.conversation_id,
        state.partial,
        state.bot_id,
        state.phase,
        state.position,
        state.processable,
        state.closed,
        tuple(state.known),
        state.messages,
        state.first_message_at,
        state.session,
        state.trail.pack(),
    )


def rebuild(values: tuple[Any, ...]) -> State:
    """Return a state to report, without findings, from what `extract` gave."""
    identity, partial, bot_id, phase, position, processable, closed, known, *rest = values
    state = new(identity, partial=partial)
    state.bot_id, state.position = bot_id, position
    state.processable, state.closed = processable, closed
    roster = Roster()
    roster.phase = phase
    roster.known = {agent: number for number, agent in enumerate(known)}
    state.roster = roster
    state.messages, state.first_message_at, state.session, trail = rest
    state.trail = Trail.unpack(trail)
    return state


def move(state: State, lines: int) -> None:
    """Count the lines of a state from so many further up."""
    state.trail.move(lines)
    state.findings = [moved(finding, lines) for finding in state.findings]


def moved(finding: Finding, lines: int) -> Finding:
    """Return a finding whose lines are counted from so many further up."""
    because = tuple(replace(cause, place=_moved(cause.place, lines)) for cause in finding.because)
    return replace(finding, place=_moved(finding.place, lines), because=because)


def _moved(place: Place, lines: int) -> Place:
    return place if place.line is None else replace(place, line=place.line + lines)
