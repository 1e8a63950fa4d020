"""JSON Pointers (RFC 6901) that can continue into strings that contain JSON."""

import re
from collections.abc import Mapping
from typing import Final

from segue.core.wire import parse_line
from segue.logs.body_text import object_text

_POINTER: Final = re.compile(r"(?:/(?:[^~/]|~[01])*)*\Z")
_INDEX: Final = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")  # RFC 6901, 4: no leading zeros


def is_pointer(text: object) -> bool:
    """Return whether a value is a string in the syntax of a JSON Pointer, such as `/a/0`."""
    return isinstance(text, str) and _POINTER.match(text) is not None


def pointer_path(pointer: str) -> tuple[str, ...]:
    """Return the keys of a JSON Pointer: `("a", "0")` for `/a/0`."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


def follow(value: object, path: tuple[str, ...]) -> object:
    """Return the value that the keys of `path` lead to, or None if there is no such value."""
    for key in path:
        if isinstance(value, str):
            value = parse_line(object_text(value))
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list) and _INDEX.match(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
