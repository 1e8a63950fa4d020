"""A `repr` for values that is short, and that never raises an exception."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from datetime import datetime, timedelta
from functools import wraps
from itertools import islice
from typing import Any, Final

_MOST: Final = 60
"""The maximum number of characters of the `repr` of one attribute."""
_MOST_OF_ALL: Final = 200
"""The maximum number of characters of the `repr` of a value."""
_MOST_MEMBERS: Final = 3
"""The maximum number of members of a tuple or list that are shown."""
_EMPTY: Final = frozenset({"None", "''", "[]", "{}"})


def shows(*names: str) -> Callable[[Any], str]:
    """Return a `__repr__` that shows the attributes with these names, such as `Place(event=4)`.

    Without names it shows the fields of a dataclass that have `repr=True` and not their default.
    Attributes that are None or empty are left out. Long values are cut. An attribute that cannot be
    read is shown as `?`.
    """

    @short_repr
    def __repr__(self: object) -> str:  # noqa: N807 - assigned in a class
        shown = ((name, _shown_in(self, name)) for name in names or _usual_names(self))
        said = ", ".join(f"{name}={text}" for name, text in shown if text not in _EMPTY)
        return f"{type(self).__qualname__}({said})"

    return __repr__


def short_repr(shown: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return a `__repr__` that cuts the text of another, and that never raises an exception."""

    @wraps(shown)
    def __repr__(self: object) -> str:  # noqa: N807 - assigned in a class
        try:
            return cut(shown(self), _MOST_OF_ALL)
        except Exception:  # noqa: BLE001 - of an object that is not complete, for example
            return f"<{type(self).__qualname__} ?>"

    return __repr__


def cut(text: str, most: int = _MOST) -> str:
    """Return a text of at most `most` characters, which ends with `…` if it was cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _usual_names(value: Any) -> list[str]:  # noqa: ANN401 - an object of a dataclass
    """Return the names of the fields to show that do not have their default."""
    shown = (each for each in fields(value) if each.repr)
    return [each.name for each in shown if getattr(value, each.name, MISSING) != each.default]


def _shown_in(value: object, name: str) -> str:
    """Return the `repr` of an attribute, or `?` if it cannot be read."""
    try:
        return _shown(getattr(value, name))
    except Exception:  # noqa: BLE001 - as in `short_repr`
        return "?"


def _shown(value: object) -> str:
    if isinstance(value, str):
        return repr(cut(str(value)))
    if isinstance(value, datetime | timedelta):
        return str(value)
    if type(value) is not tuple and type(value) is not list:
        return cut(repr(value))
    members = [*map(_shown, islice(value, _MOST_MEMBERS))]
    return cut(f"[{', '.join(members + ['…'] * (len(value) > _MOST_MEMBERS))}]")
