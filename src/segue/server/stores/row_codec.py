"""How the values of the port are written into rows, and read out of them.

Times are microseconds since 1970. A key is the digest of what it stands for, so that its length
does not depend on a sender.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from hashlib import blake2b
from types import NoneType
from typing import Any, Final, NamedTuple, TypeVar

from segue.core.epoch import microseconds, time_at
from segue.server.processor import (
    ConversationKey,
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    JournalEntry,
    OutboxMessage,
    Quarantined,
    StoredEntry,
)
from segue.server.processor.store import StoreDamaged

T = TypeVar("T")

_KINDS: Final = (
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    JournalEntry,
    OutboxMessage,
    Quarantined,
    StoredEntry,
)

COLUMNS: Final[Mapping[type, tuple[str, ...]]] = {
    kind: tuple(each.name for each in fields(kind)) for kind in _KINDS
}
"""The columns of each kind of value, in the order of its fields."""


def _same(value: object) -> object:
    return value


def _time_or_none(number: int | None) -> datetime | None:
    return None if number is None else time_at(number)


def _codes(value: str) -> tuple[str, ...]:
    return tuple(value.split())


class _Cell(NamedTuple):
    """How a field is read from its column."""

    types: tuple[Any, ...]
    """Of what databases return for it."""
    read: Callable[[Any], object] = _same


_OTHER_CELLS: Final[Mapping[Any, _Cell]] = {
    datetime: _Cell((int,), time_at),
    tuple[str, ...]: _Cell((str,), _codes),
    str | None: _Cell((str, NoneType)),
    datetime | None: _Cell((int, NoneType), _time_or_none),
}
"""Of the types that no column has."""
_CELLS: Final[Mapping[type, tuple[_Cell, ...]]] = {
    kind: tuple(_OTHER_CELLS.get(each.type) or _Cell((each.type,)) for each in fields(kind))
    for kind in _KINDS
}
"""By `COLUMNS`."""
_DAMAGED: Final = (TypeError, ValueError, OverflowError)
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
    try:
        return kind(*[_read(*each) for each in zip(_CELLS[kind], values, strict=True)])
    except _DAMAGED as error:
        raise StoreDamaged from error


def read_leniently(kind: type[T], values: Sequence[Any]) -> T:
    """Read a value from its `COLUMNS`, with nothing in the place of what is damaged."""
    return kind(*[_read_leniently(*each) for each in zip(_CELLS[kind], values, strict=True)])


def _read_leniently(cell: _Cell, value: object) -> object:
    try:
        return _read(cell, value)
    except _DAMAGED:
        return cell.read(_NOTHING[cell.types[0]])


def _read(cell: _Cell, value: object) -> object:
    """Read one column; raise `TypeError`, `ValueError` or `OverflowError` for what is damaged."""
    if not isinstance(value, cell.types):
        raise TypeError
    if isinstance(value, str) and not value.isascii():
        value.encode()
    return cell.read(value)


def _written(value: object) -> object:
    if isinstance(value, datetime):
        return microseconds(value)
    return " ".join(value) if isinstance(value, tuple) else value
