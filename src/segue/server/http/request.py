"""Requests and responses as plain values, which adapters create and send.

Values of a repeated header are joined by commas (RFC 9110, 5.2), since half of the servers pass
them that way. Undecodable bytes are replaced, and no function here raises. Bodies are written by
`json` rather than pydantic, which refuses the lone surrogates that findings may quote.
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
"""Matches the characters that an id must not contain: NUL, lone surrogates, and U+FFFD, which
replaces bytes that are not UTF-8."""
_MAX_PARAMETERS: Final = 64
_LONGEST_ID: Final = 120
_JSON: Final = "application/json"
_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class Headers:
    """The headers of a request. Their names are case-insensitive.

    Repeated headers are joined with commas. Headers with an underscore in their name are left out,
    because many servers and proxies cannot tell it from a hyphen.
    """

    __slots__ = ("_names", "get")

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        values: dict[str, str] = {}
        for name, value in pairs:
            if "_" in name:
                continue
            known = values.get(name.lower())
            text = value.strip(" \t")
            values[name.lower()] = text if known is None else f"{known},{text}"
        self._names = values.keys()
        self.get: Callable[[str], str | None] = values.get
        """A function that returns the value of a header by its lower-case name, or None if it was
        not sent."""

    def with_host(self, host: str) -> "Headers":
        """Return headers with another value of `Host`."""
        others = ((name, self.get(name) or "") for name in self._names if name != "host")
        return Headers([*others, ("host", host)])

    def __repr__(self) -> str:
        """Return a text with the names of the headers.

        It does not contain the values, which may be secret.
        """
        return f"<Headers {', '.join(self._names)}>"


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request whose body has not been read yet."""

    method: str
    """The method in capitals, such as `GET`."""
    path: str
    """The decoded path, without the path at which Segue is mounted. It may be a whole URL, if the
    server passes on that the sender sent one."""
    headers: Headers
    """All headers, including repeated ones."""
    query: str = field(default="", repr=False)
    """The percent-encoded query, without the question mark."""
    mount: str = ""
    """The path at which the host has mounted Segue, such as `/desk`, or an empty string. It is
    needed for addresses in responses."""

    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """Parse the query into a mapping from parameter name to a tuple of values.

        The mapping is empty if the query has more than 64 parameters.
        """
        found: dict[str, tuple[str, ...]] = {}
        try:
            pairs = parse_qsl(self.query, keep_blank_values=True, max_num_fields=_MAX_PARAMETERS)
        except ValueError:
            return found
        for name, value in pairs:
            found[name] = (*found.get(name, ()), value)
        return found


class BodyError(StrEnum):
    """The reason why a body is incomplete."""

    TOO_LARGE = "too large"
    """The body is larger than the limit, or was announced to be."""
    TOO_SLOW = "too slow"
    """The body took longer than the time limit."""
    CUT_OFF = "cut off"
    """The body is shorter than announced, or the sender disconnected."""
    NO_LENGTH = "of unknown length"
    """The body was announced by `Transfer-Encoding`, but the server does not say where it ends."""


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request as an adapter has read it, which may be incomplete."""

    data: bytes = field(repr=False)
    """The bytes that were read, at most one more than the limit."""
    error: BodyError | None = None
    """The reason why the body is incomplete, or None if it is complete."""


@dataclass(frozen=True, slots=True)
class ReadBody(Effect[Body]):
    """An effect that reads the body of the request. Every adapter performs it in its own way.

    Reading stops after `limit` bytes. It also stops after `seconds` if the server can interrupt it.
    """

    limit: int
    """The maximum number of bytes to read."""
    seconds: float
    """The maximum time for reading the body, in seconds."""


@dataclass(frozen=True, slots=True)
class DrainBody(ReadBody):
    """An effect that reads the rest of a body which nobody needs, to keep the connection."""


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """The maximum sizes and durations of requests.

    The maximum nesting depth of a body is a limit of the `Processor` instead, which quarantines
    bodies that exceed it.
    """

    max_body_bytes: int = 256 * 1024
    """The maximum size of a body in bytes. A larger body is answered with 413."""
    body_seconds: float = 10.0
    """The maximum time for reading a body, in seconds. It applies to ASGI only, because other
    servers limit the time themselves."""
    feed_seconds: float = 20.0
    """The maximum time for which a reader of the feed may wait for news, in seconds."""
    page: int = 200
    """The maximum number of conversations or entries on a page."""
    max_id_length: int = 1024
    """The maximum length of bot, conversation and delivery ids, in path, query, headers and
    bodies."""

    def __post_init__(self) -> None:
        """Raise `ConfigurationError` if a limit has the wrong type or is too small."""
        bounds = dict.fromkeys(self.__slots__, Bounds(above=0)) | {"feed_seconds": Bounds(least=0)}
        check_fields(self, bounds=bounds)


LIMITS: Final = RequestLimits()
"""The default limits, such as 256 KiB for a body."""


@dataclass(frozen=True, slots=True)
class DeliverySummary:
    """A summary of a delivery for observers. It contains ids, codes and positions, but no text."""

    outcome: str
    """The outcome of the delivery, a value of `DeliveryOutcome` such as `applied`."""
    conversation_id: str | None = None
    """The id of the conversation, or None if it is unknown."""
    bot_id: str | None = None
    """The id of the bot, or None if it is unknown."""
    findings: tuple[tuple[str, int | None], ...] = ()
    """A pair for each finding: its code and the position of its event or None, as in `("SG103",
    2)`."""


def short_id(text: str | None) -> str | None:
    """Return an id, shortened to 120 characters if it is longer. Return None for None."""
    return text if text is None or len(text) <= _LONGEST_ID else text[: _LONGEST_ID - 1] + "…"


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response: a status, headers and a body."""

    status: int
    """The HTTP status."""
    headers: tuple[tuple[str, str], ...]
    """The header pairs, with names in lower case."""
    body: bytes = field(repr=False)
    """The body. It is empty for HEAD and 204."""
    delivery: DeliverySummary | None = None
    """The summary of the delivery for observers, or None. It is never sent."""
    closes: bool = False
    """Whether the connection must be closed, because a part of the body was not read. An adapter
    sends `Connection: close` where the protocol has this header."""

    @classmethod
    def of(
        cls,
        status: int,
        content: Mapping[str, Any] | bytes,
        media: str = _JSON,
        headers: Iterable[tuple[str, str]] = (),
    ) -> "Response":
        """Create a response with headers that forbid caching.

        Args:
            status: The HTTP status.
            content: A JSON object (an instance of a model of `response_schemas`), or bytes.
            media: The content type.
            headers: Headers in addition to those of every response.

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
        """Create a response with an HTML page that other pages can neither frame nor access.

        `policy` is the content security policy of the page.
        """
        headers = (
            ("content-security-policy", f"{policy}; frame-ancestors 'none'"),
            ("cross-origin-opener-policy", "same-origin"),
            ("referrer-policy", "no-referrer"),
        )
        return cls.of(200, document, "text/html; charset=utf-8", headers)
