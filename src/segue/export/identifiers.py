"""How exports write times, and ids that are the same in every run.

House rule: the same value is the same text whatever the clock, the zone and the locale.
"""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

__all__ = ["digest", "iso", "micros", "uuid8"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_VERSION, _VARIANT = 0x8, 0b10


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
