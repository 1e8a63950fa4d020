"""Finds the token of a request, and reads its header and its claims.

They are parsed here, because PyJWT accepts duplicate keys, padding, times in digit strings and
header parameters that this package does not support.
"""

import base64
import hmac
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from segue.http.problem import Problem
from segue.http.request import Headers

__all__ = ["client_of", "credential", "json_object", "scopes_of", "unverified_header"]

_MAX_LENGTH: Final = 8 * 1024
_BEARER: Final = re.compile(r"\Abearer +", re.IGNORECASE)
_COMPACT: Final = re.compile(r"([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_UNSUPPORTED: Final = frozenset({"crit", "b64", "zip", "enc"})
"""Header parameters that change what a token means."""


def credential(headers: Headers) -> str | Problem:
    """Return the token of a request, or why it has none.

    It is in the first present of `auth`, `token` and `Authorization`, each with or without a
    `Bearer ` prefix. The platform's own E1 sample sends `Authorization` next to `auth`, so a later
    one is not read; `auth` and `token` must agree.
    """
    auth, token = headers.get("auth"), headers.get("token")
    if (
        auth is not None
        and token is not None
        and not _are_equal(_BEARER.sub("", auth), _BEARER.sub("", token))
    ):
        return Problem.BAD_TOKEN
    value = auth if auth is not None else token
    if value is None:
        value = headers.get("authorization")
        if value is None or _BEARER.match(value) is None:
            return Problem.NO_TOKEN
    if not value:
        return Problem.NO_TOKEN
    return Problem.BAD_TOKEN if len(value) > _MAX_LENGTH else _BEARER.sub("", value)


def unverified_header(token: str) -> dict[str, Any] | None:
    """Return the header of a token, or None if the text is not a token that can be verified."""
    parts = _COMPACT.fullmatch(token)
    if parts is None:
        return None
    encoded = parts[1]
    try:
        text = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except ValueError:
        return None
    header = json_object(text)
    return None if header is None or not _UNSUPPORTED.isdisjoint(header) else header


def client_of(claims: Mapping[str, Any]) -> str | None:
    """Return the client id: `appId`, or else `iss`."""
    for name in ("appId", "iss"):
        value = claims.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def scopes_of(claims: Mapping[str, Any]) -> frozenset[str]:
    """Return the scopes: `scope` or else `scopes`, a list or words with spaces between."""
    value = claims.get("scope", claims.get("scopes"))
    words = value.split(" ") if isinstance(value, str) else value
    if not isinstance(words, list):
        return frozenset()
    return frozenset(word for word in words if isinstance(word, str) and word)


def _are_equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def json_object(text: bytes) -> dict[str, Any] | None:
    """Parse a JSON object; None if it is not one, or if parsers may disagree about it."""
    try:
        value = _DECODER.decode(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError
    return value


def _refuse(_: str) -> None:
    raise ValueError


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
