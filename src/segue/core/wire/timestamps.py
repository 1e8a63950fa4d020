"""Conversion of times in logs to datetimes with a time zone.

`datetime.fromisoformat` reads ISO 8601 and is much faster than any other way. Numbers are read as
time since 1970 in a unit that depends on their magnitude. The package dateutil reads other texts,
such as `11/21/2026, 01:12:24 PM`.

The result does not depend on the current date or on the machine's time zone. A text without a day
or an hour, or with the abbreviation of a time zone, is not read. The caller decides the order of
day and month in `02/03/2026` for all lines. With the month first, a month of 13 is not read as a
day. Dates with dots have the day first. 24:00:00 is the next midnight, and second 60 is the next
second 0. Programs write the years 1 and 9999 for "never", so these are not read either.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from segue.core.epoch import EPOCH, comparable, is_aware
from segue.core.errors import ConfigurationError
from segue.core.events.shapes import UNREAD_YEARS

if TYPE_CHECKING:
    from dateutil.parser import parser

ReadTime: TypeAlias = Callable[[object], datetime | None]
"""A function that reads the time of an envelope.

It returns None, or raises ValueError or TypeError, if the time cannot be read. A naive time is
interpreted as UTC. The function is not called for ISO 8601 with an offset, which is unambiguous.
"""

_UNITS: Final = ((1e11, 1), (1e14, 1_000), (1e17, 1_000_000), (1e20, 1_000_000_000))
"""Pairs of a number and the units per second in which smaller numbers are. They cover the years
1973 to 5138.
"""

_DIGITS: Final = re.compile(r"(?:[0-9]{10}(?:\.[0-9]{1,9})?|[0-9]{13}|[0-9]{16}|[0-9]{19})\Z")
_COMPACT: Final = re.compile(r"([0-9]{8})([0-9]{6})\Z")
_SLASHED: Final = re.compile(r"(?:[A-Za-z]+,?\s+)?([0-9]{1,2})([/.-])([0-9]{1,2})[/.-][0-9]")
"""A date that begins with two numbers. Only the caller knows which is the month, unless they are
separated by dots.
"""
_ACCESS_LOG: Final = re.compile(r"([0-9]{1,2})/([A-Za-z]{3})/([0-9]{4}):(?=[0-9])")
_DATE_COMMA: Final = re.compile(r"(?<=[0-9]{4}),(?=[0-9])")
"""The comma between a date and a time without a blank, as in `5/8/2026,11:32:49AM`."""
_MIDNIGHT: Final = re.compile(r"(?<=[Tt ])24:00(?::00(?:[.,]0+)?)?(?![:.,0-9])")
_LEAP_SECOND: Final = re.compile(r"(?<=[Tt ])([0-9]{1,2}:[0-9]{2}):60(?![0-9])")

_COMMENT: Final = re.compile(r"\s*\([^()]*\)\Z")
"""The comment that JavaScript and mail add to an offset, as in `GMT+0100 (Central European Standard
Time)`.
"""
_FROM_UTC: Final = re.compile(r"(?:GMT|UTC)(?=[+-][0-9])")
"""The prefix of an offset such as `GMT+1`, which dateutil would read as an hour west of Greenwich.
"""

_MONTHS: Final = 12
_YEAR: Final = re.compile("%[YyGcx]")
_SAMPLE: Final = datetime(2026, 11, 21, 13, 12, 24, tzinfo=UTC)
"""A time that is used to test whether a format contains all parts of a time."""
_LONGEST: Final = 100
_PROBES: Final = (datetime(2001, 1, 1, 1, 1), datetime(2002, 2, 15, 2, 2))  # noqa: DTZ001
"""Two default times that differ in every part except the second, which a text may leave out.

They also differ in the week, because dateutil moves a default day to the weekday of a text. If the
results for both defaults differ, the text lacks a part.
"""


def read_instant(value: object, read_time: ReadTime) -> datetime | None:
    """Return the time that a value describes, with a time zone, or None if it cannot be read.

    Texts in ISO 8601 with a UTC offset are parsed directly. The function `read_time` reads all
    other values. If its result is naive, it is interpreted as UTC.
    """
    if isinstance(value, str):
        when = _from_iso(value)
        if when is not None and when.tzinfo is not None and when.year not in UNREAD_YEARS:
            return when
    when = read_time(value)
    return None if when is None else _in_zone(when, UTC)


def read_iso_time(value: object) -> datetime | None:
    """Return the time of an ISO 8601 text or a datetime, or None for other values.

    A naive time is interpreted as UTC. A text that consists only of digits is not read.
    """
    if isinstance(value, str) and not value.isdigit():
        value = _unless_never(_from_iso(value))
    return _in_zone(value, UTC) if isinstance(value, datetime) else None


def read_time(
    value: object,
    time_zone: tzinfo = UTC,
    *,
    day_first: bool = False,
) -> datetime | None:
    """Return the time that a value describes, with a time zone, or None if it cannot be read.

    A date without a time is accepted only in ISO 8601 and means midnight.

    Args:
        value: A text in one of many formats, a number of seconds or smaller units since 1970, or a
            datetime.
        time_zone: The time zone of values that contain none.
        day_first: Whether `02/03/2026` is 2 March.

    """
    when = read_local_time(value, day_first=day_first)
    return None if when is None else _in_zone(when, time_zone)


def read_local_time(value: object, *, day_first: bool = False) -> datetime | None:
    """Return the time that a value describes, or None if it cannot be read.

    The result is naive if the value contains no time zone.
    """
    if isinstance(value, str) and not value.isdigit():
        when = _from_iso(value) or _from_text(value.strip(), day_first=day_first)
    else:
        when = _unusual(value)
    return _unless_never(when)


def time_reader(
    time_zone: tzinfo = UTC,
    *,
    day_first: bool = False,
    time_format: str | None = None,
) -> ReadTime:
    """Return a function that reads the times of one log, to be passed to `read_line`.

    The function takes a value and returns a datetime with a time zone, or None, like `read_time`.

    Args:
        time_zone: The time zone of values that contain none.
        day_first: Whether `02/03/2026` is 2 March.
        time_format: A format of `datetime.strptime`, such as `%d.%m.%Y %H:%M`, which is tried
            first.

    Raises:
        ConfigurationError: The format lacks the day or the time.

    """
    if time_format is not None:
        _check_format(time_format)
    elif time_zone is UTC and not day_first:
        return read_time
    return lambda value: (
        _formatted(value, time_format, time_zone)
        or read_time(value, time_zone, day_first=day_first)
    )


def _check_format(time_format: str) -> None:
    """Raise `ConfigurationError` unless the format contains a date, an hour and a minute."""
    found = None
    if _YEAR.search(time_format):  # without one, Python 3.13 warns
        with suppress(ValueError, TypeError):
            text = _SAMPLE.strftime(time_format)
            found = datetime.strptime(text, time_format).replace(tzinfo=UTC)
    if found is None or found.replace(second=_SAMPLE.second) != _SAMPLE or "%Z" in time_format:
        raise ConfigurationError(
            f"the time format {time_format!r} cannot be used: give a date, hour and minute as "
            "datetime.strptime takes them ('%d.%m.%Y %H:%M:%S'), and a zone only as an offset (%z)"
        )


def _formatted(value: object, time_format: str | None, time_zone: tzinfo) -> datetime | None:
    """Return the time of a text in a `strptime` format, or None if the text has another format."""
    if time_format is None or isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value).strip()
    try:
        if "%z" in time_format:
            when = datetime.strptime(text, time_format).astimezone(UTC)
        else:
            when = _in_zone(datetime.strptime(text, time_format), time_zone)  # noqa: DTZ007
    except (ValueError, OverflowError):
        return None
    return _unless_never(when)


def _unless_never(when: datetime | None) -> datetime | None:
    """Return a time, or None for the years 1 and 9999, in which conversions can overflow."""
    return None if when is None or when.year in UNREAD_YEARS else when


def _in_zone(when: datetime, time_zone: tzinfo) -> datetime:
    """Return a time with a fixed UTC offset. A naive time is local time in `time_zone`."""
    return comparable(when if is_aware(when) else when.replace(tzinfo=time_zone))


def _from_iso(text: str) -> datetime | None:
    """Parse ISO 8601 text, including the hour 24 and the second 60, or return None."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        plain, later = _carried(text)
    try:
        return datetime.fromisoformat(plain) + later if later else None
    except (ValueError, OverflowError):
        return None


def _carried(text: str) -> tuple[str, timedelta]:
    """Replace the hour 24 or the second 60 in a text, which Python's parser refuses.

    Return the new text and the duration to add to its time. `24:00:00` becomes `00:00:00` and one
    day.
    """
    if found := _MIDNIGHT.search(text):
        return f"{text[: found.start()]}00:00:00{text[found.end() :]}", timedelta(days=1)
    if found := _LEAP_SECOND.search(text):
        return f"{text[: found.end(1)]}:59{text[found.end() :]}", timedelta(seconds=1)
    return text, timedelta()


def _unusual(value: object) -> datetime | None:
    """Return the time of a text of digits, a number or a datetime, or None for other values."""
    if isinstance(value, str):
        return _from_digits(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    return value if isinstance(value, datetime) else None


def _from_digits(text: str) -> datetime | None:
    """Parse a number since 1970 or a compact date such as `20260302`, or return None.

    `fromisoformat` would read milliseconds as a day of the year 1763.
    """
    if _DIGITS.match(text):
        return _from_number(float(text) if "." in text else int(text))
    compact = _COMPACT.match(text)
    try:
        if compact is not None:
            return datetime.fromisoformat(f"{compact[1]}T{compact[2]}")
        return datetime.fromisoformat(text) if len(text) == len("20260302") else None
    except ValueError:
        return None


def _from_number(value: float) -> datetime | None:
    """Return the time of a number since 1970, or None if the number is too large.

    The magnitude of the number decides whether it counts seconds or smaller units.
    """
    size = abs(value)
    for limit, parts in _UNITS:
        if size < limit:
            return _since_epoch(value, parts)
    return None


def _since_epoch(value: float, parts: int) -> datetime | None:
    # Integers are divided as such, because a float has too few digits for nanoseconds.
    """Return the time of a number of units since 1970. `parts` units are a second."""
    whole, rest = divmod(value, parts)
    try:
        return EPOCH + timedelta(seconds=whole, microseconds=rest * 1_000_000 / parts)
    except OverflowError:
        return None


@cache
def _parser() -> "parser":
    """Return a dateutil parser that reads two-digit years as 2000 to 2099."""
    from dateutil import parser  # most logs have ISO 8601 only

    class EnglishWords(parser.parserinfo):
        def convertyear(self, year: int, century_specified: bool = False) -> int:  # noqa: FBT001, FBT002
            return year if century_specified or year > 99 else year + 2000  # noqa: PLR2004

    return parser.parser(EnglishWords())


def _from_text(text: str, *, day_first: bool) -> datetime | None:
    """Parse a text that is not ISO 8601, or return None if it lacks part of a date and time."""
    if not text or len(text) > _LONGEST:
        return None
    if _DIGITS.match(text):
        return _from_digits(text)
    text = _ACCESS_LOG.sub(r"\1 \2 \3 ", _FROM_UTC.sub("", _COMMENT.sub("", text)), count=1)
    text, later = _carried(_DATE_COMMA.sub(", ", text))
    slashed = _SLASHED.match(text)
    # Without slashed numbers, dateutil would read 2026/02/11 as 2 November.
    is_day_first = slashed is not None and (day_first or slashed[2] == ".")
    if slashed is not None and int(slashed[3 if is_day_first else 1]) > _MONTHS:
        return None
    try:
        first, second = (
            _parser().parse(text, default=probe, dayfirst=is_day_first, tzinfos=_zone)
            for probe in _PROBES
        )
        first, second = first + later, second + later
    except Exception:  # noqa: BLE001 - dateutil promises no closed set of errors
        return None
    return first if first == second else None


def _zone(name: str | None, offset: int | None) -> tzinfo | None:
    """Return the time zone with this offset in seconds, or None for UTC. dateutil calls this.

    Raise `ValueError` if the text names a time zone by an abbreviation, which may have several
    meanings.
    """
    if name is not None and offset != 0:
        raise ValueError(f"zone {name} has several meanings")
    return None if offset is None else timezone(timedelta(seconds=offset))
