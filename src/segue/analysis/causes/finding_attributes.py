"""The attributes and times of findings, as causes, ignores and statistics have them."""

from datetime import UTC, datetime
from typing import NamedTuple

from segue.analysis.causes.attribution import (
    KIND,
    Attribution,
    attributions_of,
    beginning_of,
    key_at,
    part_of,
)
from segue.analysis.causes.cause import time_of
from segue.analysis.causes.contexts import CONVERSATION
from segue.analysis.causes.counts import count_events
from segue.analysis.causes.moments import NO_MINUTE
from segue.core.conversation import Report
from segue.core.findings import Finding
from segue.logs import EventNote


class FindingAttributes(NamedTuple):
    """What a finding has; empty where nothing says it."""

    kind: str = ""
    """Of its event, or `conversation`."""
    agent: str = ""
    queue: str = ""
    at: datetime | None = None
    """The minute in which it was received, or else what came before it; None if not known."""


class FindingReader:
    """Says what the findings of a log have, whose reports have the notes of `cause_notes`."""

    def __init__(self) -> None:
        """Begin with a log."""
        self._ended: dict[int, EventNote] = {}
        """What each conversation counts for, by the hash of its name, for what comes late."""

    def read(self, report: Report) -> list[FindingAttributes]:
        """Return the attributes of each finding of the next report."""
        part = part_of(report, report.findings)
        seen: list[Attribution] = []
        whole, _ = count_events({}, part, beginning_of(part, self._ended), level=0, seen=seen)
        if not report.late:
            self._ended[part.name] = whole
        counted = attributions_of(part, seen)
        return [
            _attributes(finding, here)
            for finding, here in zip(report.findings, counted, strict=True)
        ]


def _attributes(finding: Finding, here: Attribution) -> FindingAttributes:
    kind, agent, queue, *_ = here.attributes[KIND:]
    is_whole = key_at(finding.place) is None
    at = None if here.minute == NO_MINUTE else time_of(here.minute, UTC)
    return FindingAttributes(CONVERSATION if is_whole else kind, agent, queue, at)
