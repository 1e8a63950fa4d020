"""The costs of edits. All weights of an explanation are in this module.

A cost is one integer, so that costs are compared in three stages: the number of edits and of new
notes, then the number of warnings that remain, then the implausibility.
"""

from enum import StrEnum
from typing import Final


class EditKind(StrEnum):
    """The kind of an edit: a single mistake that a sender makes with events."""

    LOST = "lost"
    """The event was not received, so it is put in."""
    SURPLUS = "surplus"
    """The event did not happen, so it is left out."""
    MOVED = "moved"
    """The event came at another place than it happened."""
    RETYPED = "retyped"
    """The event was sent with another transfer type. An entry remains an entry."""
    RENAMED = "renamed"
    """The event names another agent than the one that it is about."""
    TOOK_OVER = "took-over"
    """A hand-over, a COLD exit and a COLD entry, was sent as one entry of another type."""
    STAY_RENAMED = "stay-renamed"
    """The entry and the exit of a stay name another agent."""
    ID_USED_AGAIN = "id-used-again"
    """A second conversation was sent under the id of one that had ended."""

    __hash__ = str.__hash__


NOTE: Final = 1 << 40
"""The cost of a note that the conversation as told does not have."""
EDIT: Final = 2 * NOTE
"""The cost of an edit, apart from its implausibility."""
WARNING: Final = 1 << 20
"""The cost of a warning that remains."""

IMPLAUSIBILITY: Final = {
    EditKind.LOST: 4,
    EditKind.RETYPED: 4,
    EditKind.RENAMED: 5,
    EditKind.SURPLUS: 7,
    EditKind.TOOK_OVER: 5,
    EditKind.STAY_RENAMED: 5,
    EditKind.ID_USED_AGAIN: 8,
}
"""The implausibility of each kind of edit. That of a move depends on the event, see below."""
LATE: Final = 1
"""The implausibility of an event that came late, if the times of receipt confirm it."""
EARLY: Final = 2
"""The same for an event that came early."""
EARLY_END: Final = 0
"""The same for END_OF_CONVERSATION, which senders often send too early."""
UNCONFIRMED: Final = 2
"""Added to a move that the times of receipt do not confirm."""
LATE_MESSAGE: Final = 1
"""The implausibility of a message that came after END_OF_CONVERSATION."""
FARTHER: Final = 1
"""Added for each event that a moved event has passed beyond the first, up to `MOST_FARTHER`."""
MOST_FARTHER: Final = 4
CONTRADICTED: Final = 3
"""Added if an entry is called wrong although its agent then wrote a message."""
NOTED: Final = 1
"""Added for each note that remains, and for each repeat (SG601)."""
RECONNECTED: Final = 3
"""Added if an entry that would be a hand-over is a redial, or follows one."""
SENT_AGAIN: Final = 3
"""Subtracted if an exit is one too many that says the same as the exit of its agent before."""
REPEATED: Final = 4
"""Added for each event that an edit makes a repeat of the one before it."""
READ: Final = 1
"""The implausibility of an unreadable event that is taken for one which changed something."""


def distance(passed: int) -> int:
    """Return the implausibility of a move past this number of events."""
    return min(FARTHER * max(passed - 1, 0), MOST_FARTHER)
