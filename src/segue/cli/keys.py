"""`segue keys`: create a secret or a key pair for signing tokens."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final

from segue.cli.errors import failing_as, print_error
from segue.cli.options import Params, command, option_group
from segue.cli.user_files import refuse_dash
from segue.core.errors import ConfigurationError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

_keys = option_group("What is made")

_SECRET: Final = "secret"  # noqa: S105 - the name of a kind
_BYTES: Final = 48
_RSA_BITS: Final = 3072


def _pairs() -> Mapping[str, Callable[[], "PrivateKeyTypes"]]:
    from cryptography.hazmat.primitives.asymmetric import (  # needs an extra
        ec,
        ed25519,
        rsa,
    )

    return {
        "ed25519": ed25519.Ed25519PrivateKey.generate,
        "ec": lambda: ec.generate_private_key(ec.SECP256R1()),
        "rsa": lambda: rsa.generate_private_key(public_exponent=65537, key_size=_RSA_BITS),
    }


@command(
    _keys(
        "--kind [secret|ed25519|ec|rsa]",
        "A secret that both sides share, or a pair of a private and a public key.",
        default=_SECRET,
    ),
    _keys(
        "--output FILE",
        "Where it is written, readable for you alone; the public key of a pair to FILE.pub. "
        "Without it a secret is printed.",
    ),
)
def keys(params: Params) -> None:
    """Make a secret or a key pair to sign tokens with.

    segue serve takes a secret by --jwt-secret-file, and the public key of a pair by --jwt-key-file;
    segue token, send and tail take the secret, and segue token the private key.
    """
    kind, output = params["kind"], params["output"]
    if kind == _SECRET:
        secret = f"{token_urlsafe(_BYTES)}\n"
        if output is None:
            sys.stdout.write(secret)
        else:
            _write(Path(output), secret.encode(), 0o600)
            print_error(f"{output}: give it to segue serve by --jwt-secret-file")
        return
    if output is None:
        raise ConfigurationError("a key pair is two files: give --output FILE")
    private, public = _pem(kind)
    target, other = Path(output), Path(f"{output}.pub")
    _refuse_taken(other)
    _write(target, private, 0o600)
    _write(other, public, 0o644)
    print_error(f"{output} signs; give {output}.pub to segue serve by --jwt-key-file")


def _pem(kind: str) -> tuple[bytes, bytes]:
    """Return a new private key and its public key, both as PEM."""
    try:
        from cryptography.hazmat.primitives import serialization as form  # extra

        private = _pairs()[kind]()
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            'making keys needs an extra: python -m pip install "segue[jwt]"'
        ) from error
    pem, no_password = form.Encoding.PEM, form.NoEncryption()
    return (
        private.private_bytes(pem, form.PrivateFormat.PKCS8, no_password),
        private.public_key().public_bytes(pem, form.PublicFormat.SubjectPublicKeyInfo),
    )


def _refuse_taken(path: Path) -> None:
    """Raise `ConfigurationError` if a file exists, since it may be a key that is in use."""
    if path.exists():
        raise ConfigurationError(f"{path} exists already: give --output another file")


def _write(path: Path, data: bytes, mode: int) -> None:
    """Create a file with these bytes and permissions, such as 0o600.

    Raise `ConfigurationError` if the file exists or cannot be written.
    """
    refuse_dash(path)
    _refuse_taken(path)
    with failing_as(f"{path} cannot be written"):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
