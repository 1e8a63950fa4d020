"""JSON Schemas (2020-12) of what the hook answers, but for a report, which has a schema of its own.

It describes; the modules that answer do not read it, and the tests hold both together.
"""

from collections.abc import Mapping
from typing import Any, Final

from segue.events import INTAKES

__all__ = ["ANSWERS"]

_STRING: Final = {"type": "string"}
_ID: Final = {"type": ["string", "null"]}
_COUNT: Final = {"type": "integer", "minimum": 0}
_TIME: Final = {"type": "string", "format": "date-time"}
_WORDS: Final = {"type": "array", "items": _STRING}
_FINDINGS: Final = {"type": "array", "items": {"$ref": "#/components/schemas/finding"}}
_PHASE: Final = {"$ref": "#/components/schemas/Report/properties/phase"}
_STATE: Final = {"enum": ["idle", "active", "hold", "handover", "ended", None]}


def _object(description: str, properties: Mapping[str, Any], *, optional: str = "") -> Any:  # noqa: ANN401 - JSON
    return {
        "description": description,
        "type": "object",
        "required": [name for name in properties if name not in optional.split()],
        "properties": properties,
        "additionalProperties": False,
    }


def _page(item: str) -> Any:  # noqa: ANN401 - JSON
    return _object(
        "One page.",
        {
            "items": {"type": "array", "items": {"$ref": f"#/components/schemas/{item}"}},
            "next": {
                "description": "Pass it as `after`; null: there is no more.",
                "type": ["string", "null"],
            },
        },
    )


_CONTROL: Final = {
    "state": {"description": "Where the transcription stands.", **_STATE},
    "changed": {"type": "boolean"},
    "generation": {"description": "How many transcriptions there were.", **_COUNT},
    "allowed": {"description": "The actions allowed now.", **_WORDS},
}

ANSWERS: Final[Mapping[str, Any]] = {
    "Received": _object(
        "The delivery was applied, or had been before.",
        {
            "status": {"const": "ok"},
            "conversationId": _ID,
            "phase": _PHASE,
            "expected": {"description": "Which events would be legal now.", **_WORDS},
            "findings": _FINDINGS,
            "duplicate": {"type": "boolean"},
        },
    ),
    "Controlled": _object(
        "The action was applied, or had been before.",
        {
            "status": {"const": "success"},
            **_CONTROL,
            "findings": _FINDINGS,
            "duplicate": {"type": "boolean"},
        },
    ),
    "Problem": _object(
        "Why the request was not answered as wished (RFC 9457).",
        {
            "type": {"type": "string", "format": "uri"},
            "title": _STRING,
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": _STRING,
            "findings": _FINDINGS,
            **_CONTROL,
        },
        optional="state changed generation allowed",
    ),
    "Status": _object("How Segue is.", {"status": {"enum": ["ok", "ready"]}}),
    "Row": _object(
        "One conversation in the list.",
        {
            "conversation_id": _STRING,
            "bot_id": _ID,
            "phase": _PHASE,
            "events": _COUNT,
            "findings": _COUNT,
            "started_at": _TIME,
            "updated_at": _TIME,
        },
    ),
    "News": _object(
        "One delivery that gave findings or changed the phase.",
        {
            "cursor": _STRING,
            "conversation_id": _STRING,
            "bot_id": _ID,
            "endpoint": {"enum": list(INTAKES)},
            "received_at": _TIME,
            "phase_before": _PHASE,
            "phase": _PHASE,
            "findings": _FINDINGS,
        },
    ),
    "Drawing": _object(
        "What the inspector shows of a conversation.",
        {"row": {"type": "array"}, "story": {"type": "object"}},
    ),
    "Page": {"description": "A document in HTML.", "type": "string"},
    "Rows": _page("Row"),
    "Feed": _page("News"),
}
