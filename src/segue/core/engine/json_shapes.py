"""Descriptions of JSON values, by which values that Segue stored earlier are validated."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

Shape: TypeAlias = Any
"""The description of a JSON value.

- A type accepts values of exactly this type (a boolean is not an integer). `object` accepts any
  value.
- A range accepts its integers.
- A function accepts the values for which it returns true. It rejects a value by `ValueError` or
  `TypeError`, too.
- A frozenset accepts the strings that it contains.
- A list with one description accepts lists of any length whose elements fit the description.
- A tuple of descriptions accepts lists of the same length whose elements fit in order.
- A mapping of descriptions accepts objects with exactly these keys.
- `Either`, `Values` and `Object` accept the values that their docstrings describe.
- None accepts null.
"""


class Either(NamedTuple):
    """A description that accepts the values of either of two descriptions."""

    one: Shape
    other: Shape


class Values(NamedTuple):
    """A description of an object with any keys, whose values all fit one description."""

    shape: Shape


class Object(NamedTuple):
    """A description of an object that has all keys of `required` and may have those of `others`."""

    required: Mapping[str, Shape]
    others: Mapping[str, Shape]


def optional(shape: Shape) -> Either:
    """Return a description that also accepts null."""
    return Either(shape, None)


def _is_time(text: str) -> bool:
    """Return whether an ISO 8601 text has a time zone. Raise `ValueError` if it is not a time."""
    return datetime.fromisoformat(text).tzinfo is not None


COUNT: Final = range(1 << 48)
"""The description of a number of events, from 0."""
TIME: Final = optional(_is_time)
"""The description of a time with a time zone as ISO 8601 text, or null."""


def fits(value: object, shape: Shape) -> bool:
    """Return whether a JSON value fits a description."""
    if shape is None or shape is object:
        return shape is object or value is None
    for kind, has_shape in _BY_KIND:
        if isinstance(shape, kind):
            return has_shape(value, shape)
    return _is_accepted(value, shape)


def _is_accepted(value: object, accepts: Callable[[Any], object]) -> bool:
    """Return whether a function accepts a value."""
    try:
        return bool(accepts(value))
    except (TypeError, ValueError):
        return False


def _is_object(value: object, shape: Object) -> bool:
    """Return whether a value is an object that fits the description."""
    required, known = shape.required, {**shape.others, **shape.required}
    return (
        isinstance(value, dict)
        and required.keys() <= value.keys() <= known.keys()
        and all(fits(each, known[key]) for key, each in value.items())
    )


def _is_list(value: object, shape: list[Shape]) -> bool:
    """Return whether a value is a list whose elements all fit the description."""
    return isinstance(value, list) and all(fits(each, shape[0]) for each in value)


def _is_row(value: object, shape: tuple[Shape, ...]) -> bool:
    """Return whether a value is a list whose elements fit the descriptions in order."""
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
"""The test for each type of description. The named tuples come before tuple, because they are
subclasses of tuple.
"""
