"""Records of agents and parts of events, encoded as bytes.

An event is stored in two parts: the facts about its agent, which few events change, and the rest.
Bytes take a quarter of the memory of objects, and the garbage collector skips them. They never
leave the process. Saved and sent states are JSON (`snapshot`).
"""

import json
import marshal
from collections.abc import Callable, Mapping
from itertools import product
from operator import itemgetter
from struct import Struct
from typing import Any, Final, NamedTuple
from zlib import crc32

from segue.core.events import EXPERIENCES, TRANSFER_TYPES, TRANSITIONS, Event, Json, same

_SHOWN: Final = ("identity", "name", "type", "customFields")
"""The members of a participant that segments show. Other members are not stored."""
_SHOWN_KEYS: Final = frozenset(_SHOWN)
_SAID: Final = frozenset({"participant", "language"})
CUSTOM_FIELDS: Final = ("agentEmail", "queueId", "queueName")
_TRANSFER: Final = ("name", "transfertype", "transition", "isExtAD", "experience")
"""The usual keys of an object in order. Only the values of such an object are stored."""

HEAD: Final = Struct("<IIII")
"""The fields of an `AgentRecord` except the last, which follows unchanged."""
_NOTHING: Final[Mapping[str, Any]] = {}

number_in: Final = Struct("<I").unpack_from
"""Returns the number of an agent, as a tuple of one."""
said_in: Final[Callable[[bytes], bytes]] = itemgetter(slice(HEAD.size, None))
"""Returns the latest facts about an agent."""
_COMPARABLE: Final = 2
"""A version of marshal's format that gives equal bytes for equal values with keys in the same
order.

The latest version is shorter.
"""


expanded: Final = marshal.loads
"""Returns the value that was given to `compact`."""


def compact(value: Json, version: int = _COMPARABLE) -> bytes:
    """Return a value as bytes. Parts that are not JSON types become similar JSON values."""
    try:
        return marshal.dumps(value, version)
    except ValueError:
        return marshal.dumps(json.loads(json.dumps(value, default=_plain)), version)


def _plain(part: object) -> Json:
    return dict(part) if isinstance(part, Mapping) else str(part)


_TRANSFER_NAME: Final = "INTERNAL_TRANSFER_EVENT"
_USUAL_TRANSFERS: Final = {
    (packed := compact((_TRANSFER_NAME, *values))): packed
    for values in product(TRANSFER_TYPES, TRANSITIONS, (False, True), EXPERIENCES)
}
"""The values of `_TRANSFER` in all canonical spellings. States share these bytes."""


class ParticipantInfo(NamedTuple):
    """The facts about an agent in an event."""

    participant: Mapping[str, Any]
    language: object
    experience: str

    @classmethod
    def of(cls, said: bytes) -> "ParticipantInfo":
        """Return the facts that `packed_info` encoded."""
        *shown, custom, language, experience = expanded(said)
        if isinstance(custom, tuple):
            custom = dict(zip(CUSTOM_FIELDS, custom, strict=True))
        parts = zip(_SHOWN, (*shown, custom), strict=True)
        return cls({key: part for key, part in parts if part is not None}, language, experience)


def packed_info(participant: Mapping[str, Any], language: object, experience: str) -> bytes:
    """Return the facts about an agent as bytes, including members that segments show."""
    *shown, custom = map(participant.get, _SHOWN)
    if isinstance(custom, dict) and tuple(custom) == CUSTOM_FIELDS:
        custom = tuple(custom.values())
    return compact((*shown, custom, language, experience), marshal.version)


class AgentRecord(NamedTuple):
    """The record of an agent."""

    number: int
    """The number of the agent in presences, in order of appearance."""
    connections: int
    """The number of connections so far."""
    checksum: int
    """The checksum of `said`."""
    rows: int
    """The number of rows up to the agent's latest, without repeats. 0 if it is not among the rows.
    """
    said: bytes
    """The latest facts about the agent, see `packed_info`. Empty if there are none."""

    @classmethod
    def unpack(cls, record: bytes) -> "AgentRecord":
        """Return the record that is encoded as these bytes."""
        number, connections, checksum, rows = HEAD.unpack_from(record)
        return cls(number, connections, checksum, rows, said_in(record))


def is_alike(said: bytes, last: bytes) -> bool:
    """Return whether two different packed infos have equal values. `last` is empty for no info."""
    if not last:
        return False
    if compact(expanded(said)) == compact(expanded(last)):  # strings are interned in one only
        return True
    return same(ParticipantInfo.of(said), ParticipantInfo.of(last))


def checksum_of(said: bytes) -> int:
    """Return the checksum of the facts about an agent."""
    return crc32(compact(expanded(said)))


def split_event(event: Event) -> tuple[bytes, bytes]:
    """Return the facts about an event's agent, see `packed_info`, and the rest of the event."""
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
    """Return the facts about an event's agent."""
    return ParticipantInfo.of(split_event(event)[0])


def joined_event(said: bytes, rest: bytes) -> dict[str, Any]:
    """Return the event with these parts."""
    info = ParticipantInfo.of(said)
    parts = expanded(rest)
    event = dict(zip(_TRANSFER, parts, strict=True)) if isinstance(parts, tuple) else parts
    if info.language is not None:
        event["language"] = info.language
    if info.participant:
        event["participant"] = {**info.participant, **event.get("participant", {})}
    return event
