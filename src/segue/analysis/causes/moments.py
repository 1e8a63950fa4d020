"""When something happened, and which conversations are counted if only a share of them is.

Which these are, a hash of the conversation's key decides, and so alike everywhere: its level is
how many zero bits it begins with, and one in `2 ** share` conversations has a level of the share.
The accelerator makes moments and levels alike (`native/src/counting.rs`).
"""

from array import array
from hashlib import blake2b
from typing import Final, TypeAlias, TypeVar

Moments: TypeAlias = "array[int]"
"""Minutes since 1970, each with the level of its conversation in the bits below."""

NO_MINUTE: Final = -(1 << 50)
"""Stands for the minute of an event without a time."""
LEVEL_BITS: Final = 6
HIGHEST_LEVEL: Final = (1 << LEVEL_BITS) - 1

_DIGEST_SIZE: Final = 12
_HASH_SIZE: Final = 8
_HASH_BITS: Final = 8 * _HASH_SIZE
_Key = TypeVar("_Key")


def hash_of(key: str) -> int:
    """Return the hash of the key of a conversation, which the accelerator makes alike."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()
    return int.from_bytes(digest[:_HASH_SIZE], "little")


def level_of(name: int) -> int:
    """Return the level of a conversation whose key has this hash."""
    return _HASH_BITS - name.bit_length() if name else HIGHEST_LEVEL


def moment_of(minute: int, level: int) -> int:
    """Return a moment of a conversation of this level."""
    return minute << LEVEL_BITS | level


def no_moments() -> Moments:
    """Return an array for moments."""
    return array("q")


def minutes_of(moments: Moments) -> list[int]:
    """Return the minutes of some moments."""
    return [each >> LEVEL_BITS for each in moments]


def of_share(moments: dict[_Key, Moments], share: int) -> dict[_Key, Moments]:
    """Return those of conversations that are counted if one in `2 ** share` is."""
    left = (
        (key, array("q", [each for each in some if each & HIGHEST_LEVEL >= share]))
        for key, some in moments.items()
    )
    return {key: some for key, some in left if some}
