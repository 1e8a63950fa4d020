"""Times as numbers: microseconds since 1970, in UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

__all__ = ["EPOCH", "MICROSECOND", "microseconds", "time_at"]

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


def microseconds(at: datetime) -> int:
    """Return the microseconds from 1970 to an aware time."""
    return (at - EPOCH) // MICROSECOND


def time_at(number: int) -> datetime:
    """Return the time so many microseconds after 1970; raise `OverflowError` if there is none."""
    return EPOCH + timedelta(microseconds=number)
