"""Times as logs write them, to aware datetimes.

`datetime.fromisoformat` reads what is ISO 8601, at a fraction of the cost of anything else; dateutil
reads the rest (`11/21/2026, 01:12:24 PM`); numbers are seconds, milliseconds or microseconds since
1970.  Nothing is guessed from today's date: a text that leaves a day or an hour open is no time.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from dateutil import parser

__all__ = ["reader", "read_time"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS: Final = 1e11
_MICROSECONDS: Final = 1e14
_LONGEST: Final = 64
_PROBES: Final = (datetime(2001, 1, 1, 1, 1, 1), datetime(2002, 2, 2, 2, 2, 2))  # noqa: DTZ001
"""Two defaults that share nothing: what differs between them was not in the text."""


def read_time(
    value: object,
    time_zone: tzinfo = UTC,
    *,
    day_first: bool = False,
) -> datetime | None:
    """Return the time a value means, aware, or None when it is none.

    A time without a zone is in `time_zone`. `day_first` decides `02/03/2026`.
    """
    if isinstance(value, str):
        try:
            when = datetime.fromisoformat(value)
        except ValueError:
            return _from_text(value.strip(), time_zone, day_first)
        return when if when.tzinfo is not None else when.replace(tzinfo=time_zone)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    return None


def reader(time_zone: tzinfo = UTC) -> Callable[[object], datetime | None]:
    """Return `read_time` for one time zone, as the wire takes it."""
    if time_zone is UTC:
        return read_time
    return lambda value: read_time(value, time_zone)


def _from_number(value: float) -> datetime | None:
    size = abs(value)
    try:
        if size < _MILLISECONDS:
            return _EPOCH + timedelta(seconds=value)
        if size < _MICROSECONDS:
            return _EPOCH + timedelta(milliseconds=value)
        return _EPOCH + timedelta(microseconds=value)
    except (OverflowError, ValueError):
        return None


def _from_text(text: str, time_zone: tzinfo, day_first: bool) -> datetime | None:  # noqa: FBT001
    if not text or len(text) > _LONGEST:
        return None
    if text.isascii() and text.isdigit():
        return _from_number(int(text)) if len(text) >= len("1000000000") else None
    try:
        first, second = (
            parser.parse(text, default=probe, dayfirst=day_first) for probe in _PROBES
        )
        if first != second:
            return None
        when = first if first.tzinfo is not None else first.replace(tzinfo=time_zone)
        when.utcoffset()
    except (ValueError, OverflowError, TypeError, AttributeError, RecursionError):
        return None
    return when
