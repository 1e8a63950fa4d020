"""A conversation for the page, as plain JSON: its row in the list, and what it shows when opened.

Every text is made safe to show.  Times are milliseconds since the first one that is known.  Mail
addresses, queues and custom fields are left out.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from segue.conversation import Report
from segue.findings import Finding, Severity
from segue.report.escape import visible
from segue.report.grouping import grouped
from segue.report.locations import line_of, log_location
from segue.segments import Connection, Segment

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def list_row(report: Report) -> list[Any]:
    """Return what the list needs: to show the conversation, to search and to filter it."""
    counts = Counter(finding.severity for finding in report.findings)
    agents = {segment.agent: segment.name for segment in report.segments}
    return [
        None if report.conversation_id is None else visible(report.conversation_id),
        visible(report.bot_id or ""),
        report.phase.value,
        int(report.late),
        [counts[rank] for rank in Severity],
        list(dict.fromkeys(finding.code for finding in report.findings)),
        [[visible(agent), visible(name)] for agent, name in agents.items()],
        report.events,
        "" if report.conversation_id is not None else log_location(report.findings[0]),
        len(report.mistakes),
        int(report.key[0] is not None),
    ]


def details(report: Report) -> dict[str, Any]:
    """Return what the conversation shows when it is opened."""
    moments, times = report.timeline, report.times
    clock = _Clock((*times, *(interval.start for interval in report.transcription_intervals)))
    return {
        "start": clock.start,
        "events": [
            [moment.position, moment.kind.value, visible(moment.agent), moment.line, clock.read(at)]
            for moment, at in zip(moments, times, strict=True)
        ],
        "segments": [_segment(segment, clock) for segment in report.segments],
        "spells": [
            [interval.state.value, clock.read(interval.start), clock.read(interval.end)]
            for interval in report.transcription_intervals
        ],
        "findings": [
            {**_finding(report, finding), "under": index > 0}
            for group in grouped(report.findings)
            for index, finding in enumerate(group)
        ],
        "diagnosis": visible(", or ".join(report.diagnosis() or ())),
        "metrics": {name: value for name, value in report.metrics.to_dict().items() if value},
    }


def since_epoch(at: datetime) -> int:
    """Return the milliseconds since 1970."""
    return (at - _EPOCH) // _MILLISECOND


class _Clock:
    """Gives times as milliseconds since the first of them."""

    def __init__(self, times: Iterable[datetime | None]) -> None:
        self.start = min((since_epoch(at) for at in times if at is not None), default=None)

    def read(self, at: datetime | None) -> int | None:
        """Return the milliseconds since the start."""
        return None if at is None or self.start is None else since_epoch(at) - self.start


def _segment(segment: Segment, clock: _Clock) -> dict[str, Any]:
    return {
        "agent": visible(segment.agent),
        "name": visible(segment.name),
        "role": segment.role,
        "promoted": segment.promoted_at,
        "outcome": segment.outcome,
        "previous": segment.previous,
        "consults": segment.consult_of,
        "resumes": segment.resumes,
        "times": [_seconds(segment.connected_time), _seconds(segment.hold_time)],
        "connections": [_connection(each, clock) for each in segment.connections],
    }


def _seconds(time: timedelta | None) -> float | None:
    return None if time is None else time.total_seconds()


def _connection(connection: Connection, clock: _Clock) -> list[Any]:
    return [
        connection.opened_by,
        connection.closed_by,
        clock.read(connection.started_at),
        clock.read(connection.ended_at),
        connection.opened_kind,
        connection.closed_kind,
    ]


def _finding(report: Report, finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = finding.to_dict()
    del found["name"]  # the page has the names of all rules
    found["because"] = [list(cause.values()) for cause in found["because"]]
    found |= {"line": line_of(report, finding), "source": finding.place.source}
    found["follows"] = str(finding.follows or "")
    return {key: _safe(value) for key, value in found.items()}


def _safe(value: object) -> object:
    if isinstance(value, list):
        return [_safe(each) for each in value]
    return visible(value) if isinstance(value, str) else value
