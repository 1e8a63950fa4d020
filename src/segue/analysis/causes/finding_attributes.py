"""The kind, agent, queue and time of findings, as used by ignores and statistics."""

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
from segue.logs.event_notes import EventNote


class FindingAttributes(NamedTuple):
    """The kind of event, agent, queue and time of a finding.

    Unknown strings are empty.
    """

    kind: str = ""
    """The kind of the finding's event, such as `COLD entry`, or `conversation`."""
    agent: str = ""
    queue: str = ""
    at: datetime | None = None
    """The minute in which the event was received, or else the last known minute before it.

    None if no time is known.
    """


class FindingReader:
    """Determines the kind of event, agent, queue and time of each finding of a log.

    An event without a queue, for example, has the queue of an earlier event. The log must be
    replayed with `note=cause_notes()`.
    """

    def __init__(self) -> None:
        """Create a reader for one log."""
        self._ended: dict[int, EventNote] = {}
        """The attributes of each conversation, by the hash of its key. Late events inherit them."""

    def read(self, report: Report) -> list[FindingAttributes]:
        """Return the attributes of the findings in `report.findings`, in the same order.

        Pass every report of the log, in the order of the replay. Reports of late events depend on
        earlier reports of their conversation.
        """
        part = part_of(report, report.findings)
        seen: list[Attribution] = []
        whole, _ = count_events({}, part, beginning_of(part, self._ended), level=0, seen=seen)
        if report.replaces or not report.late:
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
