"""The vocabulary of the lifecycle table: phases, roles, uncertainties and effects.

The legality of an event depends only on the facts that this vocabulary expresses. Times, display
names, languages and senders have no influence.

The order of phases and of effects is part of the encoding of a state. Append only.
"""

from enum import IntEnum, IntFlag, StrEnum, auto
from typing import Final

# `Situation.number` combines a role, an uncertainty, and the number of other consultants (0 to 2).
PER_UNCERTAINTY: Final = 3
"""The number of situations that differ only in the number of other consultants."""
PER_ROLE: Final = 4 * PER_UNCERTAINTY
"""The number of situations that have the same role."""


class Phase(StrEnum):
    """The phase of a conversation, which changes when agents enter or leave and when it ends."""

    WAITING = "waiting"
    """No agent has entered yet."""
    ACTIVE = "active"
    """The primary is present alone. The primary is the agent in charge."""
    CONSULTING = "consulting"
    """The primary and at least one consultant are present. A consultant joined by a WARM entry."""
    TRANSFERRING = "transferring"
    """The primary left by a COLD exit, and the next agent has not entered yet."""
    RELEASED = "released"
    """The last agent has left. An agent may still reconnect by a redial."""
    SUMMARIZED = "summarized"
    """A summary was requested after the last agent had left."""
    ENDED = "ended"
    """The conversation is over."""

    __hash__ = str.__hash__  # faster than Enum's, and every event looks a phase up


class AgentRole(IntEnum):
    """The role that the agent of an event has just before the event."""

    PRIMARY = 0
    """The agent in charge."""
    RELIEVER = auto()
    """The primary, after an entry that was an offence. The replaced agent's exit may still come."""
    CONSULTANT = auto()
    """An agent who joined by a WARM entry while another agent was in charge."""
    ABSENT = auto()
    """Not present, and none of the special cases below."""
    LAST = auto()
    """An absent agent who was the last to give up the role of primary."""
    EXCUSED = auto()
    """Absent, because a later event implied that the agent had left. The agent's exit may still
    come.
    """
    OWED = auto()
    """Absent, because an early COLD entry replaced the agent. The agent's COLD exit may still come.
    """
    CONSULTED = auto()
    """Absent after leaving as a consultant, while a named agent is the primary."""
    ONE_OF_TWO = auto()
    """One of two consultants, of whom one is the primary, but no event has told which."""
    UNSEEN = auto()
    """Absent, and not named by any event so far in a log that begins late. The agent may have been
    present since before the log.
    """


class Uncertainty(IntFlag):
    """The ways in which the primary can be uncertain. The flags can be combined."""

    NONE = 0
    UNNAMED = 1
    """Some agent must be the primary, but no event has named that agent."""
    DOUBTED = 2
    """The last lifecycle event suggests that every agent has left, but the phase says otherwise."""


class PresenceEffect(StrEnum):
    """The way in which an event changes who is present, as the lifecycle table gives it.

    In the values, `a` is the agent who sent the event.
    """

    NONE = "unchanged"
    TAKE = "a becomes primary"
    TAKE_EXCUSING = "a becomes primary, the old one is excused"
    TAKE_OWING = "a becomes primary, the old one is owed"
    JOIN = "a becomes a consultant"
    JOIN_UNNAMED = "a becomes a consultant of a primary no event named"
    LEAVE = "a is a consultant no more"
    UNNAME = "a is primary no more, and no event has told who is"
    PROMOTE = "the only consultant becomes primary"
    RESTORE = "the agent whom a replaced is primary again"
    TRANSFER = "a leaves the primary place open, any other primary is excused"
    RELEASE = "a was the last, all others present are excused"
    DEPART = "all present are excused, the primary was the last"
    DISMISS = "the only consultant is excused"
    RECONNECT = "a has a new connection"
    CONSUME = "the exit a still owed has come"
    FINISH = "no agent is present any more"
    SETTLE = "a is a consultant no more, the other of the two is primary"

    __hash__ = str.__hash__  # as in Phase
