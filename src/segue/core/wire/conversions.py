"""Conversion of fields whose values are sent as text: times and numbers."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any, Final

from segue.core.events.shapes import BLANKS, FieldType
from segue.core.wire.timestamps import read_local_time

NUMBER: Final = r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?"
"""A regular expression for the text of a number."""
_NUMBER: Final = re.compile(NUMBER)
_LARGEST: Final = 10**12


def _number(found: str | float) -> int | float | None:
    """Convert text or a number to a number from -10**12 to 10**12. Larger ones become the limit.

    Return None for a text that is not a number.
    """
    if isinstance(found, str):
        text = found.strip(BLANKS)
        if not _NUMBER.fullmatch(text):
            return None
        found = float(text) if "." in text else int(text)
    return found if -_LARGEST < found < _LARGEST else -_LARGEST if found < 0 else _LARGEST


def _date_time(found: object) -> str | None:
    """Convert a time to ISO 8601 text, or return None if it cannot be read.

    The text is in UTC and says so if the value contains an offset. Otherwise it has no offset.
    """
    when = read_local_time(found)
    if when is None:
        return None
    return (when if when.tzinfo is None else when.astimezone(UTC)).isoformat()


CONVERSIONS: Final[Mapping[FieldType, Callable[[Any], int | float | str | None]]] = {
    FieldType.NUMBER: _number,
    FieldType.DATE_TIME: _date_time,
}
"""The function for each type that converts a value to a JSON value, or to None if it cannot be
read.
"""
