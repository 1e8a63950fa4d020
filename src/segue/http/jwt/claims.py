"""What a token claims: its signature and times verified by PyJWT, its JSON read more strictly.

It decides which claims are usable and what they say of the sender.  House rules: times are numbers
of seconds, or of milliseconds where that is configured; a claim of the wrong type makes the token
unusable, never means something.  It does not know where keys come from.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from jwt import InvalidTokenError, PyJWT
from jwt.types import Options

from segue.http.jwt.compact import json_object
from segue.http.jwt.key import Key

__all__ = ["Verifier", "client_of", "scopes_of"]

_TIMES: Final = ("exp", "nbf", "iat")
_MILLISECONDS: Final = 100_000_000_000
"""Seconds from here on would be the year 5138: such a time was counted in milliseconds."""


class _UnusableError(InvalidTokenError):
    """The claims are not what a token of ours has."""


class _Claims(PyJWT):
    """PyJWT, with claims read by our rules."""

    def __init__(self, *, milliseconds: bool) -> None:
        super().__init__()
        self._milliseconds = milliseconds

    def _decode_payload(self, decoded: dict[str, Any]) -> dict[str, Any]:
        payload = json_object(decoded["payload"])
        if payload is None:
            raise _UnusableError
        return payload | {name: self._seconds(payload[name]) for name in _TIMES if name in payload}

    def _seconds(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _UnusableError
        if abs(value) < _MILLISECONDS:
            return value
        if not self._milliseconds or abs(value) >= 1000 * _MILLISECONDS:
            raise _UnusableError
        return value / 1000


class Verifier:
    """Verifies tokens with whatever key fits."""

    def __init__(
        self,
        *,
        leeway: float,
        require_exp: bool,
        audience: str | tuple[str, ...] | None,
        issuer: str | tuple[str, ...] | None,
        milliseconds: bool,
    ) -> None:
        self._leeway, self._audience, self._issuer = leeway, audience, issuer
        self._reader = _Claims(milliseconds=milliseconds)
        self._options: Options = {
            "require": ["exp"] if require_exp else [],
            "verify_aud": audience is not None,
            "verify_iss": issuer is not None,
            "verify_iat": False,
            "verify_sub": False,
            "verify_jti": False,
        }

    def claims(
        self, token: str, algorithm: str, keys: Iterable[Key], key_id: str | None
    ) -> Mapping[str, Any] | None:
        """Return the claims of a token that one of the keys has signed; None: none has."""
        for key in keys:
            prepared = key.algorithms.get(algorithm) if key.fits(key_id) else None
            if prepared is None:
                continue
            try:
                return self._reader.decode(
                    token,
                    prepared,
                    algorithms=[algorithm],
                    options=self._options,
                    audience=self._audience,
                    issuer=self._issuer,
                    leeway=self._leeway,
                )
            except InvalidTokenError:
                continue
        return None


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
