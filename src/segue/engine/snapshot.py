"""The one encoding of a state, in two parts: what judging needs, and the history reports need.

Equal states give equal bytes.  No text of the conversation is in them: the last lifecycle event is
kept as a fingerprint.  Names, queues and custom fields of agents are, because segments show them.
"""

import json
from base64 import b64decode, b64encode
from datetime import datetime
from typing import Any, Final

from segue.engine.applying import MACHINES
from segue.engine.checks import CHECKS
from segue.engine.state import (
    AGENT_SHIFT,
    CONNECTS_BIT,
    DUPLICATE,
    ROW,
    SHOWN_FIELDS,
    STAMP_BITS,
    VERDICT_MASK,
    State,
    compact,
    expanded,
)
from segue.errors import ConfigurationError, SchemaTooNew
from segue.events import fingerprint
from segue.findings import BY_CODE, Cause, Finding, Place, Root, Severity
from segue.lifecycle import Presence

VERSION: Final = 1
"""Raised when an older Segue could misread what this one writes."""


def dump(state: State) -> bytes:
    """Encode a state as canonical JSON; `load` gives it back.

    `rows` is the base64 of 48 bytes an event: six signed 64-bit integers, little-endian (user
    messages and messages of the primary since the row before, position, line, microseconds since
    1970 in UTC, and the decision with its agent).
    """
    previous, latest, first = state.previous, state.latest, state.first_message
    if isinstance(previous, bytes):
        previous = fingerprint(expanded(previous))
    machines: dict[str, Any] = dict.fromkeys(MACHINES)
    machines |= {name: session.to_json() for name, session in state.sessions.items()}
    machines["lifecycle"] = {
        "presence": state.presence.to_json(),
        "known": list(state.known),
        "absences": state.absences,
        "previous": previous,
        "roots": state.roots.to_json(state.first_presence),
    }
    judging = {
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
    }
    changes = [expanded(said) for said in state.changes[1::2]]
    history = {
        "events": {
            "rows": b64encode(state.rows).decode(),
            "participants": [
                [
                    row,
                    {
                        key: part
                        for key, part in zip(SHOWN_FIELDS, said, strict=False)
                        if part is not None
                    },
                    *said[-2:],
                ]
                for row, said in zip(state.changes[::2], changes, strict=True)
            ],
            "user_messages": state.user_messages,
            "agent_messages": state.agent_messages,
            "other_messages": sorted(
                [row, agent, count] for (row, agent), count in (state.other_messages or {}).items()
            ),
        },
        "messages": state.messages,
        "first_message": first and [first[0], first[1] and first[1].isoformat()],
        "shared_times": state.shared_times or [],
        "after_end": state.after_end,
        "findings": [_finding_to_json(finding) for finding in state.findings],
    }
    value = {"version": VERSION, "judging": judging, "history": history}
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def load(data: bytes) -> State:
    """Decode a state.

    Raises `SchemaTooNew` for one that a newer Segue wrote, `ConfigurationError` for other bytes.
    """
    try:
        value = json.loads(data)
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
    state = State(value["judging"]["conversation_id"], value["judging"]["partial"])
    _load_judging(state, value["judging"])
    _load_history(state, value["history"])
    return state


def _load_judging(state: State, value: dict[str, Any]) -> None:
    """Restore everything that later events are judged by."""
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
    state.known = {agent: number for number, agent in enumerate(lifecycle["known"])}
    state.absences = tuple(lifecycle["absences"])
    state.previous = lifecycle["previous"]
    if lifecycle["roots"] is not None:
        state.roots.load(lifecycle["roots"])
    for name, session in value["machines"].items():
        if session is not None:
            MACHINES[name].from_json(state, session)


def _load_history(state: State, value: dict[str, Any]) -> None:
    """Restore everything that only reports need."""
    events = value["events"]
    state.rows += b64decode(events["rows"], validate=True)
    whats = [row[-1] for row in ROW.iter_unpack(state.rows)]
    state.agents = [0, None] * max((what >> AGENT_SHIFT for what in whats), default=0)
    for what in whats:
        is_duplicate = what >> STAMP_BITS & VERDICT_MASK == DUPLICATE
        if what >> AGENT_SHIFT and what & CONNECTS_BIT and not is_duplicate:
            state.agents[2 * (what >> AGENT_SHIFT) - 2] += 1
    for row, participant, language, experience in events["participants"]:
        said = compact((*map(participant.get, SHOWN_FIELDS), language, experience))
        state.agents[2 * (whats[row] >> AGENT_SHIFT) - 1] = said
        state.changes += (row, said)
    others = events["other_messages"]
    state.other_messages = {(row, agent): count for row, agent, count in others} or None
    state.user_messages, state.agent_messages = events["user_messages"], events["agent_messages"]
    state.messages = value["messages"]
    first = value["first_message"]
    state.first_message = first and (first[0], _time(first[1]))
    state.shared_times = value["shared_times"] or None
    state.after_end = tuple((at, kind, agent) for at, kind, agent in value["after_end"])
    state.findings = [_finding_from_json(finding) for finding in value["findings"]]


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _finding_to_json(finding: Finding) -> dict[str, Any]:
    root = finding.follows
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "place": _place_to_json(finding.place),
        "message": finding.message,
        "expected": finding.expected,
        "because": [[_place_to_json(cause.place), cause.text] for cause in finding.because],
        "help": finding.help,
        **({} if root is None else {"follows": [root.code, _place_to_json(root.place)]}),
    }


def _finding_from_json(value: dict[str, Any]) -> Finding:
    return Finding(
        rule=BY_CODE[value["code"]],
        place=_place_from_json(value["place"]),
        severity=Severity(value["severity"]),
        message=value["message"],
        expected=tuple(value["expected"]),
        because=tuple(Cause(_place_from_json(place), text) for place, text in value["because"]),
        help=value["help"],
        follows=_root_from_json(value["follows"]) if "follows" in value else None,
    )


def _root_from_json(value: list[Any]) -> Root:
    code, place = value
    return Root(code, _place_from_json(place))


def _place_to_json(place: Place) -> list[Any]:
    return [place.event, place.action, place.pointer, place.line, place.source]


def _place_from_json(value: list[Any]) -> Place:
    event, action, pointer, line, source = value
    return Place(event=event, action=action, pointer=pointer, line=line, source=source)
