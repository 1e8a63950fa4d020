"""Where a finding is, in words: its place in the log and in its conversation."""

from collections.abc import Iterator

from segue.findings import Finding
from segue.report.escape import visible

__all__ = ["location_parts", "log_location"]


def log_location(finding: Finding) -> str:
    """Return the place in the log, `shift.jsonl:17`, as far as it is known; else nothing."""
    place = finding.place
    if place.line is None:
        return visible(place.source)
    return f"{visible(place.source)}:{place.line}" if place.source else f"line {place.line}"


def location_parts(finding: Finding) -> Iterator[str]:
    """Yield everything that is known of the place: log, position, pointer."""
    place = finding.place
    if log_location(finding):
        yield log_location(finding)
    if place.event is not None:
        yield f"event {place.event}"
    if place.action is not None:
        yield f"transcription action {place.action}"
    if place.event is None and place.action is None and place.line is None:
        yield "end of the log"
    if place.pointer:
        yield visible(place.pointer)
