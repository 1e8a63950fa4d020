"""Requests and responses as values: what a shell hands in, and what it carries back.

It decides how headers and query parameters are read.  House rules: a repeated header is one header
whose parts stand between commas (RFC 9110, 5.2), since that is how half of the servers hand it
over; whatever cannot be decoded is replaced, and nothing here raises.  It does not know routes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

__all__ = ["Headers", "Request", "Response", "Told"]

_MAX_PARAMETERS: Final = 64


class Headers:
    """The headers of a request, by name in any letter case."""

    __slots__ = ("_values",)

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, str] = {}
        for name, value in pairs:
            known = self._values.get(name.lower())
            text = value.strip(" \t")
            self._values[name.lower()] = text if known is None else f"{known},{text}"

    def __repr__(self) -> str:
        """Show the names only: a value may be a secret."""
        return f"<Headers {', '.join(self._values)}>"

    def get(self, name: str) -> str | None:
        """Return the value of a header; None: it was not sent."""
        return self._values.get(name)


@dataclass(frozen=True, slots=True)
class Request:
    """One request as far as it is known before its body is read."""

    method: str
    path: str
    """Decoded, and without the place where Segue is mounted."""
    headers: Headers
    query: str = field(default="", repr=False)
    """As it was sent, percent-encoded."""
    mount: str = ""
    """Where the host has put Segue, for the addresses in documents."""

    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """Return the query parameters, each with all its values."""
        found: dict[str, tuple[str, ...]] = {}
        try:
            pairs = parse_qsl(self.query, keep_blank_values=True, max_num_fields=_MAX_PARAMETERS)
        except ValueError:  # more of them than anybody means
            return found
        for name, value in pairs:
            found[name] = (*found.get(name, ()), value)
        return found


@dataclass(frozen=True, slots=True)
class Told:
    """What an answer tells of a delivery, for observers: ids, codes and positions only."""

    outcome: str
    conversation_id: str | None = None
    bot_id: str | None = None
    findings: tuple[tuple[str, int | None], ...] = ()
    """Code and event position of each."""


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: status, header pairs with names in lower case, and a body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)
    told: Told | None = None
    """Never sent."""
