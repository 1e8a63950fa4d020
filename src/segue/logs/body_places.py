"""Searches decoded JSON values for bodies, at up to six levels of nesting.

A body is the JSON object that a platform sends for a conversation, with its events.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from segue.logs.body_text import object_text

_DEEPEST: Final = 6
_WIDEST: Final = 50
"""The maximum number of members of an object or list that are searched."""
_LONGEST_TEXT: Final = 1 << 20
_BODY_KEYS: Final = frozenset({"conversationId", "events"})
_PAIRS: Final = (frozenset({"query", "author"}), frozenset({"action", "agentId"}))


class BodyPlace(NamedTuple):
    """The location of a body in a decoded JSON value (the record)."""

    pointer: str
    """The JSON Pointer to the body, such as `/payload`. Empty if the record itself is the body."""
    is_text: bool
    """Whether the body is a string that contains JSON."""
    list_pointer: str | None
    """The JSON Pointer to the outermost list around the body, or None if no list contains it."""


def places_of_bodies(record: object) -> Iterator[BodyPlace]:
    """Yield the location of each body in a record. Outer bodies precede those nested in them."""
    return _bodies(record, "", _DEEPEST, None)


def decoded(text: bytes | str) -> object:
    """Parse JSON text. Return the object or array, or None for other values and invalid JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def members_of(value: object) -> Iterator[tuple[str, Any]]:
    """Yield `(token, value)` for up to 50 members of an object or list.

    The token is the member's key or index as it is written in a JSON Pointer. Other values have no
    members.
    """
    if isinstance(value, Mapping):
        for key in list(value)[:_WIDEST]:
            yield str(key).replace("~", "~0").replace("/", "~1"), value[key]
    elif isinstance(value, list):
        yield from ((str(index), each) for index, each in enumerate(value[:_WIDEST]))


def is_body(record: object) -> bool:
    """Return whether a value is an object with a key of a body, such as `events`."""
    return isinstance(record, Mapping) and (
        not _BODY_KEYS.isdisjoint(record) or any(pair <= record.keys() for pair in _PAIRS)
    )


def _bodies(
    value: object, pointer: str, depth: int, list_pointer: str | None
) -> Iterator[BodyPlace]:
    is_text = isinstance(value, str)
    if isinstance(value, str):
        text = object_text(value[:_LONGEST_TEXT]).lstrip()
        value = decoded(text) if text.startswith("{") else None
    if is_body(value):
        yield BodyPlace(pointer, is_text, list_pointer)
    if depth:
        if list_pointer is None and isinstance(value, list):
            list_pointer = pointer
        for key, member in members_of(value):
            yield from _bodies(member, f"{pointer}/{key}", depth - 1, list_pointer)
