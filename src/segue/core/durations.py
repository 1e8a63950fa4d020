"""Durations as users write them in options and requests: `90d`, `12h`, `30m`, `1.5s`, `500ms`."""

import re
from datetime import timedelta
from typing import Final

__all__ = ["read_duration"]

_DURATION: Final = re.compile(r"([0-9]{1,8}(?:\.[0-9]{1,6})?)(d|h|ms|m|s)")
_SECONDS: Final = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def read_duration(text: str) -> timedelta:
    """Convert a text such as `90d` or `1.5s` to a timedelta.

    Raises:
        ValueError: The text is not a number with at most eight digits and six decimal places,
            followed by d, h, m, s or ms.

    """
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError(
            f"{text!r} is not a duration: give a number and a unit, such as 90d, 12h, 30m or 500ms"
        )
    return timedelta(seconds=float(found[1]) * _SECONDS[found[2]])
