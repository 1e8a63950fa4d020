"""Where other people's lines keep what an envelope of ours holds, as JSON Pointers (RFC 6901)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from segue.errors import ConfigurationError

__all__ = ["Layout"]

_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class Layout:
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

    def __post_init__(self) -> None:
        """Refuse pointers that can never point."""
        for name in ("body_at", "time_at", "bot_at", "conversation_at", "delivery_at"):
            pointer = getattr(self, name)
            if pointer and not pointer.startswith("/"):
                msg = f"{name.replace('_', '-')} is a JSON Pointer such as /payload/0, not {pointer!r}"
                raise ConfigurationError(msg)

    def envelope(self, line: object) -> dict[str, Any] | None:
        """Rearrange a decoded line into an envelope of ours; None when it has no body."""
        body = _follow(line, self.body_at)
        if body is _MISSING or body is None:
            return None
        envelope: dict[str, Any] = {"body": body}
        for key, pointer in (
            ("received_at", self.time_at),
            ("bot_id", self.bot_at),
            ("conversation_id", self.conversation_at),
            ("delivery_id", self.delivery_at),
            ("endpoint", self.endpoint_at),
        ):
            found = _MISSING if pointer is None else _follow(line, pointer)
            if found is not _MISSING and found is not None:
                envelope[key] = found
        return envelope


def _follow(value: object, pointer: str) -> object:
    if not pointer:
        return value
    for token in pointer[1:].split("/"):
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isascii() and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return _MISSING
    return value
