"""The one encoding of a state, in two parts: what judging needs, and the history reports need.

Equal states give equal bytes.  No text of the conversation is in them: the last lifecycle event is
kept as a fingerprint.  Names, queues and custom fields of agents are, because segments show them.
"""

import json
from datetime import datetime
from typing import Any, Final

from segue.engine.checks import CHECKS
from segue.engine.history import History
from segue.engine.machines import MACHINES
from segue.engine.state import State
from segue.errors import ConfigurationError, SchemaTooNew
from segue.findings import BY_CODE, Cause, Finding, Place, Root, Severity

__all__ = ["VERSION", "dump", "load"]

VERSION: Final = 1
"""Raised when an older Segue could misread what this one writes."""


def dump(state: State) -> bytes:
    """Encode a state as canonical JSON; `load` gives it back."""
    value = {
        "version": VERSION,
        "judging": _judging_to_json(state),
        "history": _history_to_json(state),
    }
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
    _judging_from_json(state, value["judging"])
    _history_from_json(state, value["history"])
    return state


def _judging_to_json(state: State) -> dict[str, Any]:
    """Return everything that later events are judged by."""
    return {
        "conversation_id": state.conversation_id,
        "partial": state.partial,
        "bot_id": state.bot_id,
        "position": state.position,
        "processable": state.processable,
        "closed": state.closed,
        "latest": _iso(state.latest),
        "delivered": state.delivered,
        "kept": {
            check.code: kept
            for check, kept in zip(CHECKS, state.kept, strict=False)
            if kept is not None
        },
        "machines": {name: machine.to_json(state) for name, machine in MACHINES.items()},
    }


def _judging_from_json(state: State, value: dict[str, Any]) -> None:
    state.bot_id = value["bot_id"]
    state.position = value["position"]
    state.processable = value["processable"]
    state.closed = value["closed"]
    state.latest = _from_iso(value["latest"])
    state.delivered = value["delivered"]
    if value["kept"]:
        state.kept = tuple(value["kept"].get(check.code) for check in CHECKS)
    for name, known in value["machines"].items():
        MACHINES[name].from_json(state, known)


def _history_to_json(state: State) -> dict[str, Any]:
    """Return everything that only reports need."""
    return {
        "events": state.history.to_json(),
        "messages": state.messages,
        "first_message_at": _iso(state.first_message_at),
        "findings": [_finding_to_json(finding) for finding in state.findings],
    }


def _history_from_json(state: State, value: dict[str, Any]) -> None:
    state.history = History.from_json(value["events"])
    state.messages = value["messages"]
    state.first_message_at = _from_iso(value["first_message_at"])
    state.findings = [_finding_from_json(finding) for finding in value["findings"]]


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _from_iso(text: str | None) -> datetime | None:
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
