"""A memory-efficient table of tombstones, the records of conversations that have ended.

In a dictionary, a conversation takes 130 bytes (a key of 20 characters, a tombstone of 9 bytes and
Python's overhead). In this table it takes 31 bytes, and growing never copies the whole table.
"""

from collections import deque
from hashlib import blake2b
from os import urandom
from typing import Final

_DIGEST_SIZE: Final = 16
_DIGESTS: Final = blake2b(digest_size=_DIGEST_SIZE, key=urandom(32))
"""The keyed hash. The key is secret, so that no sender can choose ids that share a page."""
_PAGE_SIZE: Final = 1_024
"""The average size of pages, in bytes, above which a page is added."""


class Tombstones:
    """A compact mapping from conversation keys to tombstones (records of ended conversations).

    A key is stored as a digest of 128 bits. Records (digest, size of the tombstone, tombstone) are
    concatenated in pages, which are selected by the digest. The table grows by one page at a time,
    which takes its records from one other page (linear hashing).
    """

    def __init__(self, most: int | None = None) -> None:
        """Create an empty table of at most `most` tombstones, or of any number for None.

        If there are more, those that were stored first are removed.
        """
        self._pages = [b""]
        self._size = 0
        self._most = most
        self._order: deque[bytes] = deque()
        """The digests of the keys in order, if the number of tombstones is limited."""
        self.evicted = 0
        """The number of tombstones that were removed because there were too many."""

    def __contains__(self, key: str) -> bool:
        """Return whether the conversation with this key has a tombstone."""
        digest = _digest(key)
        return digest in self._pages[self._page_of(digest)]

    def get(self, key: str) -> bytes | None:
        """Return the tombstone of a conversation, or None if it has none."""
        digest = _digest(key)
        _, found, rest = self._pages[self._page_of(digest)].partition(digest)
        return rest[1 : 1 + rest[0]] if found else None

    def __getitem__(self, key: str) -> bytes:
        """Return the tombstone of a conversation. Raise `KeyError` if it has none."""
        tombstone = self.get(key)
        if tombstone is None:
            raise KeyError(key)
        return tombstone

    def __setitem__(self, key: str, tombstone: bytes) -> None:
        """Store the tombstone of a conversation, replacing any earlier one."""
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
        if self._most is not None and not found:
            self._order.append(digest)
            self._evict(self._most)

    def _evict(self, most: int) -> None:
        """Remove the oldest tombstones until at most `most` are left."""
        while len(self._order) > most:
            digest = self._order.popleft()
            number = self._page_of(digest)
            before, _, rest = self._pages[number].partition(digest)
            size = 1 + rest[0]
            self._pages[number] = before + rest[size:]
            self._size -= len(digest) + size
            self.evicted += 1

    def _add_page(self) -> None:
        """Add a page, and move to it the records of another page that now belong there."""
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
        """Return the index of the page for a digest.

        The index consists of the low bits of the digest, with one bit less if the page does not
        exist yet.
        """
        count = len(self._pages)
        power = _power(count)
        number = int.from_bytes(digest, "little") & (2 * power - 1)
        return number if number < count else number - power


def _digest(key: str) -> bytes:
    digest = _DIGESTS.copy()
    digest.update(key.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _power(count: int) -> int:
    """Return the largest power of two that is at most `count`."""
    return 1 << (count.bit_length() - 1)
