"""What a repair may do to a stream, what each edit costs, and how far an event may be moved.

All of it is data, and nothing else in this room has a number of its own.  The prices say what
senders get wrong: they lose an event or send it as another kind more often than they send it out of
turn or for another agent, and they hardly ever make one up.  So an event is left out last, when all
else would take more than two edits; unless it came twice.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

__all__ = ["CHEAPEST", "CROWD", "PRICES", "REACH", "REPEATED", "Change"]


class Change(StrEnum):
    """One kind of edit. The order is that of preference among edits of one price."""

    RETYPE = "retype"
    """The transfer has another `transfertype`, and the same transition."""
    INSERT = "insert"
    """An event that was not sent: a transfer, or END_OF_CONVERSATION."""
    REIDENTIFY = "re-identify"
    """A transfer or a message names another agent of the conversation."""
    MOVE = "move"
    """The event stands elsewhere in the conversation."""
    DELETE = "delete"
    """The event is left out."""

    __hash__ = str.__hash__  # every step of the search looks prices up


PRICES: Final[Mapping[Change, int]] = MappingProxyType(
    {
        Change.RETYPE: 2,
        Change.INSERT: 2,
        Change.REIDENTIFY: 3,
        Change.MOVE: 3,
        Change.DELETE: 5,
    }
)
"""The cost of each edit. An event may be moved, retyped and re-identified at the sum of all."""

REPEATED: Final = 2
"""The cost of leaving out an event that equals the one before it, which SG601 says."""

CHEAPEST: Final = min(REPEATED, *PRICES.values())

CROWD: Final = 2
"""So many events may be on the move at once."""

REACH: Final = 8
"""An event may be moved past so many others, messages not counted."""
