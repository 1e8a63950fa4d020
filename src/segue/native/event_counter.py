"""Counts the events of what the library has kept, when and for what.

What an event counts for depends on what its conversation has said before, its context: a number
whose upper half stands for what is the same for all of a conversation.  The library asks for each
step from one context to the next once.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from ctypes import CDLL, byref, c_int64, c_void_p, string_at
from itertools import chain
from typing import Final, NamedTuple

from segue.native.kept import RECORD

UPPER_HALF: Final = 32
"""Bits below the upper half of a context."""
NOTHING: Final = -1
"""The number of what is counted for nothing."""
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
        self,
        records: Sequence[bytes],
        contexts: Iterable[int],
        moments: Iterable[int],
        ask: Callable[[int, int], CountStep],
    ) -> tuple[list[int], int]:
        """Count conversations; return the last context of each, and how many events were counted.

        Args:
            records: what the library has kept of each.
            contexts: what they begin in.
            moments: those of what comes before any time: minutes since 1970, and in the six bits
                below, which all moments of the conversation have, whatever is to be known of it.
            ask: returns the step that an event, as `said_in` takes it, makes in a context.

        """
        kept = array("q", b"".join(records))
        each = zip(map(len, records), contexts, moments, strict=True)
        conversations = array("q", chain.from_iterable(each))
        where, columns = kept.buffer_info()[0], conversations.buffer_info()[0]
        rows = len(kept) * kept.itemsize // RECORD.size
        asked = (c_int64 * 2)()
        done = 0
        while True:
            done = self._library.segue_count(
                self._counting, where, rows, columns, len(records), done, asked
            )
            if done == len(records):
                found = self._counted(_DONE)
                return found[::2].tolist(), sum(found[1::2])
            context, said = asked
            step = ask(context, said)
            self._library.segue_count_learn(self._counting, context, said & _TEXT, *step)

    def moments(self, number: int) -> "array[int]":
        """Return when what has this number was counted."""
        return self._counted(number)

    def _counted(self, number: int) -> "array[int]":
        found = array("q")
        size = self._library.segue_counted(self._counting, number, byref(self._pointer))
        if size:
            found.frombytes(string_at(self._pointer.value or 0, size * found.itemsize))
        return found
