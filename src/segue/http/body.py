"""The body of a request: whether to read it at all, and how much of it arrived.

What the headers say is judged before a byte is read. Only an adapter can read.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from segue.http.problem import Problem
from segue.http.request import Headers, RequestLimits
from segue.processor import Effect

__all__ = ["Body", "BodyError", "ReadBody", "refused_unread"]

_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_PLAIN_JSON: Final = frozenset({None, "", "application/json"})
_JSON: Final = re.compile(r"(?:application|text)/json|application/[!#$&^_.+0-9a-z-]+\+json")
_CHARSETS: Final = frozenset({"utf-8", "utf8", "us-ascii"})


class BodyError(StrEnum):
    """Why a body is not whole."""

    TOO_LARGE = "too large"
    TOO_SLOW = "too slow"
    CUT_OFF = "cut off"
    """Fewer bytes came than were announced, or the sender went away."""


@dataclass(frozen=True, slots=True)
class Body:
    """What an adapter could read."""

    data: bytes = field(repr=False)
    error: BodyError | None = None


@dataclass(frozen=True, slots=True)
class ReadBody(Effect[Body]):
    """Read the body of the request that is being answered. Only an adapter performs this.

    It stops behind `limit` bytes, or after `seconds` if the server lets it.
    """

    limit: int
    seconds: float


def refused_unread(headers: Headers, limits: RequestLimits) -> Problem | None:
    """Return why a body is refused for what the headers say of it, or None if it may be read."""
    content_type = headers.get("content-type")
    if content_type not in _PLAIN_JSON and not _is_json(content_type or ""):
        return Problem.NOT_JSON
    if headers.get("content-encoding") not in (None, "identity"):
        return Problem.NOT_JSON
    length = headers.get("content-length")
    if length is None:
        return None
    if _LENGTH.fullmatch(length) is None:
        return Problem.BAD_LENGTH
    return Problem.LARGE_BODY if int(length) > limits.max_body_bytes else None


def _is_json(content_type: str) -> bool:
    media, *parameters = content_type.lower().split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    charsets = (value.strip(' \t"') for name, _, value in pairs if name.strip() == "charset")
    return (
        _JSON.fullmatch(media.strip()) is not None
        and "," not in content_type  # two headers in one
        and _CHARSETS.issuperset(charsets)
    )
