"""The spool: what another process has read of a log, on the disk until it is that part's turn.

A spool begins with a number, how many bytes have been read so far, which others may look at while
it is written.  Then come records: freight, and whose the lines are, as it comes; last the outcome,
without which nothing before it counts.

It decides how records are laid out, and refuses to know what is in them.
"""

import os
import pickle
from array import array
from collections.abc import Iterator, Sequence
from struct import Struct
from typing import BinaryIO, Final, NamedTuple

from segue.logs.parallel.chunk_replayer import Outcome
from segue.logs.parallel.report_codec import dumps
from segue.logs.sources import LONGEST_LINE

__all__ = ["FREIGHT", "Block", "Index", "Spool", "put", "put_outcome", "tell"]

_NUMBER: Final = Struct("<Q")
_RECORD: Final = Struct("<cQ")
_LINES: Final = 4_096

FREIGHT, INDEX, OUTCOME = b"F", b"I", b"O"


class Block(NamedTuple):
    """Some lines of a log, and whose they are."""

    piece: int
    first: int
    """Number of the first line, within the piece."""
    offset: int | None
    """Where it begins, within the piece; None: that is not known."""
    whose: "array[int]"
    """Hashes of conversations, one a line."""


def tell(file: int, read: int) -> None:
    """Let others know how many bytes have been read."""
    if hasattr(os, "pwrite"):
        os.pwrite(file, _NUMBER.pack(read), 0)


def put(out: BinaryIO, kind: bytes, content: bytes) -> None:
    """Write a record."""
    out.write(_RECORD.pack(kind, len(content)))
    out.write(content)


def put_outcome(out: BinaryIO, outcome: Outcome) -> None:
    """Write the last record."""
    put(out, OUTCOME, dumps(outcome))


class Index:
    """Notes whose the lines are, and where."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._whose = array("q")
        self._piece = -1
        self._first = 1
        self._offset: int | None = 0
        self._next: int | None = 0
        self.lines = 0
        """How many lines of the present piece there have been."""

    def begin(self) -> None:
        """Go on with the next piece."""
        self._piece += 1
        self._first = 1
        self._offset = self._next = 0
        self.lines = 0

    def note(self, lines: Sequence[bytes], whose: list[int]) -> None:
        """Take in some lines."""
        self._whose.extend(whose)
        self.lines += len(lines)
        if self._next is not None:
            size = sum(map(len, lines))
            # Of an overlong line only the beginning was given.
            is_whole = size <= LONGEST_LINE or max(map(len, lines)) <= LONGEST_LINE
            self._next = self._next + size if is_whole else None
        if len(self._whose) >= _LINES:
            self.write()

    def write(self) -> None:
        """Write what has been noted."""
        if self._whose:
            put(self._out, INDEX, dumps((self._piece, self._first, self._offset, self._whose)))
            self._whose = array("q")
            self._first, self._offset = self.lines + 1, self._next


class Spool:
    """A spool for another process to write, and then to be read; it has no name."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        file.write(_NUMBER.pack(0))
        file.flush()

    @property
    def bytes_read(self) -> int:
        """How many bytes of the log the other process has read."""
        if not hasattr(os, "pread"):
            return 0
        return int(_NUMBER.unpack(os.pread(self.file.fileno(), _NUMBER.size, 0))[0])

    def outcome(self) -> Outcome | None:
        """Return the outcome; None: the other process did not get that far."""
        for content in self.records(OUTCOME):
            outcome: Outcome = pickle.loads(content)  # noqa: S301 - from a process that we started
            return outcome
        return None

    def blocks(self) -> Iterator[Block]:
        """Yield whose the lines are."""
        for content in self.records(INDEX):
            yield Block(*pickle.loads(content))  # noqa: S301 - as above

    def records(self, kind: bytes) -> Iterator[bytes]:
        """Yield the contents of all whole records of a kind."""
        at, file = _NUMBER.size, self.file
        size = file.seek(0, os.SEEK_END)
        while at + _RECORD.size <= size:
            file.seek(at)
            what, length = _RECORD.unpack(file.read(_RECORD.size))
            at += _RECORD.size + length
            if what == kind and at <= size:
                yield file.read(length)
