"""Keys for verifying tokens, each bound to its algorithms before any token arrives.

A token therefore cannot choose its verification: a secret verifies only HS algorithms, a public key
only those of its own family. Weak keys are refused, and no `repr` shows a key. PyJWKSet reads
published keys one at a time, because some bad members make it fail as a whole.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from jwt import InvalidKeyError, PyJWKSet, PyJWTError, get_algorithm_by_name

from segue.core.errors import ConfigurationError
from segue.server.http.auth import secret_bytes

KeyText: TypeAlias = str | bytes

SYMMETRIC: Final = frozenset({"HS256", "HS384", "HS512"})
ASYMMETRIC: Final = frozenset({
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Key:
    """A key that is prepared for verifying signatures."""

    algorithms: Mapping[str, Any] = field(repr=False)
    """The prepared key object for each algorithm that it may verify, by name, such as `HS256`."""
    key_id: str | None = None
    """The id that tokens use for the key. If it is None, the key is tried with every token."""

    def fits(self, key_id: str | None) -> bool:
        """Return whether to try this key with a token that has the given key id, or has none."""
        return self.key_id is None or self.key_id == key_id


def secret_key(text: KeyText, algorithms: Iterable[str]) -> Key:
    """Return the key for a shared secret. Raise `ConfigurationError` if the secret is too short."""
    encoded = secret_bytes(text, "secret")
    key = Key(_prepared(encoded, (name for name in algorithms if name in SYMMETRIC)))
    if not key.algorithms:
        raise ConfigurationError(
            "`secret` fits none of the algorithms: HS384 needs 48 bytes, HS512 needs 64, "
            "and a PEM file is not a secret (pass it as keys=…)"
        )
    return key


def public_key(text: KeyText, algorithms: Iterable[str], key_id: str | None = None) -> Key:
    """Return the key for a public key in PEM format.

    Raises `ConfigurationError` for a private key, a weak key, and other data.
    """
    encoded = text.encode() if isinstance(text, str) else text
    if b"PRIVATE KEY" in encoded:
        raise ConfigurationError("`keys` must be public keys: keep the private one with the sender")
    key = Key(_prepared(encoded, (name for name in algorithms if name in ASYMMETRIC)), key_id)
    if not key.algorithms:
        raise ConfigurationError(
            "a key in `keys` is not a PEM public key for any of the algorithms: RSA keys (at least "
            "2048 bits) verify RS and PS, EC keys ES of their own curve, Ed25519 keys EdDSA"
        )
    return key


def published_keys(document: object, algorithms: Sequence[str]) -> tuple[Key, ...]:
    """Return the keys of a JWK set that can verify a token with one of the algorithms.

    `document` is the decoded JSON. Members that cannot be used are skipped.
    """
    listed = document.get("keys") if isinstance(document, dict) else None
    jwks = [jwk for jwk in listed if isinstance(jwk, dict)] if isinstance(listed, list) else []
    keys = (_of_jwk(jwk, algorithms) for jwk in jwks if _may_verify(jwk))
    return tuple(key for key in keys if key.algorithms)


def _may_verify(jwk: Mapping[str, Any]) -> bool:
    """Return whether a published key is meant to verify signatures.

    A private or symmetric key is not, because only a mistake of its publisher can have put it
    there.
    """
    operations = jwk.get("key_ops", ["verify"])
    verifies = isinstance(operations, list) and "verify" in operations
    is_named_well = isinstance(jwk.get("kid"), str | None)
    is_public = jwk.get("kty") != "oct" and "d" not in jwk
    return verifies and is_named_well and is_public and jwk.get("use", "sig") == "sig"


def _of_jwk(jwk: dict[str, Any], algorithms: Sequence[str]) -> Key:
    try:
        [key] = PyJWKSet([jwk]).keys
    except (PyJWTError, NotImplementedError, ValueError, TypeError, KeyError):
        return Key({})
    named = jwk.get("alg")
    wanted = (name for name in algorithms if name in ASYMMETRIC and named in (None, name))
    return Key(_prepared(key.key, wanted), key.key_id)


def _prepared(key: object, algorithms: Iterable[str]) -> dict[str, Any]:
    found = {}
    for name in algorithms:
        algorithm = get_algorithm_by_name(name)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # refuse weak keys instead of a warning
                prepared = algorithm.prepare_key(key)
        except (InvalidKeyError, ValueError, TypeError, Warning):
            continue
        if algorithm.check_key_length(prepared) is None:
            found[name] = prepared
    return found
