"""Authenticates requests by JWT and tells what a verified token may do.

The algorithms are those of the configuration, never the token's choice. A configuration that would
accept no token or any token is refused when it is made.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from segue.errors import ConfigurationError
from segue.http.auth import READ, Principal, credential, sender_permissions
from segue.http.jwt.jwks import Jwks
from segue.http.jwt.key import (
    ASYMMETRIC,
    SYMMETRIC,
    Key,
    KeyText,
    public_key,
    secret_key,
)
from segue.http.jwt.token import Verifier, client_of, scopes_of, unverified_header
from segue.http.problem import Problem
from segue.http.request import Headers
from segue.processor import Unit

__all__ = ["JwtAuth"]

_BY_SECRET: Final = ("HS256",)
_BY_PUBLIC_KEY: Final = ("RS256", "ES256", "EdDSA")


class JwtAuth:
    """Accepts tokens signed with a shared secret or with the private part of a public key.

    `secret` or `secrets` (while one replaces the other) are for HS256, `keys` are public keys in
    PEM, by key id or in a sequence, and `jwks_url` is where they are published; for other
    `algorithms` name all that are to be accepted. `exp` and `nbf` are checked where they are, with
    `leeway` seconds; `require_exp` refuses tokens without an end, `audience` and `issuer` those of
    others. `milliseconds` accepts times counted in them too.

    `scopes` says which scope an operation needs, `{"transcription": "Transcription"}`; none are
    needed otherwise, except that nobody reads without `{"read": …}`. `bots` is the claim that
    lists the bots a token may act for, or a mapping of client ids to them; without it every token
    may act for all.
    """

    def __init__(  # noqa: PLR0913 - one setting each
        self,
        *,
        secret: KeyText | None = None,
        secrets: Sequence[KeyText] = (),
        keys: Mapping[str, KeyText] | Sequence[KeyText] = (),
        jwks_url: str | None = None,
        algorithms: Collection[str] | None = None,
        leeway: float = 30.0,
        require_exp: bool = False,
        audience: str | Iterable[str] | None = None,
        issuer: str | Iterable[str] | None = None,
        milliseconds: bool = False,
        scopes: Mapping[str, str] | None = None,
        bots: str | Mapping[str, Collection[str]] | None = None,
        cooldown: float = 30.0,
        max_age: float = 600.0,
        fetch: Callable[[str], bytes] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        texts = ((secret,) if secret is not None else ()) + _several("secrets", secrets)
        named = _named(keys)
        self._algorithms = _algorithms(
            algorithms, by_secret=bool(texts), by_public_key=bool(named) or jwks_url is not None
        )
        self._keys = _keys(texts, named, self._algorithms)
        self._jwks = (
            None
            if jwks_url is None
            else Jwks(jwks_url, self._algorithms, cooldown, max_age, fetch, clock)
        )
        if not self._keys and self._jwks is None:
            raise ConfigurationError("JwtAuth needs secret=…, secrets=…, keys=… or jwks_url=…")
        self._verifier = Verifier(
            leeway=leeway,
            require_exp=require_exp,
            audience=_one_or_more(audience),
            issuer=_one_or_more(issuer),
            milliseconds=milliseconds,
        )
        self._scopes = _scopes(scopes or {})
        self._unscoped = sender_permissions() - self._scopes.keys()
        self._bots = bots

    def __repr__(self) -> str:
        """Show the algorithms."""
        return f"<JwtAuth {', '.join(self._algorithms)}>"

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Return whose token came, or why it is not accepted."""
        token = credential(headers)
        if isinstance(token, Problem):
            return token
        head = unverified_header(token) or {}
        algorithm, key_id = head.get("alg"), head.get("kid")
        if algorithm not in self._algorithms or not isinstance(key_id, str | None):
            return Problem.BAD_TOKEN
        keys = self._keys
        if self._jwks is not None and algorithm in ASYMMETRIC:
            published = yield from self._jwks.keys(key_id)
            if not keys and not published:
                return Problem.NO_KEYS
            keys += published
        claims = self._verifier.claims(token, algorithm, keys, key_id)
        return Problem.BAD_TOKEN if claims is None else self._principal(claims)

    def _principal(self, claims: Mapping[str, Any]) -> Principal:
        client, scopes = client_of(claims), scopes_of(claims)
        granted = {name for name, scope in self._scopes.items() if scope in scopes}
        bots = None if self._bots is None else _bots_of(self._bots, client, claims)
        return Principal(client, scopes, bots, permissions=self._unscoped | granted)


def _bots_of(
    bots: str | Mapping[str, Collection[str]], client: str | None, claims: Mapping[str, Any]
) -> Collection[str]:
    if not isinstance(bots, str):
        return frozenset(bots.get(client, ()) if client else ())
    listed = claims.get(bots)
    named = listed if isinstance(listed, list) else [listed]
    return frozenset(bot for bot in named if isinstance(bot, str))


def _several(name: str, values: Sequence[KeyText]) -> tuple[KeyText, ...]:
    if isinstance(values, str | bytes):
        raise ConfigurationError(f"{name}=… takes a list; put a single one in brackets")
    return tuple(values)


def _named(
    keys: Mapping[str, KeyText] | Sequence[KeyText],
) -> tuple[tuple[str | None, KeyText], ...]:
    if isinstance(keys, Mapping):
        return tuple(keys.items())
    return tuple((None, text) for text in _several("keys", keys))


def _algorithms(
    wanted: Collection[str] | None, *, by_secret: bool, by_public_key: bool
) -> tuple[str, ...]:
    if wanted is None:
        return (*(_BY_SECRET if by_secret else ()), *(_BY_PUBLIC_KEY if by_public_key else ()))
    chosen = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for name in chosen:
        usable = (by_secret and name in SYMMETRIC) or (by_public_key and name in ASYMMETRIC)
        if not usable:
            raise ConfigurationError(
                f"algorithm {name!r} cannot be verified here: a secret verifies "
                f"{', '.join(sorted(SYMMETRIC))}, public keys {', '.join(sorted(ASYMMETRIC))}"
            )
    return chosen


def _keys(
    secrets: Iterable[KeyText],
    named: Iterable[tuple[str | None, KeyText]],
    algorithms: Sequence[str],
) -> tuple[Key, ...]:
    shared = (secret_key(text, algorithms) for text in secrets)
    given = (public_key(text, algorithms, name) for name, text in named)
    return (*shared, *given)


def _one_or_more(value: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return None if value is None else (value,) if isinstance(value, str) else tuple(value)


def _scopes(scopes: Mapping[str, str]) -> dict[str, str]:
    known = [*sorted(sender_permissions()), READ]
    if not scopes.keys() <= set(known):
        raise ConfigurationError(f"scopes=… has permissions as keys: {', '.join(known)}")
    return dict(scopes)
