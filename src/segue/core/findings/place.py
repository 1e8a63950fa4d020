"""Places of findings in a conversation and in a log. Places have positions, but no times."""

from dataclasses import dataclass
from typing import Final

from segue.core.reprs import shows

_LINE_BITS: Final = 40
_LINE: Final = (1 << _LINE_BITS) - 1


def line_number(log: int, line: int) -> int:
    """Combine the number of a log, from 0, and a line in it to one number.

    While several logs are read, deliveries have this number instead of the line, so that equal
    lines of two logs differ. `split_line` takes it apart. In the first log, it is the line itself.
    """
    return log << _LINE_BITS | line


def split_line(number: int) -> tuple[int, int]:
    """Return the number of the log and the line that `line_number` combined."""
    return number >> _LINE_BITS, number & _LINE


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a finding: a position in a conversation and, if known, a line of the log."""

    event: int | None = None
    """The 0-based position of the event in the conversation.

    It is None if the finding is about an action, or about the end of the log.
    """
    action: int | None = None
    """The 0-based position of the action among the conversation's actions of the same kind
    (`noun`).
    """
    pointer: str = ""
    """A JSON Pointer (RFC 6901) into the body, such as `/events/0/name`. Empty for the whole body.
    """
    line: int | None = None
    """The 1-based line of the log, or None if the delivery was not read from a log."""
    source: str = ""
    """The file name of the log. Empty if the log is not a file."""
    noun: str = "transcription action"
    """The kind of action whose position is in `action`, in words."""

    __repr__ = shows()

    @property
    def position(self) -> str:
        """The position in words, such as `event 3`, or an empty string if there is no position."""
        if self.event is not None:
            return f"event {self.event}"
        return "" if self.action is None else f"{self.noun} {self.action}"


@dataclass(frozen=True, slots=True)
class Cause:
    """An earlier event that led to a finding, with its place and a description in words."""

    place: Place
    """The place of the event."""
    text: str
    """The event in words, such as `NA entry of a-1`."""

    __repr__ = shows("text", "place")
