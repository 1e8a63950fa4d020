"""The JSON Schema of `Report.to_dict()`: what every JSON format and export can rely on."""

from typing import Any, Final

from segue.findings import Severity
from segue.lifecycle import Phase

__all__ = ["report_schema"]

_POSITION: Final[dict[str, Any]] = {"type": ["integer", "null"], "minimum": 0}
_TEXT: Final[dict[str, Any]] = {"type": "string"}
_TEXT_OR_NULL: Final[dict[str, Any]] = {"type": ["string", "null"]}


def _object(properties: dict[str, Any], *, is_open: bool = False) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }
    if not is_open:
        schema["additionalProperties"] = False
    return schema


def report_schema() -> dict[str, Any]:
    """Return the schema (JSON Schema 2020-12) of a report."""
    cause = _object({"event": _POSITION, "line": _POSITION, "text": _TEXT})
    finding = _object(
        {
            "code": {"type": "string", "pattern": "^SG[0-9]{3}$"},
            "name": _TEXT,
            "severity": {"enum": [severity.value for severity in Severity]},
            "event": {**_POSITION, "description": "Position in the conversation; null: the close."},
            "action": {**_POSITION, "description": "Position among the transcription actions."},
            "line": {**_POSITION, "description": "Line of the log, from 1, when read from one."},
            "pointer": {"type": "string", "description": "JSON Pointer into the body."},
            "message": _TEXT,
            "expected": {"type": "array", "items": _TEXT},
            "because": {"type": "array", "items": cause},
            "help": _TEXT,
        },
    )
    connection = _object({"opened_by": _POSITION, "closed_by": _POSITION}, is_open=True)
    segment = _object(
        {
            "index": {"type": "integer", "minimum": 0},
            "agent": _TEXT,
            "kind": {"enum": ["NA", "COLD", "WARM", "redial"]},
            "role": {"enum": ["primary", "consultant"]},
            "outcome": _TEXT,
            "connections": {"type": "array", "items": connection, "minItems": 1},
        },
        is_open=True,
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Segue report",
        **_object(
            {
                "conversation_id": _TEXT_OR_NULL,
                "bot_id": _TEXT_OR_NULL,
                "valid": {"type": "boolean", "description": "No finding is an error."},
                "clean": {"type": "boolean", "description": "There is no finding."},
                "phase": {"enum": [phase.value for phase in Phase]},
                "late": {"type": "boolean", "description": "Came after the end was reported."},
                "events": {"type": "integer", "minimum": 0},
                "findings": {"type": "array", "items": finding},
                "segments": {"type": "array", "items": segment},
                "metrics": {"type": "object"},
                "transcription": _object(
                    {
                        "state": {"enum": ["idle", "active", "hold", "handover", "ended"]},
                        "controller": _TEXT_OR_NULL,
                        "generation": {"type": "integer", "minimum": 0},
                        "actions": {"type": "integer", "minimum": 0},
                    },
                ),
            },
        ),
    }
