"""Shapes of JSON values as data, to validate values that Segue wrote."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

Shape: TypeAlias = Any
"""The shape that a JSON value must have.

- A type accepts values of exactly this type (a boolean is no integer). `object` accepts any value.
- A range accepts its integers.
- A function accepts the values for which it returns true. `ValueError` and `TypeError` are false.
- A frozenset accepts its strings.
- A list of one shape accepts lists of any length with elements of that shape.
- A tuple of shapes accepts lists of that length.
- A mapping of shapes accepts objects with exactly these keys.
- `Either`, `Values` and `Object` are described there. None accepts null.
"""


class Either(NamedTuple):
    """A value of one of two shapes."""

    one: Shape
    other: Shape


class Values(NamedTuple):
    """An object with any keys, whose values have one shape."""

    shape: Shape


class Object(NamedTuple):
    """An object with all keys of the first mapping, and any of the second."""

    required: Mapping[str, Shape]
    others: Mapping[str, Shape]


def optional(shape: Shape) -> Either:
    """Return the shape of a value that may be null."""
    return Either(shape, None)


def _is_time(text: str) -> bool:
    """Return whether a text is an aware time. Raise an error for a text that is no time."""
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
"""Types of shapes with their tests. Named tuples come before tuple, of which they are subclasses.
"""
