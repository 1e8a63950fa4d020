"""Operating hours of queues, as the platform's operation E13 returns them."""

from datetime import datetime, time
from typing import Any, Final

from segue.analysis.compare.listed import text_of
from segue.core.errors import ConfigurationError

_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_CLOCKS: Final = ("%I:%M %p", "%I:%M%p", "%I:%M:%S %p", "%I %p", "%I%p", "%H:%M")


class OperatingHours:
    """The hours of each day of the week. `time in hours` tells whether a time is within them.

    Special days are ignored, because their format is not documented.

    Args:
        document: The decoded JSON that `segue call hours.get --format json` writes.
        name: The name of the file, for error messages.

    Raises:
        ConfigurationError: The document has no standard days, or its time zone or a day is invalid.

    """

    def __init__(self, document: object, name: str) -> None:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # only hours need it

        item: dict[str, Any] = document if isinstance(document, dict) else {}
        standard = item.get("standardDays")
        days = standard.get("days") if isinstance(standard, dict) else None
        if not isinstance(days, list):
            raise ConfigurationError(
                f"{name} has no standardDays: create it with segue call hours.get --format json"
            )
        try:
            self._zone = ZoneInfo(text_of(item, "timezone"))
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ConfigurationError(
                f"{name}: {text_of(item, 'timezone')!r} is not a time zone known to this machine"
            ) from error
        self._spans: dict[int, list[tuple[time, time]]] = {}
        for day in days:
            self._add(day if isinstance(day, dict) else {}, name)

    def _add(self, day: dict[str, Any], name: str) -> None:
        code = text_of(day, "day").upper()
        start, end = (_clock(text_of(day, key)) for key in ("start", "end"))
        if code not in _DAYS or start is None or end is None:
            raise ConfigurationError(f"{name}: invalid standard day: {day}")
        self._spans.setdefault(_DAYS.index(code), []).append((start, end))

    def __contains__(self, at: datetime) -> bool:
        """Return whether a time is within the operating hours.

        If a day's end is before its start, the hours end on the next day.
        """
        here = at.astimezone(self._zone)
        day, clock = here.weekday(), here.time()
        today, yesterday = self._spans.get(day, ()), self._spans.get((day - 1) % len(_DAYS), ())
        return any(
            start <= clock < end if start < end else clock >= start for start, end in today
        ) or any(start >= end > clock for start, end in yesterday)


def _clock(text: str) -> time | None:
    for form in _CLOCKS:
        try:
            return datetime.strptime(text.upper(), form).time()  # noqa: DTZ007 - a time of the day
        except ValueError:
            continue
    return None
