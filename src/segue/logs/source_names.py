"""Writes the names of logs into findings, for conversations that several logs hold parts of."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from segue.core.findings import Finding, Place

SourceChange = tuple[int, str]
"""The event from which on a log holds a conversation, and the name of the log."""


def with_source(
    findings: Iterable[Finding], source: str, changes: Sequence[SourceChange], latest: int
) -> list[Finding]:
    """Return findings with the name of the log that each of their places is in.

    Args:
        findings: findings of one conversation.
        source: the name of the log that is read now.
        changes: where the conversation went on in another log, in order.
        latest: the event that a place without an event stands for.

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
