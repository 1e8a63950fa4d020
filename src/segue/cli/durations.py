"""Durations as options take them, such as `90d`, `12h` or `500ms`; the unit is required."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from segue.cli.options import parse_time
from segue.errors import ConfigurationError

__all__ = ["parse_duration", "parse_moment"]

_DURATION: Final = re.compile(r"([0-9]{1,8}(?:\.[0-9]{1,6})?)(d|h|ms|m|s)")
_SECONDS: Final = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def parse_duration(option: str, text: str) -> timedelta:
    """Return the duration of an option. Raises `ConfigurationError` for another text."""
    found = _DURATION.fullmatch(text)
    if found is None:
        msg = f"{option} takes a duration such as 90d, 12h, 30m, 1s or 500ms, not {text!r}"
        raise ConfigurationError(msg)
    return timedelta(seconds=float(found[1]) * _SECONDS[found[2]])


def parse_moment(option: str, text: str) -> datetime:
    """Return a time: that long ago, or of ISO 8601, in UTC if it names no zone."""
    if _DURATION.fullmatch(text):
        try:
            return datetime.now(tz=UTC) - parse_duration(option, text)
        except OverflowError:
            raise ConfigurationError(f"{option} is before the year 1: {text!r}") from None
    return parse_time(option, text)
