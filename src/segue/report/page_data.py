"""Convert a conversation to the JSON of the HTML page: its list row and its details.

All text is escaped. Times are milliseconds since the first known time. Mail addresses and all
custom fields except the queue are left out.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from segue.core.conversation import Report
from segue.core.explain import Mistake
from segue.core.findings import Finding, Severity
from segue.core.segments import Connection, Segment
from segue.report.escape import visible
from segue.report.grouping import grouped
from segue.report.locations import line_of, log_location
from segue.report.page_repair import repaired
from segue.report.page_rows import PageNote, PageRows, Situations, since_epoch


def list_row(report: Report, start: int | None = None) -> list[Any]:
    """Return the values of a conversation that the page lists, searches and filters.

    The page relies on their order. `start` is the first known time of the conversation, in
    milliseconds since the Unix epoch.
    """
    counts = Counter(finding.severity for finding in report.findings)
    agents = {segment.agent: segment.name for segment in report.segments}
    named = (each for each in report.segments if each.queue_id or each.queue_name)
    queues = {each.queue_id or each.queue_name: each.queue_name for each in named}
    return [
        None if report.conversation_id is None else visible(report.conversation_id),
        visible(report.bot_id or ""),
        report.phase.value,
        int(report.late and not report.replaces),
        [counts[rank] for rank in Severity],
        list(dict.fromkeys(finding.code for finding in report.findings)),
        [[visible(agent), visible(name)] for agent, name in agents.items()],
        report.events,
        "" if report.conversation_id is not None else log_location(report.findings[0]),
        len(report.mistakes),
        int(report.key[0] is not None),
        len(report.untraced),
        start,
        [[visible(queue), visible(name)] for queue, name in queues.items()],
    ]


def details(
    report: Report, situations: Situations, held: Iterable[PageNote] = ()
) -> dict[str, Any]:
    """Return the details that the page shows when a conversation is opened, as a dict for JSON.

    `situations` collects the situations that occur, to which the details refer by number. `held`
    are notes of deliveries that are not applied yet, because they wait for other deliveries.
    """
    found = _details(report, situations, held)
    if (repair := repaired(report)) is not None:
        edits, after = repair
        found |= {"repair": edits, "after": _details(after, situations, ())}
    return found


def _details(report: Report, situations: Situations, held: Iterable[PageNote]) -> dict[str, Any]:
    rows, intervals = PageRows(report, situations, held), report.transcription_intervals
    times = [*rows.times, *(since_epoch(each.start) for each in intervals if each.start)]
    clock = _Clock(min(times, default=None))
    return {
        "start": clock.start,
        **rows.to_dict(clock.start),
        "segments": [_segment(segment, clock) for segment in report.segments],
        "spells": [
            [interval.state.value, clock.read(interval.start), clock.read(interval.end)]
            for interval in intervals
        ],
        "findings": [
            {**_finding(report, finding), "under": index > 0, "row": rows.row_of(finding)}
            for group in grouped(report)
            for index, finding in enumerate(group)
        ],
        "call": _call(report, clock),
        "mistakes": [_mistake(mistake) for mistake in report.mistakes],
        "untraced": len(report.untraced),
        "metrics": _metrics(report),
        "mended": _mended(report),
    }


class _Clock(NamedTuple):
    """Converts times to milliseconds since `start`, the first known time."""

    start: int | None

    def read(self, at: datetime | None) -> int | None:
        """Return the milliseconds from `start` to a time, or None if either is unknown."""
        return None if at is None or self.start is None else since_epoch(at) - self.start


def _segment(segment: Segment, clock: _Clock) -> dict[str, Any]:
    times = segment.connected_time, segment.hold_time, segment.talk_time
    return {
        "agent": visible(segment.agent),
        "name": visible(segment.name),
        "role": segment.role or "unknown",
        "promoted": segment.promoted_at,
        "outcome": segment.outcome or "unknown",
        "previous": segment.previous,
        "consults": segment.consult_of,
        "resumes": segment.resumes,
        "times": [_milliseconds(each) for each in times],
        "connections": [_connection(each, clock) for each in segment.connections],
    }


def _milliseconds(time: timedelta | None) -> int | None:
    return None if time is None else round(time / timedelta(milliseconds=1))


def _metrics(report: Report) -> dict[str, Any]:
    """Return the metrics of a report that are not zero, by name.

    Durations are converted to milliseconds, and the coverage to per mille.
    """
    changed = () if report.mended is None else report.mended.changed(report.metrics)
    known = {name: _figure(each) for name, each in report.metrics.to_dict().items() if each}
    estimated = [name for name in report.estimated if name not in changed]
    return known | ({"estimated": estimated} if estimated else {})


def _mended(report: Report) -> dict[str, list[Any] | None]:
    """Return the bounds as mended of the metrics that are not as told, by name."""
    mended = report.mended
    if mended is None:
        return {}
    changed = mended.changed(report.metrics)
    ranges = {name: each for name, each in mended.metrics.items() if name in changed}
    return {
        name: None if each is None else [_figure(end) for end in each.to_dict().values()]
        for name, each in ranges.items()
    }


def _figure(value: object) -> object:
    return round(value * 1000) if isinstance(value, float) else value


def _connection(connection: Connection, clock: _Clock) -> list[Any]:
    return [
        connection.opened_by,
        connection.closed_by,
        clock.read(connection.started_at),
        clock.read(connection.ended_at),
        connection.opened_kind,
        connection.closed_kind,
    ]


def _call(report: Report, clock: _Clock) -> list[Any] | None:
    """Return `[state, connected_at, disconnected_at]` of the outbound call, or None without a call.

    The two times are milliseconds since the start of the clock, or None if they are unknown.
    """
    call = report.call
    if call is None:
        return None
    times = [call.get(name) for name in ("connected_at", "disconnected_at")]
    return [call["state"], *(clock.read(at and datetime.fromisoformat(at)) for at in times)]


def _mistake(mistake: Mistake) -> dict[str, Any]:
    return {
        "number": mistake.number,
        "sentence": visible(mistake.sentence),
        "fix": visible(mistake.fix),
        "alternatives": [visible(each.sentence) for each in mistake.alternatives],
        "edits": len(mistake.edits),
    }


def _finding(report: Report, finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = finding.to_dict()
    del found["name"]  # the page has the names of all rules
    found["because"] = [list(cause.values()) for cause in found["because"]]
    found |= {"line": line_of(report, finding), "source": finding.place.source}
    found["position"] = finding.place.position
    mistake = report.mistake_of(finding)
    found["mistake"] = None if mistake is None else mistake.number
    return {key: _safe(value) for key, value in found.items()}


def _safe(value: object) -> object:
    if isinstance(value, list):
        return [_safe(each) for each in value]
    return visible(value) if isinstance(value, str) else value
