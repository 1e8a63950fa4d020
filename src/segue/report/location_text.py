"""Where a finding is, in words: its place in the log and in its conversation."""

from segue.findings import Finding, Place
from segue.report.escape import visible

__all__ = ["location_parts", "log_location", "position"]


def log_location(finding: Finding) -> str:
    """Return the place in the log, `shift.jsonl:17`, as far as it is known."""
    place = finding.place
    if place.line is None:
        return visible(place.source)
    return f"{visible(place.source)}:{place.line}" if place.source else f"line {place.line}"


def position(place: Place) -> str:
    """Return the position in the conversation, `event 3`; empty at the end of the log."""
    if place.event is not None:
        return f"event {place.event}"
    return "" if place.action is None else f"transcription action {place.action}"


def location_parts(finding: Finding) -> list[str]:
    """Return everything that is known of the place: log, position, pointer."""
    place = finding.place
    end = "end of the log" if place.line is None else ""
    parts = (log_location(finding), position(place) or end, visible(place.pointer))
    return [part for part in parts if part]
