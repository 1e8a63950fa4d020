"""The text of a token: its three parts, and the JSON in them, read more strictly than usual.

It decides what is not a token at all.  House rules: base64url without padding and nothing else;
a key twice, NaN and Infinity make JSON unusable; whatever is given, the outcome is a value or None.
It does not know keys or claims.
"""

import base64
import json
import re
from typing import Any, Final

__all__ = ["header", "json_object"]

_COMPACT: Final = re.compile(r"([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_UNKNOWN: Final = frozenset({"crit", "b64", "zip", "enc"})
"""Header parameters that change what a token means, in ways not supported here."""


def header(token: str) -> dict[str, Any] | None:
    """Return the header of a token, unverified; None: this is no token we could verify."""
    parts = _COMPACT.fullmatch(token)
    if parts is None:
        return None
    encoded = parts[1]
    try:
        text = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except ValueError:
        return None
    value = json_object(text)
    return None if value is None or not _UNKNOWN.isdisjoint(value) else value


def json_object(text: bytes) -> dict[str, Any] | None:
    """Read a JSON object; None: it is not one, or not one that everybody reads alike."""
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=_once, parse_constant=_never)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError
    return value


def _never(_: str) -> None:
    raise ValueError
