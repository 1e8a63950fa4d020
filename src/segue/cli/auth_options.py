"""Who may send to `segue serve`: its options, and what they come to.

It decides which ways to authenticate go together, and what is refused because everybody could get
in.  House rules: secrets and keys come from the environment or from files, never from the command
line; they are read before the server starts, so that what is wrong with them is said at once.
"""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final

from segue.cli.option_groups import section
from segue.cli.token import file_text
from segue.errors import ConfigurationError
from segue.events import INTAKES

__all__ = ["AUTHENTICATION", "SECRET", "is_loopback", "who_may"]

_show = section("Who may send and read")

SECRET: Final = "SEGUE_SECRET"  # noqa: S105 - the name of a variable

AUTHENTICATION: Final = (
    _show(
        "--jwt-secret-env",
        metavar="NAME",
        help=f"Variable with the secret that tokens are signed with.  [default: {SECRET}]",
    ),
    _show(
        "--jwt-secret-file",
        "secret_files",
        multiple=True,
        metavar="FILE",
        help="File with that secret. Repeatable, while one replaces the other.",
    ),
    _show(
        "--jwt-key-file",
        "key_files",
        multiple=True,
        metavar="[ID=]FILE",
        help="PEM file with a public key, and its key id. Repeatable.",
    ),
    _show("--jwks-url", "--jwks", metavar="URL", help="Where public keys are published."),
    _show(
        "--audience", multiple=True, metavar="NAME", help="Accept only tokens for it. Repeatable."
    ),
    _show("--issuer", multiple=True, metavar="NAME", help="Accept only tokens of it. Repeatable."),
    _show("--require-exp", is_flag=True, help="Refuse tokens without an end."),
    _show("--bots", metavar="CLAIM", help="Claim that lists the bots a token may act for."),
    _show(
        "--scope",
        "scopes",
        multiple=True,
        metavar="OPERATION=SCOPE",
        help="Scope that hooks or transcription need. Repeatable.",
    ),
    _show(
        "--read", metavar="SCOPE", help="Scope that reads conversations; without it nobody does."
    ),
    _show("--no-auth", is_flag=True, help="Everybody may send and read; on this machine only."),
    _show("--insecure", is_flag=True, help="With --no-auth, on every address."),
)

_NOBODY: Final = (
    f"nobody could send: put a secret of 32 bytes or more into {SECRET}, or give "
    "--jwt-secret-file, --jwt-key-file or --jwks-url; to try it on this machine, --dev"
)
_NAMED: Final = ("jwt_secret_env", "secret_files", "key_files", "jwks_url")
_CHECKS: Final = ("audience", "issuer", "require_exp", "bots", "scopes", "read")


def who_may(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the settings of `segue.JwtAuth`; None: everybody may do everything."""
    if given["no_auth"]:
        _refuse_both(given, "--no-auth")
        if not given["insecure"] and not is_loopback(given["host"]):
            raise ConfigurationError(
                f"without authentication everybody who reaches {given['host']} could send and "
                "read: stay on 127.0.0.1, or say --insecure if something else protects it"
            )
        return None
    if given["dev"]:
        _refuse_both(given, "--dev")
        if not is_loopback(given["host"]):
            raise ConfigurationError("--dev is for this machine only: leave out --host")
        return {}
    settings: dict[str, Any] = {
        "secrets": _secrets(given),
        "keys": _keys(given),
        "jwks_url": given["jwks_url"],
        "audience": given["audience"] or None,
        "issuer": given["issuer"] or None,
        "require_exp": given["require_exp"],
        "bots": given["bots"],
        "scopes": _scopes(given),
    }
    if not (settings["secrets"] or settings["keys"] or settings["jwks_url"]):
        raise ConfigurationError(_NOBODY)
    return settings


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine only."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refuse_both(given: Mapping[str, Any], option: str) -> None:
    if given["no_auth"] and given["dev"]:
        raise ConfigurationError("--dev has a secret of its own, --no-auth has none: give one")
    for name in (*_NAMED, *_CHECKS):
        if given[name]:
            raise ConfigurationError(
                f"{option} looks at no tokens of others: leave one of both out"
            )


def _secrets(given: Mapping[str, Any]) -> list[str]:
    found = [file_text(path) for path in given["secret_files"]]
    name = given["jwt_secret_env"]
    if name and not os.environ.get(name):
        raise ConfigurationError(f"the environment has no {name}: set it, or name another variable")
    if name or not any(given[other] for other in _NAMED):
        found += filter(None, [os.environ.get(name or SECRET)])
    return found


def _keys(given: Mapping[str, Any]) -> dict[str, str] | list[str]:
    named: dict[str, str] = {}
    nameless: list[str] = []
    for text in given["key_files"]:
        key_id, equals, path = text.rpartition("=")
        if equals:
            named[key_id] = file_text(path)
        else:
            nameless.append(file_text(path))
    if named and nameless:
        raise ConfigurationError("give every --jwt-key-file an id, ID=FILE, or none of them")
    return named or nameless


def _scopes(given: Mapping[str, Any]) -> dict[str, str]:
    scopes = {"read": given["read"]} if given["read"] else {}
    for text in given["scopes"]:
        operation, equals, scope = text.partition("=")
        if not equals or not scope or operation not in INTAKES:
            raise ConfigurationError(
                f"--scope takes {' or '.join(f'{name}=SCOPE' for name in INTAKES)}, not {text!r}"
            )
        scopes[operation] = scope
    return scopes
