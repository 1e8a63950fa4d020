"""Shapes of JSON values, as data: what a value that Segue wrote looks like."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

Shape: TypeAlias = Any
"""What a JSON value must look like:

- a type: exactly of this type (a boolean is not an integer); `object`: any value
- a range: an integer in it
- a function: it returns true for the value; a `ValueError` or `TypeError` counts as false
- a frozenset: one of these strings
- a list of one shape: a list of any length, each element of that shape
- a tuple of shapes: a list of this length
- a mapping of shapes: an object with exactly these keys
- `Either`, `Values`, `Object`, or None: see there
"""


class Either(NamedTuple):
    """One of two shapes."""

    one: Shape
    other: Shape


class Values(NamedTuple):
    """An object with any keys, and values of one shape."""

    shape: Shape


class Object(NamedTuple):
    """An object with all keys of the first mapping, and perhaps some of the second."""

    required: Mapping[str, Shape]
    others: Mapping[str, Shape]


def optional(shape: Shape) -> Either:
    """Return the shape of a value that may be null."""
    return Either(shape, None)


def _is_time(text: str) -> bool:
    """Return whether a text is an aware time; raise `ValueError` or `TypeError` if it is none."""
    return datetime.fromisoformat(text).tzinfo is not None


COUNT: Final = range(1 << 48)
TIME: Final = optional(_is_time)


def fits(value: object, shape: Shape) -> bool:
    """Return whether a JSON value has a shape."""
    if shape is None or shape is object:
        return shape is object or value is None
    for kind, has_shape in _BY_KIND:
        if isinstance(shape, kind):
            return has_shape(value, shape)
    return _is_accepted(value, shape)


def _is_accepted(value: object, accepts: Callable[[Any], object]) -> bool:
    try:
        return bool(accepts(value))
    except (TypeError, ValueError):
        return False


def _is_object(value: object, shape: Object) -> bool:
    required, known = shape.required, {**shape.others, **shape.required}
    return (
        isinstance(value, dict)
        and required.keys() <= value.keys() <= known.keys()
        and all(fits(each, known[key]) for key, each in value.items())
    )


def _is_list(value: object, shape: list[Shape]) -> bool:
    return isinstance(value, list) and all(fits(each, shape[0]) for each in value)


def _is_row(value: object, shape: tuple[Shape, ...]) -> bool:
    return isinstance(value, list) and len(value) == len(shape) and all(map(fits, value, shape))


_HasShape: TypeAlias = Callable[[Any, Any], bool]
_BY_KIND: Final[tuple[tuple[type, _HasShape], ...]] = (
    (type, lambda value, shape: type(value) is shape),
    (range, lambda value, shape: type(value) is int and value in shape),
    (frozenset, lambda value, shape: isinstance(value, str) and value in shape),
    (Either, lambda value, shape: fits(value, shape.one) or fits(value, shape.other)),
    (
        Values,
        lambda value, shape: (
            isinstance(value, dict) and all(fits(each, shape.shape) for each in value.values())
        ),
    ),
    (Object, _is_object),
    (list, _is_list),
    (tuple, _is_row),
    (Mapping, lambda value, shape: _is_object(value, Object(shape, {}))),
)
"""The named tuples stand before tuple, of which they are."""
