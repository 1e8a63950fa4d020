"""Who sends a request: the interface of authenticators. The one for JWTs is `segue.http.jwt`."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Protocol

from segue.events import INTAKES
from segue.http.problem import Problem
from segue.http.request import Headers
from segue.processor import Unit

READ: Final = "read"
"""The permission to read conversations and the feed; senders do not have it."""


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
