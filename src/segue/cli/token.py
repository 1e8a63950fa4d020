"""Credentials of the commands that are clients: a token, or a secret to sign tokens with.

It decides where they come from and what is in a token that is signed here.  House rules: neither is
ever on a command line, nor in a `repr`; a token that is signed lives for minutes.
"""

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from segue.cli.option_groups import section
from segue.errors import ConfigurationError

__all__ = ["CREDENTIALS", "Signer", "credential", "file_text", "signed"]

_show = section("Who sends")
_SECRETS: Final = ("secret_env", "secret_file")
_SOURCES: Final = ("token_env", "token_file", *_SECRETS)

_LIFE: Final = 600.0
_FRESH: Final = 300.0

CREDENTIALS: Final = (
    _show(
        "--token-env",
        metavar="NAME",
        help="Environment variable with a token.  [default: SEGUE_TOKEN]",
    ),
    _show("--token-file", metavar="FILE", help="File with a token."),
    _show(
        "--secret-env",
        metavar="NAME",
        help="Environment variable with a secret to sign tokens with.  "
        "[default: SEGUE_SECRET, without a token]",
    ),
    _show("--secret-file", metavar="FILE", help="File with a secret to sign tokens with."),
    _show(
        "--scope",
        default="Transcription",
        show_default=True,
        metavar="SCOPES",
        help="Scopes in tokens that are signed.",
    ),
)


class Signer:
    """Gives a token signed with a secret, and a fresh one in time."""

    def __init__(self, secret: str, scope: str, clock: Callable[[], float] = time.time) -> None:
        self._secret, self._scope, self._clock = secret, scope, clock
        self._token, self._since = "", -_LIFE

    def __call__(self) -> str:
        """Return a token that is good for a while."""
        now = self._clock()
        if now - self._since > _FRESH:
            self._since = now
            claims = {"scope": self._scope, "iat": int(now), "exp": int(now + _LIFE)}
            self._token = signed(self._secret, claims)
        return self._token


def signed(secret: str, claims: Mapping[str, Any]) -> str:
    """Return a token of the client `segue`."""
    try:
        import jwt  # noqa: PLC0415 - it needs its extra, and only who signs needs it
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            'signing tokens needs an extra: python -m pip install "segue[jwt]"'
        ) from error
    return jwt.encode({"appId": "segue", **claims}, secret, algorithm="HS256")


def credential(given: Mapping[str, Any]) -> Callable[[], str | None]:
    """Return what gives the token to send with each request, None: none is needed."""
    chosen = [name for name in _SOURCES if given[name]]
    if len(chosen) > 1:
        raise ConfigurationError("give a token or a secret, and each from one place only")
    token = _said(given, "token", "SEGUE_TOKEN")
    secret = _said(given, "secret", "SEGUE_SECRET")
    if token is not None and not (token.isascii() and token.isprintable()):
        raise ConfigurationError("the token has characters in it that no token has")
    if secret is not None and (token is None or any(name in chosen for name in _SECRETS)):
        return Signer(secret, given["scope"])
    return lambda: token


def file_text(path: str) -> str:
    """Return the text of a file that holds a secret or a key, without the line end behind it."""
    try:
        return Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise ConfigurationError(f"{path} cannot be read: {reason}") from error


def _said(given: Mapping[str, Any], what: str, default: str) -> str | None:
    name, path = given[f"{what}_env"], given[f"{what}_file"]
    if path:
        return file_text(path)
    if name and not os.environ.get(name):
        raise ConfigurationError(f"the environment has no {name}: set it, or name another variable")
    return os.environ.get(name or default) or None
