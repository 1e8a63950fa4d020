"""Conversion of fields that are sent as text: times of a body, and numbers."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from segue.core.events.shapes import BLANKS, FieldType
from segue.core.wire.timestamps import read_local_time

NUMBER: Final = r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?"
"""The text of a number, as a pattern."""
_NUMBER: Final = re.compile(NUMBER)
_LARGEST: Final = 10**12


def _number(found: str | float) -> int | float | None:
    """Return a number, clamped to 10 to the 12th either way, or None for another text."""
    if isinstance(found, str):
        text = found.strip(BLANKS)
        if not _NUMBER.fullmatch(text):
            return None
        found = float(text) if "." in text else int(text)
    return found if -_LARGEST < found < _LARGEST else -_LARGEST if found < 0 else _LARGEST


def _date_time(found: object) -> str | None:
    """Return a time in ISO 8601, with its offset if it has one."""
    when = read_local_time(found)
    return None if when is None else when.isoformat()


CONVERSIONS: Final[Mapping[FieldType, Callable[[Any], int | float | str | None]]] = {
    FieldType.NUMBER: _number,
    FieldType.DATE_TIME: _date_time,
}
"""Functions that convert a value of a type to a JSON value, or to None if it cannot be read."""
