"""Sets the names of logs in findings, for conversations that span several logs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from segue.core.findings import Finding, Place

SourceChange = tuple[int, str]
"""The first event of a conversation in a log, and the name of the log."""


def with_source(
    findings: Iterable[Finding], source: str, changes: Sequence[SourceChange], latest: int
) -> list[Finding]:
    """Return findings whose places have the name of the log that they are in.

    Args:
        findings: Findings of one conversation.
        source: The name of the log that is being read.
        changes: The changes of the conversation from one log to another, in order.
        latest: The event assumed for a place without one.

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
