"""`SentRequest` and `ReceivedAnswer`, HTTP messages that every transport uses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from segue.core.reprs import short_repr, shows

__all__ = ["FLAW_LIMIT", "ReceivedAnswer", "SentRequest"]

FLAW_LIMIT: Final = 100
"""The maximum number of `AnswerFlaw` objects that are kept of an answer, or of a list in pages."""


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request to the platform.

    Its headers contain the token and its query may contain secrets, so the `repr` shows neither.
    """

    method: str
    """The HTTP method in upper case, such as `GET`."""
    target: str
    """The path and query of the URL, such as `/queues/qu-1?page=2`."""
    headers: Mapping[str, str] = field(hash=False)
    """The headers, including the token."""
    body: bytes | None
    """The bytes of the body, or None if the request has no body."""

    @short_repr
    def __repr__(self) -> str:
        path, _, _ = self.target.partition("?")
        return f"SentRequest(method={self.method!r}, target={path!r})"


@dataclass(frozen=True, slots=True)
class ReceivedAnswer:
    """An HTTP answer of the platform, as a transport received it."""

    status: int
    """The HTTP status code, from 100 to 599."""
    headers: Mapping[str, str] = field(repr=False, hash=False)
    """The headers by lower-case name. For a repeated header, only the last value is kept."""
    body: bytes = field(repr=False)
    """The bytes of the body, empty if the answer has no body."""

    __repr__ = shows()
