"""Blanks the text of conversations, and writes JSON that every store accepts.

The text is `query` and the values of `customFields`. A blank value has the JSON type of the
original, so the findings are the same. Names of fields are kept.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from segue.core.events import TRANSFER_CALLBACKS, Json, TransferTarget
from segue.core.events.fields import FIELDS

_BEYOND_FLOATS: Final = 10**309
_TEXTS: Final = (str, int, float, list, dict)
_CONFIRMATION: Final = FIELDS[TRANSFER_CALLBACKS.name].names


def blank(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of `body` in which the text of the conversation is replaced by empty values.

    The text is the value of `query` and the values in `customFields`, whose names are matched in
    any letter case. Each empty value has the JSON type of the original, so a string becomes `""`.
    """
    return {key: _without_text(key.lower(), item) for key, item in body.items()}


def blank_all(body: Mapping[str, Any]) -> object:
    """Return a copy of `body` in which all values are replaced by empty values of the same type.

    Use it for endpoints whose fields are unknown, so that any value may be text of a customer. The
    members that confirm a transfer are kept.
    """
    kept = _CONFIRMATION if TransferTarget.of(body) is not None else ()
    values = {
        key: item if key in kept and type(item) is str else _blank(item)
        for key, item in body.items()
    }
    return (
        values[""] if values.keys() == {""} else values
    )  # a value that is not an object is under ""


def json_text(value: object) -> str:
    """Return `value` as JSON text.

    The text contains no `Infinity`, which is not valid JSON. An infinite float, the decoded form of
    a number that is too large, is written as an integer with 310 digits.
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
