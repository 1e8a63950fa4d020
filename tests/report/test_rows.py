"""`segue.to_rows`: reports as flat dicts."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.report.export.story import COLD, REDIAL, SAMPLE, timed

import segue
from segue.report import COLUMNS
from segue.report.row_columns import RowKind

TYPES = {"text": str, "integer": int, "number": float, "boolean": bool, "time": datetime}
KINDS: tuple[RowKind, ...] = ("findings", "segments", "events", "conversations", "figures")

TWICE = timed(
    "09:00:00 NA entry a-1",
    "09:00:30 COLD entry a-2",
    "09:02:00 NA exit a-2",
    "09:02:10 END",
    conversation="c-2",
)
"""Ben takes over while Ada is still the primary."""


def rows(lines: Iterable[str], what: RowKind) -> list[dict[str, Any]]:
    return list(segue.to_rows(segue.replay(lines), what))


def test_a_finding_is_a_row() -> None:
    [row] = rows(TWICE, "findings")

    assert row == {
        "conversation_id": "c-2",
        "bot_id": "st-1",
        "code": "SG103",
        "name": "cold-entry-before-exit",
        "severity": "error",
        "event": 1,
        "action": None,
        "line": 2,
        "source": "",
        "pointer": "/events/0",
        "message": row["message"],
        "expected": "NA exit by a-1, COLD exit by a-1, WARM entry by another agent, message",
        "help": row["help"],
        "mistake": 1,
    }
    assert row["message"].startswith("agent a-2")


def test_a_segment_is_a_row() -> None:
    [row] = rows(REDIAL, "segments")

    assert list(row)[:4] == ["conversation_id", "bot_id", "index", "agent"]
    assert (row["agent"], row["connections"], row["outcome"]) == ("a-1", 2, "completed")
    assert row["started_at"] == datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    assert row["ended_at"] == datetime(2026, 3, 2, 9, 8, tzinfo=UTC)
    assert row["talk_time"] == timedelta(minutes=7).total_seconds()


def test_a_lifecycle_event_is_a_row_and_a_message_is_not() -> None:
    first, *rest = rows(COLD, "events")

    assert first == {
        "conversation_id": "c-1",
        "bot_id": "st-1",
        "position": 1,
        "kind": "NA entry",
        "agent": "a-1",
        "line": 2,
        "received_at": datetime(2026, 3, 2, 9, 0, 10, tzinfo=UTC),
    }
    assert [row["kind"] for row in rest] == [
        "COLD exit", "COLD entry", "NA exit", "END_OF_CONVERSATION",
    ]  # fmt: skip


def test_a_conversation_is_a_row() -> None:
    [row] = rows(COLD, "conversations")

    assert (row["conversation_id"], row["phase"]) == ("c-1", "ended")
    assert (row["valid"], row["clean"], row["events"]) == (True, True, 7)
    assert (row["findings"], row["transfers_cold"], row["duration"]) == (0, 1, 120.0)
    assert row["estimated"] == ""


def test_a_metric_that_differs_as_told_and_as_mended_is_a_row() -> None:
    """a-1 left between 09:00:10 and 09:01:00, where the COLD exit is missing."""
    told = timed(
        "09:00:10 NA entry a-1", "09:01:00 COLD entry a-2", "09:02:00 NA exit a-2", "09:02:00 END"
    )
    found = {row["metric"]: row for row in rows(told, "figures")}

    assert found["talk_time"] == {
        "conversation_id": "c-1",
        "bot_id": "st-1",
        "metric": "talk_time",
        "told": 110.0,
        "mended_at_least": 60.0,
        "mended_at_most": 110.0,
        "best_at_least": 60.0,
        "best_at_most": 110.0,
        "source": "mended",
    }
    assert [found["implied_closures"][name] for name in ("told", "best_at_most")] == [1.0, 0.0]
    assert "duration" not in found
    assert list(rows(COLD, "figures")) == []


def test_late_findings_are_no_second_conversation() -> None:
    late = [*COLD, *timed("09:10:00 NA entry a-1")]

    assert [row["conversation_id"] for row in rows(late, "conversations")] == ["c-1"]
    assert {row["conversation_id"] for row in rows(late, "findings")} == {"c-1"}


@pytest.mark.parametrize("what", KINDS)
def test_rows_have_the_columns_of_their_kind_and_the_types_of_these(what: RowKind) -> None:
    found = list(segue.to_rows(segue.replay(SAMPLE), what))

    assert {tuple(row) for row in found} == {tuple(column.name for column in COLUMNS[what])}
    types = {name: TYPES[type_] for name, type_, _ in COLUMNS[what]}
    assert all(
        value is None or type(value) is types[name] for row in found for name, value in row.items()
    )


def test_one_report_will_do() -> None:
    [report] = segue.replay(REDIAL)

    assert [row["agent"] for row in segue.to_rows(report, "segments")] == ["a-1"]


def test_another_kind_is_refused_at_once() -> None:
    with pytest.raises(segue.ConfigurationError, match="`what` must be one of findings, seg"):
        segue.to_rows([], "agents")  # type: ignore[arg-type]


@pytest.mark.parametrize("given", ["samples/shift.jsonl", b"{}", [{"conversationId": "c-1"}], None])
def test_something_else_than_reports_is_refused(given: Iterable[segue.Report]) -> None:
    with pytest.raises(
        segue.ConfigurationError,
        match=r"takes reports, for example those of segue\.replay\(\), not ",
    ):
        list(segue.to_rows(given, "findings"))
