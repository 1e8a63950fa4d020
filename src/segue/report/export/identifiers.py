"""Times, and ids derived from content. Both are the same in every run, time zone and locale."""

import json
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from segue.core.epoch import microseconds

_VERSION, _VARIANT = 0x8, 0b10


def iso(at: datetime | None, digits: str = "microseconds") -> str:
    """Return a UTC time in RFC 3339, such as `2026-03-02T09:00:00.000000Z`.

    `digits` is the precision, as `timespec` of `datetime.isoformat`.
    """
    return f"{_known(at).replace(tzinfo=None).isoformat(timespec=digits)}Z"


def micros(at: datetime | None) -> int:
    """Return a time as whole microseconds since 1970."""
    return microseconds(_known(at))


def digest(*parts: object) -> bytes:
    """Return the SHA-256 digest of the parts in their order, as 32 bytes."""
    return sha256(json.dumps([str(part) for part in parts]).encode("ascii")).digest()


def uuid8(*parts: object) -> UUID:
    """Return a version 8 UUID (RFC 9562) that is derived from the parts in their order."""
    number = int.from_bytes(digest(*parts)[:16])
    number = number & ~(0xF << 76) | _VERSION << 76
    return UUID(int=number & ~(0b11 << 62) | _VARIANT << 62)


def _known(at: datetime | None) -> datetime:
    assert at is not None, "the exporter leaves conversations without times out"
    return at
