"""Comparing what a backend tells with what the reference knows.

It decides what two accounts of a conversation have in common: keys that only one of them has are
left alone, findings count by their codes in any order, and of a segment only who, what and how
often.  It knows neither where an account comes from nor what should be in it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["Discrepancy", "discrepancies", "reduced"]


class Discrepancy(NamedTuple):
    """One thing that is told otherwise."""

    key: str
    expected: object
    found: object


def discrepancies(expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Discrepancy]:
    """Yield what differs of the keys that both have, in order of the keys."""
    for key in sorted(expected.keys() & found.keys()):
        one, other = reduced(key, expected[key]), reduced(key, found[key])
        if one != other:
            yield Discrepancy(key, one, other)


def reduced(key: str, value: Any) -> Any:  # noqa: ANN401 - a JSON value
    """Reduce a value to what is compared of it; what cannot be reduced stays as it is."""
    try:
        match key:
            case "findings":
                return sorted(each["code"] if isinstance(each, Mapping) else each for each in value)
            case "consultants" | "present":
                return sorted(value)
            case "segments":
                return [_outline(segment) for segment in value]
            case "status":
                return 200 if 200 <= value < 300 else value  # noqa: PLR2004 - any success
            case _:
                return value
    except (KeyError, TypeError):
        return value


def _outline(segment: Mapping[str, Any]) -> dict[str, Any]:
    """Reduce a segment as a report has it."""
    connections = segment["connections"]
    return {
        "agent": segment["agent"],
        "kind": segment["kind"],
        "role": segment["role"],
        "connections": connections if isinstance(connections, int) else len(connections),
    }
