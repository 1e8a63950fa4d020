"""The timeline shows the event a finding is about, its neighbours and what set it up."""

from typing import Any

from tests.report.story import line, log

import segue
from segue.report.timeline import Mark, TimelineGap, TimelineRow, timeline_rows

BECAUSE, HERE, NONE = Mark.BECAUSE, Mark.HERE, Mark.NONE


def shown(lines: list[str], code: str, **options: Any) -> list[tuple[object, ...]]:
    """The rows of the finding with this code, in short; a gap is a pair of numbers."""
    for report in segue.replay(lines, **options):
        found = [finding for finding in report.findings if finding.code == code]
        if found:
            rows = timeline_rows(report, report.timeline, found[:1])
            return [
                (row.events, row.messages)
                if isinstance(row, TimelineGap)
                else (row.position, row.label, row.agent, row.line, row.mark)
                for row in rows
            ]
    raise AssertionError(code)


def test_messages_between_rows_are_counted() -> None:
    lines = log(
        "user message", "NA entry a-1", "user message", "user message", "COLD entry a-2", "END"
    )

    assert shown(lines, "SG103") == [
        (0, 1),
        (1, "NA entry", "a-1", 2, BECAUSE),
        (0, 2),
        (4, "COLD entry", "a-2", 5, HERE),
        (5, "END_OF_CONVERSATION", "", 6, NONE),
    ]


def test_events_far_from_the_finding_are_counted_unless_they_set_it_up() -> None:
    consults = ["WARM entry a-2", "WARM exit a-2"] * 4
    lines = log("NA entry a-1", *consults, "COLD entry a-3", "NA exit a-3", "END")

    assert shown(lines, "SG103") == [
        (0, "NA entry", "a-1", 1, BECAUSE),
        (6, 0),
        (7, "WARM entry", "a-2", 8, NONE),
        (8, "WARM exit", "a-2", 9, NONE),
        (9, "COLD entry", "a-3", 10, HERE),
        (10, "NA exit", "a-3", 11, NONE),
    ]


def test_a_message_that_a_finding_is_about_gets_a_row() -> None:
    lines = log("NA entry a-1", "user message", "agent message a-2", "NA exit a-1", "END")

    assert shown(lines, "SG205") == [
        (0, "NA entry", "a-1", 1, BECAUSE),
        (0, 1),
        (2, "agent message", "", 3, HERE),
        (3, "NA exit", "a-1", 4, NONE),
    ]


def test_an_event_that_could_not_be_placed_is_no_message() -> None:
    lines = log("NA entry a-1", "NA entry a-2", "user message", "COLD entry a-3", "END")
    lines[1] = line("NA entry a-2", transition="sideways")

    assert shown(lines, "SG103")[:3] == [
        (0, "NA entry", "a-1", 1, BECAUSE),
        (1, 1),
        (3, "COLD entry", "a-3", 4, HERE),
    ]


def test_the_end_of_the_log_is_a_row() -> None:
    lines = log("NA entry a-1", "NA exit a-1", "user message")

    assert shown(lines, "SG108") == [
        (0, "NA entry", "a-1", 1, NONE),
        (1, "NA exit", "a-1", 2, BECAUSE),
        (0, 1),
        (None, "end of the log", "", None, HERE),
    ]


def test_an_action_stands_where_its_line_is() -> None:
    lines = log("NA entry a-1", "user message", "resume a-1", "end a-1", "NA exit a-1", "END")

    assert shown(lines, "SG401") == [
        (0, "NA entry", "a-1", 1, NONE),
        (None, "transcription action 0", "", 3, HERE),
        (0, 1),
        (2, "NA exit", "a-1", 5, NONE),
    ]


def test_a_delivery_that_was_dropped_stands_where_its_line_is() -> None:
    lines = [
        f'{{"delivery_id": "d-1", "body": {line("NA entry a-1")}}}',
        f'{{"delivery_id": "d-1", "body": {line("NA exit a-1")}}}',
        *log("NA exit a-1", "END"),
    ]

    assert shown(lines, "SG603") == [
        (0, "NA entry", "a-1", 1, NONE),
        (None, "delivery", "", 2, HERE),
        (1, "NA exit", "a-1", 3, NONE),
    ]


def test_what_came_after_the_end_is_drawn_within_the_window_only() -> None:
    lines = log("NA exit a-1", "END", "user message")

    assert shown(lines, "SG110") == [
        (0, "NA exit", "a-1", 1, NONE),
        (1, "END_OF_CONVERSATION", "", 2, BECAUSE),
        (2, "message", "", 3, HERE),
    ]
    assert shown(lines, "SG110", window=0) == []


def test_a_line_without_a_conversation_has_no_timeline() -> None:
    assert shown(["{"], "SG501") == []


def test_findings_of_one_event_share_their_evidence() -> None:
    [report] = segue.replay(log("NA entry a-1", "user message", "END"))
    rows = timeline_rows(report, report.timeline, report.findings)

    assert rows == [
        TimelineRow(0, "NA entry", "a-1", 1, BECAUSE),
        TimelineGap(0, 1),
        TimelineRow(2, "END_OF_CONVERSATION", "", 3, HERE),
    ]


def test_an_action_without_a_line_has_no_place_among_events() -> None:
    report = segue.check(log("NA entry a-1", "resume a-1", "end a-1", "NA exit a-1", "END"))
    [finding] = report.findings

    assert finding.code == "SG401"
    assert timeline_rows(report, report.timeline, report.findings) == []
