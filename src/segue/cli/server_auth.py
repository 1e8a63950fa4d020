"""The authentication of `segue serve`, from its options to the arguments of `JwtAuth`.

Secrets and keys come from the environment or from files, and are read before the server starts.
"""

import os
from typing import Any, Final

from segue.cli.credentials import read_credential, read_secret_file, read_variable
from segue.cli.options import Params, option_group
from segue.core.errors import ConfigurationError
from segue.core.events import INTAKES
from segue.core.web_address import is_loopback

_auth = option_group("Who may send and read")

_VARIABLE: Final = "SEGUE_SECRET"
_CALLBACK_VARIABLE: Final = "SEGUE_CALLBACK_SECRET"
_OPERATIONS: Final = " or ".join(INTAKES)

AUTH_OPTIONS: Final = (
    _auth(
        "--jwt-secret-env NAME",
        f"Variable with the secret that tokens are signed with.  [default: {_VARIABLE}]",
    ),
    _auth("--jwt-secret-file FILE...", "File with that secret; two while one replaces the other."),
    _auth("--jwt-key-file [ID=]FILE...", "PEM file with a public key, and its key id."),
    _auth("--jwks-url --jwks URL", "Where public keys are published."),
    _auth("--audience NAME...", "Accept only tokens for it."),
    _auth("--issuer NAME...", "Accept only tokens of it."),
    _auth("--require-exp", "Refuse tokens without an expiry time."),
    _auth("--bots CLAIM", "Claim that lists the bots a token may act for."),
    _auth("--scope OPERATION=SCOPE...", f"Scope needed for an operation: {_OPERATIONS}."),
    _auth("--read SCOPE", "Scope needed to read conversations; without it reading is off."),
    _auth(
        "--callback-secret-env NAME",
        "Variable with the secret that addresses for what the platform calls back are signed with."
        f"  [default: {_CALLBACK_VARIABLE}]",
    ),
    _auth("--callback-secret-file FILE", "File with that secret."),
    _auth("--no-auth", "Let every client send and read; on this machine only."),
    _auth("--insecure", "With --no-auth, on every address."),
    _auth("--allow-host NAME...", "With --no-auth, a name in Host that is served too; * for all."),
)

_MISSING: Final = (
    f"no client could send: put a secret of 32 bytes or more into {_VARIABLE}, or give "
    "--jwt-secret-file, --jwt-key-file or --jwks-url, or --dev to try it on this machine"
)
_SOURCES: Final = ("jwt_secret_env", "jwt_secret_file", "jwt_key_file", "jwks_url")
_CHECKS: Final = ("audience", "issuer", "require_exp", "bots", "scope", "read")


def auth_settings(params: Params) -> dict[str, Any] | None:
    """Return the keyword arguments for `segue.JwtAuth`, or None with `--no-auth`.

    With `--dev` the dictionary is empty. Raise `ConfigurationError` if no client could send, or if
    every client on the network could.
    """
    if params["no_auth"]:
        _refuse_both(params, "--no-auth")
        if not params["insecure"] and not is_loopback(params["host"]):
            raise ConfigurationError(
                f"without authentication every client that reaches {params['host']} could send and "
                "read: stay on 127.0.0.1, or give --insecure if something else protects it"
            )
        return None
    if params["allow_host"]:
        raise ConfigurationError("--allow-host is for --no-auth: a token is accepted for any host")
    if params["dev"]:
        _refuse_both(params, "--dev")
        if not is_loopback(params["host"]):
            raise ConfigurationError("--dev is for this machine only: leave out --host")
        return {}
    settings: dict[str, Any] = {
        "secrets": _secrets(params),
        "keys": _keys(params),
        "jwks_url": params["jwks_url"],
        "audience": params["audience"] or None,
        "issuer": params["issuer"] or None,
        "require_exp": params["require_exp"],
        "bots": params["bots"],
        "scopes": _scopes(params),
    }
    if not (settings["secrets"] or settings["keys"] or settings["jwks_url"]):
        raise ConfigurationError(_MISSING)
    return settings


def callback_secret(params: Params) -> str | None:
    """Return the secret for signing callback URLs, or None if no secret is given.

    Such URLs are made by `segue.server.callback_url`.
    """
    if params["callback_secret_env"] and params["callback_secret_file"]:
        raise ConfigurationError(
            "the callback secret is given twice: "
            "leave out --callback-secret-env or --callback-secret-file"
        )
    return read_credential(params, "callback_secret", _CALLBACK_VARIABLE)


def _refuse_both(params: Params, option: str) -> None:
    if params["no_auth"] and params["dev"]:
        raise ConfigurationError("--dev and --no-auth contradict each other: leave one of them out")
    if any(params[name] for name in (*_SOURCES, *_CHECKS)):
        raise ConfigurationError(f"{option} contradicts options for tokens: leave one of both out")


def _secrets(params: Params) -> list[str]:
    found = [read_secret_file(path) for path in params["jwt_secret_file"]]
    name = params["jwt_secret_env"]
    if name:
        found.append(read_variable(name))
    elif not any(params[other] for other in _SOURCES):
        found += filter(None, [os.environ.get(_VARIABLE)])
    return found


def _keys(params: Params) -> dict[str, str] | list[str]:
    named: dict[str, str] = {}
    nameless: list[str] = []
    for text in params["jwt_key_file"]:
        key_id, equals, path = text.rpartition("=")
        if not equals:
            nameless.append(path)
        elif key_id in named:
            raise ConfigurationError(
                f"two --jwt-key-file have the id {key_id!r}: give each key its own id"
            )
        else:
            named[key_id] = path
    if named and nameless:
        raise ConfigurationError("give every --jwt-key-file an id, ID=FILE, or none of them")
    if named:
        return {key_id: read_secret_file(path) for key_id, path in named.items()}
    return [read_secret_file(path) for path in nameless]


def _scopes(params: Params) -> dict[str, str]:
    scopes = {"read": params["read"]} if params["read"] else {}
    for text in params["scope"]:
        operation, equals, scope = text.partition("=")
        if not equals or not scope or operation not in INTAKES:
            examples = " or ".join(f"{name}=SCOPE" for name in INTAKES)
            raise ConfigurationError(f"--scope takes {examples}, not {text!r}")
        scopes[operation] = scope
    return scopes
