"""Where in the input a finding is, by position: events carry no times."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """One position of a conversation and, when known, its place in the log."""

    event: int | None = None
    """0-based position among the conversation's events; None at the close and for an action."""
    action: int | None = None
    """0-based position among the conversation's transcription actions (E1), or its `noun`."""
    pointer: str = ""
    """JSON Pointer (RFC 6901) into the body; empty for the body as a whole."""
    line: int | None = None
    """1-based line of the log, if it was read from a log."""
    source: str = ""
    """Name of the log, if it was read from a file."""
    noun: str = "transcription action"
    """What `action` counts."""

    @property
    def position(self) -> str:
        """The position in words, `event 3`; empty if there is none."""
        if self.event is not None:
            return f"event {self.event}"
        return "" if self.action is None else f"{self.noun} {self.action}"


@dataclass(frozen=True, slots=True)
class Cause:
    """An earlier place that set a finding up, and what happened there."""

    place: Place
    """Where it happened."""
    text: str
    """What happened there, such as `NA entry of a-1`."""


@dataclass(frozen=True, slots=True)
class Root:
    """The finding that others follow from: what to correct first."""

    code: str
    """Of its rule, such as `SG103`."""
    place: Place
    """Where it is reported."""

    def __str__(self) -> str:
        """Return `SG103 at event 4`."""
        place = self.place
        line = "" if place.line is None else f"line {place.line}"
        return f"{self.code} at {place.position or line or 'the end of the log'}"

    def to_dict(self) -> dict[str, object]:
        """Return it as the documented JSON object."""
        place = self.place
        return {
            "code": self.code,
            "event": place.event,
            "action": place.action,
            "line": place.line,
        }
