"""The encoding of the history, which can be written in pieces and kept elsewhere.

A piece is what was added since a moment; rows are numbered within their piece.  A state whose
history is elsewhere is judged on as before; the pieces are put back where something asks for them:
a report, or the end of a conversation.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from segue.engine.applying import MACHINES
from segue.engine.finding_codec import finding_from_json, finding_to_json
from segue.engine.state import AGENT_SHIFT, AGENT_SIZE, ROW, SHOWN_FIELDS, State, compact, expanded
from segue.events import Json

_HISTORY: Final = "history"


class HistorySize(NamedTuple):
    """How much history there is in a state at a moment."""

    rows: int
    changes: int
    findings: int
    times: int
    sessions: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, state: State) -> "HistorySize":
        """Return how much there is now."""
        return cls(
            len(state.rows) // ROW.size,
            len(state.changes),
            len(state.findings),
            len(state.shared_times or ()),
            {
                name: {key: len(each) for key, each in lists.items()}
                for name, _, lists in split_sessions(state)
            },
        )


NO_HISTORY: Final = HistorySize(0, 0, 0, 0, {})


def history_to_json(state: State, since: HistorySize = NO_HISTORY) -> dict[str, Any]:
    """Return what was added to the history, as plain JSON types; empty if nothing was."""
    start, end = since.rows, len(state.rows) // ROW.size
    changes = state.changes[since.changes :]
    others = (state.other_messages or {}).items()
    parts = {
        "rows": b64encode(state.rows[start * ROW.size :]).decode(),
        "participants": [
            [row - start, *said_to_json(said)]
            for row, said in zip(changes[::2], changes[1::2], strict=True)
        ],
        "other_messages": sorted(
            [row - start, agent, count] for (row, agent), count in others if start <= row < end
        ),
        "shared_times": (state.shared_times or [])[since.times :],
        "findings": [finding_to_json(finding) for finding in state.findings[since.findings :]],
        "sessions": dict(_added(state, since.sessions)),
    }
    return {name: part for name, part in parts.items() if part}


def _added(
    state: State, since: Mapping[str, Mapping[str, int]]
) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    for name, _, lists in split_sessions(state):
        before = since.get(name, {})
        added = {key: each[before.get(key, 0) :] for key, each in lists.items()}
        if any(added.values()):
            yield name, added


def add_history(state: State, pieces: Iterable[dict[str, Any]]) -> None:
    """Put the history back into a state that has none of it, all pieces in order."""
    others: dict[tuple[int, int], int] = {}
    sessions: dict[str, dict[str, list[Any]]] = {}
    for piece in pieces:
        start = len(state.rows) // ROW.size
        state.rows += b64decode(piece.get("rows", ""), validate=True)
        for row, *said in piece.get("participants", ()):
            state.changes += (start + row, said_from_json(said))
        others |= {(start + row, agent): n for row, agent, n in piece.get("other_messages", ())}
        if "shared_times" in piece:
            state.shared_times = [*(state.shared_times or ()), *piece["shared_times"]]
        state.findings += map(finding_from_json, piece.get("findings", ()))
        for name, lists in piece.get("sessions", {}).items():
            for key, each in lists.items():
                sessions.setdefault(name, {}).setdefault(key, []).extend(each)
    tail = len(state.rows) // ROW.size
    others |= {(tail, agent): n for (_, agent), n in (state.other_messages or {}).items()}
    state.other_messages = others or None
    for name, session, lists in split_sessions(state):
        if name in sessions:
            MACHINES[name].from_json(state, {**session, _HISTORY: {**lists, **sessions[name]}})


def forget_history(state: State) -> None:
    """Leave out the history, which is elsewhere from now on."""
    for row in ROW.iter_unpack(state.rows):
        agent = row[-1] >> AGENT_SHIFT
        if agent:
            state.agents[AGENT_SIZE * agent - 1] = ROW.pack(*row)
    if state.rows:
        state.last_row = bytes(state.rows[-ROW.size :])
    tail, others = len(state.rows) // ROW.size, state.other_messages or {}
    state.other_messages = {(0, agent): n for (row, agent), n in others.items() if row == tail}
    state.rows, state.changes, state.findings = bytearray(), [], []
    state.shared_times = None
    for name, session, lists in split_sessions(state):
        if any(lists.values()):
            MACHINES[name].from_json(state, session)


def split_sessions(state: State) -> Iterator[tuple[str, Json, dict[str, list[Any]]]]:
    """Yield the name of each session, what judging needs of it, and the lists of its history."""
    for name, session in state.sessions.items():
        value = session.to_json()
        lists = value.get(_HISTORY, {}) if isinstance(value, dict) else {}
        if lists:
            value[_HISTORY] = {key: [] for key in lists}
        yield name, value, lists


def said_to_json(said: bytes) -> list[Any]:
    """Return what an event said about its agent, see `State.append`, as plain JSON types."""
    *shown, language, experience = expanded(said)
    parts = zip(SHOWN_FIELDS, shown, strict=True)
    return [{key: part for key, part in parts if part is not None}, language, experience]


def said_from_json(value: list[Any]) -> bytes:
    """Return what `said_to_json` was given."""
    participant, language, experience = value
    return compact((*map(participant.get, SHOWN_FIELDS), language, experience))
