"""What is known of one agent, and the parts of an event, as bytes.

An event is kept in two parts: what it says of its agent, which few events change, and the rest.
Bytes take a quarter of the memory that objects take, and the garbage collector need not look at
them.  They stay in the process; what is saved or sent is JSON (`snapshot`).
"""

import json
import marshal
from collections.abc import Mapping
from struct import Struct
from typing import Any, Final, NamedTuple
from zlib import crc32

from segue.events import Event, Json, fingerprint, same

_SHOWN: Final = ("identity", "name", "type", "customFields")
"""What segments show of a participant; nothing else that was sent along is kept."""
_CUSTOM: Final = ("agentEmail", "queueId", "queueName")
_TRANSFER: Final = ("name", "transfertype", "transition", "isExtAD", "experience")
"""The keys that an object usually has, in order: of such an object only the values are kept."""

_HEAD: Final = Struct("<IIII")
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


class ParticipantInfo(NamedTuple):
    """What an event says about its agent."""

    participant: Mapping[str, Any]
    language: object
    experience: str

    @classmethod
    def of(cls, said: bytes) -> "ParticipantInfo":
        """Return what `packed_info` made bytes of."""
        *shown, custom, language, experience = expanded(said)
        parts = zip(_SHOWN, (*shown, _object(custom, _CUSTOM)), strict=True)
        return cls({key: part for key, part in parts if part is not None}, language, experience)


def packed_info(participant: Mapping[str, Any], language: object, experience: str) -> bytes:
    """Return what is said about an agent; of the participant, what segments show."""
    *shown, custom = map(participant.get, _SHOWN)
    return compact((*shown, _values(custom, _CUSTOM), language, experience), marshal.version)


class AgentRecord(NamedTuple):
    """What is known of an agent."""

    number: int
    """By which presences know it: agents are numbered in order of appearance."""
    connections: int = 0
    """How many there have been."""
    checksum: int = 0
    """Of `said`; the same for equal values."""
    rows: int = 0
    """How many rows there were with its latest; 0 if this is not among them."""
    said: bytes = b""
    """What was said of it last, see `packed_info`; empty if nothing was."""

    def pack(self) -> bytes:
        """Return it as bytes."""
        return _HEAD.pack(*self[:-1]) + self.said

    @classmethod
    def unpack(cls, record: bytes) -> "AgentRecord":
        """Return what `pack` made bytes of."""
        number, connections, checksum, rows = _HEAD.unpack_from(record)
        return cls(number, connections, checksum, rows, record[_HEAD.size :])

    def telling(self, said: bytes) -> "AgentRecord":
        """Return the record with what is said of the agent now; itself if that is nothing new."""
        last = self.said
        if said == last:
            return self
        info = ParticipantInfo.of(said)
        if last and same(info, ParticipantInfo.of(last)):
            return self
        return self._replace(checksum=crc32(fingerprint(info).encode()), said=said)


def rest_of(event: Event) -> bytes:
    """Return an event of an agent but for the parts that `packed_info` has."""
    rest = dict(event.value)
    if rest.get("language") is not None:
        del rest["language"]
    participant = event.participant
    if participant:
        more = {key: part for key, part in participant.items() if part is None or key not in _SHOWN}
        del rest["participant"]
        if more:
            rest["participant"] = more
    return compact(_values(rest, _TRANSFER))


def joined(said: bytes, rest: bytes) -> dict[str, Any]:
    """Return the event of which these are the parts."""
    info = ParticipantInfo.of(said)
    event: dict[str, Any] = _object(expanded(rest), _TRANSFER)
    if info.language is not None:
        event["language"] = info.language
    if info.participant:
        event["participant"] = {**info.participant, **event.get("participant", {})}
    return event


def _values(value: Json, usual: tuple[str, ...]) -> Json:
    """Return the values of an object that has the usual keys; else itself."""
    return tuple(value.values()) if isinstance(value, dict) and tuple(value) == usual else value


def _object(value: Json, usual: tuple[str, ...]) -> Json:
    """Return the object that `_values` was given."""
    return dict(zip(usual, value, strict=False)) if isinstance(value, tuple) else value
