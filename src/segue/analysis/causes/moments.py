"""Moments: the minutes of events, combined with data for sampling conversations.

A hash of a conversation's key decides whether the conversation belongs to a sample, so all
processes choose the same sample. The level of a conversation is the number of leading zero bits of
this hash. A sample of one in `2 ** share` conversations contains those whose level is at least
`share`. The accelerator computes the same moments and levels (`native/src/counting.rs`).
"""

from array import array
from hashlib import blake2b
from typing import Final, TypeAlias, TypeVar

Moments: TypeAlias = "array[int]"
"""An array of minutes since 1970, each with its conversation's level in the low bits."""

NO_MINUTE: Final = -(1 << 50)
"""The value that is used as the minute of an event without a time."""
LEVEL_BITS: Final = 6
"""The number of low bits of a moment that contain the level."""
HIGHEST_LEVEL: Final = (1 << LEVEL_BITS) - 1

_DIGEST_SIZE: Final = 12
_HASH_SIZE: Final = 8
_HASH_BITS: Final = 8 * _HASH_SIZE
_Key = TypeVar("_Key")


def hash_of(key: str) -> int:
    """Return the hash of a conversation's key, an integer of 64 bits."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
    return int.from_bytes(digest[:_HASH_SIZE], "little")


def level_of(name: int) -> int:
    """Return the level of a conversation (leading zero bits of the hash of its key)."""
    return _HASH_BITS - name.bit_length() if name else HIGHEST_LEVEL


def moment_of(minute: int, level: int) -> int:
    """Combine a minute and the level of a conversation into a moment."""
    return minute << LEVEL_BITS | level


def no_moments() -> Moments:
    """Return a new, empty array of moments."""
    return array("q")


def minutes_of(moments: Moments) -> list[int]:
    """Return the minutes in an array of moments, without levels."""
    return [each >> LEVEL_BITS for each in moments]


def of_share(moments: dict[_Key, Moments], share: int) -> dict[_Key, Moments]:
    """Select the moments of conversations in a sample of one in `2 ** share`.

    Return a dictionary with the same keys, except those without any moments left.
    """
    left = (
        (key, array("q", [each for each in some if each & HIGHEST_LEVEL >= share]))
        for key, some in moments.items()
    )
    return {key: some for key, some in left if some}
