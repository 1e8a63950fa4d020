"""Who sends a request, and the interface of whatever finds that out.

It decides what an authenticator answers.  House rules: an authenticator sees the headers alone, and
before the body; a refusal is an answer, never an exception; what is returned holds no token.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from segue.http.problem import Problem
from segue.http.request import Headers
from segue.processor import Unit

__all__ = ["SENDER", "Authenticator", "NoAuth", "Operation", "Principal"]


class Operation(StrEnum):
    """What somebody may be allowed to do."""

    HOOKS = "hooks"
    """Send deliveries (E21)."""
    TRANSCRIPTION = "transcription"
    """Control the transcription (E1)."""
    READ = "read"
    """Read conversations and the feed."""


SENDER: Final = frozenset({Operation.HOOKS, Operation.TRANSCRIPTION})
"""What senders do; reading is not among it."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody whose credential was accepted."""

    client_id: str | None = None
    scopes: frozenset[str] = frozenset()
    """As the credential names them."""
    bots: Collection[str] | None = None
    """The bots it may act for; None: all."""
    may: frozenset[Operation] = SENDER

    @property
    def may_read(self) -> bool:
        """Whether it may read conversations."""
        return Operation.READ in self.may


class Authenticator(Protocol):
    """Finds out who sends a request. Bring your own where a JWT is not what you use."""

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Return who it is, or the problem to answer with: a generator that may yield asks.

        The headers are those of the request; nothing of its body has been read.
        """


class NoAuth:
    """Everybody may do everything: for development, and behind a gateway that authenticates."""

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        """Accept."""
        del headers
        yield from ()
        return Principal(may=frozenset(Operation))
