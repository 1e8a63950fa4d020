"""The tombstones of all conversations that have ended, by their keys, in little memory.

A dictionary takes 130 bytes a conversation for a key of 20 characters, a tombstone of 9 bytes, and
what Python adds to each of them.  Here it is 31, and nothing is ever copied as a whole.
"""

from hashlib import blake2b
from os import urandom
from typing import Final

_DIGEST_SIZE: Final = 16
_DIGESTS: Final = blake2b(digest_size=_DIGEST_SIZE, key=urandom(32))
"""What digests begin with: a secret, so that no sender can choose ids that share a page."""
_PAGE_SIZE: Final = 1_024
"""How many bytes pages have on average when one more page is made."""


class Tombstones:
    """A table of tombstones by keys.

    Of a key only a digest of 128 bits is kept.  Records (a digest, the size of the tombstone, and
    the tombstone) stand in pages, by their digests and one behind the other.  The table grows by a
    page at a time, whose records come from one other page (linear hashing).
    """

    def __init__(self) -> None:
        self._pages = [b""]
        self._size = 0

    def __contains__(self, key: str) -> bool:
        """Return whether there is a tombstone of a key."""
        digest = _digest(key)
        return digest in self._pages[self._page_of(digest)]

    def get(self, key: str) -> bytes | None:
        """Return the tombstone of a key; None if there is none."""
        digest = _digest(key)
        _, found, rest = self._pages[self._page_of(digest)].partition(digest)
        return rest[1 : 1 + rest[0]] if found else None

    def __getitem__(self, key: str) -> bytes:
        """Return the tombstone of a key that has one."""
        tombstone = self.get(key)
        if tombstone is None:
            raise KeyError(key)
        return tombstone

    def __setitem__(self, key: str, tombstone: bytes) -> None:
        """Add a tombstone, or put it in the place of the one that the key has."""
        digest = _digest(key)
        number = self._page_of(digest)
        page = self._pages[number]
        before, found, rest = page.partition(digest)
        if found:
            rest = rest[1 + rest[0] :]
        self._pages[number] = b"".join((before, rest, digest, bytes((len(tombstone),)), tombstone))
        self._size += len(self._pages[number]) - len(page)
        if self._size > _PAGE_SIZE * len(self._pages):
            self._add_page()

    def _add_page(self) -> None:
        """Add a page, and put those records into it that belong there now."""
        pages = self._pages
        number = len(pages) - _power(len(pages))
        page, at = pages[number], 0
        pages.append(b"")
        records: dict[int, list[bytes]] = {number: [], len(pages) - 1: []}
        while at < len(page):
            digest = page[at : at + _DIGEST_SIZE]
            end = at + _DIGEST_SIZE + 1 + page[at + _DIGEST_SIZE]
            records[self._page_of(digest)].append(page[at:end])
            at = end
        for number, some in records.items():
            pages[number] = b"".join(some)

    def _page_of(self, digest: bytes) -> int:
        """Return the last bits of a digest, or one less where there is no such page yet."""
        count = len(self._pages)
        power = _power(count)
        number = int.from_bytes(digest, "little") & (2 * power - 1)
        return number if number < count else number - power


def _digest(key: str) -> bytes:
    digest = _DIGESTS.copy()
    digest.update(key.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _power(count: int) -> int:
    """Return the last power of two that is not above a count."""
    return 1 << (count.bit_length() - 1)
