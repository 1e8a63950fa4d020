"""Adds the names of logs to findings, for conversations with events in several logs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from segue.core.findings import Finding, Place

SourceChange = tuple[int, str]
"""The position of a conversation's first event in a log, and the name of the log."""


def with_source(
    findings: Iterable[Finding], source: str, changes: Sequence[SourceChange], latest: int
) -> list[Finding]:
    """Return copies of findings whose places contain the name of the log they are in.

    Args:
        findings: Findings of one conversation.
        source: The name of the log that is being read.
        changes: The first event of the conversation in each log, in order.
        latest: The position of the event to assume for a place without an event.

    """

    def of_event(place: Place) -> Place:
        event = latest if place.event is None else place.event
        names = (name for start, name in reversed(changes) if start <= event)
        return replace(place, source=next(names, source))

    def of_finding(place: Place) -> Place:
        if place.action is not None and place.line is not None:
            return replace(place, source=source)
        return of_event(place)

    return [
        replace(
            finding,
            place=of_finding(finding.place),
            because=tuple(replace(cause, place=of_event(cause.place)) for cause in finding.because),
            follows=finding.follows
            and replace(finding.follows, place=of_finding(finding.follows.place)),
        )
        for finding in findings
    ]
