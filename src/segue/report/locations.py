"""Where a finding stands for other people's tools, and what they know it by.

They want a file and a line for everything, and the same name for the same finding in the next run.
House rules: what is missing at the end of a log stands at the last event of its conversation; a
fingerprint is made of what a finding is about, never of its wording; equal findings of one
conversation are numbered, so that no two have the same.
"""

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

from segue.findings import Finding
from segue.report.escape import visible

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["fingerprints", "line_of", "location_of"]


def line_of(report: "Report", finding: Finding) -> int | None:
    """Return the line of the log to show the finding at; None: the log has no lines."""
    if finding.place.line is not None:
        return finding.place.line
    moments = report.timeline
    return moments[-1].line if moments else None


def location_of(report: "Report", finding: Finding) -> str:
    """Return the conversation and the place in it, `conversation c-1, event 3`."""
    parts = []
    if report.conversation_id is not None:
        parts.append(f"conversation {visible(report.conversation_id)}")
    place = finding.place
    if place.event is not None:
        parts.append(f"event {place.event}")
    elif place.action is not None:
        parts.append(f"transcription action {place.action}")
    elif report.conversation_id is not None:
        parts.append("end of the log")
    if place.pointer:
        parts.append(visible(place.pointer))
    return ", ".join(parts)


def fingerprints(report: "Report") -> list[str]:
    """Return what each finding of a report is known by, the same in every run."""
    seen: Counter[tuple[object, ...]] = Counter()
    prints = []
    for finding in report.findings:
        place = finding.place
        key: tuple[object, ...] = (finding.code, place.event, place.action, place.pointer)
        key += (report.conversation_id, report.late)
        if report.conversation_id is None:
            key += (place.source, place.line)
        seen[key] += 1
        name = repr((*key, seen[key])).encode("utf-8", "backslashreplace")
        prints.append(sha256(name).hexdigest())
    return prints
