"""Where in the input a finding is. Positions come first: events carry no time of their own."""

from dataclasses import dataclass

__all__ = ["Cause", "Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """One position of a conversation and, when known, its place in the log."""

    event: int | None = None
    """0-based position among the conversation's events; None: found at the close, or an action."""
    action: int | None = None
    """0-based position among the conversation's transcription actions (E1)."""
    pointer: str = ""
    """JSON Pointer (RFC 6901) into the body; empty: the body as a whole."""
    line: int | None = None
    """1-based line of the log, filled in by whoever reads a file."""
    source: str = ""
    """Name of the log, filled in by whoever reads a file."""


@dataclass(frozen=True, slots=True)
class Cause:
    """An earlier place that set a finding up, and what happened there."""

    place: Place
    text: str
