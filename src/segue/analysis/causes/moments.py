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
    """Return an unsigned 64-bit hash of a conversation's key, equal in all processes."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
    return int.from_bytes(digest[:_HASH_SIZE], "little")


def level_of(name: int) -> int:
    """Return the number of leading zero bits of `name`, the hash of a conversation's key.

    A conversation with a higher level remains in smaller samples.
    """
    return _HASH_BITS - name.bit_length() if name else HIGHEST_LEVEL


def moment_of(minute: int, level: int) -> int:
    """Pack a minute and a level into one integer, with the level in the low bits."""
    return minute << LEVEL_BITS | level


def no_moments() -> Moments:
    """Return a new, empty array of 64-bit integers."""
    return array("q")


def minutes_of(moments: Moments) -> list[int]:
    """Return the minutes of the given moments, in the same order."""
    return [each >> LEVEL_BITS for each in moments]


def of_share(moments: dict[_Key, Moments], share: int) -> dict[_Key, Moments]:
    """Reduce each array to the conversations in a sample of one in `2 ** share`.

    Return a new dictionary, without the keys whose arrays would be empty.
    """
    left = (
        (key, array("q", [each for each in some if each & HIGHEST_LEVEL >= share]))
        for key, some in moments.items()
    )
    return {key: some for key, some in left if some}
