"""The words of the lifecycle table: phases, roles, uncertainties and effects.

What the words decide: which facts ordering may depend on.  Whatever is not named here (times,
display names, languages, who sent it) cannot change a verdict.

The order of phases and of effects is part of the encoding of a state: append only.
"""

from enum import IntEnum, IntFlag, StrEnum, auto
from typing import Final

# A situation is one number: role, uncertainty, and how many consult beside the agent (0 to 2).
PER_UNCERTAINTY: Final = 3
PER_ROLE: Final = 4 * PER_UNCERTAINTY


class Phase(StrEnum):
    """Where a conversation stands between two events."""

    WAITING = "waiting"
    """No agent yet."""
    ACTIVE = "active"
    """The primary alone."""
    CONSULTING = "consulting"
    """The primary and at least one consultant."""
    TRANSFERRING = "transferring"
    """COLD exit seen, the next agent not in."""
    RELEASED = "released"
    """The last agent left; a redial may still come."""
    SUMMARIZED = "summarized"
    """Summary triggered after the release."""
    ENDED = "ended"
    """Terminal."""

    __hash__ = str.__hash__  # Enum's own is Python code, and every event looks a phase up


class AgentRole(IntEnum):
    """What the agent of an event is to the conversation just before it."""

    PRIMARY = 0
    RELIEVER = auto()
    """Primary by an entry that was an offence, while the agent so replaced has not left yet."""
    CONSULTANT = auto()
    ABSENT = auto()
    LAST = auto()
    """Absent, and the last one to leave the primary place."""
    EXCUSED = auto()
    """Absent because a later event was believed; the exit may still come."""
    OWED = auto()
    """Absent because replaced by an early COLD entry; the COLD exit may still come."""
    CONSULTED = auto()
    """Absent, and left the consultants by the latest exit, while the primary is named."""


class Uncertainty(IntFlag):
    """What is uncertain about the primary."""

    NONE = 0
    UNNAMED = 1
    """An agent must be there whom no event named."""
    DOUBTED = 2
    """The last lifecycle event hints that every agent has left."""


class PresenceEffect(StrEnum):
    """What an event does to the presence. `a` is the event's agent, `P` the primary."""

    NONE = "unchanged"
    TAKE = "a becomes primary"
    TAKE_EXCUSING = "a becomes primary, the old one is excused"
    TAKE_OWING = "a becomes primary, the old one is owed"
    JOIN = "a becomes a consultant"
    JOIN_UNNAMED = "a becomes a consultant of a primary no event named"
    LEAVE = "a is a consultant no more"
    UNNAME = "a leaves the primary place to an agent no event named"
    PROMOTE = "the earliest consultant becomes primary"
    RESTORE = "the agent whom a replaced is primary again"
    TRANSFER = "a leaves the primary place open, any other primary is excused"
    RELEASE = "a was the last, all others present are excused"
    DEPART = "all present are excused, the primary was the last"
    DISMISS = "the only consultant is excused"
    RECONNECT = "a has a new connection"
    CONSUME = "the exit a still owed has come"
    FINISH = "no agent is present any more"

    __hash__ = str.__hash__  # as in Phase
