"""Who sends a request: the interface of authenticators, and which header holds the credential.

The credential is the first present of `auth`, `token` and `Authorization`, each with or without a
`Bearer ` prefix. The platform's own E1 sample sends `Authorization` next to `auth`, so a later one
is not read; `auth` and `token` must agree. The authenticator for JWTs is `segue.http.jwt`.
"""

import hmac
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Protocol

from segue.events import INTAKES
from segue.http.problem import Problem
from segue.http.request import Headers
from segue.processor import Unit

__all__ = ["READ", "Authenticator", "NoAuth", "Principal", "credential", "sender_permissions"]

READ: Final = "read"
"""The permission to read conversations and the feed; senders do not have it."""
_MAX_LENGTH: Final = 8 * 1024
_BEARER: Final = "bearer "


def sender_permissions() -> frozenset[str]:
    """Return the permissions of all intakes."""
    return frozenset(intake.permission for intake in INTAKES.values())


@dataclass(frozen=True, slots=True)
class Principal:
    """The sender of a request whose credential was accepted."""

    client_id: str | None = None
    scopes: frozenset[str] = frozenset()
    """As the credential names them."""
    bots: Collection[str] | None = None
    """The bots it may act for; None for all."""
    permissions: frozenset[str] = field(default_factory=sender_permissions)
    """The permissions of intakes, and `read`; without any given, those of all intakes."""


class Authenticator(Protocol):
    """Finds out who sends a request. Bring your own for other credentials than a JWT."""

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Return the sender, or the problem to answer with: a generator that may yield effects.

        The headers are those of the request; its body has not been read. A principal should not
        hold the credential.
        """


class NoAuth:
    """Gives every sender all permissions: for development, and behind a gateway."""

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Accept every request."""
        del headers
        yield from ()
        return Principal(permissions=sender_permissions() | {READ})


def credential(headers: Headers) -> str | Problem:
    """Return the token of a request, or why it has none."""
    auth, token = headers.get("auth"), headers.get("token")
    if auth is not None and token is not None and not _are_equal(_bare(auth), _bare(token)):
        return Problem.BAD_TOKEN
    value = auth if auth is not None else token
    if value is None:
        value = headers.get("authorization")
        if value is None or not value.lower().startswith(_BEARER):
            return Problem.NO_TOKEN
    if not value:
        return Problem.NO_TOKEN
    return Problem.BAD_TOKEN if len(value) > _MAX_LENGTH else _bare(value)


def _bare(value: str) -> str:
    return value[len(_BEARER) :].lstrip(" ") if value.lower().startswith(_BEARER) else value


def _are_equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
