"""Counts the events of what the library has kept, when and for what.

What an event counts for depends on what its conversation has said before, its context: a number
whose upper half stands for what is the same for all of a conversation.  The library asks for each
step from one context to the next once.
"""

from array import array
from collections.abc import Callable, Iterable
from ctypes import CDLL, byref, c_int64, c_void_p, string_at
from typing import Final, NamedTuple

UPPER_HALF: Final = 32
"""Bits below the upper half of a context."""
NOTHING: Final = -1
"""The number of what is counted for nothing."""
BEGIN: Final = (1 << UPPER_HALF) - 2
"""Said before each conversation, in a context whose upper half is the number of its bot."""
END: Final = (1 << UPPER_HALF) - 1
"""Said last of each conversation."""

_DONE: Final = -1
_TEXT: Final = (1 << 32) - 1


class CountStep(NamedTuple):
    """What an event counts for in a context, as the library takes it."""

    number: int
    """Of what is counted."""
    context: int
    """What comes after it is counted in."""
    is_certain: bool
    """Whether it is the same in all contexts with the same upper half."""


class EventCounter:
    """Numbers of what was counted, each with its moments."""

    _counting: int | None = None

    def __init__(self, library: CDLL) -> None:
        """Begin without any."""
        self._library = library
        self._counting = library.segue_count_new()
        self._pointer = c_void_p()

    def __del__(self) -> None:
        """Free what the library holds."""
        if self._counting:
            self._library.segue_count_free(self._counting)

    def count(
        self, exported: Iterable[bytes], share: int, ask: Callable[[int, int], CountStep]
    ) -> "array[int]":
        """Count one in `2 ** share` of some conversations that the library has exported.

        Returns three numbers for each that was counted: the hash of its key, its last context, and
        how many of its events were counted.  `ask` returns the step that an event, as `said_in`
        takes it, makes in a context.
        """
        joined = b"".join(exported)
        asked = (c_int64 * 2)()
        done = 0
        while True:
            done = self._library.segue_count(
                self._counting, joined, len(joined), done, share, asked
            )
            if done == len(joined):
                return self._counted(_DONE, array("Q"))
            context, said = asked
            step = ask(context, said)
            self._library.segue_count_learn(self._counting, context, said & _TEXT, *step)

    def moments(self, number: int) -> "array[int]":
        """Return when what has this number was counted."""
        return self._counted(number, array("q"))

    def _counted(self, number: int, found: "array[int]") -> "array[int]":
        size = self._library.segue_counted(self._counting, number, byref(self._pointer))
        if size:
            found.frombytes(string_at(self._pointer.value or 0, size * found.itemsize))
        return found
