"""Credentials of commands that send requests: a token, or a secret for signing tokens.

They come from the environment or from files, never from the command line.
"""

import json
import os
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from segue.cli.options import Params, option_group
from segue.cli.user_files import read_small_file
from segue.core.errors import ConfigurationError

_send = option_group("Who sends")
_SECRETS: Final = ("secret_env", "secret_file")
_SOURCES: Final = ("token_env", "token_file", *_SECRETS)

_BY_PRIVATE_KEY: Final = ("EdDSA", "ES256", "RS256")
_LIFE: Final = 600.0
_FRESH: Final = 300.0

CREDENTIALS: Final = (
    _send("--token-env NAME", "Environment variable with a token.  [default: SEGUE_TOKEN]"),
    _send("--token-file FILE", "File with a token."),
    _send(
        "--secret-env NAME",
        "Environment variable with a secret to sign tokens with.  "
        "[default: SEGUE_SECRET, without a token]",
    ),
    _send("--secret-file FILE", "File with a secret to sign tokens with."),
    _send("--scope SCOPES", "Scopes in tokens that are signed.", default="Transcription"),
)


class TokenSigner:
    """A callable that returns a bearer token for the next request.

    Tokens are valid for ten minutes. A new one is signed if the last one is older than five.
    """

    def __init__(self, secret: str, scope: str, clock: Callable[[], float] = time.time) -> None:
        self._secret, self._scope, self._clock = secret, scope, clock
        self._token, self._since = "", -_LIFE

    def __call__(self) -> str:
        """Return a token that is valid for at least five minutes."""
        now = self._clock()
        if now - self._since > _FRESH:
            self._since = now
            claims = {"scope": self._scope, "iat": int(now), "exp": int(now + _LIFE)}
            self._token = sign_token(self._secret, claims)
        return self._token


def sign_token(
    key: str,
    claims: Mapping[str, Any],
    algorithm: str | None = "HS256",
    header: dict[str, str] | None = None,
) -> str:
    """Return a signed JSON Web Token with these claims.

    The claim `appId` is `segue` by default. If `algorithm` is None, `key` is a private key in PEM,
    and its type decides the algorithm. Raise `ConfigurationError` for a key that cannot sign.
    """
    try:
        import jwt  # noqa: PLC0415 - needs an extra
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            'signing tokens needs an extra: python -m pip install "segue[jwt]"'
        ) from error
    payload = json.dumps({"appId": "segue", **claims}).encode()
    names = (algorithm,) if algorithm else _BY_PRIVATE_KEY * ("PRIVATE KEY" in key)
    for name in names:
        with warnings.catch_warnings(), suppress(jwt.PyJWTError, ValueError, TypeError):
            # A short secret is the receiver's to refuse. `segue token` mentions it.
            warnings.simplefilter("ignore", jwt.InsecureKeyLengthWarning)
            # jwt.encode would refuse invalid claims, which are needed to test receivers.
            return jwt.PyJWS().encode(payload, key, algorithm=name, headers=header)
    if algorithm:
        raise ConfigurationError(
            "the secret cannot sign: it is a key of a pair, so give the private one as --key-file"
        )
    raise ConfigurationError(
        "the key cannot sign: it is not a private key in PEM for EdDSA, ES256 or RS256"
    )


def token_source(params: Params) -> Callable[[], str | None]:
    """Return a function that returns the token for the next request.

    The function returns None if no credentials are given. Raise `ConfigurationError` for
    credentials that are missing, malformed or given twice.
    """
    chosen = [name for name in _SOURCES if params[name]]
    if len(chosen) > 1:
        raise ConfigurationError("several tokens or secrets are given: give one, from one place")
    token = read_credential(params, "token", "SEGUE_TOKEN")
    secret = read_credential(params, "secret", "SEGUE_SECRET")
    if token is not None and not (token.isascii() and token.isprintable()):
        raise ConfigurationError(
            "the token contains characters that are not allowed: check SEGUE_TOKEN or --token-file"
        )
    if secret is not None and (token is None or any(name in chosen for name in _SECRETS)):
        return TokenSigner(secret, params["scope"])
    return lambda: token


def read_secret_file(path: str) -> str:
    """Return the secret or key in a file, without surrounding white space.

    Raise `ConfigurationError` if the file cannot be read or is empty.
    """
    text = read_small_file(path).strip()
    if not text:
        raise ConfigurationError(f"{path} is empty: put the secret, key or token into it")
    return text


def read_variable(name: str) -> str:
    """Return the value of an environment variable.

    Raise `ConfigurationError` if the variable is missing or empty.
    """
    value = os.environ.get(name)
    if not value:
        raise ConfigurationError(
            f"the environment variable {name} is empty or not set: set it, or name another"
        )
    return value


def read_credential(params: Params, what: str, default: str) -> str | None:
    """Return a token or secret from a file or an environment variable.

    The options `{what}_file` and `{what}_env` name the file or the variable. Without them, use the
    variable `default`, and return None if it is not set.
    """
    name, path = params[f"{what}_env"], params[f"{what}_file"]
    if path:
        return read_secret_file(path)
    return read_variable(name) if name else os.environ.get(default) or None
