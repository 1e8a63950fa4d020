"""Maps lines of another format to envelopes, by JSON Pointers (RFC 6901).

A text that is not a JSON Pointer is an error at once.  A pointer that finds nothing counts as one
that finds null, which matters for the body only.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from segue.errors import ConfigurationError

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
"""The keys of an envelope."""


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """JSON Pointers into a line; None for what its lines do not have.

    Raises `ConfigurationError` for a text that is not a JSON Pointer.
    """

    body_at: str = ""
    """The body, an object or its JSON text; the empty pointer means that the line is the body."""
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
        """Split the pointers once, so that a wrong one fails here and not in every line."""
        paths = {
            part: _path(name, pointer)
            for name, part in _PARTS.items()
            if (pointer := getattr(self, name)) is not None
        }
        if "body" not in paths:
            msg = "body_at is a JSON Pointer; the empty one means the line itself"
            raise ConfigurationError(msg)
        object.__setattr__(self, "_paths", paths)

    @property
    def body_key(self) -> str | None:
        """The key of a line below which the body is, or None if the line is the body."""
        return next(iter(self._paths["body"]), None)

    @property
    def keys(self) -> frozenset[str] | None:
        """The keys of a line that are used, or None for all of them."""
        firsts = [path[0] for path in self._paths.values() if path]
        return frozenset(firsts) if len(firsts) == len(self._paths) else None

    def envelope(self, line: object) -> dict[str, Any]:
        """Return the envelope that a decoded line stands for; its `body` is None if it has none."""
        return {part: _follow(line, path) for part, path in self._paths.items()}


def _path(name: str, pointer: object) -> tuple[str, ...]:
    if not isinstance(pointer, str) or not _POINTER.match(pointer):
        raise ConfigurationError(
            f"{name} is a JSON Pointer such as /payload or /records/0/body, not {pointer!r}: "
            "it starts with /, and ~ and / within a key are written ~0 and ~1"
        )
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
