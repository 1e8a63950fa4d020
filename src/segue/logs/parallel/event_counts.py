"""The number of events of the log at each line of a chunk."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from segue.logs.parallel.chunks import Chunk


class EventCounts:
    """The number of events of the log before and after each line of a chunk.

    The window of ended conversations is counted in these events, whatever process reads a line.
    """

    def __init__(self, chunk: Chunk, sizes: "Sequence[array[int]]", begin: int) -> None:
        """Count the events of a chunk.

        Args:
            chunk: The slices of logs.
            sizes: For each slice, the number of events of each of its lines.
            begin: The number of events of the log before the chunk.

        """
        self._first_lines = [part.first_line for part in chunk]
        self._counts: list[array[int]] = []
        for each in sizes:
            self._counts.append(array("Q", accumulate(each, initial=begin)))
            begin = self._counts[-1][-1]

    def before(self, number: int, line: int) -> int:
        """Return the number of events of the log before a line of the slice with this number."""
        return self._counts[number][line - self._first_lines[number]]

    def line_at(self, count: int) -> tuple[int, int]:
        """Return the slice and the line with which the number of events reaches `count`.

        Return a slice after the chunk if the chunk does not reach it.
        """
        for number, (first, counts) in enumerate(zip(self._first_lines, self._counts, strict=True)):
            if counts[-1] >= count:
                return number, first + max(0, bisect_left(counts, count) - 1)
        return len(self._counts), 0
