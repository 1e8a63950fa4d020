"""Validation of snapshots from other sources.

A checksum reveals damage, but anyone can compute one for other JSON. The first part of this module
describes the shape of the JSON. The second part judges the past again, and compares the result with
everything that judging needs.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final

from segue.core.engine.applying import MACHINES, TRANSCRIPTION_MACHINE, rare_machines
from segue.core.engine.checks import CHECKS
from segue.core.engine.entries import COUNTED, MOST_RUNS, Entry, lifecycle_entries
from segue.core.engine.entry_replay import judged_entries
from segue.core.engine.json_shapes import (
    COUNT,
    TIME,
    Accepts,
    Either,
    Object,
    Values,
    accepting,
    optional,
)
from segue.core.engine.state import State
from segue.core.epoch import utc
from segue.core.events import EXPERIENCES, ActionKind, EventKind
from segue.core.findings import BY_CODE, Severity
from segue.core.lifecycle import (
    MESSAGES,
    AgentRole,
    Phase,
    Presence,
    PresenceEffect,
    is_possible,
)
from segue.core.transcription import TranscriptionState

_INTEGER: Final = range(-(1 << 62), 1 << 62)
_LINE: Final = optional(_INTEGER)
_TEXT: Final = optional(str)
_CODE: Final = frozenset(BY_CODE)


def _values(kinds: type[StrEnum]) -> frozenset[str]:
    return frozenset(kind.value for kind in kinds)


_PLACE_OF_EVENT: Final = (optional(COUNT), optional(COUNT), str, _LINE, _TEXT)
_PLACE: Final = Either(_PLACE_OF_EVENT, (*_PLACE_OF_EVENT, str))
_DETAILS: Final = (*([object] * 5), frozenset({"", *EXPERIENCES}))
_ENTRIES: Final = {
    "rows": [
        (
            _values(EventKind),
            str,
            COUNT,
            COUNT,
            range(COUNTED, COUNT.stop),
            _LINE,
            TIME,
            TIME,
            bool,
            bool,
            bool,
            optional(COUNT),
        )
    ],
    "details": [_DETAILS],
}
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
    "last": optional(COUNT),
    "ended_at": optional(COUNT),
    "late": optional((TIME, str)),
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
_JUDGING: Final = {
    "conversation_id": _TEXT,
    "partial": optional(frozenset({"start", "end", "both"})),
    "bot_id": _TEXT,
    "position": COUNT,
    "deliveries": COUNT,
    "processable": bool,
    "closed": bool,
    "latest": TIME,
    "overtaken": optional((TIME, COUNT)),
    "delivered": optional(Values(str)),
    "messages": COUNT,
    "runs": range(MOST_RUNS + 1),
}
_AGENT: Final = (str, COUNT, optional(COUNT), _values(PresenceEffect), optional(COUNT))


def has_shape(value: object) -> bool:
    """Return whether a JSON value looks like a snapshot."""
    return _snapshots(tuple(MACHINES), tuple(check.key for check in CHECKS))(value)


@lru_cache(maxsize=8)
def _snapshots(machines: tuple[str, ...], checks: tuple[str, ...]) -> Accepts:
    """Return a function that returns whether a JSON value looks like a snapshot."""
    sessions = {name: _SESSIONS.get(name, object) for name in machines}
    kept = {key: _KEPT.get(key.partition(" ")[0], object) for key in checks}
    rare = {machine.name: machine.shape for machine in rare_machines()}
    judging = {**_JUDGING, "kept": Object({}, kept), "machines": Object(sessions, rare)}
    return accepting(
        {
            "version": int,
            "judging": judging,
            "agents": [_AGENT],
            "entries": _ENTRIES,
            "findings": [_FINDING],
        }
    )


def is_consistent(state: State) -> bool:
    """Return whether a state is what its past leads to.

    Raise some exception for a past that cannot have happened.
    """
    ended_at = state.ended_at
    after_end = [each for each in state.entries if _is_after(each, ended_at)]
    events = [*lifecycle_entries(state.entries, ended_at)]
    suspects = TRANSCRIPTION_MACHINE.session(state).suspects
    return (
        all(map(_is_possible_entry, state.entries))
        and _are_in_order(state)
        and _follows(state, events)
        and _agrees_after_end(state, after_end)
        and is_possible(state.presence)
        and {each.event for each in suspects} <= {entry.position for entry in events}
    )


def _is_after(entry: Entry, ended_at: int | None) -> bool:
    return ended_at is not None and entry.position > ended_at


def _is_possible_entry(entry: Entry) -> bool:
    """Return whether the fields of an entry fit each other."""
    kind, is_message = entry.kind, entry.kind in MESSAGES
    has_agent = bool(kind.transfer_type)
    return (
        kind is not EventKind.CLOSE
        and entry.count > 0
        and (entry.count == 1 or is_message or entry.is_dropped)
        and (kind is EventKind.UNPROCESSABLE or not entry.is_dropped)
        and (is_message or not (entry.is_counted or entry.last_at))
        and (bool(entry.agent) is has_agent or kind is EventKind.AGENT_MESSAGE)
        and (entry.details is not None) is has_agent
    )


def _are_in_order(state: State) -> bool:
    """Return whether the entries can follow each other, with their times and deliveries."""
    entries = [entry for entry in state.entries if not entry.is_counted]
    spans = [(entry.position, entry.end) for entry in entries]
    deliveries = [entry.delivery for entry in entries]
    times = [at for each in entries for at in (each.received_at, each.last_at) if at is not None]
    return (
        all(end <= begin for (_, end), (begin, _) in pairwise([*spans, (state.position, 0)]))
        and all(one <= other for one, other in pairwise([*deliveries, state.deliveries]))
        and all(each < state.deliveries for each in deliveries[-1:])
        and all(one <= other for one, other in pairwise([*times, *_latest(state)]))
        and _are_counted(state)
    )


def _latest(state: State) -> list[datetime]:
    """Return the latest time of a state, or an empty list if it has none."""
    found = [state.latest, state.late and state.late.at]
    return [utc(each) for each in found if each is not None][-1:]


def _are_counted(state: State) -> bool:
    """Return whether the numbers of messages and their runs are right."""
    messages = [
        entry
        for entry in state.entries
        if entry.kind in MESSAGES and not _is_after(entry, state.ended_at)
    ]
    runs = sum(not entry.is_counted for entry in messages)
    return (
        runs == state.runs
        and (runs == MOST_RUNS or len(messages) == runs)
        and sum(entry.count for entry in messages) == state.messages
    )


def _follows(state: State, events: Sequence[Entry]) -> bool:
    """Return whether everything that judging needs follows from the lifecycle events."""
    scratch = State(None, state.partial)
    for judged in judged_entries(events, state.first_presence):
        entry = judged.entry
        if judged.is_repeat is not entry.is_repeat:
            return False
        if entry.agent and not judged.is_repeat:
            known = scratch.number_of(entry.agent)
            number = len(scratch.agents) if known is None else known
            scratch.note_agent(entry, number, judged.decision)
        scratch.presence, scratch.last = judged.after, entry
    ends = [entry.position for entry in events if entry.kind is EventKind.END]
    return (
        "" not in state.agents
        and [*scratch.agents.items()] == [*state.agents.items()]
        and state.presence.agents == len(state.agents)
        and scratch.last == state.last
        and state.ended == (state.ended_at is not None)
        and (not state.ended or ends == [state.ended_at])
        and (state.closed or _placed(scratch.presence) == _placed(state.presence))
    )


def _agrees_after_end(state: State, after_end: Sequence[Entry]) -> bool:
    """Return whether the time of the last event after END is that of its entries."""
    readable = [each for each in after_end if each.kind is not EventKind.UNPROCESSABLE]
    if state.late is None:
        return not readable
    times = [each.received_at for each in readable if each.received_at is not None]
    return bool(readable) and state.late.at == (times[-1] if times else None)


def _placed(presence: Presence) -> tuple[object, ...]:
    """Return the fields that the effects of events set."""
    return (*presence[:_EFFECTS], presence.replaced)


_EFFECTS: Final = 5
"""The number of leading fields of a presence that the effects of events set."""
