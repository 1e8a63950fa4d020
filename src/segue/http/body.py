"""The body of a request: whether to ask for it at all, and what became of it.

It decides 413 and 415 and what a body is cut off by.  House rules: what headers say is judged
before a byte is read; only a shell can read, and it only reads.  It does not know what a body
means.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from segue.http.limits import Limits
from segue.http.problem import Problem
from segue.http.request import Headers
from segue.processor import Effect

__all__ = ["Body", "Lack", "ReadBody", "refused_unread"]

_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_JSON: Final = re.compile(r"(?:application|text)/json|application/[!#$&^_.+0-9a-z-]+\+json")
_CHARSETS: Final = frozenset({"utf-8", "utf8", "us-ascii"})


class Lack(StrEnum):
    """Why a body is not whole."""

    TOO_LARGE = "too large"
    TOO_SLOW = "too slow"
    CUT_OFF = "cut off"
    """Fewer bytes came than were announced, or the sender went away."""


@dataclass(frozen=True, slots=True)
class Body:
    """What a shell could read."""

    data: bytes = field(repr=False)
    lack: Lack | None = None


@dataclass(frozen=True, slots=True)
class ReadBody(Effect[Body]):
    """Read the body of the request that is being answered. Only a shell can do this.

    It stops behind `limit` bytes, or after `seconds` where the server lets it.
    """

    limit: int
    seconds: float


def refused_unread(headers: Headers, limits: Limits) -> Problem | None:
    """Judge a body by what the headers say of it; None: it may be read."""
    if not _is_json(headers.get("content-type")):
        return Problem.NOT_JSON
    if headers.get("content-encoding") not in (None, "identity"):
        return Problem.NOT_JSON
    length = headers.get("content-length")
    if length is None:
        return None
    if _LENGTH.fullmatch(length) is None:
        return Problem.BAD_LENGTH
    return Problem.TOO_LARGE if int(length) > limits.max_body_bytes else None


def _is_json(content_type: str | None) -> bool:
    if not content_type:
        return True
    media, *parameters = content_type.lower().split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    charsets = (value.strip(' \t"') for name, _, value in pairs if name.strip() == "charset")
    return (
        _JSON.fullmatch(media.strip()) is not None
        and "," not in content_type  # two headers in one
        and _CHARSETS.issuperset(charsets)
    )
