"""Finding lines again: those of some conversations, in a part that somebody else has read.

It decides how little of a part is read again: the blocks that have such a line.  House rule: what
was there and is not any more is an `UnreadableLog`, never a line less.
"""

import io
from collections.abc import Iterator
from itertools import islice

from segue.errors import UnreadableLog
from segue.logs.parallel.chunks import Piece
from segue.logs.parallel.result_file import Block, Spool

__all__ = ["Finder"]


class Finder:
    """Finds lines of one piece of a part; `file` is the one it is cut from."""

    def __init__(self, piece: Piece, file: io.FileIO | None) -> None:
        self._piece, self._file = piece, file
        self._lines: Iterator[bytes] = iter(())
        self._next = 0
        """Number of the next line; 0: nothing has been opened."""

    def lines(
        self, spool: Spool, number: int, wanted: frozenset[int], start: int
    ) -> Iterator[tuple[int, bytes]]:
        """Yield the lines with these hashes, of the piece of this number.

        `start` is how many lines its log has before it, as line numbers go.
        """
        for block in spool.blocks():
            if block.piece == number and not wanted.isdisjoint(block.whose):
                self._go_to(block)
                for whose in block.whose:
                    line = next(self._lines, None)
                    if line is None:
                        msg = f"{self._piece.name} became shorter while it was read"
                        raise UnreadableLog(msg)
                    if whose in wanted:
                        yield start + self._next, line
                    self._next += 1

    def _go_to(self, block: Block) -> None:
        piece = self._piece
        if self._file is not None and block.offset is not None:
            there = piece._replace(start=piece.start + block.offset)
            self._lines, self._next = there.lines(self._file), block.first
        elif not self._next:
            self._lines, self._next = piece.lines(self._file), 1
        for _ in islice(self._lines, block.first - self._next):
            self._next += 1
