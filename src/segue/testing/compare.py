"""Comparison of a backend's answers and views with those of the reference implementation.

Only keys that both sides have are compared. Findings are compared by code in any order, and
segments by agent, kind, role and number of connections.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from segue.core.errors import ConfigurationError
from segue.core.events import Json
from segue.core.findings import BY_CODE
from segue.testing.views import ACCEPTED, COMPARED


class Discrepancy(NamedTuple):
    """A key, such as `phase`, whose value differs between the backend and the reference.

    The reference is the implementation of the specification in Segue.
    """

    key: str
    expected: object
    """The value of the reference implementation."""
    found: object
    """The value of the backend under test."""

    def __str__(self) -> str:
        """Return a line such as `phase: expected "active", found "ended"`."""
        is_unnamed = self.key == "primary" and self.expected == ""
        unnamed = '"" (an agent that no event named) or null'
        expected = unnamed if is_unnamed else json.dumps(self.expected, default=repr)
        return f"{self.key}: expected {expected}, found {json.dumps(self.found, default=repr)}"


class BackendCrash(NamedTuple):
    """An exception that a backend raised instead of returning an answer or a view."""

    error: Exception

    def __str__(self) -> str:
        """Return a line such as `the backend raised KeyError: 'a-3'`."""
        text = f"{type(self.error).__name__}: {self.error}".rstrip(": ")
        return f"the backend raised {text}"


def discrepancies(expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Discrepancy]:
    """Yield a `Discrepancy` for each key with different values in the two mappings.

    Keys that only one of the mappings has are skipped. The results are sorted by key. If the
    expected `primary` is an empty string, None is accepted as well. If the expected `role` of a
    segment is None, any role is accepted.
    """
    for key in sorted(expected.keys() & found.keys()):
        one, other = _reduced(key, expected[key]), _reduced(key, found[key])
        if key == "segments":
            other = _without_open_roles(one, other)
        if one != other and not (key == "primary" and (one, other) == ("", None)):
            yield Discrepancy(key, one, other)


def tolerated(words: Collection[str]) -> frozenset[str]:
    """Validate the argument `tolerate` of other functions, and return it as a frozenset.

    It contains keys and codes in which a backend may differ, such as `segments` or `SG207`.

    Raises:
        ConfigurationError: A word is neither a key that is compared nor the code of a rule, or the
            argument is a string.

    """
    if isinstance(words, str):
        raise ConfigurationError(f"`tolerate` must be a list, for example ({words!r},)")
    for word in sorted(set(words) - {*COMPARED, *BY_CODE}):
        raise ConfigurationError(
            f"`tolerate` must contain codes of rules and any of {', '.join(COMPARED)}, got {word!r}"
        )
    return frozenset(words)


def is_tolerated(differing: Discrepancy, tolerate: Collection[str]) -> bool:
    """Return whether `tolerate` allows a discrepancy.

    It does if it contains the key, such as `segments`. A discrepancy in `findings` is also allowed
    if `tolerate` contains the codes of all findings that only one side has.
    """
    key, expected, found = differing
    if key in tolerate:
        return True
    if key != "findings" or not (isinstance(expected, list) and isinstance(found, list)):
        return False
    return [code for code in expected if code not in tolerate] == [
        code for code in found if code not in tolerate
    ]


def _reduced(key: str, value: Json) -> Json:
    """Convert the value of a key to the form in which it is compared.

    Findings, for example, become a sorted list of codes. A value with an unexpected shape is
    returned unchanged.
    """
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


def _without_open_roles(expected: Json, found: Json) -> Json:
    """Return the found segments, with the role None where None is the expected one."""
    if not (isinstance(expected, list) and isinstance(found, list)):
        return found
    open_roles = [isinstance(each, dict) and each.get("role", "") is None for each in expected]
    return [
        {**each, "role": None} if is_open and isinstance(each, dict) else each
        for each, is_open in zip_longest(found, open_roles[: len(found)])
    ]


def outline(segment: Mapping[str, Any]) -> dict[str, Any]:
    """Reduce a segment (the stay of an agent) to the members that are compared.

    These are `agent`, `kind`, `role` and the number of `connections`. `segment` is a segment of a
    report as a JSON object, or the result of this function.
    """
    connections = segment["connections"]
    return {
        **{key: segment[key] for key in ("agent", "kind", "role")},
        "connections": connections if isinstance(connections, int) else len(connections),
    }
