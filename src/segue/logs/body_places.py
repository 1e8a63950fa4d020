"""Searches decoded JSON values for bodies, at up to eight levels of nesting.

A body is the JSON object that a platform sends for a conversation, with its events.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from segue.logs.body_text import object_text, text_of
from segue.logs.typed_json import without_types

_DEEPEST: Final = 8
_WIDEST: Final = 50
"""The maximum number of members of an object or list that are searched."""
_LONGEST_TEXT: Final = 1 << 20
_BODY_KEYS: Final = frozenset({"conversationId", "events"})
_PAIRS: Final = (frozenset({"query", "author"}), frozenset({"action", "agentId"}))


class BodyPlace(NamedTuple):
    """The location of a request body within a larger JSON value (the record)."""

    pointer: str
    """The JSON Pointer to the body, such as `/payload`. Empty if the record itself is the body."""
    is_text: bool
    """Whether the body is a string that contains JSON."""
    is_packed: bool
    """Whether the text must be decoded before it is JSON, such as base64."""
    list_pointer: str | None
    """The JSON Pointer to the outermost list of records around the body, or None without one.

    A list with a single text is not a list of records.
    """
    body: Mapping[str, Any]
    """The body itself."""


def distinct_places(record: object) -> list[BodyPlace]:
    """Return the locations of the bodies in a decoded JSON value, each body once.

    Some tools write a body twice, for example as text and in base64. The result then has the
    object, or else the text that is not packed.
    """
    found: list[BodyPlace] = []
    for place in places_of_bodies(record):
        at = next((n for n, each in enumerate(found) if _is_copy(each, place)), None)
        if at is None:
            found.append(place)
        else:
            found[at] = min(found[at], place, key=lambda each: (each.is_text, each.is_packed))
    return found


def _is_copy(one: BodyPlace, other: BodyPlace) -> bool:
    """Return whether two places have the same body, and belong to one record."""
    return one.body == other.body and one.list_pointer == other.list_pointer is None


def places_of_bodies(record: object) -> Iterator[BodyPlace]:
    """Yield the location of each request body in a decoded JSON value.

    A body is yielded before the bodies nested in it.
    """
    return _bodies(record, "", _DEEPEST, None)


def decoded(text: bytes | str) -> object:
    """Parse JSON text, and return the object or array.

    Return None if the text is invalid JSON or contains another value, such as a number.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def members_of(value: object) -> Iterator[tuple[str, Any]]:
    """Yield `(token, value)` for the first 50 members of an object or list.

    The token is the key or index as a JSON Pointer spells it. Yield nothing for other values.
    """
    if isinstance(value, Mapping):
        for key in list(value)[:_WIDEST]:
            yield str(key).replace("~", "~0").replace("/", "~1"), value[key]
    elif isinstance(value, list):
        yield from ((str(index), each) for index, each in enumerate(value[:_WIDEST]))


def is_body(record: object) -> bool:
    """Return whether a decoded JSON value looks like the body of a request of the platform.

    That is an object with the key `conversationId` or `events`, or with both keys of a single
    message (`query`, `author`) or of an action (`action`, `agentId`).
    """
    return isinstance(record, Mapping) and (
        not _BODY_KEYS.isdisjoint(record) or any(pair <= record.keys() for pair in _PAIRS)
    )


def _bodies(
    value: object, pointer: str, depth: int, list_pointer: str | None
) -> Iterator[BodyPlace]:
    text = text_of(value)
    is_packed = text is not None and not text.lstrip().startswith("{")
    if text is not None:
        found = object_text(text[:_LONGEST_TEXT]).lstrip()
        value = decoded(found) if found.startswith("{") else None
    body = without_types(value)
    if isinstance(body, Mapping) and is_body(body):
        yield BodyPlace(pointer, text is not None, is_packed, list_pointer, body)
    if depth:
        if list_pointer is None and isinstance(value, list) and not _is_wrapped_text(value):
            list_pointer = pointer
        for key, member in members_of(value):
            yield from _bodies(member, f"{pointer}/{key}", depth - 1, list_pointer)


def _is_wrapped_text(value: list[object]) -> bool:
    return len(value) == 1 and isinstance(value[0], str)
