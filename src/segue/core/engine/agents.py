"""Compact encodings of events and of facts about agents as bytes.

An event is stored in two parts: the facts about its agent, which rarely change between events, and
the rest. Bytes take a quarter of the memory of objects, and the garbage collector skips them. These
bytes never leave the process. States that are saved or sent are JSON (`snapshot`).
"""

import json
import marshal
from collections.abc import Callable, Mapping
from itertools import product
from operator import itemgetter
from struct import Struct
from typing import Any, Final, NamedTuple

from segue.core.events import (
    EXPERIENCES,
    TRANSFER_TYPES,
    TRANSITIONS,
    Event,
    Json,
    json_text,
)

_SHOWN: Final = ("identity", "name", "type", "customFields")
"""The members of a participant that segments show. They are stored with the agent."""
_SHOWN_KEYS: Final = frozenset(_SHOWN)
_SAID: Final = frozenset({"participant", "language"})
"""The members of an event that are stored with its agent."""
CUSTOM_FIELDS: Final = ("agentEmail", "queueId", "queueName")
"""The usual keys of `customFields` in order. Only the values of such an object are stored."""
_TRANSFER: Final = ("name", "transfertype", "transition", "isExtAD", "experience")
"""The usual keys of the rest of a transfer event in order. Only the values of such an object are
stored.
"""

HEAD: Final = Struct("<III")
"""The encoding of the fields of an `AgentRecord` except `said`, which follows unchanged."""
_NOTHING: Final[Mapping[str, Any]] = {}

number_in: Final = Struct("<I").unpack_from
"""A function that returns the number of an agent from its record, as a tuple of one integer."""
said_in: Final[Callable[[bytes], bytes]] = itemgetter(slice(HEAD.size, None))
"""A function that returns the encoded facts about an agent from its record."""
_COMPARABLE: Final = 2
"""A version of marshal's format in which equal values with keys in the same order have equal bytes.

The latest version is shorter.
"""


expanded: Final = marshal.loads
"""A function that returns the value that `compact` encoded."""


def compact(value: Json, version: int = _COMPARABLE) -> bytes:
    """Encode a value as bytes. Parts of other than JSON types become similar JSON values."""
    try:
        return marshal.dumps(value, version)
    except ValueError:
        return marshal.dumps(json.loads(json.dumps(value, default=_plain)), version)


def _plain(part: object) -> Json:
    """Return a mapping as a dict, and another value as text."""
    return dict(part) if isinstance(part, Mapping) else str(part)


_TRANSFER_NAME: Final = "INTERNAL_TRANSFER_EVENT"
_USUAL_TRANSFERS: Final = {
    (packed := compact((_TRANSFER_NAME, *values))): packed
    for values in product(TRANSFER_TYPES, TRANSITIONS, (False, True), EXPERIENCES)
}
"""The encoded values of common transfer events, by which many states share the same bytes."""


class ParticipantInfo(NamedTuple):
    """The facts that an event contains about its agent."""

    participant: Mapping[str, Any]
    """The members of `participant` that segments show, such as `name`."""
    language: object
    """The field `language` of the event, or None."""
    experience: str
    """`chat` or `voice`, or an empty string."""

    @classmethod
    def of(cls, said: bytes) -> "ParticipantInfo":
        """Return the facts that `packed_info` encoded."""
        *shown, custom, language, experience = expanded(said)
        if isinstance(custom, tuple):
            custom = dict(zip(CUSTOM_FIELDS, custom, strict=True))
        parts = zip(_SHOWN, (*shown, custom), strict=True)
        return cls({key: part for key, part in parts if part is not None}, language, experience)


def packed_info(participant: Mapping[str, Any], language: object, experience: str) -> bytes:
    """Encode the facts about an agent as bytes.

    Only the members that segments show are included.
    """
    *shown, custom = map(participant.get, _SHOWN)
    if isinstance(custom, dict) and tuple(custom) == CUSTOM_FIELDS:
        custom = tuple(custom.values())
    return compact((*shown, custom, language, experience), marshal.version)


class AgentRecord(NamedTuple):
    """The stored facts about an agent of a conversation."""

    number: int
    """The number of the agent, from 0 in order of appearance."""
    connections: int
    """The number of connections that the agent has had."""
    rows: int
    """The number of history rows up to the agent's latest event.

    Repeated events do not count as the latest. It is 0 if the event is not among the rows.
    """
    said: bytes
    """The latest facts about the agent, encoded by `packed_info`. Empty if there are no facts."""

    @classmethod
    def unpack(cls, record: bytes) -> "AgentRecord":
        """Return the record that these bytes encode."""
        number, connections, rows = HEAD.unpack_from(record)
        return cls(number, connections, rows, said_in(record))


def queue_in(record: bytes) -> str:
    """Return the id of the queue in the record of an agent, or an empty string."""
    said = said_in(record)
    custom = ParticipantInfo.of(said).participant.get("customFields") if said else None
    queue = custom.get("queueId") if isinstance(custom, dict) else None
    return queue if isinstance(queue, str) else ""


def is_alike(said: bytes, last: bytes) -> bool:
    """Return whether two different results of `packed_info` contain equal values.

    `last` is empty if nothing is known yet.
    """
    if not last:
        return False
    if compact(expanded(said)) == compact(expanded(last)):  # strings are interned in one only
        return True
    return json_text(ParticipantInfo.of(said)) == json_text(ParticipantInfo.of(last))


def split_event(event: Event) -> tuple[bytes, bytes]:
    """Return two parts of an event as bytes: the facts about its agent, and the rest.

    `joined_event` restores the event from the two parts.
    """
    value, sent = event.value, event.value.get("participant")
    participant = sent if isinstance(sent, (dict, Mapping)) else _NOTHING
    said = packed_info(participant, value.get("language"), event.experience)
    rest = {key: part for key, part in value.items() if part is None or key not in _SAID}
    if not (participant.keys() <= _SHOWN_KEYS) or None in participant.values():
        rest["participant"] = {
            key: part for key, part in participant.items() if part is None or key not in _SHOWN
        }
    elif not participant and "participant" in value:
        rest["participant"] = sent
    if tuple(rest) != _TRANSFER:
        return said, compact(rest)
    packed = compact(tuple(rest.values()))
    return said, _USUAL_TRANSFERS.get(packed, packed)


def info_of(event: Event) -> ParticipantInfo:
    """Return the facts that an event contains about its agent."""
    return ParticipantInfo.of(split_event(event)[0])


def _rest_of(rest: bytes) -> dict[str, Any]:
    parts = expanded(rest)
    return dict(zip(_TRANSFER, parts, strict=True)) if isinstance(parts, tuple) else parts


def joined_event(said: bytes, rest: bytes) -> dict[str, Any]:
    """Return the JSON object of the event that `split_event` encoded in two parts."""
    info = ParticipantInfo.of(said)
    event = _rest_of(rest)
    if info.language is not None:
        event["language"] = info.language
    if info.participant:
        event["participant"] = {**info.participant, **event.get("participant", {})}
    return event
