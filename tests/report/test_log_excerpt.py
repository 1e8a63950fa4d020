"""A log in short: any line has something to say."""

import json

from hypothesis import given, strategies as st
from tests.report.story import line

from segue.report.log_excerpt import ExcerptLine, compare_logs, excerpt


def test_every_kind_of_line_is_told() -> None:
    lines = [
        line("NA entry a-1"),
        line("user message"),
        line("summary"),
        line("pause true a-1"),
        line("NA exit a-1", at="09:00:00"),
        '{"delivery_id": "d-1", "body": "{\\"query\\": \\"text\\"}"}',
        '{"conversationId": "c-1", "events": [{"name": "LUNCH"}, 7]}',
        '{"conversationId": "c-1"}',
        '{"broken": ',
        "[1]",
    ]

    assert excerpt("\n".join(lines)) == [
        ExcerptLine("NA entry", "a-1"),
        ExcerptLine("user message", "a-1"),
        ExcerptLine("TRIGGER_SUMMARY_EVENT"),
        ExcerptLine("transcription pause", "a-1", ["handover true"]),
        ExcerptLine("NA exit", "a-1", ["at 09:00:00"]),
        ExcerptLine("message", "", ["delivery d-1"]),
        ExcerptLine("LUNCH", "", ["and event"]),
        ExcerptLine("nothing"),
        ExcerptLine('{"broken": '),
        ExcerptLine("[1]"),
    ]


def test_conversations_are_named_when_there_are_several() -> None:
    lines = [line("NA entry a-1"), line("NA entry a-1", "c-2", at="09:00:00")]

    assert [entry.notes for entry in excerpt("\n".join(lines))] == [["c-1"], ["c-2", "at 09:00:00"]]


def test_lines_that_say_the_same_are_told_apart_by_their_fields() -> None:
    ours = {"events": [{"name": "A", "list": [1, 2], "more": "x" * 50, "same": [1]}]}
    theirs = {"events": [{"name": "A", "list": [1, 2, 3], "more": "y" * 50, "same": [1], "new": 1}]}

    [before], [after] = compare_logs(json.dumps(ours), json.dumps(theirs))

    assert before.notes == ["list [1, 2]", "another more", "no new"]
    assert after.notes == ["list [1, 2, 3]", "another more", "new 1"]


def test_equal_logs_have_no_difference() -> None:
    log = line("NA entry a-1")

    assert compare_logs(log, log) == (
        [ExcerptLine("NA entry", "a-1")],
        [ExcerptLine("NA entry", "a-1")],
    )


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(ours: str, theirs: str) -> None:
    first, second = compare_logs(ours, theirs)

    assert len(first) == len(ours.splitlines())
    assert len(second) == len(theirs.splitlines())
