"""Conversion of entries to rows of a store and back."""

import json
from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

from segue.core.engine import Entry, EventDetails
from segue.core.events import EventKind
from segue.server.processor.records import StoredEntry
from segue.server.processor.store import StoreDamaged

_MARKS = ("adjusted", "repeat", "dropped")


def stored(number: int, version: int, entry: Entry) -> StoredEntry:
    """Return an entry as a row, which the commit that leads to `version` adds or changes."""
    details = entry.details
    marked = zip(_MARKS, (entry.is_adjusted, entry.is_repeat, entry.is_dropped), strict=True)
    row = StoredEntry(
        number,
        version,
        entry.kind.value,
        entry.agent,
        entry.position,
        entry.count,
        entry.delivery,
        entry.received_at,
        entry.last_at,
        marks=tuple(mark for mark, is_marked in marked if is_marked),
        queue="" if details is None else details.queue_id,
        details="" if details is None else json.dumps(details),
        checksum=0,
    )
    return replace(row, checksum=_checksum(row))


def entries_of(rows: Sequence[StoredEntry], newest: int | None = None) -> list[Entry]:
    """Return the entries of all rows of a conversation up to one of them, in order.

    `newest` is the version of the conversation if only entries that no later delivery can change
    are given. Raise `StoreDamaged` if a row is missing or damaged.
    """
    if newest is not None and rows and rows[-1].version > newest:
        raise StoreDamaged
    known: dict[str, EventDetails] = {}
    found: list[Entry] = []
    version = 0
    for number, row in enumerate(rows):
        if row.number != number or row.version < version or row.checksum != _checksum(row):
            raise StoreDamaged
        version = row.version
        found.append(_entry(row, known))
    return found


def _entry(row: StoredEntry, known: dict[str, EventDetails]) -> Entry:
    details = known.get(row.details)
    if details is None and row.details:
        details = known[row.details] = EventDetails(*json.loads(row.details))
    is_adjusted, is_repeat, is_dropped = (mark in row.marks for mark in _MARKS)
    return Entry(
        EventKind(row.kind),
        row.agent,
        row.position,
        row.events,
        row.delivery,
        received_at=row.received_at,
        last_at=row.last_at,
        is_adjusted=is_adjusted,
        is_repeat=is_repeat,
        is_dropped=is_dropped,
        details=details,
    )


def _checksum(row: StoredEntry) -> int:
    """Return the CRC-32 of the values of a row, without its version."""
    values = (
        row.number,
        row.kind,
        row.agent,
        row.position,
        row.events,
        row.delivery,
        row.received_at and row.received_at.isoformat(),
        row.last_at and row.last_at.isoformat(),
        row.marks,
        row.queue,
        row.details,
    )
    return crc32(json.dumps(values).encode())
