"""JSON values of one form as columns: what repeats is written once, what grows is written as steps.

The data of a page are many small values that look alike.  By column they are half as large when
they are compressed.  A column is a list of the values themselves, or an object that says how to
make the list (`page/columns.mjs` does):

    {"steps": [...]}                   integers: each is added to the one before; null stays null
    {"of": column, "at": column}       for each value its index among the different ones
    {"items": [column, ...]}           lists of one length: first items, second items, ...
    {"sizes": column, "all": column}   lists: their lengths, and their items one behind the other
    {"keys": [[key, ...], ...], "which": column, "values": [column, ...]}
                                       objects: their different lists of keys, for each object the
                                       index of its list, and for each key what has that key
"""

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

_FEW: Final = 8
"""Columns up to this length are not looked through for values that repeat."""
_REPEATS: Final = 3
"""What is there so often on average is written once."""
_WIDE: Final = 20
"""Lists that are longer have no column for each of their places."""
_EXACT: Final = 2**50
"""JavaScript adds smaller integers without rounding."""

Column = list[Any] | dict[str, Any]


def to_column(values: Sequence[Any]) -> Column:
    """Return JSON values as a column."""
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
    """Return the different values and their places; None where few are alike, or none can be."""
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
