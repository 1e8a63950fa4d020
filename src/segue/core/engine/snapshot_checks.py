"""Refuses JSON that no conversation leads to, where a snapshot comes from somewhere else.

A checksum reveals damage, but anyone can put one before other JSON.  The first part of this module
describes what the JSON looks like.  Where its parts refer to each other, what can be worked out
from the history is compared with what stands beside it.
"""

from collections import Counter
from enum import StrEnum
from itertools import pairwise
from typing import Final

from segue.core.engine.agents import AgentRecord
from segue.core.engine.applying import MACHINES, TRANSCRIPTION_MACHINE, rare_machines
from segue.core.engine.checks import CHECKS
from segue.core.engine.entry_replay import JudgedEntry, judged_events, replay_history
from segue.core.engine.history import HistoryRow, history_of, latest_rows, rows_of
from segue.core.engine.json_shapes import COUNT, TIME, Either, Object, Values, fits, optional
from segue.core.engine.message_runs import MOST_RUNS, MOST_STRANGERS, STRANGER, runs_in
from segue.core.engine.state import (
    AGENT_SHIFT,
    DUPLICATE,
    ROW,
    State,
)
from segue.core.events import ActionKind, EventKind
from segue.core.findings import BY_CODE, Severity
from segue.core.lifecycle import AGENTLESS_KINDS, AgentRole, Phase, Presence, is_possible
from segue.core.segments import measure
from segue.core.transcription import TranscriptionState

_INTEGER: Final = range(-(1 << 62), 1 << 62)
_LINE: Final = optional(_INTEGER)
_TEXT: Final = optional(str)
_CODE: Final = frozenset(BY_CODE)


def _values(kinds: type[StrEnum]) -> frozenset[str]:
    return frozenset(kind.value for kind in kinds)


_ROW: Final = (COUNT, _INTEGER, _INTEGER, COUNT)
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
_SUSPECT: Final = (COUNT, str, COUNT, _values(TranscriptionState))
_PRESENCE: Final = {
    "phase": _values(Phase),
    "primary": optional(_INTEGER),
    "consultants": [COUNT],
    "last": optional(COUNT),
    "pending_exits": [(COUNT, range(AgentRole.EXCUSED, AgentRole.OWED + 1))],
    "replaced": [(COUNT, COUNT)],
    "consulted": [COUNT],
    "candidates": [COUNT],
    "in_doubt": bool,
    "na_entered": bool,
    "early_summary": bool,
    "begins_late": bool,
    "reported_once": [_CODE],
    "agents": COUNT,
}
_LIFECYCLE: Final = {
    "presence": _PRESENCE,
    "absences": [str],
    "previous": _TEXT,
}
_TRANSCRIPTION_HISTORY: Final = {"actions": [_ACTION], "suspects": [_SUSPECT]}
_TRANSCRIPTION: Final = {
    "position": COUNT,
    "controller": str,
    "generation": COUNT,
    "last": optional(_ACTION),
    "is_closed": bool,
    "history": _TRANSCRIPTION_HISTORY,
}
_KEPT: Final = {"SG206": [str], "SG301": Either(str, bool), "SG302": [str], "SG510": [str]}
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
    "runs": [(COUNT, _INTEGER, TIME, _INTEGER, COUNT, TIME)],
    "unlisted": [(COUNT, _INTEGER, COUNT)],
    "shared_times": [_INTEGER],
    "after_end": [(COUNT, _values(EventKind), str, _INTEGER, TIME, optional(_INFO), str)],
    "dropped": [(COUNT, COUNT)],
    "findings": [_FINDING],
}
_JUDGING: Final = {
    "conversation_id": _TEXT,
    "partial": optional(frozenset({"start", "end", "both"})),
    "bot_id": _TEXT,
    "position": COUNT,
    "processable": bool,
    "closed": bool,
    "latest": TIME,
    "overtaken": optional((TIME, COUNT, COUNT)),
    "delivered": optional(Values(str)),
    "last_row": optional(_ROW),
    "messages": COUNT,
    "runs": range(MOST_RUNS + 1),
    "last_run": (optional(_INTEGER), COUNT),
    "strangers": [str],
    "agents": [(str, COUNT, _INFO, optional(_ROW))],
}


def has_shape(value: object) -> bool:
    """Return whether a JSON value looks like a snapshot."""
    sessions = {name: _SESSIONS.get(name, object) for name in MACHINES}
    histories = {name: _SESSION_HISTORIES.get(name, object) for name in MACHINES}
    kept = {check.key: _KEPT.get(check.code, object) for check in CHECKS}
    machines = Object(sessions, {machine.name: machine.shape for machine in rare_machines()})
    judging = {**_JUDGING, "kept": Object({}, kept), "machines": machines}
    history = Object({}, {**_HISTORY, "sessions": Object({}, histories)})
    return fits(value, {"version": int, "judging": judging, "history": history})


def is_consistent(state: State) -> bool:
    """Return whether the parts of a state that has its history agree with each other.

    Raises some exception for a history that cannot have happened.
    """
    measure(replay_history(history_of(state)), TRANSCRIPTION_MACHINE.session(state).intervals())
    return (
        _knows_its_agents(state)
        and _knows_its_messages(state)
        and _can_go_on(state)
        and _agrees_with_history(state)
    )


def _knows_its_agents(state: State) -> bool:
    """Whether all agents who are referred to are there, under names of their own."""
    agents = len(state.agents)
    numbers = [AgentRecord.unpack(record).number for record in state.agents.values()]
    return (
        "" not in state.agents
        and numbers == list(range(agents))
        and state.presence.agents == agents
    )


def _knows_its_messages(state: State) -> bool:
    """Whether the runs of messages agree with each other, and with what is counted."""
    runs, unlisted = [*runs_in(state.runs)], state.rare.unlisted or {}
    strangers = state.rare.strangers or []
    last = runs[-1] if runs else None
    authors = {*(run.author for run in runs), *(author for _, author in unlisted)}
    return (
        len(strangers) <= MOST_STRANGERS
        and all(STRANGER - len(strangers) < each < len(state.agents) for each in authors)
        and len(runs) == state.run_count
        and all(run.messages > 0 and run.end <= state.position for run in runs)
        and (len(runs) == MOST_RUNS or not unlisted)
        and all(0 <= row <= len(state.rows) // ROW.size for row, _ in unlisted)
        and sum(run.messages for run in runs) + sum(unlisted.values()) == state.messages
        and (state.run_author, state.run_end) == ((last.author, last.end) if last else (None, 0))
    )


def _can_go_on(state: State) -> bool:
    """Whether later events can be judged by it."""
    return is_possible(state.presence)


def _agrees_with_history(state: State) -> bool:
    """Whether the history can have happened, and leads to what stands beside it."""
    judged, rows = [*judged_events(state)], [*rows_of(state)]
    presence = judged[-1].after if judged else state.first_presence
    numbers = [what >> AGENT_SHIFT for *_, what in ROW.iter_unpack(state.rows)]
    positions = [row.position for row in rows]
    spans = [(at, at + 1) for at in positions]
    spans += [(run.position, run.end) for run in runs_in(state.runs)]
    after_end = state.rare.after_end or ()
    late = [each.position for each in after_end]
    applied = (row for row in rows if row.verdict != DUPLICATE)
    connections = Counter(row.agent for row in applied if row.decision.connects)
    session = TRANSCRIPTION_MACHINE.session(state)
    return (
        all(map(_can_come, judged, rows, numbers))
        and all(first < then for first, then in pairwise([-1, *positions, *late, state.position]))
        and all(end <= begin for (_, end), (begin, _) in pairwise(sorted(spans)))
        and (state.ended or not late)
        and all(each.agent or not EventKind(each.kind).transfer_type for each in after_end)
        and latest_rows(state) == state.rare.elsewhere
        and all(
            AgentRecord.unpack(record).connections == connections[name]
            for name, record in state.agents.items()
        )
        and {each.event for each in session.suspects}.issubset(positions)
        and (state.rare.closed or _placed(presence) == _placed(state.presence))
    )


def _can_come(judged: JudgedEntry, row: HistoryRow, number: int) -> bool:
    """Whether an event was judged so; `number` is that of its agent, 0 if it has none."""
    has_agent = row.decision.kind not in AGENTLESS_KINDS
    return row.decision.stamp == judged.decision.stamp and has_agent is (number > 0)


def _placed(presence: Presence) -> tuple[object, ...]:
    """Return what the effects of events set."""
    return (*presence[:_EFFECTS], presence.replaced)


_EFFECTS: Final = 5
"""So many fields of a presence, and one more, are what the effects of events say."""
