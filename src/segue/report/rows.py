"""Convert reports to rows: flat dicts for pandas, polars, CSV or Parquet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from segue.core.conversation import Report
from segue.core.conversation.current import LogReports, current_reports, is_whole
from segue.core.epoch import utc
from segue.core.errors import ConfigurationError
from segue.core.options import check_choice
from segue.report.row_columns import COLUMNS, RowKind

Row: TypeAlias = dict[str, Any]


def to_rows(reports: Report | Iterable[Report], what: RowKind) -> Iterator[Row]:
    """Yield rows of a table, as dicts, from one or several reports.

    Use it to load results into a data frame or a database, as in
    `pandas.DataFrame(segue.to_rows(reports, "findings"))`.

    If a conversation has several reports, only those that count give rows: see `Report.replaces`.

    Args:
        reports: A report, or an iterable of reports such as `segue.replay(…)`. Another iterator is
            read to its end before the first row.
        what: The kind of rows: `"findings"`, `"segments"`, `"events"`, `"conversations"`, or
            `"figures"` for the metrics that the explanation of a conversation changes.

    All rows of one kind have the same keys, beginning with `conversation_id` and `bot_id`. Values
    are strings, numbers, booleans, datetimes in UTC or None.

    Raises `ConfigurationError` if `what` is another text, or if `reports` contains anything but
    reports.

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
    """Yield `reports` if it is one report, or else the reports that it contains and that count.

    Raise `ConfigurationError` for an item that is not a report.
    """
    if isinstance(reports, Report):
        yield reports
    elif isinstance(reports, LogReports):
        yield from reports.settled()
    else:
        yield from current_reports(_reports_in(reports))


def _reports_in(reports: object) -> Iterator[Report]:
    is_several = isinstance(reports, Iterable) and not isinstance(reports, str | bytes)
    each: Iterable[object] = reports if is_several else (reports,)  # type: ignore[assignment]
    for report in each:
        if not isinstance(report, Report):
            got = type(report).__name__
            raise ConfigurationError(
                f"to_rows() takes reports, for example those of segue.replay(), not {got}"
            )
        yield report


def _findings(report: Report) -> Iterator[Row]:
    for finding in report.findings:
        mistake = report.mistake_of(finding)
        yield finding.to_dict() | {
            "source": finding.place.source,
            "expected": ", ".join(finding.expected),
            "mistake": None if mistake is None else mistake.number,
        }


def _segments(report: Report) -> Iterator[Row]:
    for segment in report.segments:
        times = segment.response_times
        yield segment.to_dict() | {
            "responses": times and times.count,
            "median_response": times and times.median.total_seconds(),
            "longest_response": times and times.longest.total_seconds(),
            "findings": " ".join(segment.findings),
            "connections": len(segment.connections),
            "started_at": _utc(segment.connections[0].started_at),
            "ended_at": _utc(segment.connections[-1].ended_at),
        }


def _events(report: Report) -> Iterator[Row]:
    for event in report.timeline:
        yield {
            "position": event.position,
            "kind": event.kind.value,
            "agent": event.agent,
            "line": event.line,
            "received_at": _utc(event.received_at),
        }


def _conversation(report: Report) -> Iterator[Row]:
    if not is_whole(report):
        return
    yield {
        "phase": report.phase.value,
        "valid": report.valid,
        "clean": report.clean,
        "events": report.events,
        "findings": len(report.findings),
        "mistakes": None if report.explanation is None else len(report.mistakes),
        "untraced": None if report.explanation is None else len(report.untraced),
        "explanation": report.explanation,
        **report.metrics.to_dict(),
        "estimated": " ".join(report.estimated),
    }


def _figures(report: Report) -> Iterator[Row]:
    """Yield a row for each metric that is not the same as told and as mended."""
    if report.mended is None or report.best is None:
        return
    changed = report.mended.changed(report.metrics)
    for name, mended in report.mended.metrics.items():
        if name in changed:
            best = report.best[name]
            low, high = (None, None) if mended is None else mended
            best_low, best_high = (None, None) if best is None else best[:2]
            yield {
                "metric": name,
                "told": _number(getattr(report.metrics, name)),
                "mended_at_least": _number(low),
                "mended_at_most": _number(high),
                "best_at_least": _number(best_low),
                "best_at_most": _number(best_high),
                "source": None if best is None else best.source,
            }


def _number(value: timedelta | float | None) -> float | None:
    """Return a duration in seconds, or a number as it is."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    return None if value is None else float(value)


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else utc(at)


_ROWS: Final[Mapping[str, Callable[[Report], Iterable[Row]]]] = {
    "findings": _findings,
    "segments": _segments,
    "events": _events,
    "conversations": _conversation,
    "figures": _figures,
}
