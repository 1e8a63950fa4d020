"""Requests and answers as they are sent and received."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["ReceivedAnswer", "SentRequest"]


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request as it is sent; its headers hold the token, and its query may hold secrets."""

    method: str
    """`GET`, `POST` and so on, in capitals."""
    target: str
    """Path and query."""
    headers: Mapping[str, str]
    """By name; one of them holds the token."""
    body: bytes | None
    """None if the request has no body."""

    def __repr__(self) -> str:
        path, _, _ = self.target.partition("?")
        return f"SentRequest(method={self.method!r}, target={path!r})"


@dataclass(frozen=True, slots=True)
class ReceivedAnswer:
    """An answer; its headers by lower-case name."""

    status: int
    """The HTTP status, 100 to 599."""
    headers: Mapping[str, str] = field(repr=False)
    """By lower-case name; of a repeated header the last value."""
    body: bytes = field(repr=False)
    """Empty if the answer has none."""
