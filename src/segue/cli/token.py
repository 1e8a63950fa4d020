"""`segue token`: sign a token for trying out a server."""

import json
import sys
import time
from collections.abc import Iterable
from typing import Any, Final

from segue.cli.credentials import read_secret_file, read_variable, sign_token
from segue.cli.errors import print_error
from segue.cli.options import Params, command, option_group, parse_duration
from segue.core.errors import ConfigurationError

_sign = option_group("Who signs")
_say = option_group("What it says")
_VARIABLE: Final = "SEGUE_SECRET"
_MIN_SECRET_BYTES: Final = 32
"""The shortest secret that a server accepts."""


@command(
    _sign("--secret-env NAME", f"Environment variable with the secret.  [default: {_VARIABLE}]"),
    _sign("--secret-file FILE", "File with the secret."),
    _sign("--key-file FILE", "PEM file with a private key."),
    _sign("--key-id ID", "The name by which the receiver knows the key (kid)."),
    _say("--client ID", "Who sends (appId).", default="segue"),
    _say("--scope SCOPES", "What it may do, blanks between."),
    _say("--expires DURATION", "How long it is valid: 10m, 1h, 30d.", default="10m"),
    _say("--claim NAME=VALUE...", "Any other claim; VALUE is JSON, or a text."),
)
def token(params: Params) -> None:
    """Sign a token, to try a server with.

    The secret is that of segue serve; segue keys makes one. With the private key of a pair it is
    signed by that key.
    """
    now = int(time.time())
    expires = parse_duration("--expires", params["expires"]).total_seconds()
    claims: dict[str, Any] = {"appId": params["client"], "iat": now, "exp": int(now + expires)}
    claims |= {"scope": params["scope"]} if params["scope"] else {}
    key, algorithm = _key(params)
    header = {"kid": params["key_id"]} if params["key_id"] else None
    try:
        signed = sign_token(key, claims | _claims(params["claim"]), algorithm, header)
    except RecursionError:
        raise ConfigurationError("a VALUE of --claim is nested too deeply") from None
    if algorithm and len(key.encode()) < _MIN_SECRET_BYTES:
        print_error(
            f"the secret is shorter than {_MIN_SECRET_BYTES} bytes, which segue serve refuses: "
            "make one with segue keys"
        )
    sys.stdout.write(f"{signed}\n")


def _key(params: Params) -> tuple[str, str | None]:
    """Return the key to sign with, and the algorithm.

    The algorithm is `HS256` for a secret, and None for a private key.
    """
    chosen = [name for name in ("secret_env", "secret_file", "key_file") if params[name]]
    if len(chosen) > 1:
        raise ConfigurationError("several secrets or keys are given: give one, from one place")
    if params["key_file"]:
        return read_secret_file(params["key_file"]), None
    if params["secret_file"]:
        return read_secret_file(params["secret_file"]), "HS256"
    return read_variable(params["secret_env"] or _VARIABLE), "HS256"


def _claims(texts: Iterable[str]) -> dict[str, Any]:
    claims = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ConfigurationError(f"--claim takes NAME=VALUE, such as iss=me, not {text!r}")
        try:
            claims[name] = json.loads(value)
            json.dumps(claims[name], allow_nan=False)  # json.loads accepts NaN and 1e999
        except ValueError:
            claims[name] = value
    return claims
