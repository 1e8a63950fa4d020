"""How exports write values: JSON in ASCII, times, ids that are the same in every run.

House rules: the same value is the same text whatever the clock, the zone and the locale; what a
sender wrote into an id stays what it was, except where a format cannot hold it.
"""

import json
import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

__all__ = ["digest", "dumps", "iso", "micros", "uuid8"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_ESCAPES: Final = re.compile(
    r"\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(?P<lone>\\ud[89a-f][0-9a-f]{2})"
)
_VERSION, _VARIANT = 0x8, 0b10


def dumps(value: object) -> str:
    """Return JSON on one line; half a surrogate pair, which is no text, becomes its escape."""
    text = json.dumps(value)
    if "\\ud" not in text:
        return text
    return _ESCAPES.sub(lambda found: ("\\" if found["lone"] else "") + found[0], text)


def iso(at: datetime, digits: str = "microseconds") -> str:
    """Return a time in UTC as RFC 3339 has it."""
    return f"{at.replace(tzinfo=None).isoformat(timespec=digits)}Z"


def micros(at: datetime) -> int:
    """Return the microseconds since 1970."""
    return (at - _EPOCH) // _MICROSECOND


def digest(*parts: object) -> bytes:
    """Return 32 bytes that only these parts have, in this order."""
    return sha256(json.dumps([str(part) for part in parts]).encode("ascii")).digest()


def uuid8(*parts: object) -> UUID:
    """Return a UUID of version 8 (RFC 9562) that only these parts have."""
    number = int.from_bytes(digest(*parts)[:16])
    number = number & ~(0xF << 76) | _VERSION << 76
    return UUID(int=number & ~(0b11 << 62) | _VARIANT << 62)
