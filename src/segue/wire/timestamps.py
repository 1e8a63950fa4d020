"""Times of a log: ISO 8601, because that is what logs have; anything else is somebody else's trade.

House rule: a time without an offset is UTC, and every time that leaves this room is aware.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

__all__ = ["FOREVER", "NEVER", "ReadTime", "read_instant", "read_iso_time"]

ReadTime: TypeAlias = Callable[[object], datetime | None]
"""Reads the time of an envelope; None, ValueError or TypeError: it cannot be read.

A naive time is taken as UTC.  It is not asked for ISO 8601 with an offset, which means one thing.
"""

NEVER, FOREVER = 1, 9999
"""Years that programs write for no time at all; the reader of times says what they are."""


def read_instant(value: object, read_time: ReadTime) -> datetime | None:
    """Read a time by ISO 8601 if that leaves nothing open, else ask the reader of times."""
    if isinstance(value, str):
        try:
            when = datetime.fromisoformat(value)
        except ValueError:
            return read_time(value)
        if when.tzinfo is not None and NEVER < when.year < FOREVER:
            return when
    return read_time(value)


def read_iso_time(value: object) -> datetime | None:
    """Read ISO 8601, or take a datetime as it is; digits alone are a number, and no time."""
    if isinstance(value, str) and not value.isdigit():
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)
