"""Tokens made by hand, so that they can be wrong in every way a library would not let them be."""

import base64
import functools
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from segue.server.http import Headers, Principal, Problem
from segue.server.http.auth import Authenticator
from segue.server.processor import Effect, drive

SECRET = "correct-horse-battery-staple-0123456789"  # noqa: S105 - of these tests
OTHER_SECRET = "incorrect-horse-battery-staple-0123456789"  # noqa: S105 - of these tests
ALGORITHMS = ("HS256", "RS256", "ES256", "EdDSA")

T = TypeVar("T")
_Private = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def text(value: object) -> str:
    """One part of a token: JSON, or raw bytes as they are."""
    return encode(value if isinstance(value, bytes) else json.dumps(value).encode())


def private(algorithm: str, number: int = 0) -> _Private:
    """The same key every time, one for each number."""
    return _private(algorithm, number)


@functools.cache
def _private(algorithm: str, number: int) -> _Private:
    del number
    if algorithm == "RS256":
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)
    if algorithm == "ES256":
        return ec.generate_private_key(ec.SECP256R1())
    return ed25519.Ed25519PrivateKey.generate()


def pem(algorithm: str, number: int = 0) -> bytes:
    return (
        private(algorithm, number)
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )


def mac(data: bytes, secret: bytes) -> bytes:
    return hmac.new(secret, data, hashlib.sha256).digest()


def signature(algorithm: str, data: bytes, number: int = 0) -> bytes:
    if algorithm == "HS256":
        return mac(data, (SECRET, OTHER_SECRET)[number].encode())
    key = private(algorithm, number)
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(data, padding.PKCS1v15(), hashes.SHA256())
    if isinstance(key, ec.EllipticCurvePrivateKey):
        r, s = decode_dss_signature(key.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    return key.sign(data)


def now() -> int:
    return int(time.time())


@dataclass(frozen=True)
class Kit:
    """What somebody who makes tokens of one algorithm has."""

    algorithm: str

    @property
    def head(self) -> dict[str, Any]:
        return {"alg": self.algorithm, "typ": "JWT"}

    def token(
        self,
        claims: object = None,
        head: object = None,
        *,
        key: int = 0,
        sign: Callable[[bytes], bytes] | None = None,
    ) -> str:
        claims = {"appId": "cs-1"} if claims is None else claims
        parts = f"{text(self.head if head is None else head)}.{text(claims)}"
        made = sign or (lambda data: signature(self.algorithm, data, key))
        return f"{parts}.{encode(made(parts.encode()))}"

    def settings(self) -> dict[str, Any]:
        if self.algorithm == "HS256":
            return {"secret": SECRET}
        return {"keys": [pem(self.algorithm)]}


def authenticate(
    auth: Authenticator, headers: Mapping[str, str] | Iterable[tuple[str, str]]
) -> Principal | Problem:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    return drive(auth.authenticate(Headers(pairs)))


def asked(unit: Generator[Effect[Any], Any, T]) -> list[Effect[Any]]:
    """The first ask of a unit that has been started, or none when it answers at once."""
    try:
        return [next(unit)]
    except StopIteration:
        return []
