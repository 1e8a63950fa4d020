"""The attributes of findings, as causes and ignores name them."""

from typing import NamedTuple

from segue.conversation import Report
from segue.findings import Finding
from segue.logs import EventNote
from segue.root_causes.attribution import (
    KIND,
    Attributes,
    Attribution,
    attributions_of,
    beginning_of,
    key_at,
    part_of,
)
from segue.root_causes.contexts import CONVERSATION
from segue.root_causes.counts import count_events


class FindingAttributes(NamedTuple):
    """What a finding has; empty where nothing says it."""

    kind: str = ""
    """Of its event, or `conversation`."""
    agent: str = ""
    queue: str = ""


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
            _attributes(finding, here.attributes)
            for finding, here in zip(report.findings, counted, strict=True)
        ]


def _attributes(finding: Finding, here: Attributes) -> FindingAttributes:
    kind, agent, queue, *_ = here[KIND:]
    is_whole = key_at(finding.place) is None
    return FindingAttributes(CONVERSATION if is_whole else kind, agent, queue)
