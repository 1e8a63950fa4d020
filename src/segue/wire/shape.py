"""The fields of every shape, as data: what is required, of which type, out of which values.

One table for all that can be wrong with a field (SG502 to SG505, SG507), read from top to bottom:
parents stand before their children, and flaws come in the order of the rows.  House rule: a field
that is not in this file is never looked at.  The module does not know how bodies are read.

Specification: Endpoints, E21 and E1; Events.  What it leaves open is silently accepted: any letter
case of the closed vocabularies (but those of `participant.type`, `action` and event names), and
flags as the strings "true" and "false".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from segue.events import ACTIONS, AUTHORS, EXPERIENCES, INTAKES, TRANSFER_TYPES, TRANSITIONS

__all__ = [
    "CONTROL",
    "DELIVERY",
    "END_OF_CONVERSATION",
    "ENVELOPE",
    "EVENT_NAMES",
    "FLAGS",
    "INTERNAL_TRANSFER_EVENT",
    "MESSAGE",
    "TRIGGER_SUMMARY_EVENT",
    "Field",
    "Need",
    "Shape",
    "Wanted",
    "action_shape",
    "event_shape",
    "flag",
]

INTERNAL_TRANSFER_EVENT: Final = "INTERNAL_TRANSFER_EVENT"
TRIGGER_SUMMARY_EVENT: Final = "TRIGGER_SUMMARY_EVENT"
END_OF_CONVERSATION: Final = "END_OF_CONVERSATION"
EVENT_NAMES: Final = (INTERNAL_TRANSFER_EVENT, TRIGGER_SUMMARY_EVENT, END_OF_CONVERSATION)

FLAGS: Final = {"true": True, "false": False}
"""The strings that count as booleans."""


class Wanted(StrEnum):
    """The JSON type of a field."""

    STRING = "string"
    FLAG = "boolean"  # or a string of FLAGS
    OBJECT = "object"
    ARRAY = "array"


class Need(StrEnum):
    """What the absence of a field is; null is absence."""

    REQUIRED = "required"
    ADVISED = "advised"  # a warning
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Field:
    """One row of the table."""

    name: str
    """Dotted path inside the shape."""
    wanted: Wanted
    need: Need = Need.OPTIONAL
    allowed: tuple[str, ...] = ()
    """The closed vocabulary, in canonical spelling; empty: any value."""
    exact: bool = False
    """Whether letter case counts in `allowed`."""
    names: bool = False
    """Whether the value names somebody or something: empty is absent, placeholders are odd."""
    unknown: str = "SG505"
    """The code of a value outside `allowed`."""

    parents: tuple[str, ...] = field(init=False)
    """The keys that lead to the object the field stands in."""
    key: str = field(init=False)
    pointer: str = field(init=False)
    """JSON Pointer inside the shape."""

    def __post_init__(self) -> None:
        *parents, key = self.name.split(".")
        object.__setattr__(self, "parents", tuple(parents))
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "pointer", "/" + self.name.replace(".", "/"))

    def knows(self, value: str) -> bool:
        """Whether a string is one of the allowed values."""
        if not self.allowed or value in self.allowed:
            return True
        return not self.exact and value.lower() in {one.lower() for one in self.allowed}


@dataclass(frozen=True, slots=True)
class Shape:
    """The rows of one kind of object."""

    of: str
    """What findings call it."""
    fields: tuple[Field, ...]


_STRING, _FLAG, _OBJECT, _ARRAY = Wanted.STRING, Wanted.FLAG, Wanted.OBJECT, Wanted.ARRAY
_MUST, _SHOULD, _MAY = Need.REQUIRED, Need.ADVISED, Need.OPTIONAL


def _experience(need: Need) -> Field:
    return Field("experience", _STRING, need, EXPERIENCES)


def _participant(need: Need) -> tuple[Field, ...]:
    return (
        Field("participant", _OBJECT, need),
        Field("participant.identity", _STRING, need, names=True),
        Field("participant.name", _STRING, need),
        Field("participant.type", _STRING, need, ("agent",), exact=True),
        Field("participant.customFields", _OBJECT),
        Field("participant.customFields.agentEmail", _STRING),
        Field("participant.customFields.queueId", _STRING),
        Field("participant.customFields.queueName", _STRING),
    )


_NAME: Final = Field("name", _STRING, _MUST, EVENT_NAMES, exact=True, unknown="SG504")


def _transfer(is_ext_ad: Need) -> Shape:
    return Shape(
        INTERNAL_TRANSFER_EVENT,
        (
            _NAME,
            Field("transfertype", _STRING, _MUST, TRANSFER_TYPES),
            Field("transition", _STRING, _MUST, TRANSITIONS),
            Field("isExtAD", _FLAG, is_ext_ad),
            Field("language", _STRING),
            _experience(_MUST),
            *_participant(_MUST),
            Field("reason", _STRING),
        ),
    )


_TRANSFER: Final = _transfer(_MUST)
_REDIAL: Final = _transfer(_SHOULD)  # the specification shows redials without a full set of fields

_SUMMARY: Final = Shape(
    TRIGGER_SUMMARY_EVENT,
    (
        _NAME,
        Field("data", _OBJECT, _MUST),
        Field("data.language", _STRING, _MUST),
        Field("data.locale", _STRING, _MUST),
        Field("data.type", _STRING, _MUST),
        _experience(_MAY),
        *_participant(_MAY),
    ),
)

_END: Final = Shape(
    END_OF_CONVERSATION,
    (
        _NAME,
        Field("reason", _STRING, _MUST),
        Field("language", _STRING, _MUST),
        _experience(_MUST),
        *_participant(_MUST),
    ),
)

_UNKNOWN: Final = Shape("event", (_NAME,))
"""An event nobody knows the other fields of."""

MESSAGE: Final = Shape(
    "message",
    (
        Field("query", _STRING, _MUST),
        Field("agentId", _STRING, _MUST, names=True),
        _experience(_MUST),
        Field("author", _OBJECT, _MUST),
        Field("author.type", _STRING, _MUST, AUTHORS),
        Field("source", _STRING, _MUST),
        Field("sendUserMessage", _FLAG),
        Field("sendAgentMessage", _FLAG),
        Field("language", _STRING),
    ),
)

_IDS: Final = (
    Field("conversationId", _STRING, _MUST, names=True),
    Field("botId", _STRING, _MUST, names=True),
)

ENVELOPE: Final = Shape(
    "delivery",
    (
        Field("delivery_id", _STRING),
        Field("endpoint", _STRING, _MAY, tuple(INTAKES), exact=True),
        Field("bot_id", _STRING),
        Field("conversation_id", _STRING),
    ),
)
"""The envelope of a log line, but for its time and body: ours, not the specification's."""

DELIVERY: Final = Shape("delivery", (*_IDS, Field("events", _ARRAY)))
CONTROL: Final = Shape("transcription action", _IDS)  # E1 has them in its path and query

_ACTION_FIELDS: Final = (
    Field("action", _STRING, _MUST, ACTIONS, exact=True),
    Field("agentId", _STRING, _MUST, names=True),
)
_ACTION: Final = Shape("transcription action", _ACTION_FIELDS)
_PAUSE: Final = Shape(
    "transcription action",
    (*_ACTION_FIELDS, Field("handover", _FLAG, _MUST)),  # with anything but a pause it is ignored
)

_SHAPES: Final = {TRIGGER_SUMMARY_EVENT: _SUMMARY, END_OF_CONVERSATION: _END}


def event_shape(value: Mapping[str, Any]) -> Shape:
    """Which rows hold for an element of `events`."""
    name = value.get("name")
    if name == INTERNAL_TRANSFER_EVENT:
        transfer_type = value.get("transfertype")
        redial = isinstance(transfer_type, str) and transfer_type.lower() == "redial"
        return _REDIAL if redial else _TRANSFER
    return _SHAPES.get(name, _UNKNOWN) if isinstance(name, str) else _UNKNOWN


def action_shape(value: Mapping[str, Any]) -> Shape:
    """Which rows hold for the body of a transcription action."""
    return _PAUSE if value.get("action") == "pause" else _ACTION


def flag(value: object) -> bool | None:
    """Read a flag in any accepted spelling; None: it is none."""
    if isinstance(value, bool):
        return value
    return FLAGS.get(value) if isinstance(value, str) else None
