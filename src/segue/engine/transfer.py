"""What another process needs of a state to report it, and lines counted from elsewhere.

A process that read only a part of a log has counted lines from there; shifting adds the lines
before and changes nothing else.
"""

from dataclasses import replace

from segue.engine.state import State
from segue.findings import Finding, Place

__all__ = ["for_report", "shift_lines", "shifted"]


def for_report(state: State) -> State:
    """Return a copy to report in another process: without findings and what only judging needs."""
    copy = State(state.conversation_id, state.partial)
    for name in _REPORTED:
        setattr(copy, name, getattr(state, name))
    return copy


_REPORTED = (
    "bot_id",
    "closed",
    "first_message_at",
    "history",
    "known",
    "messages",
    "position",
    "presence",
    "processable",
    "sessions",
)


def shift_lines(state: State, lines: int) -> None:
    """Add a number of lines to every line of a state."""
    state.history.shift_lines(lines)
    state.findings = [shifted(finding, lines) for finding in state.findings]
    for session in state.sessions.values():
        session.shift_lines(lines)


def shifted(finding: Finding, lines: int) -> Finding:
    """Return a finding with a number of lines added to its lines."""
    because = tuple(replace(cause, place=_shifted(cause.place, lines)) for cause in finding.because)
    return replace(finding, place=_shifted(finding.place, lines), because=because)


def _shifted(place: Place, lines: int) -> Place:
    return place if place.line is None else replace(place, line=place.line + lines)
