"""Columns: how the values of the port are written into rows, and read out of them.

It decides the encodings of a time and of a key.  House rule: a key is the digest of what it
stands for, so that its length does not depend on a sender.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, Final

from segue.processor import Entry, Identity, Kept, Notice, Quarantined, Summary

__all__ = [
    "ENTRY",
    "NOTICE",
    "QUARANTINED",
    "SUMMARY",
    "entry",
    "identity_key",
    "instant",
    "kept",
    "key",
    "micros",
    "notice",
    "quarantined",
    "summary",
]

SUMMARY: Final = "number, conversation_id, bot_id, phase, events, findings, started_at, updated_at"
ENTRY: Final = (
    "c.conversation_id, j.bot_id, j.owner, j.endpoint, j.delivery_id, j.received_at, {body}, "
    "j.phase_before, j.phase, j.findings, j.number"
)
NOTICE: Final = "n.id, c.conversation_id, n.kind, n.data, n.number, n.tries, n.lease, n.reason"
QUARANTINED: Final = (
    "endpoint, bot_id, conversation_id, delivery_id, received_at, reason, codes, body, size, number"
)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_DIGEST_SIZE: Final = 16


def micros(time: datetime) -> int:
    """Write a time."""
    return (time - _EPOCH) // _MICROSECOND


def instant(value: int) -> datetime:
    """Read a time."""
    return _EPOCH + value * _MICROSECOND


def key(conversation_id: str) -> bytes:
    """Return what a conversation is found by."""
    return _digest(conversation_id)


def identity_key(identity: Identity) -> bytes:
    """Return what a delivery id is found by."""
    return _digest(json.dumps(identity))


def kept(conversation_id: str, row: Sequence[Any]) -> Kept:
    """Read a conversation: bot_id, version, phase, events, findings, two times, snapshot."""
    bot_id, version, phase, events, findings, started_at, updated_at, snapshot = row
    times = instant(started_at), instant(updated_at)
    return Kept(conversation_id, bot_id, version, phase, events, findings, *times, bytes(snapshot))


def summary(row: Sequence[Any]) -> Summary:
    """Read the columns `SUMMARY`."""
    number, conversation_id, bot_id, phase, events, findings, started_at, updated_at = row
    times = instant(started_at), instant(updated_at)
    return Summary(number, conversation_id, bot_id, phase, events, findings, *times)


def entry(row: Sequence[Any]) -> Entry:
    """Read the columns `ENTRY`."""
    written = Entry(*row)
    return replace(written, received_at=instant(row[5]))


def notice(row: Sequence[Any]) -> Notice:
    """Read the columns `NOTICE`."""
    return Notice(*row)


def quarantined(row: Sequence[Any]) -> Quarantined:
    """Read the columns `QUARANTINED`."""
    item = Quarantined(*row)
    return replace(
        item,
        received_at=instant(row[4]),
        codes=tuple(row[6].split()),
        body=bytes(row[7]),
    )


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
