"""Times as numbers, microseconds since 1970 in UTC, and times that can be compared."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


def microseconds(at: datetime) -> int:
    """Return the microseconds from 1970 to an aware time."""
    return (at - EPOCH) // MICROSECOND


def is_aware(when: datetime) -> bool:
    """Return whether a time has an offset from UTC; one with a zone may have none."""
    return when.utcoffset() is not None


def comparable(at: datetime) -> datetime:
    """Return an aware time with its offset in place of its zone.

    Python compares two times of one zone, and subtracts them, by the clock on the wall, so an hour
    off across a change of the clocks.
    """
    offset = at.utcoffset()
    if offset is None or isinstance(at.tzinfo, timezone):
        return at
    return at.replace(tzinfo=timezone(offset), fold=0)


def to_iso(at: datetime | None) -> str | None:
    """Return a time in ISO 8601, if there is one."""
    return None if at is None else at.isoformat()


def from_iso(text: str | None) -> datetime | None:
    """Return the time that `to_iso` wrote."""
    return None if text is None else datetime.fromisoformat(text)


def time_at(number: int) -> datetime:
    """Return the time so many microseconds after 1970; raise `OverflowError` if there is none."""
    return EPOCH + timedelta(microseconds=number)
