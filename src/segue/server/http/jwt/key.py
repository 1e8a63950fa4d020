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
    """A secret or public key that is ready for verifying signatures."""

    algorithms: Mapping[str, Any] = field(repr=False)
    """The prepared key object for each algorithm that it may verify, by name, such as `HS256`."""
    key_id: str | None = None
    """The id that tokens use for the key. If it is None, the key is tried with every token."""

    def fits(self, key_id: str | None) -> bool:
        """Return whether this key may have signed a token with the given key id.

        A key without an id may have signed any token.
        """
        return self.key_id is None or self.key_id == key_id


def secret_key(text: KeyText, algorithms: Iterable[str]) -> Key:
    """Prepare a shared secret for verifying signatures with `algorithms`.

    Raises `ConfigurationError` if the secret is too short for all of them.
    """
    encoded = secret_bytes(text, "secret")
    key = Key(_prepared(encoded, (name for name in algorithms if name in SYMMETRIC)))
    if not key.algorithms:
        raise ConfigurationError(
            "`secret` fits none of the algorithms: HS384 needs 48 bytes, HS512 needs 64, "
            "and a PEM file is not a secret (pass it as keys=…)"
        )
    return key


def public_key(text: KeyText, algorithms: Iterable[str], key_id: str | None = None) -> Key:
    """Prepare a public key in PEM format for verifying signatures with `algorithms`.

    Raises `ConfigurationError` if `text` is a private key, a weak key, or no key at all.
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
    """Prepare the keys of a JWK set for verifying signatures with `algorithms`.

    `document` is the decoded JSON of the set. Keys that cannot be used are skipped.
    """
    listed = document.get("keys") if isinstance(document, dict) else None
    jwks = [jwk for jwk in listed if isinstance(jwk, dict)] if isinstance(listed, list) else []
    keys = (_of_jwk(jwk, algorithms) for jwk in jwks if _may_verify(jwk))
    return tuple(key for key in keys if key.algorithms)


def _may_verify(jwk: Mapping[str, Any]) -> bool:
    """Return whether a published key is meant for verifying signatures.

    Private and symmetric keys are never accepted. They should not have been published, so anyone
    may have used them.
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
