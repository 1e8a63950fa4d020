"""A columnar encoding of similar JSON values that compresses to half the size.

A column is a list of values, or an object from which `page/columns.mjs` restores the list:

    {"steps": [...]}                   integers, each as the difference from the previous one;
                                       null stays null
    {"of": column, "at": column}       the distinct values, and the index of each value among them
    {"items": [column, ...]}           lists of equal length: all first items, all second items, ...
    {"sizes": column, "all": column}   lists: their lengths, and their items concatenated
    {"keys": [[key, ...], ...], "which": column, "values": [column, ...]}
                                       objects: the distinct lists of keys, the index of the list
                                       that each object uses, and the values of each key
"""

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

_FEW: Final = 8
"""The length up to which a column is not searched for repeated values."""
_REPEATS: Final = 3
"""The minimum average number of occurrences of a value for the form `of` and `at`."""
_WIDE: Final = 20
"""The maximum length of lists for the form `items`, which has a column for each index."""
_EXACT: Final = 2**50
"""The bound below which JavaScript adds integers without rounding."""

Column = list[Any] | dict[str, Any]


def to_column(values: Sequence[Any]) -> Column:
    """Encode a sequence of JSON values as a column.

    The types of the values determine the form. Values that suit no other form become a plain list.
    """
    types = set(map(type, values))
    if int in types and types <= {int, type(None)}:
        return _steps(values)
    if types == {dict}:
        return _objects(values)
    return _repeated(values, types) or (_lists(values) if types == {list} else list(values))


def _steps(values: Sequence[int | None]) -> Column:
    steps: list[int | None] = []
    before = 0
    for value in values:
        steps.append(None if value is None else value - before)
        before = before if value is None else value
    is_shorter = len(_text(steps)) < len(_text(values))
    is_exact = all(value is None or -_EXACT < value < _EXACT for value in values)
    return {"steps": steps} if is_shorter and is_exact else list(values)


def _repeated(values: Sequence[Any], types: set[type]) -> Column | None:
    """Return the form `of` and `at`, which writes each distinct value only once.

    Return None if the values are neither text nor lists of scalars, or if they repeat too rarely.
    """
    if len(values) <= _FEW:
        return None
    if types == {list} and set(map(type, chain.from_iterable(values))) <= {int, str, type(None)}:
        keys: Sequence[Any] = list(map(tuple, values))
    elif types <= {str, type(None)}:
        keys = values
    else:
        return None
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    if len(numbers) * _REPEATS > len(values):
        return None
    different = [list(key) if isinstance(key, tuple) else key for key in numbers]
    return {"of": to_column(different), "at": to_column([numbers[key] for key in keys])}


def _lists(values: Sequence[list[Any]]) -> Column:
    sizes = list(map(len, values))
    if len(set(sizes)) == 1 and 0 < sizes[0] <= min(_WIDE, len(values)):
        return {"items": [to_column(items) for items in zip(*values, strict=True)]}
    return {"sizes": to_column(sizes), "all": to_column(list(chain.from_iterable(values)))}


def _objects(values: Sequence[dict[str, Any]]) -> Column:
    lists = {keys: number for number, keys in enumerate(dict.fromkeys(map(tuple, values)))}
    keys = dict.fromkeys(chain.from_iterable(lists))
    return {
        "keys": list(map(list, lists)),
        "which": to_column([lists[tuple(value)] for value in values]),
        "values": [to_column([value[key] for value in values if key in value]) for key in keys],
    }


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
