"""Where other people's lines keep what an envelope of ours holds, as JSON Pointers (RFC 6901).

It decides which value of a line is the body and which come with it.  House rules: a pointer that
can never point is our user's mistake and fails at once; one that finds nothing is as one that finds
null, and only a missing body matters.  It does not know what the values mean.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from segue.errors import ConfigurationError

__all__ = ["ENVELOPE", "FieldMapping"]

_POINTER: Final = re.compile(r"(?:/(?:[^~/]|~[01])*)*\Z")
_INDEX: Final = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")  # RFC 6901, 4: no leading zeros

_PARTS: Final = {
    "body_at": "body",
    "time_at": "received_at",
    "bot_at": "bot_id",
    "conversation_at": "conversation_id",
    "delivery_at": "delivery_id",
    "endpoint_at": "endpoint",
}

ENVELOPE: Final = frozenset(_PARTS.values())
"""The keys of an envelope of ours."""


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """JSON Pointers into a line; None: not there.

    Raises `ConfigurationError` for what is no JSON Pointer.
    """

    body_at: str = ""
    """The body, an object or its JSON text; empty: the line itself is the body."""
    time_at: str | None = None
    bot_at: str | None = None
    conversation_at: str | None = None
    delivery_at: str | None = None
    endpoint_at: str | None = None
    """`transcription` makes the body a transcription action."""

    _paths: Mapping[str, tuple[str, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Take the pointers apart once, so that a wrong one fails here and not in every line."""
        pointers = {name: getattr(self, name) for name in _PARTS}
        paths = {
            _PARTS[name]: _path(name, pointer)
            for name, pointer in pointers.items()
            if pointer is not None
        }
        if "body" not in paths:
            msg = "body_at is a JSON Pointer; the empty one means the line itself"
            raise ConfigurationError(msg)
        object.__setattr__(self, "_paths", paths)

    @property
    def body_key(self) -> str | None:
        """The key of a line below which the body is; None: the line is the body."""
        return next(iter(self._paths["body"]), None)

    @property
    def keys(self) -> frozenset[str] | None:
        """The keys of a line that are looked at; None: all of them."""
        firsts = [path[0] for path in self._paths.values() if path]
        return frozenset(firsts) if len(firsts) == len(self._paths) else None

    def envelope(self, line: object) -> dict[str, Any]:
        """Rearrange a decoded line into an envelope of ours; `body` is None when there is none."""
        return {part: _follow(line, path) for part, path in self._paths.items()}


def _path(name: str, pointer: object) -> tuple[str, ...]:
    if not isinstance(pointer, str) or not _POINTER.match(pointer):
        msg = (
            f"{name} is a JSON Pointer such as /payload or /records/0/body, not {pointer!r}: "
            "it starts with /, and ~ and / within a key are written ~0 and ~1"
        )
        raise ConfigurationError(msg)
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


def _follow(value: object, path: tuple[str, ...]) -> object:
    for key in path:
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list) and _INDEX.match(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
