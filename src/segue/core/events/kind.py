"""The kinds of events and actions, and the words of the specification in canonical spelling.

The specification leaves the letter case of most words open (Events, ordering rule 5). Readers
accept every spelling that the fields allow and convert it to the canonical one.
"""

from enum import StrEnum
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
"""A JSON value: null, a boolean, a number, a string, a list or an object of such values."""


class EventKind(StrEnum):
    """The kind of an event, such as `NA entry`. The values are the labels shown to people.

    Stored conversations refer to a kind by its index in this class, so new kinds are added at the
    end.
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
    """An exit after a redial, which the specification does not define (SG113)."""
    SUMMARY = "TRIGGER_SUMMARY_EVENT"
    """A request for a summary, sent after the last agent left."""
    END = "END_OF_CONVERSATION"
    """The last event of a conversation."""
    USER_MESSAGE = "user message"
    """A message of the customer (`author.type` is `USER`)."""
    AGENT_MESSAGE = "agent message"
    """A message of an agent (`author.type` is `AGENT`)."""
    MESSAGE = "message"
    """A message whose author type is absent or unknown."""
    UNPROCESSABLE = "unprocessable event"
    """An event that lacks necessary fields. It has a position, but is otherwise skipped."""
    CLOSE = "end of the log"
    """The end of the log, which is not an event of the conversation."""

    __hash__ = str.__hash__  # faster than Enum's, and every event is looked up by its kind

    is_entry: bool
    """Whether an agent enters."""
    is_exit: bool
    """Whether an agent leaves."""
    transfer_type: str
    """`NA`, `COLD`, `WARM` or `redial` for an entry or exit, otherwise an empty string."""

    def __init__(self, label: str) -> None:
        self.is_entry, self.is_exit = label.endswith(" entry"), label.endswith(" exit")
        is_transfer = self.is_entry or self.is_exit
        self.transfer_type = label.split(" ", maxsplit=1)[0] if is_transfer else ""


class ActionKind(StrEnum):
    """The kind of an action by which an agent controls the transcription, such as `start`.

    The values are the labels shown to people.
    """

    START = "start"
    """Begin a transcription. After an end, this begins another one."""
    PAUSE = "pause handover=false"
    """Pause the transcription for a hold, in which the agent stays with the call."""
    HANDOVER = "pause handover=true"
    """Pause the transcription while the agent transfers the call."""
    RESUME = "resume"
    """Continue the transcription after a pause of either kind."""
    END = "end"
    """End the transcription. It may be started again."""
    UNPROCESSABLE = "unprocessable action"
    """An unknown action, or one without an agent. It is skipped and has no position."""

    __hash__ = str.__hash__  # as in EventKind

    @property
    def action(self) -> str:
        """The value of the field `action`, such as `pause`. Empty for `UNPROCESSABLE`."""
        return "" if self is ActionKind.UNPROCESSABLE else self.value.split(" ")[0]

    @property
    def handover(self) -> bool | None:
        """The value of the field `handover` of a pause, or None for other actions."""
        return _HANDOVERS.get(self)


class CallKind(StrEnum):
    """The status of an outbound call in a call notification."""

    ANSWERED = "answered"
    COMPLETED = "completed"
    """The call was answered and is over."""
    FAILED = "failed"
    """The call is over and was not answered."""
    UNPROCESSABLE = "unprocessable notification"
    """The notification has no known status and is skipped."""

    __hash__ = str.__hash__  # as in EventKind


class TransferKind(StrEnum):
    """The kind of a transfer callback, by which the platform reports the result of a transfer.

    There is one kind for all callbacks that can be read, and one for all others.
    """

    CALLBACK = "transfer callback"
    UNPROCESSABLE = "unprocessable transfer callback"

    __hash__ = str.__hash__  # as in EventKind


_HANDOVERS: Final = {ActionKind.PAUSE: False, ActionKind.HANDOVER: True}

JUDGED: Final = tuple(kind for kind in EventKind if kind is not EventKind.UNPROCESSABLE)
"""The kinds of events that the lifecycle table judges."""
ENTRIES: Final = frozenset(kind for kind in EventKind if kind.is_entry)
"""The kinds of events by which an agent enters."""
TRANSFER_TYPES: Final = ("NA", "COLD", "WARM", "redial")
TRANSITIONS: Final = ("entry", "exit")
EXPERIENCES: Final = ("chat", "voice")
AUTHORS: Final = ("USER", "AGENT")
PARTICIPANT_TYPES: Final = ("agent",)
ACTIONS: Final = ("start", "pause", "resume", "end")

TRANSFERS: Final = tuple(kind for kind in EventKind if kind.is_entry or kind.is_exit)
"""The kinds of events by which an agent enters or leaves."""
