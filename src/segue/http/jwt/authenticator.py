"""Authenticates requests by JWT and tells what a verified token may do. PyJWS verifies signatures.

The algorithms are those of the configuration, never the token's choice. A configuration that would
accept no token or any token is refused when it is made.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from math import inf
from typing import Any, Final

from jwt import InvalidTokenError, PyJWS

from segue.errors import ConfigurationError
from segue.http.auth import READ, Principal, sender_permissions
from segue.http.jwt.jwks import Jwks
from segue.http.jwt.key import ASYMMETRIC, SYMMETRIC, Key, KeyText, public_key, secret_key
from segue.http.jwt.token import client_of, credential, json_object, scopes_of, unverified_header
from segue.http.problem import Problem
from segue.http.request import Headers
from segue.processor import Unit

__all__ = ["JwtAuth"]

_TIMES: Final = ("exp", "nbf", "iat")
_FIRST_MILLISECONDS: Final = 100_000_000_000
"""As seconds this would be the year 5138, so a time from here on was counted in milliseconds."""
_JWS: Final = PyJWS()
_BY_SECRET: Final = ("HS256",)
_BY_PUBLIC_KEY: Final = ("RS256", "ES256", "EdDSA")


@dataclass(kw_only=True, repr=False, eq=False)
class JwtAuth:
    """Accepts tokens signed with a shared secret or with the private part of a public key.

    Without `algorithms` these are HS256 for secrets, and RS256, ES256 and EdDSA for public keys.
    Raises `ConfigurationError` for settings that cannot be meant.
    """

    secret: InitVar[KeyText | None] = None
    """Shared with the sender; 32 bytes or more."""
    secrets: InitVar[Sequence[KeyText]] = ()
    """Several of them, while one replaces the other."""
    keys: InitVar[Mapping[str, KeyText] | Sequence[KeyText]] = ()
    """Public keys in PEM: by key id, or a sequence of nameless ones."""
    jwks_url: str | None = None
    """Where public keys are published: https, or this machine."""
    algorithms: Collection[str] | None = None
    """Names of all that are accepted."""
    leeway: float = 30.0
    """Seconds by which clocks may differ; `exp` and `nbf` are checked if a token has them."""
    require_exp: bool = False
    """Whether tokens without `exp` are refused."""
    audience: str | Iterable[str] | None = None
    """One of them must be in `aud`; None if `aud` is not checked."""
    issuer: str | Iterable[str] | None = None
    """One of them must be `iss`; None if `iss` is not checked."""
    milliseconds: bool = False
    """Whether times in milliseconds are accepted too."""
    scopes: Mapping[str, str] = field(default_factory=dict)
    """The scope that each permission needs, as in `{"transcription": "Transcription"}`. Reading
    always needs one, under `read`; permissions to send that are not named need none."""
    bots: str | Mapping[str, Collection[str]] | None = None
    """The claim that lists the bots a token may act for, or a mapping of client ids to bots; None
    if every token may act for all."""
    cooldown: float = 30.0
    """Seconds between two fetches of published keys at least."""
    max_age: float = 600.0
    """Seconds after which published keys are fetched again."""
    fetch: Callable[[str], bytes] | None = None
    """Returns the document at a URL or raises `OSError`; None for an HTTP GET."""
    clock: Callable[[], float] = time.monotonic

    def __post_init__(
        self,
        secret: KeyText | None,
        secrets: Sequence[KeyText],
        keys: Mapping[str, KeyText] | Sequence[KeyText],
    ) -> None:
        """Prepare the keys."""
        for name, given in (("secrets", secrets), ("keys", keys)):
            if isinstance(given, str | bytes):
                raise ConfigurationError(f"{name}=… takes a list; put a single one in brackets")
        shared = [*secrets] if secret is None else [secret, *secrets]
        public = keys.items() if isinstance(keys, Mapping) else [(None, text) for text in keys]
        url = self.jwks_url
        names = self._algorithms = _algorithms(
            self.algorithms, by_secret=bool(shared), by_public_key=bool(public) or url is not None
        )
        self._keys: tuple[Key, ...] = (
            *(secret_key(text, names) for text in shared),
            *(public_key(text, names, key_id) for key_id, text in public),
        )
        self._jwks: Jwks | None = None
        if url is not None:
            self._jwks = Jwks(url, names, self.cooldown, self.max_age, self.fetch, self.clock)
        if not self._keys and self._jwks is None:
            raise ConfigurationError("JwtAuth needs secret=…, secrets=…, keys=… or jwks_url=…")
        self._audience, self._issuer = _one_or_more(self.audience), _one_or_more(self.issuer)
        known = [*sorted(sender_permissions()), READ]
        if not self.scopes.keys() <= set(known):
            raise ConfigurationError(f"scopes=… has permissions as keys: {', '.join(known)}")
        self._unscoped = sender_permissions().difference(self.scopes)

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
                return Problem.KEYS_UNAVAILABLE
            keys += published
        claims = self._claims(token, algorithm, keys, key_id)
        return Problem.BAD_TOKEN if claims is None else self._principal(claims)

    def _claims(
        self, token: str, algorithm: str, keys: Iterable[Key], key_id: str | None
    ) -> Mapping[str, Any] | None:
        """Return the claims of a token that one of the keys has signed, or None if none has."""
        for key in keys:
            prepared = key.algorithms.get(algorithm)
            if prepared is None or key.key_id not in (None, key_id):
                continue
            try:
                payload = _JWS.decode(token, prepared, algorithms=[algorithm])
            except InvalidTokenError:
                continue
            claims = json_object(payload)
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
            and (self._audience is None or _names_one_of(claims.get("aud"), self._audience))
            and (self._issuer is None or claims.get("iss") in self._issuer)
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

    def _principal(self, claims: Mapping[str, Any]) -> Principal:
        client, scopes = client_of(claims), scopes_of(claims)
        permissions = self._unscoped
        if self.scopes:
            granted = [name for name, scope in self.scopes.items() if scope in scopes]
            permissions = permissions.union(granted)
        bots = None if self.bots is None else _bots_of(self.bots, client, claims)
        return Principal(client, scopes, bots, permissions)


def _bots_of(
    bots: str | Mapping[str, Collection[str]], client: str | None, claims: Mapping[str, Any]
) -> Collection[str]:
    if not isinstance(bots, str):
        return frozenset(bots.get(client, ()) if client else ())
    listed = claims.get(bots)
    named = listed if isinstance(listed, list) else [listed]
    return frozenset(bot for bot in named if isinstance(bot, str))


def _names_one_of(claim: object, wanted: Collection[str]) -> bool:
    named = [claim] if isinstance(claim, str) else claim
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        return False
    return any(name in named for name in wanted)


def _algorithms(
    wanted: Collection[str] | None, *, by_secret: bool, by_public_key: bool
) -> tuple[str, ...]:
    if wanted is None:
        return _BY_SECRET * by_secret + _BY_PUBLIC_KEY * by_public_key
    chosen = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for name in chosen:
        if not ((by_secret and name in SYMMETRIC) or (by_public_key and name in ASYMMETRIC)):
            raise ConfigurationError(
                f"algorithm {name!r} cannot be verified here: a secret verifies "
                f"{', '.join(sorted(SYMMETRIC))}, public keys {', '.join(sorted(ASYMMETRIC))}"
            )
    return chosen


def _one_or_more(value: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return None if value is None else (value,) if isinstance(value, str) else tuple(value)
