"""Kinds of events and actions, and the words they are made of, in canonical spelling.

The specification leaves the letter case of most words open (Events, ordering rule 5); the
description of the fields accepts every spelling, and everything else sees these.
"""

from enum import StrEnum
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
"""A JSON value: null, a boolean, a number, a string, a list or an object of such values."""


class EventKind(StrEnum):
    """An event without its agent. The values are the labels shown to people.

    The order is part of the encoding of a state: append only.
    """

    NA_ENTRY = "NA entry"
    """The first agent enters."""
    NA_EXIT = "NA exit"
    """The last agent leaves, or the line drops."""
    COLD_ENTRY = "COLD entry"
    """An agent takes over from one who left."""
    COLD_EXIT = "COLD exit"
    """An agent leaves so that another takes over."""
    WARM_ENTRY = "WARM entry"
    """An agent joins while another stays."""
    WARM_EXIT = "WARM exit"
    """One of several agents leaves."""
    REDIAL_ENTRY = "redial entry"
    """An agent reconnects after the line dropped, or calls back."""
    REDIAL_EXIT = "redial exit"
    """Not in the specification; a finding (SG113)."""
    SUMMARY = "TRIGGER_SUMMARY_EVENT"
    """A summary is asked for, after the last agent left."""
    END = "END_OF_CONVERSATION"
    """The conversation is over; the last event."""
    USER_MESSAGE = "user message"
    """A body with `query` whose `author.type` is the customer (`USER`)."""
    AGENT_MESSAGE = "agent message"
    """A body with `query` whose `author.type` is an agent."""
    MESSAGE = "message"
    """A message whose author type is absent or unknown."""
    UNPROCESSABLE = "unprocessable event"
    """Too little to place the event: it keeps its position and is skipped."""
    CLOSE = "end of the log"
    """No event: there is nothing more to come."""

    __hash__ = str.__hash__  # Enum's own is Python code, and every event is looked up by its kind

    is_entry: bool
    """Whether an agent joins."""
    is_exit: bool
    """Whether an agent leaves."""
    transfer_type: str
    """`NA`, `COLD`, `WARM` or `redial`; empty for other events."""

    def __init__(self, label: str) -> None:
        """Work out what is asked of every event."""
        self.is_entry, self.is_exit = label.endswith(" entry"), label.endswith(" exit")
        is_transfer = self.is_entry or self.is_exit
        self.transfer_type = label.split(" ", maxsplit=1)[0] if is_transfer else ""


class ActionKind(StrEnum):
    """A transcription action without its agent. The values are the labels shown to people."""

    START = "start"
    """Begins a transcription, or another one after an end."""
    PAUSE = "pause handover=false"
    """A hold: the agent stays with the call."""
    HANDOVER = "pause handover=true"
    """A pause in which the agent transfers the call."""
    RESUME = "resume"
    """Goes on after a pause of either kind."""
    END = "end"
    """The transcription is over; it may be started again."""
    UNPROCESSABLE = "unprocessable action"
    """Without a known action or an agent: it is skipped and has no position."""

    __hash__ = str.__hash__  # as in EventKind

    @property
    def action(self) -> str:
        """`start`, `pause`, `resume` or `end`, as it is sent; empty when unprocessable."""
        return "" if self is ActionKind.UNPROCESSABLE else self.value.split(" ")[0]

    @property
    def handover(self) -> bool | None:
        """Whether a pause is for a transfer. None unless it is a pause."""
        return _HANDOVERS.get(self)


class CallKind(StrEnum):
    """What a call notification says has become of the call."""

    ANSWERED = "answered"
    COMPLETED = "completed"
    """Disconnected after it was answered."""
    FAILED = "failed"
    """Ended before it was answered."""
    UNPROCESSABLE = "unprocessable notification"
    """Without a known status: it is skipped."""

    __hash__ = str.__hash__  # as in EventKind


class TransferKind(StrEnum):
    """A callback about a transfer, whatever it says."""

    CALLBACK = "transfer callback"
    UNPROCESSABLE = "unprocessable transfer callback"

    __hash__ = str.__hash__  # as in EventKind


_HANDOVERS: Final = {ActionKind.PAUSE: False, ActionKind.HANDOVER: True}

ENTRIES: Final = frozenset(kind for kind in EventKind if kind.is_entry)
"""Events by which an agent joins."""
TRANSFER_TYPES: Final = ("NA", "COLD", "WARM", "redial")
TRANSITIONS: Final = ("entry", "exit")
EXPERIENCES: Final = ("chat", "voice")
AUTHORS: Final = ("USER", "AGENT")
PARTICIPANT_TYPES: Final = ("agent",)
ACTIONS: Final = ("start", "pause", "resume", "end")

TRANSFERS: Final = tuple(kind for kind in EventKind if kind.is_entry or kind.is_exit)
"""Events by which an agent joins or leaves."""
