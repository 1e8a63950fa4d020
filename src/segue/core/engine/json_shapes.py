"""Descriptions of JSON values, by which values that Segue stored earlier are validated.

`accepting` compiles a description to a function once.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from operator import call
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


Accepts: TypeAlias = Callable[[Any], bool]
"""A function that returns whether a JSON value fits a description."""


def accepting(shape: Shape) -> Accepts:
    """Return a function that returns whether a JSON value fits a description."""
    if shape is None:
        return lambda value: value is None
    if shape is object:
        return lambda _: True
    for kind, compiled in _BY_KIND:
        if isinstance(shape, kind):
            return compiled(shape)
    return _guarded(shape)


def _guarded(accepts: Callable[[Any], object]) -> Accepts:
    def fits(value: Any) -> bool:  # noqa: ANN401 - any JSON
        try:
            return bool(accepts(value))
        except (TypeError, ValueError):
            return False

    return fits


def _typed(kind: type) -> Accepts:
    return lambda value: type(value) is kind


def _number(numbers: range) -> Accepts:
    return lambda value: type(value) is int and value in numbers


def _word(words: frozenset[str]) -> Accepts:
    return lambda value: isinstance(value, str) and value in words


def _either(shape: Either) -> Accepts:
    one, other = accepting(shape.one), accepting(shape.other)
    if shape.other is None:
        return lambda value: value is None or one(value)
    return lambda value: one(value) or other(value)


def _mapping(shape: Values) -> Accepts:
    accepts = accepting(shape.shape)
    return lambda value: isinstance(value, dict) and all(map(accepts, value.values()))


def _object(shape: Object) -> Accepts:
    required = frozenset(shape.required)
    known = {key: accepting(each) for key, each in {**shape.others, **shape.required}.items()}

    def fits(value: Any) -> bool:  # noqa: ANN401 - any JSON
        return (
            isinstance(value, dict)
            and required <= value.keys() <= known.keys()
            and all(known[key](each) for key, each in value.items())
        )

    return fits


def _list(shape: list[Shape]) -> Accepts:
    accepts = accepting(shape[0])
    return lambda value: isinstance(value, list) and all(map(accepts, value))


def _row(shape: tuple[Shape, ...]) -> Accepts:
    columns = tuple(map(accepting, shape))
    size = len(columns)
    return lambda value: (
        isinstance(value, list) and len(value) == size and all(map(call, columns, value))
    )


_BY_KIND: Final[tuple[tuple[type, Callable[[Any], Accepts]], ...]] = (
    (type, _typed),
    (range, _number),
    (frozenset, _word),
    (Either, _either),
    (Values, _mapping),
    (Object, _object),
    (list, _list),
    (tuple, _row),
    (Mapping, lambda shape: _object(Object(shape, {}))),
)
"""The function that compiles each type of description. The named tuples come before tuple, because
they are subclasses of tuple.
"""
