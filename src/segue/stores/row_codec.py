"""How the values of the port are written into rows, and read out of them.

Times are microseconds since 1970. A key is the digest of what it stands for, so that its length
does not depend on a sender.
"""

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, Final

from segue.processor import (
    ConversationRecord,
    ConversationSummary,
    Identity,
    JournalEntry,
    OutboxMessage,
    Quarantined,
)

__all__ = [
    "ENTRY",
    "MESSAGE",
    "QUARANTINED",
    "SUMMARY",
    "entry",
    "identity_key",
    "key",
    "message",
    "micros",
    "quarantined",
    "record",
    "row",
    "summary",
    "time",
]

SUMMARY: Final = tuple(each.name for each in fields(ConversationSummary))
ENTRY: Final = tuple(each.name for each in fields(JournalEntry))
MESSAGE: Final = tuple(each.name for each in fields(OutboxMessage))
QUARANTINED: Final = tuple(each.name for each in fields(Quarantined))

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_DIGEST_SIZE: Final = 16


def micros(at: datetime) -> int:
    """Write a time."""
    return (at - _EPOCH) // _MICROSECOND


def time(value: int) -> datetime:
    """Read a time."""
    return _EPOCH + value * _MICROSECOND


def key(conversation_id: str) -> bytes:
    """Return what a conversation is found by."""
    return _digest(conversation_id)


def identity_key(identity: Identity) -> bytes:
    """Return what a delivery id is found by."""
    return _digest(json.dumps(identity))


def row(
    value: ConversationSummary | JournalEntry | Quarantined, columns: Sequence[str]
) -> dict[str, Any]:
    """Write the named fields of a value."""
    found = {column: getattr(value, column) for column in columns}
    for column, field in found.items():
        if isinstance(field, datetime):
            found[column] = micros(field)
        elif isinstance(field, tuple):
            found[column] = " ".join(field)
    return found


def summary(values: Sequence[Any]) -> ConversationSummary:
    """Read the columns `SUMMARY`."""
    found = ConversationSummary(*values)
    return replace(found, started_at=time(values[5]), updated_at=time(values[6]))


def record(values: Sequence[Any]) -> ConversationRecord:
    """Read the columns `SUMMARY` without the number, then version and snapshot."""
    *known, version, snapshot = values
    return ConversationRecord(summary(known), version, bytes(snapshot))


def entry(values: Sequence[Any]) -> JournalEntry:
    """Read the columns `ENTRY`."""
    found = JournalEntry(*values)
    return replace(found, received_at=time(values[5]))


def message(values: Sequence[Any]) -> OutboxMessage:
    """Read the columns `MESSAGE`."""
    return OutboxMessage(*values)


def quarantined(values: Sequence[Any]) -> Quarantined:
    """Read the columns `QUARANTINED`."""
    found = Quarantined(*values)
    received_at, codes = time(values[4]), tuple(values[6].split())
    return replace(found, received_at=received_at, codes=codes, body=bytes(found.body))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
