"""Changes of the answers to requests that have taken effect, as faults make them.

Each takes an answer that is planned and returns the changed one, or None where it cannot happen.
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
    """An answer before it is sent."""

    value: _Json
    """JSON."""
    what: str = ""
    """What really happened."""
    seconds: float = 0
    """How long it is kept back."""
    is_lost: bool = False


def lose(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Lose it."""
    return replace(answer, is_lost=True, what="it took effect, and the answer was lost")


def slow_down(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Keep it back for a while."""
    return replace(answer, seconds=_SLOW, what=f"the answer came {_SLOW:.0f} s late")


def unknown_value(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Put a status into it that nobody listed."""
    return _changed(answer, _STATUSES, lambda _: "Quantum", "it said the status Quantum")


def respell(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Spell a status in another letter case."""
    return _changed(answer, _STATUSES, _other_case, "a status was in another letter case")


def lie_about_more(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Say that there is more, where there is not."""
    return _changed(answer, _MORE, lambda value: value is False or value, "it lied about more")


def add_member(_: Random, answer: PlannedAnswer) -> PlannedAnswer | None:
    """Add a member to every object."""
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
