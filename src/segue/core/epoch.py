"""Conversions between times and microseconds since 1970, and comparison of times."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_LAST: Final = datetime.max.replace(tzinfo=UTC)


def microseconds(at: datetime) -> int:
    """Return the number of microseconds from 1970-01-01 00:00 UTC to a time with a time zone."""
    return (at - EPOCH) // MICROSECOND


def is_aware(when: datetime) -> bool:
    """Return whether a datetime has an offset from UTC.

    A datetime with a `tzinfo` can lack an offset, because its `utcoffset` may return None.
    """
    return when.utcoffset() is not None


def comparable(at: datetime) -> datetime:
    """Return an aware time with a fixed UTC offset instead of its time zone.

    Python compares and subtracts two times of the same time zone by local time. The result can be
    wrong by an hour across a change to or from daylight saving time. A naive time is returned
    unchanged.
    """
    offset = at.utcoffset()
    if offset is None or isinstance(at.tzinfo, timezone):
        return at
    return at.replace(tzinfo=timezone(offset), fold=0)


def utc(at: datetime) -> datetime:
    """Return the same instant in UTC, so that times can be compared and subtracted safely.

    An instant outside the calendar becomes the first or last one in it.
    """
    try:
        return at if at.tzinfo is UTC else at.astimezone(UTC)
    except OverflowError:
        return _FIRST if at.year == _FIRST.year else _LAST


def to_iso(at: datetime | None) -> str | None:
    """Return a time as ISO 8601 text, or None for None."""
    return None if at is None else at.isoformat()


def from_iso(text: str | None) -> datetime | None:
    """Return the time described by the ISO 8601 text that `to_iso` returned, or None for None."""
    return None if text is None else datetime.fromisoformat(text)


def time_at(number: int) -> datetime:
    """Return the UTC time that is `number` microseconds after 1970-01-01 00:00 UTC.

    Raise `OverflowError` if the time is out of range.
    """
    return EPOCH + timedelta(microseconds=number)
