"""Functions that make faults in the sandbox's answer to a request that has taken effect.

Each function takes a random generator and the planned answer. It returns a changed answer, or None
if the fault does not apply to the answer.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final, TypeAlias

_STATUSES: Final = frozenset({"status", "onlineStatus", "onlineStatusType", "containmentType"})
_MORE: Final = frozenset({"hasMore", "moreAvailable", "availableMore"})
_SLOW: Final = 3.0
_Json: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """An answer of the sandbox before it is sent."""

    value: _Json
    """The JSON value of the answer's body."""
    what: str = ""
    """A description of the fault, or an empty string if there is no fault."""
    seconds: float = 0
    """The delay of the answer in seconds."""
    is_lost: bool = False
    """Whether the connection is closed without an answer."""


def lose(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Return an answer that is lost: the connection closes without it."""
    return replace(answer, is_lost=True, what="the request took effect, but its answer was lost")


def slow_down(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Return an answer that is sent three seconds late."""
    return replace(answer, seconds=_SLOW, what=f"the answer came {_SLOW:.0f} s late")


def unknown_value(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Replace every status with "Quantum", a value that the specification does not list."""
    return _changed(
        answer, _STATUSES, lambda _: "Quantum", "the answer had the unknown status Quantum"
    )


def respell(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Change every status in the answer to upper case."""
    return _changed(answer, _STATUSES, _other_case, "a status was in another letter case")


def lie_about_more(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Change the flag of the last page so that it announces another page."""
    return _changed(
        answer,
        _MORE,
        lambda value: value is False or value,
        "the answer falsely announced more items",
    )


def add_member(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Add the member `xNew`, which the specification does not list, to every JSON object."""
    value = _added(answer.value)
    return None if value == answer.value else replace(
        answer, value=value, what="each object had a member xNew")  # fmt: skip


def _added(value: _Json) -> _Json:
    if isinstance(value, list):
        return [_added(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {**{name: _added(each) for name, each in value.items()}, "xNew": {"of": [1, None]}}


def _changed(
    answer: PlannedAnswer, names: frozenset[str], change: Callable[[_Json], _Json], what: str
) -> PlannedAnswer | None:
    value = _with(answer.value, names, change)
    return None if value == answer.value else replace(answer, value=value, what=what)


def _with(value: _Json, names: frozenset[str], change: Callable[[_Json], _Json]) -> _Json:
    if isinstance(value, list):
        return [_with(each, names, change) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: change(each)
        if name in names and isinstance(each, str | bool)
        else _with(each, names, change)
        for name, each in value.items()
    }


def _other_case(text: _Json) -> _Json:
    return text.upper() if isinstance(text, str) and text != text.upper() else text
