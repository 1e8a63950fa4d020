"""How the values of the port are written into rows, and read out of them.

Times are microseconds since 1970. A key is the digest of what it stands for, so that its length
does not depend on a sender.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, Final, TypeVar

from segue.processor import (
    ConversationKey,
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    Identity,
    JournalEntry,
    OutboxMessage,
    Quarantined,
)

T = TypeVar("T")

_KINDS: Final = (
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    JournalEntry,
    OutboxMessage,
    Quarantined,
)

COLUMNS: Final[Mapping[type, tuple[str, ...]]] = {
    kind: tuple(each.name for each in fields(kind)) for kind in _KINDS
}
"""The columns of each kind of value, in the order of its fields."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_DIGEST_SIZE: Final = 16


def micros(at: datetime) -> int:
    """Write a time."""
    return (at - _EPOCH) // _MICROSECOND


def time(value: int) -> datetime:
    """Read a time."""
    return _EPOCH + value * _MICROSECOND


def key(key: ConversationKey) -> bytes:
    """Return what a conversation is found by; those of one id stand together."""
    return _digest(key.conversation_id) + _digest(key.bot_id)


def keys_of(conversation_id: str) -> tuple[bytes, bytes]:
    """Return the smallest and the largest key that conversations of one id may have."""
    start = _digest(conversation_id)
    return start + bytes(_DIGEST_SIZE), start + b"\xff" * _DIGEST_SIZE


def identity_key(identity: Identity) -> bytes:
    """Return what a delivery id is found by."""
    return _digest(json.dumps(identity))


def row(value: object, *without: str) -> dict[str, Any]:
    """Write a value as columns, without those that the store gives or has elsewhere."""
    columns = [column for column in COLUMNS[type(value)] if column not in without]
    return {column: _written(getattr(value, column)) for column in columns}


def read(kind: type[T], values: Sequence[Any]) -> T:
    """Read a value from its `COLUMNS`."""
    read = zip(COLUMNS[kind], values, strict=True)
    return kind(**{column: _READ.get(column, _same)(value) for column, value in read})


def _written(value: object) -> object:
    if isinstance(value, datetime):
        return micros(value)
    return " ".join(value) if isinstance(value, tuple) else value


def _codes(value: str) -> tuple[str, ...]:
    return tuple(value.split())


def _same(value: object) -> object:
    return value


_READ: Final[Mapping[str, Callable[[Any], object]]] = {
    "started_at": time,
    "updated_at": time,
    "received_at": time,
    "deadline": time,
    "codes": _codes,
    "healed": _codes,
}


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
