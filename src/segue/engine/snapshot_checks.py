"""Refuses JSON that no conversation leads to, where a snapshot comes from somewhere else.

A checksum tells damage, but anybody can put one before other JSON.  The first part of this module
describes what the JSON looks like.  Where its parts refer to each other, what can be worked out
from the history is compared with what stands beside it.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from segue.engine.agents import AgentRecord
from segue.engine.applying import MACHINES, TRANSCRIPTION_MACHINE, rare_machines
from segue.engine.checks import CHECKS
from segue.engine.history import history_of
from segue.engine.json_shapes import COUNT, TIME, Either, Object, Values, fits, optional
from segue.engine.segment_replay import presence_after, replay_segments
from segue.engine.state import (
    AGENT_SHIFT,
    ALL,
    DUPLICATE,
    ROW,
    STAMP_BITS,
    STAMP_MASK,
    VERDICT_MASK,
    State,
)
from segue.events import ActionKind, EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle import AGENTLESS_KINDS, AgentRole, Decision, Phase, Presence, is_possible
from segue.roots import MOST_STEPS, are_steps
from segue.segments import measure
from segue.transcription import TranscriptionState

_INTEGER: Final = range(-(1 << 62), 1 << 62)
_LINE: Final = optional(_INTEGER)
_TEXT: Final = optional(str)
_CODE: Final = frozenset(BY_CODE)


def _values(kinds: type[StrEnum]) -> frozenset[str]:
    return frozenset(kind.value for kind in kinds)


_ROW: Final = (COUNT, COUNT, COUNT, _INTEGER, _INTEGER, COUNT)
_PLACE_OF_EVENT: Final = (optional(COUNT), optional(COUNT), str, _LINE, _TEXT)
_PLACE: Final = Either(_PLACE_OF_EVENT, (*_PLACE_OF_EVENT, str))
_INFO: Final = (
    Object({}, dict.fromkeys(("identity", "name", "type", "customFields"), object)),
    object,
    str,
)
_ACTION: Final = (
    COUNT,
    _values(ActionKind),
    str,
    (COUNT, bool, TIME, _LINE),
    _values(TranscriptionState),
)
_SUSPECT: Final = (COUNT, _values(EventKind), str, optional(COUNT), _values(TranscriptionState))
_PRESENCE: Final = {
    "phase": _values(Phase),
    "primary": optional(_INTEGER),
    "consultants": [COUNT],
    "last": optional(COUNT),
    "pending_exits": [(COUNT, range(AgentRole.EXCUSED, AgentRole.OWED + 1))],
    "replaced": [(COUNT, COUNT)],
    "consulted": [COUNT],
    "in_doubt": bool,
    "na_entered": bool,
    "early_summary": bool,
    "reported_once": [_CODE],
    "agents": COUNT,
}
_ROOTS: Final = {
    "base": _PRESENCE,
    "steps": str,
    "root": optional((_CODE, optional(COUNT), _LINE, _TEXT)),
    "root_at": COUNT,
    "resting": range(1 << 10),
    "late": optional([range(1 << 16)]),
}
_LIFECYCLE: Final = {
    "presence": _PRESENCE,
    "absences": [str],
    "previous": _TEXT,
    "steps": str,
    "roots": optional(_ROOTS),
}
_TRANSCRIPTION_HISTORY: Final = {"actions": [_ACTION], "suspects": [_SUSPECT]}
_TRANSCRIPTION: Final = {
    "position": COUNT,
    "controller": str,
    "generation": COUNT,
    "last": optional(_ACTION),
    "history": _TRANSCRIPTION_HISTORY,
}
_KEPT: Final = {"SG206": [str], "SG301": Either(str, bool), "SG302": [str]}
"""What checks remember; of a check that does not stand here it may be any JSON."""
_FINDING: Final = {
    "code": _CODE,
    "severity": _values(Severity),
    "place": _PLACE,
    "message": str,
    "expected": [str],
    "because": [(_PLACE, str)],
    "help": str,
}
_SESSIONS: Final = {"lifecycle": _LIFECYCLE, "transcription": optional(_TRANSCRIPTION)}
_SESSION_HISTORIES: Final = {"transcription": Object({}, _TRANSCRIPTION_HISTORY)}
"""Of a machine that stands in neither its own `from_json` says what is read."""
_HISTORY: Final = {
    "rows": str,
    "participants": [(COUNT, *_INFO)],
    "other_messages": [(COUNT, COUNT, COUNT)],
    "shared_times": [_INTEGER],
    "findings": [Either(_FINDING, {**_FINDING, "follows": (_CODE, _PLACE)})],
}
_JUDGING: Final = {
    "conversation_id": _TEXT,
    "partial": optional(frozenset({"start", "end", "both"})),
    "bot_id": _TEXT,
    "position": COUNT,
    "processable": bool,
    "closed": bool,
    "latest": TIME,
    "delivered": optional(Values(str)),
    "last_row": optional(_ROW),
    "messages": COUNT,
    "first_message": optional((COUNT, TIME)),
    "since_last_row": {"users": COUNT, "primary": COUNT, "others": [(COUNT, COUNT)]},
    "after_end": [(COUNT, _values(EventKind), str, _INTEGER)],
    "agents": [(str, COUNT, _INFO, range(1 << 32), optional(_ROW))],
}


def has_shape(value: object) -> bool:
    """Return whether a JSON value looks like a snapshot."""
    sessions = {name: _SESSIONS.get(name, object) for name in MACHINES}
    histories = {name: _SESSION_HISTORIES.get(name, object) for name in MACHINES}
    kept = {check.code: _KEPT.get(check.code, object) for check in CHECKS}
    machines = Object(sessions, {machine.name: machine.shape for machine in rare_machines()})
    judging = {**_JUDGING, "kept": Object({}, kept), "machines": machines}
    history = Object({}, {**_HISTORY, "sessions": Object({}, histories)})
    return fits(value, {"version": int, "judging": judging, "history": history})


def is_consistent(state: State) -> bool:
    """Return whether the parts of a state that has its history agree with each other.

    Raises some exception for a history that cannot have happened.
    """
    measure(replay_segments(history_of(state)), TRANSCRIPTION_MACHINE.session(state).intervals())
    return _knows_its_agents(state) and _can_go_on(state) and _agrees_with_history(state)


def _knows_its_agents(state: State) -> bool:
    """Whether all agents who are referred to are there, under names of their own."""
    agents, others = len(state.agents), state.rare.other_messages or {}
    numbers = [AgentRecord.unpack(record).number for record in state.agents.values()]
    return (
        "" not in state.agents
        and numbers == list(range(agents))
        and state.presence.agents == agents
        and all(number < agents for _, number in others)
    )


def _can_go_on(state: State) -> bool:
    """Whether later events can be judged by it."""
    agents, tracker = len(state.agents), state.tracker
    return (
        is_possible(state.presence)
        and are_steps(state.steps, agents)
        and len(state.steps) <= MOST_STEPS
        and (tracker is None or tracker.is_consistent(agents, has_ended=state.ended))
    )


def _agrees_with_history(state: State) -> bool:
    """Whether the history leads to what stands beside it."""
    read = _read(state)
    session, records = TRANSCRIPTION_MACHINE.session(state), state.agents.values()
    return (
        read is not None
        and read.latest == state.rare.elsewhere
        and read.connections == [AgentRecord.unpack(record).connections for record in records]
        and read.positions.issuperset(each.event for each in session.suspects)
        and all(position < state.position for position in read.positions)
        and (state.rare.closed or _placed(read.presence) == _placed(state.presence))
    )


@dataclass(slots=True)
class _Read:
    """What the history leads to."""

    presence: Presence
    connections: list[int]
    """Of each agent."""
    latest: dict[int, bytes] = field(default_factory=dict)
    """As in `RareParts.elsewhere`."""
    positions: set[int] = field(default_factory=set)


def _read(state: State) -> _Read | None:
    """Return what the history leads to, or None if it cannot have happened."""
    read, last = _Read(state.first_presence, [0] * len(state.agents)), -1
    for row in ROW.iter_unpack(state.rows):
        *_, position, _, _, what = row
        decision, agent = Decision.of(what & STAMP_MASK), what >> AGENT_SHIFT
        has_agent = decision.kind not in AGENTLESS_KINDS
        is_next = position > last and decision.phase is read.presence.phase
        if not is_next or has_agent is not (agent > 0):
            return None
        _add(read, ROW.pack(*row), decision, what)
        last = position
    return read


def _add(read: _Read, row: bytes, decision: Decision, what: int) -> None:
    *_, position, _, _, _ = ROW.unpack(row)
    number = (what >> AGENT_SHIFT) - 1
    read.positions.add(position)
    read.latest[ALL] = row
    if what >> STAMP_BITS & VERDICT_MASK == DUPLICATE:
        return
    read.presence = presence_after(read.presence, decision, number if number >= 0 else None)
    if number >= 0:
        read.latest[number] = row
        read.connections[number] += decision.connects


def _placed(presence: Presence) -> tuple[object, ...]:
    """Return what the effects of events set."""
    return (*presence[:_EFFECTS], presence.replaced)


_EFFECTS: Final = 5
"""So many fields of a presence, and one more, are what the effects of events say."""
