"""Reports as flat dicts, one a row, ready for pandas, polars, CSV or Parquet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal

from segue.conversation import Report
from segue.errors import ConfigurationError

RowKind = Literal["findings", "segments", "events", "conversations"]
_Row = dict[str, Any]


def to_rows(reports: Report | Iterable[Report], what: RowKind) -> Iterator[_Row]:
    """Yield a dict for each finding, segment, lifecycle event or conversation of some reports.

    Every row begins with `conversation_id` and `bot_id`; all rows of one kind have the same keys.
    Values are texts, numbers, booleans, aware datetimes (UTC where segments have them) or None.
    Raises `ConfigurationError` if `what` is none of the four.
    """
    rows = _ROWS.get(what)
    if rows is None:
        raise ConfigurationError(f"there are no rows of {what!r}: choose one of {', '.join(_ROWS)}")
    return (
        {"conversation_id": report.conversation_id, "bot_id": report.bot_id, **row}
        for report in ((reports,) if isinstance(reports, Report) else reports)
        for row in rows(report)
    )


def _findings(report: Report) -> Iterator[_Row]:
    for finding in report.findings:
        row = _without(finding.to_dict(), "because", "follows")
        root = finding.follows
        yield row | {
            "expected": ", ".join(finding.expected),
            "follows": None if root is None else root.code,
            "follows_event": None if root is None else root.place.event,
        }


def _segments(report: Report) -> Iterator[_Row]:
    for segment in report.segments:
        yield _without(segment.to_dict(), "connections") | {
            "findings": " ".join(segment.findings),
            "connections": len(segment.connections),
            "started_at": segment.connections[0].started_at,
            "ended_at": segment.connections[-1].ended_at,
        }


def _events(report: Report) -> Iterator[_Row]:
    for event, at in zip(report.timeline, report.times, strict=True):
        yield {
            "position": event.position,
            "kind": event.kind.value,
            "agent": event.agent,
            "line": event.line,
            "received_at": at,
        }


def _conversation(report: Report) -> Iterator[_Row]:
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


def _without(record: Mapping[str, Any], *keys: str) -> _Row:
    return {name: value for name, value in record.items() if name not in keys}


_ROWS: Final[Mapping[str, Callable[[Report], Iterable[_Row]]]] = {
    "findings": _findings,
    "segments": _segments,
    "events": _events,
    "conversations": _conversation,
}
