"""How the values of the port are written into rows, and read out of them.

Times are microseconds since 1970. A key is the digest of what it stands for, so that its length
does not depend on a sender.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final, TypeVar

from segue.epoch import microseconds, time_at
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
from segue.processor.store import StoreDamaged

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

_STORED_AS: Final[Mapping[Any, tuple[type, ...]]] = {
    datetime: (int,),
    tuple[str, ...]: (str,),
    str | None: (str, type(None)),
}
_TYPES: Final[Mapping[type, Mapping[str, tuple[Any, ...]]]] = {
    kind: {each.name: _STORED_AS.get(each.type) or (each.type,) for each in fields(kind)}
    for kind in _KINDS
}
"""What databases return for each column."""
_NOTHING: Final[Mapping[type, Any]] = {int: 0, str: "", bytes: b""}
_FIRST: Final = microseconds(datetime.min.replace(tzinfo=UTC))
_LAST: Final = microseconds(datetime.max.replace(tzinfo=UTC))
_DIGEST_SIZE: Final = 16


def is_time(value: object) -> bool:
    """Return whether it is a time that can be read; damaged columns have others."""
    return isinstance(value, int) and _FIRST <= value <= _LAST


def key(key: ConversationKey) -> bytes:
    """Return what a conversation is found by; those of one id stand together."""
    return text_key(key.conversation_id) + text_key(key.bot_id)


def keys_of(conversation_id: str) -> tuple[bytes, bytes]:
    """Return the smallest and the largest key that conversations of one id may have."""
    start = text_key(conversation_id)
    return start + bytes(_DIGEST_SIZE), start + b"\xff" * _DIGEST_SIZE


def identity_key(identity: Identity) -> bytes:
    """Return what a delivery id is found by."""
    return names_key(*identity)


def names_key(*names: str) -> bytes:
    """Return what a row is found by that has several names."""
    return text_key(json.dumps(names))


def text_key(text: str) -> bytes:
    """Return what a row is found by that has one name."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()


def row(value: object, *without: str) -> dict[str, Any]:
    """Write a value as columns, without those that the store gives or has elsewhere."""
    columns = [column for column in COLUMNS[type(value)] if column not in without]
    return {column: _written(getattr(value, column)) for column in columns}


def read(kind: type[T], values: Sequence[Any]) -> T:
    """Read a value from its `COLUMNS`; raise `StoreDamaged` for what no store has written."""
    columns = zip(COLUMNS[kind], values, strict=True)
    try:
        return kind(**{column: _cell(kind, column, value) for column, value in columns})
    except (TypeError, ValueError, OverflowError) as error:
        raise StoreDamaged from error


def read_leniently(kind: type[T], values: Sequence[Any]) -> T:
    """Read a value from its `COLUMNS`, with nothing in the place of what is damaged."""
    try:
        return read(kind, values)
    except StoreDamaged:
        pass
    found = {}
    for column, value in zip(COLUMNS[kind], values, strict=True):
        try:
            found[column] = _cell(kind, column, value)
        except (TypeError, ValueError, OverflowError):
            found[column] = _cell(kind, column, _NOTHING[_TYPES[kind][column][0]])
    return kind(**found)


def _cell(kind: type, column: str, value: object) -> Any:  # noqa: ANN401 - of the column's type
    """Read one column; raise `TypeError`, `ValueError` or `OverflowError` for what is damaged."""
    return _READ.get(column, _same)(_checked(kind, column, value))


def _checked(kind: type, column: str, value: object) -> object:
    """Return a value; raise `TypeError` or `ValueError` if it is not of the type of its column."""
    if not isinstance(value, _TYPES[kind][column]):
        raise TypeError(column)
    if isinstance(value, str) and not value.isascii():
        value.encode()
    return value


def _written(value: object) -> object:
    if isinstance(value, datetime):
        return microseconds(value)
    return " ".join(value) if isinstance(value, tuple) else value


def _codes(value: str) -> tuple[str, ...]:
    return tuple(value.split())


def _same(value: object) -> object:
    return value


_READ: Final[Mapping[str, Callable[[Any], object]]] = {
    "started_at": time_at,
    "updated_at": time_at,
    "received_at": time_at,
    "deadline": time_at,
    "codes": _codes,
    "healed": _codes,
}
