"""The vocabulary of the lifecycle table: phases, roles, uncertainties and effects.

A verdict can depend on these facts only. Times, display names, languages and senders cannot change
it.

The order of phases and of effects is part of the encoding of a state. Append only.
"""

from enum import IntEnum, IntFlag, StrEnum, auto
from typing import Final

# `Situation.number` combines a role, an uncertainty, and the number of other consultants (0 to 2).
PER_UNCERTAINTY: Final = 3
PER_ROLE: Final = 4 * PER_UNCERTAINTY


class Phase(StrEnum):
    """The phase of a conversation between two events."""

    WAITING = "waiting"
    """Before the first agent enters."""
    ACTIVE = "active"
    """The primary is alone."""
    CONSULTING = "consulting"
    """The primary and at least one consultant are present."""
    TRANSFERRING = "transferring"
    """The primary left by a COLD exit, and the next agent has not entered."""
    RELEASED = "released"
    """The last agent has left. A redial may still come."""
    SUMMARIZED = "summarized"
    """A summary was requested after the release."""
    ENDED = "ended"
    """The conversation is over."""

    __hash__ = str.__hash__  # faster than Enum's, and every event looks a phase up


class AgentRole(IntEnum):
    """The role of an event's agent just before the event."""

    PRIMARY = 0
    RELIEVER = auto()
    """Primary by an entry that was an offence, while the replaced agent has not left yet."""
    CONSULTANT = auto()
    ABSENT = auto()
    LAST = auto()
    """Absent, and the last agent to leave the primary place."""
    EXCUSED = auto()
    """Absent because a later event was believed. The agent's exit may still come."""
    OWED = auto()
    """Absent because an early COLD entry replaced the agent. The COLD exit may still come."""
    CONSULTED = auto()
    """Absent after leaving the consultants by its latest exit, while a named agent is the primary.
    """


class Uncertainty(IntFlag):
    """The uncertainty about the primary. The flags can be combined."""

    NONE = 0
    UNNAMED = 1
    """An agent must be the primary, but no event named one."""
    DOUBTED = 2
    """The last lifecycle event suggests that every agent has left."""


class PresenceEffect(StrEnum):
    """The effect of an event on the presence. `a` is the event's agent, `P` the primary."""

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
