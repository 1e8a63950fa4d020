"""Compares what a backend shows of a conversation with what the reference knows.

Keys that only one of them has are left alone, findings count by their codes in any order, and of a
segment only agent, kind, role and number of connections.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from segue.core.errors import ConfigurationError
from segue.core.events import Json
from segue.core.findings import BY_CODE
from segue.testing.views import ACCEPTED, COMPARED


class Discrepancy(NamedTuple):
    """One key whose values differ."""

    key: str
    expected: object
    found: object

    def __str__(self) -> str:
        """Return `phase: expected "active", found "ended"`; an empty primary is explained."""
        is_unnamed = self.key == "primary" and self.expected == ""
        unnamed = '"" (an agent whom no event named, or null)'
        expected = unnamed if is_unnamed else json.dumps(self.expected, default=repr)
        return f"{self.key}: expected {expected}, found {json.dumps(self.found, default=repr)}"


class BackendCrash(NamedTuple):
    """An error that a backend raised instead of an answer or a view."""

    error: Exception

    def __str__(self) -> str:
        """Return `the backend raised KeyError: 'a-3'`."""
        text = f"{type(self.error).__name__}: {self.error}".rstrip(": ")
        return f"the backend raised {text}"


def discrepancies(expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Discrepancy]:
    """Yield what differs of the keys that both have, in order of the keys.

    Null will do for a primary whom no event named.
    """
    for key in sorted(expected.keys() & found.keys()):
        one, other = _reduced(key, expected[key]), _reduced(key, found[key])
        if one != other and not (key == "primary" and (one, other) == ("", None)):
            yield Discrepancy(key, one, other)


def tolerated(words: Collection[str]) -> frozenset[str]:
    """Return the words if each is a key that is compared or the code of a rule.

    Raises `ConfigurationError` for any other word, and for a text instead of a list of them.
    """
    if isinstance(words, str):
        raise ConfigurationError(f"tolerate takes a list: write ({words!r},)")
    for word in sorted(set(words) - {*COMPARED, *BY_CODE}):
        raise ConfigurationError(
            f"tolerate takes codes of rules and any of {', '.join(COMPARED)}, not {word!r}"
        )
    return frozenset(words)


def is_tolerated(differing: Discrepancy, tolerate: Collection[str]) -> bool:
    """Whether only a key, or codes of findings, differ that are tolerated."""
    key, expected, found = differing
    if key in tolerate:
        return True
    if key != "findings" or not (isinstance(expected, list) and isinstance(found, list)):
        return False
    return [code for code in expected if code not in tolerate] == [
        code for code in found if code not in tolerate
    ]


def _reduced(key: str, value: Json) -> Json:
    """Reduce a value to what is compared of it; what cannot be reduced stays as it is."""
    try:
        match key:
            case "findings":
                return sorted(each["code"] if isinstance(each, Mapping) else each for each in value)
            case "consultants" | "present":
                return sorted(value)
            case "segments":
                return [outline(segment) for segment in value]
            case "transcription" if isinstance(value, Mapping):
                return value["state"]
            case "status" if value in ACCEPTED:
                return ACCEPTED[0]
    except (KeyError, TypeError):
        pass
    return value


def outline(segment: Mapping[str, Any]) -> dict[str, Any]:
    """Reduce a segment, as a report or another outline has it."""
    connections = segment["connections"]
    return {
        **{key: segment[key] for key in ("agent", "kind", "role")},
        "connections": connections if isinstance(connections, int) else len(connections),
    }
