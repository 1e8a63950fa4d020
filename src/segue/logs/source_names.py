"""Adds the names of logs to findings, for conversations with events in several logs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from segue.core.findings import Finding, Place, split_line


class SourceChange(NamedTuple):
    """The point at which a conversation continues in another log."""

    event: int
    """The position of the conversation's first event in the log."""
    source: str
    """The name of the log."""


def with_source(
    findings: Iterable[Finding], names: Mapping[int, str], source: str
) -> list[Finding]:
    """Return copies of findings in which each place names its log and has its line there.

    Args:
        findings: Findings of one conversation. Their lines are those that `line_number` returns.
        names: The names of the logs, by number.
        source: The name of the log for places without a line.

    """

    def of(place: Place) -> Place:
        if place.line is None:
            return replace(place, source=source)
        log, line = split_line(place.line)
        return replace(place, source=names.get(log, ""), line=line)

    return [
        replace(
            finding,
            place=of(finding.place),
            because=tuple(replace(cause, place=of(cause.place)) for cause in finding.because),
        )
        for finding in findings
    ]


def latest_source(changes: Sequence[SourceChange], source: str, latest: int) -> str:
    """Return the name of the log that has the event at the position `latest`.

    `changes` are the points at which the conversation continues in another log, in order, and
    `source` is the log that is being read.
    """
    names = (change.source for change in reversed(changes) if change.event <= latest)
    return next(names, source)
