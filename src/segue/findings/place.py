"""Where in the input a finding is, by position: events carry no times."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """One position of a conversation and, when known, its place in the log."""

    event: int | None = None
    """0-based position among the conversation's events; None at the close and for an action."""
    action: int | None = None
    """0-based position among the conversation's transcription actions (E1)."""
    pointer: str = ""
    """JSON Pointer (RFC 6901) into the body; empty for the body as a whole."""
    line: int | None = None
    """1-based line of the log, if it was read from a log."""
    source: str = ""
    """Name of the log, if it was read from a file."""


@dataclass(frozen=True, slots=True)
class Cause:
    """An earlier place that set a finding up, and what happened there."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Root:
    """The finding that others follow from: what to correct first."""

    code: str
    place: Place

    def __str__(self) -> str:
        """Return `SG103 at event 4`."""
        place = self.place
        numbers = {"event": place.event, "transcription action": place.action, "line": place.line}
        known = [f"{noun} {number}" for noun, number in numbers.items() if number is not None]
        return f"{self.code} at {known[0] if known else 'the end of the log'}"

    def to_dict(self) -> dict[str, object]:
        """Return it as the documented JSON object."""
        place = self.place
        return {
            "code": self.code,
            "event": place.event,
            "action": place.action,
            "line": place.line,
        }
