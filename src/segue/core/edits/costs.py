"""What a repair may do to a conversation, what each edit costs, and how far an event may be moved.

Any one edit costs less than any two.  Among single ones the prices follow what senders get wrong:
they lose an event or send it as another kind more often than they send it out of turn or for
another agent, and they rarely send one too many.
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
        EditKind.RETYPE: 4,
        EditKind.INSERT: 4,
        EditKind.REIDENTIFY: 5,
        EditKind.MOVE: 5,
        EditKind.DELETE: 6,
    }
)
"""The cost of each edit. An event may be moved, retyped and re-identified at the sum of all."""

REPEATED: Final = 4
"""The cost of leaving out an event that equals the one before it (SG601)."""

CHEAPEST: Final = min(REPEATED, *PRICES.values())

MAX_MOVING: Final = 2
"""How many events may be on the move at once."""

REACH: Final = 8
"""How many others an event may be moved past, messages not counted."""
