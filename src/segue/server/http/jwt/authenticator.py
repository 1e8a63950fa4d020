"""Authenticates requests by JWT. PyJWT's `PyJWS` verifies the signatures.

The configuration chooses the algorithms, never the token. A configuration that would accept every
token, or no token, is refused on creation. Header and claims are parsed here, because PyJWT accepts
duplicate keys, padding, times as strings of digits, and header parameters that this package does
not support.
"""

import base64
import hmac
import logging
import re
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from math import inf, isnan, nan
from typing import Any, Final

from jwt import InvalidTokenError, PyJWS

from segue.core.errors import ConfigurationError
from segue.core.options import check_choices, check_fields, check_options
from segue.core.wire.limits import LIMITS
from segue.core.wire.strict_json import UnreadableError, parse, plain
from segue.server.http.auth import READ, Principal, sender_permissions
from segue.server.http.jwt.jwks import Jwks
from segue.server.http.jwt.key import ASYMMETRIC, SYMMETRIC, Key, KeyText, public_key, secret_key
from segue.server.http.problem import Problem
from segue.server.http.request import Headers
from segue.server.processor import Unit

_LOG: Final = logging.getLogger("segue.http")
_MAX_LENGTH: Final = 8 * 1024
_BEARER: Final = re.compile(r"\Abearer +", re.IGNORECASE)
_COMPACT: Final = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+")
_UNSUPPORTED: Final = frozenset({"crit", "b64", "zip", "enc"})
"""Header parameters that change the meaning of a token."""
_CLIENT: Final = ("appId", "iss")
"""Claims that may contain the client id. The first one present is used."""
_TIMES: Final = {"exp": inf, "nbf": -inf, "iat": 0.0}
"""The claims that are times, with the values used for tokens that lack them."""
_FIRST_MILLISECONDS: Final = 100_000_000_000
"""The smallest number that is taken for milliseconds. In seconds it would be the year 5138."""
_JWS: Final = PyJWS()
_BY_SECRET: Final = ("HS256",)
_BY_PUBLIC_KEY: Final = ("RS256", "ES256", "EdDSA")


@dataclass(kw_only=True, repr=False, eq=False)
class JwtAuth:
    """Authenticates senders by JSON Web Tokens.

    Tokens are signed with a secret that you share with the sender, or with a private key whose
    public key you pass. By default the algorithm must be HS256 for secrets, and RS256, ES256 or
    EdDSA for public keys. Raises `ConfigurationError` for options that cannot work.
    """

    secret: InitVar[KeyText | None] = None
    """The secret shared with the sender, of at least 32 bytes."""
    secrets: InitVar[Sequence[KeyText]] = ()
    """Several secrets, for the period in which one replaces another."""
    keys: InitVar[Mapping[str, KeyText] | Sequence[KeyText]] = ()
    """Public keys in PEM format, by key id or as a sequence without ids."""
    jwks_url: str | None = None
    """The https address of published keys. An http address must be on this machine."""
    algorithms: str | Collection[str] | None = None
    """The names of the accepted algorithms, such as `HS256`, or None for the default ones."""
    leeway: float = 30.0
    """The tolerated difference between clocks in seconds. `exp` and `nbf` are checked if
    present."""
    require_exp: bool = False
    """Whether tokens without `exp` are refused."""
    audience: str | Iterable[str] | None = None
    """The accepted values of `aud`, of which the token must have one, or None to accept all."""
    issuer: str | Iterable[str] | None = None
    """The accepted values of `iss`, or None to accept all."""
    milliseconds: bool = False
    """Whether `exp`, `nbf` and `iat` may also be in milliseconds."""
    scopes: Mapping[str, str] = field(default_factory=dict)
    """The scope that each permission needs, as in `{"transcription": "Transcription"}`. The
    permission to read always needs a scope, under `read`. Permissions to send need a scope only if
    they are named."""
    bots: str | Mapping[str, Collection[str]] | None = None
    """The claim that lists the bots of a token, or a mapping of client ids to bots. None lets every
    token act for all bots."""
    cooldown: float = 30.0
    """The minimum number of seconds between two fetches of published keys. A failed fetch is
    repeated after a second, then after growing delays of up to 30 seconds."""
    max_age: float = 600.0
    """The age in seconds at which published keys are fetched again."""
    fetch: Callable[[str], bytes] | None = None
    """A function that returns the document at a URL or raises `OSError`. None makes an HTTP GET."""
    clock: Callable[[], float] = time.monotonic
    """A function that returns seconds, for the age of published keys. `exp` is compared with the
    system time."""

    def __post_init__(
        self,
        secret: KeyText | None,
        secrets: Sequence[KeyText],
        keys: Mapping[str, KeyText] | Sequence[KeyText],
    ) -> None:
        """Check the options and prepare the keys."""
        check_options(JwtAuth, {"secret": secret, "secrets": secrets, "keys": keys})
        check_fields(self)
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
        check_choices("scopes", self.scopes, [*sorted(sender_permissions()), READ])
        self._unscoped = sender_permissions().difference(self.scopes)

    def __repr__(self) -> str:
        """Return a text with the names of the accepted algorithms. It contains no keys."""
        return f"<JwtAuth {', '.join(self._algorithms)}>"

    @property
    def grantable(self) -> frozenset[str]:
        """The permissions that tokens can grant.

        They are all permissions to send, and the permissions that `scopes` names, such as `read`.
        """
        return sender_permissions().union(self.scopes)

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Return the sender that the token in `headers` names, or the problem with the token.

        This is a generator of effects, because it may have to fetch public keys.
        """
        token = credential(headers)
        if isinstance(token, Problem):
            return token
        parts = _COMPACT.fullmatch(token)
        head = parts and _json_object(parts[1])
        if not parts or not head or not _UNSUPPORTED.isdisjoint(head):
            return _refused("it is not a JWT, or its header has b64, crit, enc or zip")
        algorithm, key_id, keys = head.get("alg"), head.get("kid"), self._keys
        if algorithm not in self._algorithms or not isinstance(key_id, str | None):
            return _refused(f"its algorithm is not one of {', '.join(self._algorithms)}")
        if self._jwks is not None and algorithm in ASYMMETRIC:
            keys += yield from self._jwks.keys(key_id)
            if not keys:
                return Problem.KEYS_UNAVAILABLE
        if not _is_signed(token, algorithm, (key for key in keys if key.key_id in (None, key_id))):
            return _refused("no key that it may be signed with verifies its signature")
        claims = _json_object(parts[2])
        return (
            _refused("its claims are not an object") if claims is None else self._principal(claims)
        )

    def _principal(self, claims: Mapping[str, Any]) -> Principal | Problem:
        """Return the sender that the claims of a verified token name.

        Return `Problem.BAD_TOKEN` if a claim such as `exp` or `aud` is not acceptable.
        """
        exp, nbf, iat = (
            self._seconds(claims[name]) if name in claims else default
            for name, default in _TIMES.items()
        )
        now = time.time()
        audience, issuer = self._audience, self._issuer
        for reason, is_met in (
            ("exp, nbf or iat is not a time in seconds", not any(map(isnan, (exp, nbf, iat)))),
            ("it has no exp", "exp" in claims or not self.require_exp),
            ("it has expired", exp > now - self.leeway),
            ("it is not valid yet (nbf)", nbf <= now + self.leeway),
            ("its aud is another", audience is None or _names_one_of(claims.get("aud"), audience)),
            ("its iss is another", issuer is None or claims.get("iss") in issuer),
        ):
            if not is_met:
                return _refused(reason)
        names = (claims.get(name) for name in _CLIENT)
        client = next((name for name in names if isinstance(name, str) and name), None)
        words = claims.get("scope", claims.get("scopes"))
        text = words if isinstance(words, str) else None
        words = words if text is None else text.split(" ")
        words = words if isinstance(words, list) else ()
        scopes = frozenset(word for word in words if isinstance(word, str) and word)
        granted = (name for name, scope in self.scopes.items() if scope in scopes)
        bots = None if self.bots is None else _bots_of(self.bots, client, claims)
        return Principal(client, scopes, bots, self._unscoped.union(granted), text)

    def _seconds(self, value: object) -> float:
        """Convert the value of a claim such as `exp` to seconds since the Unix epoch.

        Milliseconds are converted if the option `milliseconds` is set. Return NaN, which the caller
        refuses, if the value is not a time.
        """
        if isinstance(value, bool) or not isinstance(value, int | float):
            return nan
        if abs(value) < _FIRST_MILLISECONDS:
            return int(value)
        if not self.milliseconds or abs(value) >= 1000 * _FIRST_MILLISECONDS:
            return nan
        return int(value / 1000)


def credential(headers: Headers) -> str | Problem:
    """Return the token in the headers of a request, or the problem if it is missing or too long.

    The token is the value of the first of the headers `auth`, `token` and `Authorization` that is
    present, without the prefix `Bearer `, which only `Authorization` needs. If both `auth` and
    `token` are present, they must have the same value. `Authorization` may differ, because the
    platform's own example for E1 sends it next to `auth`.
    """
    auth, token = headers.get("auth"), headers.get("token")
    if (
        auth is not None
        and token is not None
        and not _are_equal(_BEARER.sub("", auth), _BEARER.sub("", token))
    ):
        return _refused("the headers auth and token have different ones")
    value = auth if auth is not None else token
    if value is None:
        value = headers.get("authorization")
        if value is None or _BEARER.match(value) is None:
            return _missing()
    if not value:
        return _missing()
    if len(value) > _MAX_LENGTH:
        return _refused(f"it is longer than {_MAX_LENGTH} characters")
    return _BEARER.sub("", value)


def _missing() -> Problem:
    _LOG.info("a token is missing: it comes as auth, as token, or as Authorization: Bearer")
    return Problem.NO_TOKEN


def _refused(reason: str) -> Problem:
    """Log the reason for refusing a token, and return `Problem.BAD_TOKEN`.

    The sender does not learn the reason.
    """
    _LOG.info("a token is not accepted: %s", reason)
    return Problem.BAD_TOKEN


def _is_signed(token: str, algorithm: str, keys: Iterable[Key]) -> bool:
    """Return whether one of the keys verifies the signature of a token."""
    for key in keys:
        prepared = key.algorithms.get(algorithm)
        with suppress(InvalidTokenError):
            if prepared is not None:
                _JWS.decode(token, prepared, algorithms=[algorithm])
                return True
    return False


def _json_object(part: str) -> dict[str, Any] | None:
    """Decode the header or the claims of a token, which are a JSON object in Base64url.

    Return None if the text is not a JSON object, or if parsers may interpret it differently, for
    example because of duplicate keys.
    """
    try:
        text = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
        value, is_plain = parse(text, None, LIMITS.max_depth)
        value = value if is_plain else plain(value, None, LIMITS.max_depth)
    except (ValueError, UnreadableError):
        return None
    return value if isinstance(value, dict) and not text.startswith(BOM_UTF8) else None


def _are_equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


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
    wanted: str | Collection[str] | None, *, by_secret: bool, by_public_key: bool
) -> tuple[str, ...]:
    if wanted is None:
        return _BY_SECRET * by_secret + _BY_PUBLIC_KEY * by_public_key
    chosen = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for name in chosen:
        if not ((by_secret and name in SYMMETRIC) or (by_public_key and name in ASYMMETRIC)):
            raise ConfigurationError(
                f"`algorithms` contains {name!r}, which cannot be verified: a secret verifies "
                f"{', '.join(sorted(SYMMETRIC))}, public keys {', '.join(sorted(ASYMMETRIC))}"
            )
    return chosen


def _one_or_more(value: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return None if value is None else (value,) if isinstance(value, str) else tuple(value)
