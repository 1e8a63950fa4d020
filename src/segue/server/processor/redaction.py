"""Blanks the text of conversations, and writes JSON that every store accepts.

The text is `query` and the values of `customFields`. A blank value has the JSON type of the
original, so the findings are the same. Names of fields are kept.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from segue.core.events import Json

_BEYOND_FLOATS: Final = 10**309
_TEXTS: Final = (str, int, float, list, dict)


def blank(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a body in which the text of the conversation is blank.

    The text is in `query` and `customFields`. Their names match in any letter case.
    """
    return {key: _without_text(key.lower(), item) for key, item in body.items()}


def blank_all(body: Mapping[str, Any]) -> object:
    """Return a copy of a body in which all values are blank.

    It is for intakes whose members are not described, so that any value may be text.
    """
    values = {key: _blank(item) for key, item in body.items()}
    return (
        values[""] if values.keys() == {""} else values
    )  # a value that is not an object is under ""


def json_text(value: object) -> str:
    """Return plain JSON values as JSON text.

    Infinity, the decoded form of a number beyond the range of floats, is written as a long integer.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False)


def _without_text(key: str, value: Json) -> Json:
    if key == "query":
        return _blank(value)
    if key == "customfields":
        is_object = isinstance(value, dict)
        return {name: _blank(item) for name, item in value.items()} if is_object else _blank(value)
    if isinstance(value, dict):
        return blank(value)
    return [_without_text("", item) for item in value] if isinstance(value, list) else value


def _blank(value: object) -> object:
    return type(value)() if type(value) in _TEXTS else value  # true, false and null contain no text


def _finite(value: object) -> object:
    if isinstance(value, float) and math.isinf(value):
        return _BEYOND_FLOATS if value > 0 else -_BEYOND_FLOATS
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value
