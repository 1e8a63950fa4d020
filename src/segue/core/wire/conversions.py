"""Conversion of fields whose values are sent as text: times and numbers."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from segue.core.events.shapes import BLANKS, FieldType
from segue.core.wire.timestamps import read_local_time

NUMBER: Final = r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?"
"""A regular expression for the text of a number."""
_NUMBER: Final = re.compile(NUMBER)
_LARGEST: Final = 10**12


def _number(found: str | float) -> int | float | None:
    """Return a number, limited to -10**12 to 10**12, or None if a text is not a number."""
    if isinstance(found, str):
        text = found.strip(BLANKS)
        if not _NUMBER.fullmatch(text):
            return None
        found = float(text) if "." in text else int(text)
    return found if -_LARGEST < found < _LARGEST else -_LARGEST if found < 0 else _LARGEST


def _date_time(found: object) -> str | None:
    """Return a time as ISO 8601 text, or None if it cannot be read. A naive time has no offset."""
    when = read_local_time(found)
    return None if when is None else when.isoformat()


CONVERSIONS: Final[Mapping[FieldType, Callable[[Any], int | float | str | None]]] = {
    FieldType.NUMBER: _number,
    FieldType.DATE_TIME: _date_time,
}
"""The function for each type that converts a value to a JSON value, or to None if it cannot be
read.
"""
