"""The one encoding of a state, in two parts: what judging needs, and the history reports need.

Equal states give equal bytes.  No text of the conversation is in them: the last lifecycle event is
kept as a fingerprint.  Names, queues and custom fields of agents are, because segments show them.

A snapshot has both parts whole.  A store keeps what judging needs, without the agents, as bytes
that are written anew each time; each agent by itself, written when an event names it; and of the
history only what each delivery adds (`history_codec`).
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from segue.engine.applying import MACHINES
from segue.engine.checks import CHECKS
from segue.engine.history_codec import (
    HistorySize,
    add_history,
    history_to_json,
    said_from_json,
    said_to_json,
    split_sessions,
)
from segue.engine.state import AGENT_SHIFT, AGENT_SIZE, ROW, State, expanded
from segue.errors import ConfigurationError, SchemaTooNew
from segue.events import fingerprint
from segue.lifecycle import Presence

VERSION: Final = 1
"""Raised when an older Segue could misread what this one writes."""


def dump(state: State) -> bytes:
    """Encode a state as canonical JSON; `load` gives it back.

    `rows` is the base64 of 48 bytes an event: six signed 64-bit integers, little-endian (user
    messages and messages of the primary since the row before, position, line, microseconds since
    1970 in UTC, and the decision with its agent).
    """
    judging = _judging_to_json(state)
    judging["agents"] = [_agent_to_json(state, *each) for each in state.known.items()]
    return _encoded({"judging": judging, "history": history_to_json(state)})


def load(data: bytes) -> State:
    """Decode a state.

    Raises `SchemaTooNew` for one that a newer Segue wrote, `ConfigurationError` for other bytes.
    """
    value = _decoded(data)
    state = _judging_from_json(value["judging"], value["judging"]["agents"])
    add_history(state, [value["history"]])
    return state


def dump_judging(state: State) -> bytes:
    """Encode what later events are judged by, without the agents."""
    return _encoded({"judging": _judging_to_json(state)})


def dump_agents(state: State, since: HistorySize) -> dict[int, bytes]:
    """Encode the agents whom the events since a moment name, by number."""
    names = tuple(state.known)
    numbers = {
        (row[-1] >> AGENT_SHIFT) - 1
        for row in ROW.iter_unpack(memoryview(state.rows)[since.rows * ROW.size :])
    }
    return {
        number: _json(_agent_to_json(state, names[number], number))
        for number in sorted(numbers - {-1})
    }


def dump_history(state: State, since: HistorySize) -> bytes:
    """Encode what was added to the history since a moment; nothing gives no bytes."""
    added = history_to_json(state, since)
    return _json(added) if added else b""


def load_judging(data: bytes, agents: Iterable[bytes]) -> State:
    """Decode a state whose history is elsewhere; raises as `load` does."""
    return _judging_from_json(_decoded(data)["judging"], map(json.loads, agents))


def restore_history(state: State, pieces: Iterable[bytes]) -> None:
    """Put back the history of a state that `load_judging` returned."""
    add_history(state, map(json.loads, pieces))


def _json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _encoded(parts: Mapping[str, Any]) -> bytes:
    return _json({"version": VERSION, **parts})


def _decoded(data: bytes) -> dict[str, Any]:
    try:
        value: dict[str, Any] = json.loads(data)
        version = value["version"]
    except (ValueError, KeyError, TypeError) as error:
        msg = "these bytes are not a snapshot of a Segue conversation"
        raise ConfigurationError(msg) from error
    if version != VERSION:
        msg = (
            f"the snapshot has version {version}, this Segue reads version {VERSION}: "
            "upgrade Segue where it is read"
        )
        raise SchemaTooNew(msg)
    return value


def _agent_to_json(state: State, name: str, number: int) -> list[Any]:
    """Return name, connections, what was said last, and the latest row."""
    here = AGENT_SIZE * number
    connections, said, row = state.agents[here : here + AGENT_SIZE] or (0, None, None)
    if isinstance(row, int):
        row = state.rows[row * ROW.size : (row + 1) * ROW.size]
    return [name, connections, said and said_to_json(said), row and ROW.unpack(row)]


def _judging_to_json(state: State) -> dict[str, Any]:
    """Return everything that later events are judged by, but for the agents."""
    previous, latest, first = state.previous, state.latest, state.first_message
    if isinstance(previous, bytes):
        previous = fingerprint(expanded(previous))
    machines: dict[str, Any] = dict.fromkeys(MACHINES)
    machines |= {name: session for name, session, _ in split_sessions(state)}
    machines["lifecycle"] = {
        "presence": state.presence.to_json(),
        "absences": state.absences,
        "previous": previous,
        "roots": state.roots.to_json(state.first_presence),
    }
    tail = len(state.rows) // ROW.size
    last_row = state.rows[-ROW.size :] or state.last_row
    others = state.other_messages or {}
    return {
        "conversation_id": state.conversation_id,
        "partial": state.partial,
        "bot_id": state.bot_id,
        "position": state.position,
        "processable": state.processable,
        "closed": state.closed,
        "latest": None if latest is None else latest.isoformat(),
        "delivered": state.delivered,
        "kept": {
            check.code: kept
            for check, kept in zip(CHECKS, state.kept, strict=False)
            if kept is not None
        },
        "machines": machines,
        "last_row": last_row and ROW.unpack(last_row),
        "messages": state.messages,
        "first_message": first and [first[0], first[1] and first[1].isoformat()],
        "since_last_row": {
            "users": state.user_messages,
            "primary": state.agent_messages,
            "others": sorted([agent, n] for (row, agent), n in others.items() if row == tail),
        },
        "after_end": state.after_end,
    }


def _judging_from_json(value: dict[str, Any], agents: Iterable[list[Any]]) -> State:
    """Return a state that has everything but its history."""
    state = State(value["conversation_id"], value["partial"])
    state.bot_id = value["bot_id"]
    state.position = value["position"]
    state.processable = value["processable"]
    state.closed = value["closed"]
    state.latest = _time(value["latest"])
    state.delivered = value["delivered"]
    if value["kept"]:
        state.kept = tuple(value["kept"].get(check.code) for check in CHECKS)
    lifecycle = value["machines"].pop("lifecycle")
    state.presence = Presence.from_json(lifecycle["presence"])
    state.absences = tuple(lifecycle["absences"])
    state.previous = lifecycle["previous"]
    if lifecycle["roots"] is not None:
        state.roots.load(lifecycle["roots"])
    for number, (name, connections, said, row) in enumerate(agents):
        state.known[name] = number
        if row is not None:
            state.agents += (connections, said and said_from_json(said), ROW.pack(*row))
    for name, session in value["machines"].items():
        if session is not None:
            MACHINES[name].from_json(state, session)
    state.last_row = value["last_row"] and ROW.pack(*value["last_row"])
    state.messages = value["messages"]
    first = value["first_message"]
    state.first_message = first and (first[0], _time(first[1]))
    tail = value["since_last_row"]
    state.user_messages, state.agent_messages = tail["users"], tail["primary"]
    state.other_messages = {(0, agent): count for agent, count in tail["others"]} or None
    state.after_end = tuple((at, kind, agent) for at, kind, agent in value["after_end"])
    return state


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
