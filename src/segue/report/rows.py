"""Convert reports to rows: flat dicts for pandas, polars, CSV or Parquet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias

from segue.core.conversation import Report
from segue.core.errors import ConfigurationError
from segue.core.options import check_choice
from segue.core.segments import utc
from segue.report.row_columns import COLUMNS, RowKind

Row: TypeAlias = dict[str, Any]


def to_rows(reports: Report | Iterable[Report], what: RowKind) -> Iterator[Row]:
    """Yield the findings, segments, lifecycle events or conversations of reports as dicts.

    `what` selects one of these four kinds, for example `"findings"`. Every row begins with
    `conversation_id` and `bot_id`, and all rows of one kind have the same keys. Values are strings,
    numbers, booleans, datetimes in UTC or None. Raise `ConfigurationError` if `what` is not one of
    the four kinds, or if `reports` contains anything but reports.
    """
    check_choice("what", what, _ROWS)
    rows = _ROWS[what]
    names = [column.name for column in COLUMNS[what]]
    return (
        {name: values[name] for name in names}
        for report in _checked(reports)
        for key in ({"conversation_id": report.conversation_id, "bot_id": report.bot_id},)
        for values in (key | row for row in rows(report))
    )


def _checked(reports: object) -> Iterator[Report]:
    """Yield the given report or reports.

    Raise `ConfigurationError` at the first item that is not a report.
    """
    each: Iterable[object] = (reports,)
    if isinstance(reports, Iterable) and not isinstance(reports, str | bytes):
        each = reports
    for report in each:
        if not isinstance(report, Report):
            got = type(report).__name__
            raise ConfigurationError(
                f"to_rows() takes reports, for example those of segue.replay(), not {got}"
            )
        yield report


def _findings(report: Report) -> Iterator[Row]:
    for finding in report.findings:
        root = finding.follows
        yield finding.to_dict() | {
            "source": finding.place.source,
            "expected": ", ".join(finding.expected),
            "follows": None if root is None else root.code,
            "follows_event": None if root is None else root.place.event,
        }


def _segments(report: Report) -> Iterator[Row]:
    for segment in report.segments:
        yield segment.to_dict() | {
            "findings": " ".join(segment.findings),
            "connections": len(segment.connections),
            "started_at": _utc(segment.connections[0].started_at),
            "ended_at": _utc(segment.connections[-1].ended_at),
        }


def _events(report: Report) -> Iterator[Row]:
    for event, at in zip(report.timeline, report.times, strict=True):
        yield {
            "position": event.position,
            "kind": event.kind.value,
            "agent": event.agent,
            "line": event.line,
            "received_at": _utc(at),
        }


def _conversation(report: Report) -> Iterator[Row]:
    if report.conversation_id is None or report.late:
        return
    yield {
        "phase": report.phase.value,
        "valid": report.valid,
        "clean": report.clean,
        "events": report.events,
        "findings": len(report.findings),
        "mistakes": len(report.mistakes),
        **report.metrics.to_dict(),
        "estimated": " ".join(report.metrics.estimated),
    }


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else utc(at)


_ROWS: Final[Mapping[str, Callable[[Report], Iterable[Row]]]] = {
    "findings": _findings,
    "segments": _segments,
    "events": _events,
    "conversations": _conversation,
}
