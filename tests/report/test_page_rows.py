"""The rows of the page: everything that came, in order, with its place, and what was legal."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.report.story import early, line, log, with_callbacks

import segue
from segue.core.wire import read_line
from segue.report.page_data import details
from segue.report.page_rows import PageRows, Situations, page_note


def story_of(lines: list[str], index: int = 0) -> tuple[dict[str, Any], list[Any]]:
    """What the page has of a report, and the situations in it."""
    situations = Situations()
    report = list(segue.replay(lines, note=page_note))[index]
    return details(report, situations), situations.to_list()


def labels(lines: list[str], index: int = 0) -> list[tuple[int | None, str, str, str, int | None]]:
    story, _ = story_of(lines, index)
    return [
        (place, kind, agent, story["deliveries"][number][3], story["deliveries"][number][0])
        for number, place, kind, agent, _ in story["rows"]
    ]


def test_messages_and_actions_have_rows_with_their_own_times() -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("user message", "c-1", "08:00:07"),
        line("start a-1", "c-1", "08:00:09"),
        line("NA exit a-1", "c-1", "08:00:20"),
    ]
    story, _ = story_of(lines)

    assert [row[1:4] for row in story["rows"]] == [
        [0, "NA entry", "a-1"],
        [1, "user message", ""],
        [0, "start", "a-1"],
        [2, "NA exit", "a-1"],
    ]
    assert [(line, at, name) for line, at, name, *_ in story["deliveries"]] == [
        (1, 0, "hooks"),
        (2, 7_000, "hooks"),
        (3, 9_000, "transcription"),
        (4, 20_000, "hooks"),
    ]


def test_a_finding_stands_at_what_came_to_its_own_intake() -> None:
    [report] = segue.replay(with_callbacks(), note=page_note, partial="end")
    # As the inspector has it, without the lines of a log.
    finding = replace(report.findings[1], place=replace(report.findings[1].place, line=None))
    rows = PageRows(report, Situations())

    assert [row[1:3] for row in rows.rows] == [
        (0, "NA entry"),
        (0, "start"),
        (1, "pause handover=false"),
        (0, "failed"),
        (1, "answered"),
    ]
    assert (rows.row_of(report.findings[0]), rows.row_of(finding)) == (2, 4)
    assert [each["position"] for each in details(report, Situations())["findings"]] == [
        "transcription action 1",
        "call notification 1",
    ]


def test_what_comes_after_the_end_is_late() -> None:
    lines = log("NA entry a-1", "NA exit a-1", "END", "user message", "start a-1", "start a-1")

    assert labels(lines, 1) == [
        (0, "NA entry", "a-1", "", 1),
        (1, "NA exit", "a-1", "", 2),
        (2, "END_OF_CONVERSATION", "", "", 3),
        (3, "user message", "", "late", 4),
        (0, "start", "a-1", "late", 5),
        (1, "start", "a-1", "late", 6),
    ]
    story, _ = story_of(lines, 1)
    assert [(each["code"], each["row"]) for each in story["findings"]] == [
        ("SG110", 3),
        ("SG408", 4),
        ("SG402", 5),
    ]


def test_a_delivery_that_was_dropped_stands_where_it_came() -> None:
    bodies = map(json.loads, log("NA entry a-1", "END"))
    sent = [json.dumps({"delivery_id": "d-1", "body": body}) for body in bodies]
    lines = [*sent, *log("NA exit a-1", "END")]

    assert labels(lines) == [
        (0, "NA entry", "a-1", "", 1),
        (None, "dropped delivery", "", "dropped", 2),
        (1, "NA exit", "a-1", "", 3),
        (2, "END_OF_CONVERSATION", "", "", 4),
    ]
    story, _ = story_of(lines)
    assert [(each["code"], each["row"]) for each in story["findings"]] == [("SG603", 1)]


def test_a_broken_line_has_a_row_of_its_own() -> None:
    assert labels(["{"]) == [(None, "broken delivery", "", "broken", 1)]


def test_an_event_that_cannot_be_read_keeps_its_place() -> None:
    lines = [line("NA entry a-1", "c-1", name="nonsense"), *log("END")]

    assert labels(lines)[0] == (0, "unprocessable event", "", "", 1)


def test_every_row_says_where_the_conversation_stood_and_what_was_legal() -> None:
    story, situations = story_of(early())

    assert [situations[row[4]][:3] for row in story["rows"]] == [
        ("active", 0, ()),
        ("active", 0, ()),
        ("active", 0, ()),
        ("active", 1, ()),
        ("active", 1, ()),
        ("released", None, ()),
        ("ended", None, ()),
    ]
    assert situations[story["rows"][0][4]][3] == (
        "NA exit by {0}",
        "COLD exit by {0}",
        "WARM entry by another agent",
        "message",
    )
    assert story["agents"] == ["a-1", "a-2"]


def test_situations_are_shared_between_conversations() -> None:
    situations = Situations()
    events = "NA entry a-1", "NA exit a-1", "END"
    lines = [each for name in "abc" for each in log(*events, conversation=name)]
    reports = list(segue.replay(lines, note=page_note))

    first = [details(each, situations)["rows"] for each in reports]
    assert first[0] == first[1] == first[2]
    assert [phase for phase, *_ in situations.to_list()] == [
        *("waiting", "active", "released", "ended")
    ]


def test_without_notes_there_are_rows_of_lifecycle_events() -> None:
    [report] = segue.replay(early())
    story = details(report, Situations())

    assert [row[1] for row in story["rows"]] == [0, 3, 4, 5, 6]
    assert [each["row"] for each in story["findings"]] == [1]


def test_events_without_a_note_stand_behind_those_that_have_one() -> None:
    [report] = segue.replay(early(), note=page_note)
    report.notes = report.notes[:3]

    assert [row[1] for row in details(report, Situations())["rows"]] == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("include_text", [True, False])
def test_a_body_is_noted_on_request_only(*, include_text: bool) -> None:
    note = page_note(read_line(line("user message", query="secret")), include_text=include_text)

    assert ("secret" in str(note)) is include_text
