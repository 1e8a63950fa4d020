"""Reads bodies whose values are wrapped in their types, as some tools write JSON.

- DynamoDB: `{"conversationId": {"S": "c-1"}, "isExtAD": {"BOOL": false}}`
- Avro: `{"conversationId": {"string": "c-1"}, "query": null}`
- OpenTelemetry: `{"kvlistValue": {"values": [{"key": "botId", "value": {"stringValue": "b"}}]}}`
- MongoDB: `{"at": {"$date": {"$numberLong": "1772438400125"}}}`
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

_SCALARS: Final[Mapping[str, Callable[[Any], object]]] = {
    **dict.fromkeys(("S", "BOOL", "string", "boolean", "stringValue", "boolValue"), lambda it: it),
    **dict.fromkeys(("N", "$numberDouble", "$numberDecimal"), json.loads),
    **dict.fromkeys(("int", "long", "$numberInt", "$numberLong", "intValue"), int),
    **dict.fromkeys(("float", "double", "doubleValue"), float),
    "NULL": lambda _: None,
}
"""The types of values that contain no others, with functions that convert their values."""

_CONTAINERS: Final = frozenset({"M", "L", "map", "array", "kvlistValue", "arrayValue"})
_TELLING: Final = ("conversationId", "botId", "events", "action", "query")
"""Fields of a body that show whether its values are wrapped in types."""
_DEEPEST: Final = 64


def without_types(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a body without the types around its values, or another value unchanged.

    Fields with the value null are omitted then, because Avro writes those that a body lacks.
    """
    return _unwrapped(value, _DEEPEST) if _is_typed_body(value) else value


def _is_typed_body(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    if len(value) == 1:
        key, inner = next(iter(value.items()))
        if key in ("M", "map") and _is_typed_body(inner):
            return True
        if key == "kvlistValue":
            return _is_typed_body(_of_pairs(inner))
    return any(_type_of(value.get(field)) is not None for field in _TELLING)


def _type_of(value: object) -> str | None:
    """Return the type that a value is wrapped in, such as `S`, or None."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return None
    key = next(iter(value))
    return key if key in _SCALARS or key in _CONTAINERS else None


def _unwrapped(value: Any, depth: int) -> Any:  # noqa: ANN401 - any JSON value
    kind = _type_of(value)
    if kind is not None and kind in _SCALARS:
        with suppress(ValueError, TypeError, OverflowError):
            return _SCALARS[kind](value[kind])
        return value
    if kind is not None:
        value = _content_of(kind, value[kind])
    if depth and isinstance(value, Mapping):
        return _object(value, depth - 1)
    if depth and isinstance(value, list):
        return [_unwrapped(each, depth - 1) for each in value]
    return value


def _object(value: Mapping[str, Any], depth: int) -> Any:  # noqa: ANN401 - any JSON value
    if len(value) == 1 and _is_record(inner := next(iter(value.values()))):
        value = inner  # Avro writes the name of a record type around it
    found = {key: _unwrapped(each, depth) for key, each in value.items()}
    return {key: each for key, each in found.items() if each is not None}


def _is_record(value: object) -> bool:
    """Return whether an object has wrapped values, so that its key may be the name of a type."""
    return isinstance(value, Mapping) and any(_type_of(each) in _SCALARS for each in value.values())


def _content_of(kind: str, value: object) -> object:
    """Return the object or list in a container. Those of OpenTelemetry have a key `values`."""
    if kind == "kvlistValue":
        return _of_pairs(value)
    return value.get("values", []) if kind == "arrayValue" and isinstance(value, Mapping) else value


def _of_pairs(value: object) -> dict[str, Any]:
    """Return the object of a list of keys and values in OpenTelemetry."""
    pairs = value.get("values") if isinstance(value, Mapping) else None
    listed = pairs if isinstance(pairs, list) else []
    return {
        each["key"]: each["value"]
        for each in listed
        if isinstance(each, Mapping) and {"key", "value"} <= each.keys()
    }
