"""What is known of one agent, and the parts of an event, as bytes.

An event is kept in two parts: what it says of its agent, which few events change, and the rest.
Bytes take a quarter of the memory that objects take, and the garbage collector need not look at
them.  They stay in the process; what is saved or sent is JSON (`snapshot`).
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
"""What segments show of a participant; nothing else that was sent along is kept."""
_SHOWN_KEYS: Final = frozenset(_SHOWN)
_SAID: Final = frozenset({"participant", "language"})
CUSTOM_FIELDS: Final = ("agentEmail", "queueId", "queueName")
_TRANSFER: Final = ("name", "transfertype", "transition", "isExtAD", "experience")
"""The keys that an object usually has, in order: of such an object only the values are kept."""

HEAD: Final = Struct("<IIII")
"""All of an `AgentRecord` but the last, which stands behind it as it is."""
_NOTHING: Final[Mapping[str, Any]] = {}

number_in: Final = Struct("<I").unpack_from
"""Returns the number of an agent, as a tuple of one."""
said_in: Final[Callable[[bytes], bytes]] = itemgetter(slice(HEAD.size, None))
"""Returns what was said of an agent last."""
_COMPARABLE: Final = 2
"""A version of marshal's format in which equal values give equal bytes, if all keys have one order.

The latest is shorter.
"""


expanded: Final = marshal.loads
"""Returns the value that `compact` was given."""


def compact(value: Json, version: int = _COMPARABLE) -> bytes:
    """Return a value as bytes; parts of types that are not JSON's become what is like them."""
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
"""The values of `_TRANSFER` in all their canonical spellings; states share these bytes."""


class ParticipantInfo(NamedTuple):
    """What an event says about its agent."""

    participant: Mapping[str, Any]
    language: object
    experience: str

    @classmethod
    def of(cls, said: bytes) -> "ParticipantInfo":
        """Return what `packed_info` made bytes of."""
        *shown, custom, language, experience = expanded(said)
        if isinstance(custom, tuple):
            custom = dict(zip(CUSTOM_FIELDS, custom, strict=True))
        parts = zip(_SHOWN, (*shown, custom), strict=True)
        return cls({key: part for key, part in parts if part is not None}, language, experience)


def packed_info(participant: Mapping[str, Any], language: object, experience: str) -> bytes:
    """Return what is said about an agent; of the participant, what segments show."""
    *shown, custom = map(participant.get, _SHOWN)
    if isinstance(custom, dict) and tuple(custom) == CUSTOM_FIELDS:
        custom = tuple(custom.values())
    return compact((*shown, custom, language, experience), marshal.version)


class AgentRecord(NamedTuple):
    """What is known of an agent."""

    number: int
    """By which presences know it: agents are numbered in order of appearance."""
    connections: int
    """How many there have been."""
    checksum: int
    """Of `said`."""
    rows: int
    """How many rows there were with its latest, repeats aside; 0 if this is not among them."""
    said: bytes
    """What was said of it last, see `packed_info`; empty if nothing was."""

    @classmethod
    def unpack(cls, record: bytes) -> "AgentRecord":
        """Return the record that is kept as these bytes."""
        number, connections, checksum, rows = HEAD.unpack_from(record)
        return cls(number, connections, checksum, rows, said_in(record))


def is_alike(said: bytes, last: bytes) -> bool:
    """Whether two packed infos of other bytes have equal values; `last` is empty for none."""
    if not last:
        return False
    if compact(expanded(said)) == compact(expanded(last)):  # strings are interned in one only
        return True
    return same(ParticipantInfo.of(said), ParticipantInfo.of(last))


def checksum_of(said: bytes) -> int:
    """Return the checksum of what was said of an agent."""
    return crc32(compact(expanded(said)))


def split_event(event: Event) -> tuple[bytes, bytes]:
    """Return what an event says of its agent, see `packed_info`, and the rest of the event."""
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
    """Return what an event says of its agent."""
    return ParticipantInfo.of(split_event(event)[0])


def joined_event(said: bytes, rest: bytes) -> dict[str, Any]:
    """Return the event of which these are the parts."""
    info = ParticipantInfo.of(said)
    parts = expanded(rest)
    event = dict(zip(_TRANSFER, parts, strict=True)) if isinstance(parts, tuple) else parts
    if info.language is not None:
        event["language"] = info.language
    if info.participant:
        event["participant"] = {**info.participant, **event.get("participant", {})}
    return event
