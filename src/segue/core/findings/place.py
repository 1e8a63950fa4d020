"""Places of findings in a conversation and in a log. Events have positions but no times."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a conversation and, if known, in the log."""

    event: int | None = None
    """The 0-based position among the conversation's events. None for an action and at the close."""
    action: int | None = None
    """The 0-based position among the conversation's actions of the kind `noun`."""
    pointer: str = ""
    """A JSON Pointer (RFC 6901) into the body. Empty for the whole body."""
    line: int | None = None
    """The 1-based line of the log, if the delivery was read from a log."""
    source: str = ""
    """The name of the log, if it is a file."""
    noun: str = "transcription action"
    """The kind of action that `action` counts."""

    @property
    def position(self) -> str:
        """The position in words, such as `event 3`. Empty if it has none."""
        if self.event is not None:
            return f"event {self.event}"
        return "" if self.action is None else f"{self.noun} {self.action}"


@dataclass(frozen=True, slots=True)
class Cause:
    """An earlier event that led to a finding."""

    place: Place
    """The place of the event."""
    text: str
    """The event in words, such as `NA entry of a-1`."""


@dataclass(frozen=True, slots=True)
class Root:
    """The finding that others follow from, which should be corrected first."""

    code: str
    """The code of the rule, such as `SG103`."""
    place: Place
    """The place where it is reported."""

    def __str__(self) -> str:
        """Return a short form, such as `SG103 at event 4`."""
        place = self.place
        line = "" if place.line is None else f"line {place.line}"
        return f"{self.code} at {place.position or line or 'the end of the log'}"

    def to_dict(self) -> dict[str, object]:
        """Return the root as a JSON object, as the report schema describes it."""
        place = self.place
        return {
            "code": self.code,
            "event": place.event,
            "action": place.action,
            "line": place.line,
        }
