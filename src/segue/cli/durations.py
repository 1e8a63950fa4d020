"""Spans of time as commands are given them: `90d`, `12h`, `30m`, or a moment.

House rule: a number without its unit could mean anything, so it is refused.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from segue.cli.options import at
from segue.errors import ConfigurationError

__all__ = ["age", "moment"]

_AGE: Final = re.compile(r"([0-9]{1,6})([dhm])")
_UNITS: Final = {"d": "days", "h": "hours", "m": "minutes"}


def age(option: str, text: str) -> timedelta:
    """Return a span such as 90d, 12h or 30m."""
    found = _AGE.fullmatch(text)
    if found is None or not int(found[1]):
        raise ConfigurationError(
            f"{option} takes days, hours or minutes, such as 90d, not {text!r}"
        )
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def moment(option: str, text: str | None) -> datetime | None:
    """Return a time: so long ago, or of ISO 8601, in UTC when it names no zone."""
    if text is not None and _AGE.fullmatch(text):
        return datetime.now(tz=UTC) - age(option, text)
    return at(option, text, UTC)
