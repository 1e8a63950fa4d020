"""Requests and responses as values: what an adapter passes in, and what it sends back.

Parts of a repeated header are joined by commas (RFC 9110, 5.2), as half of the servers pass them.
What cannot be decoded is replaced; nothing here raises. json writes all bodies: pydantic refuses
lone surrogates, which findings may quote.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final
from urllib.parse import parse_qsl

from segue.core.options import Bounds, check_fields
from segue.server.processor import Effect

UNSTORABLE: Final = re.compile("[\0\ud800-\udfff\ufffd]")
"""NUL, lone surrogates, and the replacement of bytes that were not UTF-8."""
_MAX_PARAMETERS: Final = 64
_LONGEST_ID: Final = 120
_JSON: Final = "application/json"
_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class Headers:
    """The headers of a request, by name in any letter case."""

    __slots__ = ("_names", "get")

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        values: dict[str, str] = {}
        for name, value in pairs:
            known = values.get(name.lower())
            text = value.strip(" \t")
            values[name.lower()] = text if known is None else f"{known},{text}"
        self._names = values.keys()
        self.get: Callable[[str], str | None] = values.get
        """Returns the value of a header by its name in lower case, or None if it was not sent."""

    def __repr__(self) -> str:
        """Show the names only: a value may be a secret."""
        return f"<Headers {', '.join(self._names)}>"


@dataclass(frozen=True, slots=True)
class Request:
    """One request as far as it is known before its body is read."""

    method: str
    """`GET`, `POST` and so on, in capitals."""
    path: str
    """Decoded, and without the place where Segue is mounted."""
    headers: Headers
    """All of them, repeated ones included."""
    query: str = field(default="", repr=False)
    """As it was sent, percent-encoded."""
    mount: str = ""
    """Path under which the host has mounted Segue, for the addresses in documents."""

    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """Return the query parameters, each with all its values; none if there are over 64."""
        found: dict[str, tuple[str, ...]] = {}
        try:
            pairs = parse_qsl(self.query, keep_blank_values=True, max_num_fields=_MAX_PARAMETERS)
        except ValueError:
            return found
        for name, value in pairs:
            found[name] = (*found.get(name, ()), value)
        return found


class BodyError(StrEnum):
    """Why a body is not whole."""

    TOO_LARGE = "too large"
    """More bytes came, or were announced, than the limit."""
    TOO_SLOW = "too slow"
    """It did not come within the time."""
    CUT_OFF = "cut off"
    """Fewer bytes came than were announced, or the sender went away."""


@dataclass(frozen=True, slots=True)
class Body:
    """What an adapter could read."""

    data: bytes = field(repr=False)
    """At most one byte more than the limit."""
    error: BodyError | None = None
    """Why it is not whole; None if it is."""


@dataclass(frozen=True, slots=True)
class ReadBody(Effect[Body]):
    """Read the body of the request that is being answered. Only an adapter performs this.

    It stops behind `limit` bytes, or after `seconds` if the server lets it.
    """

    limit: int
    """Bytes."""
    seconds: float
    """How long the sender may take."""


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Sizes and times of requests.

    How deep a body may be nested is a limit of the processor, which keeps such a body.
    """

    max_body_bytes: int = 256 * 1024
    """Bytes of a body; a larger one is answered with 413."""
    body_seconds: float = 10.0
    """How long a sender may take for a body; ASGI only, elsewhere the server limits it."""
    feed_seconds: float = 20.0
    """How long a reader of the feed may wait for news."""
    page: int = 200
    """How many conversations or entries a reader may ask for at once."""
    max_id_length: int = 1024
    """Of bot, conversation and delivery ids in path, query and headers, and of ids in bodies."""

    def __post_init__(self) -> None:
        """Check the options."""
        bounds = dict.fromkeys(self.__slots__, Bounds(above=0)) | {"feed_seconds": Bounds(least=0)}
        check_fields(self, bounds=bounds)


LIMITS: Final = RequestLimits()
"""The limits that hold where none are given."""


@dataclass(frozen=True, slots=True)
class DeliverySummary:
    """What observers may know of a delivery: ids, codes and positions only."""

    outcome: str
    """A value of `DeliveryOutcome`."""
    conversation_id: str | None = None
    """None if it is not known."""
    bot_id: str | None = None
    """None if it is not known."""
    findings: tuple[tuple[str, int | None], ...] = ()
    """Code and event position of each."""


def short_id(text: str | None) -> str | None:
    """Return an id, or None; of a longer one than 120 characters the first 119."""
    return text if text is None or len(text) <= _LONGEST_ID else text[: _LONGEST_ID - 1] + "…"


@dataclass(frozen=True, slots=True)
class Response:
    """A response: status, header pairs with names in lower case, and a body."""

    status: int
    """The HTTP status."""
    headers: tuple[tuple[str, str], ...]
    """Names in lower case."""
    body: bytes = field(repr=False)
    """Empty for HEAD and 204."""
    delivery: DeliverySummary | None = None
    """For observers; never sent."""

    @classmethod
    def of(
        cls,
        status: int,
        content: Mapping[str, Any] | bytes,
        media: str = _JSON,
        headers: Iterable[tuple[str, str]] = (),
    ) -> "Response":
        """Return a response that is never cached.

        Args:
            status: of HTTP.
            content: a JSON object (an instance of a model of `response_schemas`), or bytes.
            media: the content type.
            headers: beside those that every response has.

        """
        body = content if isinstance(content, bytes) else _encode(content).encode("ascii")
        fixed = (
            ("content-type", media),
            ("content-length", str(len(body))),
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
        )
        return cls(status, (*fixed, *headers), body)

    @classmethod
    def page(cls, document: bytes, policy: str) -> "Response":
        """Return a page in HTML that no other page may frame or know of, with this policy."""
        headers = (
            ("content-security-policy", f"{policy}; frame-ancestors 'none'"),
            ("cross-origin-opener-policy", "same-origin"),
            ("referrer-policy", "no-referrer"),
        )
        return cls.of(200, document, "text/html; charset=utf-8", headers)
