"""What a repair may do to a conversation, what each edit costs, and how far an event may be moved.

The prices follow what senders get wrong: they lose an event or send it as another kind more often
than they send it out of turn or for another agent, and they rarely send one too many.  So an event
is left out only when all else would take more than two edits, or when it came twice.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class EditKind(StrEnum):
    """One kind of edit, in the order of preference among edits of one price."""

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

    __hash__ = str.__hash__  # prices are looked up at every step of the search


PRICES: Final[Mapping[EditKind, int]] = MappingProxyType(
    {
        EditKind.RETYPE: 2,
        EditKind.INSERT: 2,
        EditKind.REIDENTIFY: 3,
        EditKind.MOVE: 3,
        EditKind.DELETE: 5,
    }
)
"""The cost of each edit. An event may be moved, retyped and re-identified at the sum of all."""

REPEATED: Final = 2
"""The cost of leaving out an event that equals the one before it (SG601)."""

CHEAPEST: Final = min(REPEATED, *PRICES.values())

MAX_MOVING: Final = 2
"""How many events may be on the move at once."""

REACH: Final = 8
"""How many others an event may be moved past, messages not counted."""
