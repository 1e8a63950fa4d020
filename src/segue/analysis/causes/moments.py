"""Times of events, with the sampling of conversations.

A hash of its key decides whether a conversation belongs to the sample, so that all processes choose
the same ones. The level of a conversation is the number of leading zero bits of the hash. In a
sample of one in `2 ** share`, the level of every conversation is at least `share`. The accelerator
computes the same moments and levels (`native/src/counting.rs`).
"""

from array import array
from hashlib import blake2b
from typing import Final, TypeAlias, TypeVar

Moments: TypeAlias = "array[int]"
"""Minutes since 1970, each with the level of its conversation in the low bits."""

NO_MINUTE: Final = -(1 << 50)
"""The minute of an event without a time."""
LEVEL_BITS: Final = 6
HIGHEST_LEVEL: Final = (1 << LEVEL_BITS) - 1

_DIGEST_SIZE: Final = 12
_HASH_SIZE: Final = 8
_HASH_BITS: Final = 8 * _HASH_SIZE
_Key = TypeVar("_Key")


def hash_of(key: str) -> int:
    """Return the hash of a conversation's key. The accelerator computes the same."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
    return int.from_bytes(digest[:_HASH_SIZE], "little")


def level_of(name: int) -> int:
    """Return the level of a conversation from the hash of its key."""
    return _HASH_BITS - name.bit_length() if name else HIGHEST_LEVEL


def moment_of(minute: int, level: int) -> int:
    """Return the moment for a minute and the level of its conversation."""
    return minute << LEVEL_BITS | level


def no_moments() -> Moments:
    """Return an empty array of moments."""
    return array("q")


def minutes_of(moments: Moments) -> list[int]:
    """Return the minutes of moments."""
    return [each >> LEVEL_BITS for each in moments]


def of_share(moments: dict[_Key, Moments], share: int) -> dict[_Key, Moments]:
    """Return the moments of conversations in a sample of one in `2 ** share`, by the same keys."""
    left = (
        (key, array("q", [each for each in some if each & HIGHEST_LEVEL >= share]))
        for key, some in moments.items()
    )
    return {key: some for key, some in left if some}
