"""The interface of authenticators, and authentication without tokens.

The authenticator for JWTs is in `segue.server.http.jwt`.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Protocol, runtime_checkable
from urllib.parse import urlsplit

from segue.core.errors import ConfigurationError
from segue.core.events import INTAKES
from segue.core.options import check_fields, check_option
from segue.server.http.problem import Problem
from segue.server.http.request import Headers
from segue.server.processor import Unit

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The host names that always mean this machine."""
SHORTEST_SECRET: Final = 32
"""The minimum length of a secret in bytes."""
READ: Final = "read"
"""The name of the permission to read conversations and the feed. It is not among those to send."""


def sender_permissions() -> frozenset[str]:
    """Return the names of the permissions to send, one for each endpoint, such as `hooks`."""
    return frozenset(intake.permission for intake in INTAKES.values())


def secret_bytes(secret: str | bytes, option: str) -> bytes:
    """Return a secret as bytes. `option` is its name in error messages.

    Raises `ConfigurationError` if the secret is shorter than 32 bytes, or begins or ends with a
    blank or a line end.
    """
    check_option(option, secret, str | bytes)
    encoded = secret.encode() if isinstance(secret, str) else secret
    is_pem = encoded.startswith(b"-----")  # a check of keys reports PEM files
    if encoded.isascii() and encoded != encoded.strip() and not is_pem:
        raise ConfigurationError(
            f"`{option}` begins or ends with a blank or a line end, as files do: "
            "pass it with .strip()"
        )
    if len(encoded) < SHORTEST_SECRET:
        raise ConfigurationError(
            f"`{option}` must have at least {SHORTEST_SECRET} bytes, got {len(encoded)}: "
            'make one with `python -c "import secrets; print(secrets.token_urlsafe(48))"`'
        )
    return encoded


@dataclass(frozen=True, slots=True)
class Principal:
    """The sender of a request whose credential was accepted."""

    client_id: str | None = None
    """The id of the client that the credential was issued to, or None."""
    scopes: frozenset[str] = frozenset()
    """The names of the scopes in the credential, such as `Transcription`."""
    bots: Collection[str] | None = None
    """The ids of the bots that the sender may act for, or None for all."""
    permissions: frozenset[str] = field(default_factory=sender_permissions)
    """The names of the granted permissions: `read`, and those to send to endpoints, such as
    `hooks`. The default is all permissions to send."""
    scope_text: str | None = None
    """The claim that was split at blanks into `scopes`, or None. It still shows a scope whose name
    contains blanks."""


@runtime_checkable
class Authenticator(Protocol):
    """Identifies the sender of a request. Implement it for credentials other than a JWT."""

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Return the sender of a request, or the problem to answer with.

        Implement it as a generator that yields effects for all I/O. `headers` are those of the
        request, whose body has not been read. A principal should not contain the credential.
        """


@dataclass(frozen=True, slots=True)
class NoAuth:
    """Gives every sender all permissions, for development and for use with a gateway.

    A browser also sends requests that other web pages make. Therefore only requests to allowed
    hosts are accepted, and only from pages of the same host. A page of another host can neither
    read nor write, even if its name resolves to this machine.
    """

    allow_hosts: Collection[str] = ()
    """The accepted host names in the header `Host`, in addition to those of this machine. `*`
    accepts all."""

    def __post_init__(self) -> None:
        """Raise `ConfigurationError` if `allow_hosts` is not a collection of names."""
        check_fields(self, examples={"allow_hosts": '["desk.example"]'})

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Return a principal with all permissions, or `Problem.WRONG_HOST`.

        The problem means that the request is for a host that is not allowed, or comes from a page
        of another host.
        """
        yield from ()
        host, origin = headers.get("host"), headers.get("origin")
        is_ours = host is None or "*" in self.allow_hosts or _name(host) in self._hosts()
        if not is_ours or origin not in (None, f"http://{host}", f"https://{host}"):
            return Problem.WRONG_HOST
        return Principal(permissions=sender_permissions() | {READ})

    def _hosts(self) -> frozenset[str]:
        return LOOPBACK.union(name.lower() for name in self.allow_hosts)


class Public:
    """The authenticator of routes that need no permission."""

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Return a principal without permissions for every request."""
        del headers
        yield from ()
        return Principal(permissions=frozenset())


def _name(host: str) -> str | None:
    """Return the lower-case host name in a `Host` header, without the port.

    Return None if the header is invalid.
    """
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
