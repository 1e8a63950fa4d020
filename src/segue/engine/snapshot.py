"""The encoding of a state: canonical JSON bytes, versioned, that survive upgrades.

Equal states give equal bytes.  No text of the conversation is in them: the last lifecycle event is
kept as a fingerprint.  Names, queues and custom fields of agents are, because segments show them.
"""

import json
from datetime import datetime
from typing import Any, Final

from segue.engine.history import Trail
from segue.engine.state import State
from segue.errors import ConfigurationError, SchemaTooNew
from segue.events import fingerprint
from segue.findings import BY_CODE, Cause, Finding, Place, Severity
from segue.lifecycle import AgentRole, Phase, Roster
from segue.transcription import session_from_json, session_to_json

__all__ = ["VERSION", "dump", "load"]

VERSION: Final = 1
"""Raised when an older Segue could misread what this one writes."""


def dump(state: State) -> bytes:
    """Encode a state; `load` gives it back."""
    value = {
        "version": VERSION,
        "conversation_id": state.conversation_id,
        "partial": state.partial,
        "bot_id": state.bot_id,
        "bots": sorted(state.bots),
        "position": state.position,
        "processable": state.processable,
        "closed": state.closed,
        "experience": state.experience,
        "told_experience": state.told_experience,
        "latest": _iso(state.latest),
        "delivered": state.delivered,
        "roster": _roster_to_json(state.roster),
        "messages": state.messages,
        "first_message_at": _iso(state.first_message_at),
        "session": None if state.session is None else session_to_json(state.session),
        "trail": state.trail.to_json(),
        "findings": [_finding_to_json(finding) for finding in state.findings],
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
        msg = "these bytes are no snapshot of a Segue conversation"
        raise ConfigurationError(msg) from error
    if version != VERSION:
        msg = (
            f"the snapshot has version {version}, this Segue reads version {VERSION}: "
            "upgrade Segue where it is read"
        )
        raise SchemaTooNew(msg)
    state = State(value["conversation_id"], value["partial"])
    state.bot_id = value["bot_id"]
    state.bots = frozenset(value["bots"])
    state.position = value["position"]
    state.processable = value["processable"]
    state.closed = value["closed"]
    state.experience = value["experience"]
    state.told_experience = value["told_experience"]
    state.latest = _from_iso(value["latest"])
    state.delivered = value["delivered"]
    state.roster = _roster_from_json(value["roster"])
    state.messages = value["messages"]
    state.first_message_at = _from_iso(value["first_message_at"])
    state.session = None if value["session"] is None else session_from_json(value["session"])
    state.trail = Trail.from_json(value["trail"])
    state.findings = [_finding_from_json(finding) for finding in value["findings"]]
    return state


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _from_iso(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _roster_to_json(roster: Roster) -> dict[str, Any]:
    previous = roster.previous
    if previous is not None and not isinstance(previous, str):
        previous = fingerprint(previous)
    return {
        "phase": roster.phase.value,
        "primary": roster.primary,
        "consultants": roster.consultants,
        "last": roster.last,
        "marks": {agent: mark.name for agent, mark in roster.marks.items()},
        "reliefs": roster.reliefs,
        "doubted": roster.doubted,
        "known": list(roster.known),
        "spellings": sorted(roster.spellings),
        "told": sorted(roster.told),
        "na_entered": roster.na_entered,
        "early_summary": roster.early_summary,
        "previous": previous,
    }


def _roster_from_json(value: dict[str, Any]) -> Roster:
    roster = Roster()
    roster.phase = Phase(value["phase"])
    roster.primary = value["primary"]
    roster.consultants = tuple(value["consultants"])
    roster.last = value["last"]
    roster.marks = {agent: AgentRole[mark] for agent, mark in value["marks"].items()}
    roster.reliefs = value["reliefs"]
    roster.doubted = value["doubted"]
    roster.known = {agent: number for number, agent in enumerate(value["known"])}
    roster.spellings = frozenset(value["spellings"])
    roster.told = frozenset(value["told"])
    roster.na_entered = value["na_entered"]
    roster.early_summary = value["early_summary"]
    roster.previous = value["previous"]
    return roster


def _finding_to_json(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "place": _place_to_json(finding.place),
        "message": finding.message,
        "expected": finding.expected,
        "because": [[_place_to_json(cause.place), cause.text] for cause in finding.because],
        "help": finding.help,
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
    )


def _place_to_json(place: Place) -> list[Any]:
    return [place.event, place.action, place.pointer, place.line, place.source]


def _place_from_json(value: list[Any]) -> Place:
    event, action, pointer, line, source = value
    return Place(event=event, action=action, pointer=pointer, line=line, source=source)
