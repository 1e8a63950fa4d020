"""Reads and verifies a token: its header, its text, its signature and its claims.

PyJWS verifies signatures. Header and claims are parsed here, because PyJWT accepts duplicate keys,
padding, times in digit strings and header parameters that this package does not support.
"""

import base64
import hmac
import json
import re
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final

from jwt import InvalidTokenError, PyJWS

from segue.http.jwt.key import Key
from segue.http.problem import Problem
from segue.http.request import Headers

__all__ = ["Verifier", "client_of", "credential", "scopes_of", "unverified_header"]

_MAX_LENGTH: Final = 8 * 1024
_BEARER: Final = re.compile(r"\Abearer +", re.IGNORECASE)
_COMPACT: Final = re.compile(r"([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_UNSUPPORTED: Final = frozenset({"crit", "b64", "zip", "enc"})
"""Header parameters that change what a token means."""
_TIMES: Final = ("exp", "nbf", "iat")
_FIRST_MILLISECONDS: Final = 100_000_000_000
"""As seconds this would be the year 5138, so a time from here on was counted in milliseconds."""


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
    header = _json_object(text)
    return None if header is None or not _UNSUPPORTED.isdisjoint(header) else header


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Verifies the signature of a token and checks its claims."""

    leeway: float
    """Seconds by which clocks may differ."""
    require_exp: bool
    audience: Collection[str] | None
    """One of them must be in `aud`; None if `aud` is not checked."""
    issuer: Collection[str] | None
    """One of them must be `iss`; None if `iss` is not checked."""
    milliseconds: bool
    """Whether times may be counted in milliseconds."""
    _jws: PyJWS = field(default_factory=PyJWS, init=False, repr=False)

    def claims(
        self, token: str, algorithm: str, keys: Iterable[Key], key_id: str | None
    ) -> Mapping[str, Any] | None:
        """Return the claims of a token that one of the keys has signed, or None if none has."""
        for key in keys:
            prepared = key.algorithms.get(algorithm)
            if prepared is None or key.key_id not in (None, key_id):
                continue
            try:
                payload = self._jws.decode(token, prepared, algorithms=[algorithm])
            except InvalidTokenError:
                continue
            claims = _json_object(payload)
            return claims if claims is not None and self._are_valid(claims) else None
        return None

    def _are_valid(self, claims: Mapping[str, Any]) -> bool:
        times = dict[str, int]()
        for name in _TIMES:
            if name in claims:
                seconds = self._seconds(claims[name])
                if seconds is None:
                    return False
                times[name] = seconds
        now = time.time()
        return (
            ("exp" in times or not self.require_exp)
            and times.get("exp", inf) > now - self.leeway
            and times.get("nbf", -inf) <= now + self.leeway
            and (self.audience is None or _names_one_of(claims.get("aud"), self.audience))
            and (self.issuer is None or claims.get("iss") in self.issuer)
        )

    def _seconds(self, value: object) -> int | None:
        """Return a time in seconds, or None if the value is not a time."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if abs(value) < _FIRST_MILLISECONDS:
            return int(value)
        if not self.milliseconds or abs(value) >= 1000 * _FIRST_MILLISECONDS:
            return None
        return int(value / 1000)


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


def _names_one_of(claim: object, wanted: Collection[str]) -> bool:
    named = [claim] if isinstance(claim, str) else claim
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        return False
    return any(name in named for name in wanted)


def _are_equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def _json_object(text: bytes) -> dict[str, Any] | None:
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
