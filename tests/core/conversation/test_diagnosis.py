"""What happened to a conversation, in a line."""

import json
from typing import Any

import pytest

import segue
from segue.core.edits.candidates import Candidate
from segue.testing import story

NA_IN, NA_OUT, END = "NA entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1"
SUMMARY = "TRIGGER_SUMMARY_EVENT by a-1"


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (
            (NA_IN, "COLD entry by a-2", "NA exit by a-2", END),
            "the COLD exit of a-1 was lost (before event 1)",
        ),
        ((NA_IN, NA_OUT), "END_OF_CONVERSATION was lost (at the end)"),
        ((NA_IN, END, NA_OUT), "the NA exit of a-1 came after END_OF_CONVERSATION (event 2)"),
        (
            (NA_IN, END, NA_OUT, SUMMARY),
            "END_OF_CONVERSATION came too early (event 1, due after event 3)",
        ),
        (
            (NA_IN, NA_OUT, END, "user message by a-1"),
            "a message came after END_OF_CONVERSATION (event 3)",
        ),
        (
            (NA_IN, SUMMARY, NA_OUT, END),
            "TRIGGER_SUMMARY_EVENT came too early (event 1, due after event 2)",
        ),
        (
            (NA_IN, "NA entry by a-2", "WARM exit by a-2", NA_OUT, END),
            "the NA entry of a-2 was a WARM entry (event 1)",
        ),
        (
            (NA_IN, "WARM entry by a-2", "WARM exit by a-2", "WARM exit by a-1", END),
            "the WARM exit of a-1 was an NA exit (event 3)",
        ),
        ((NA_IN, "NA exit by a-2", END), "the NA exit of a-2 was that of a-1 (event 1)"),
        ((NA_IN, NA_OUT, END, END), "END_OF_CONVERSATION is one too many (event 3)"),
        (
            (NA_IN, "user message by a-1", "WARM exit by a-2", "WARM entry by a-2", NA_OUT, END),
            "the WARM entry of a-2 came too late (event 3, due before event 2)",
        ),
    ],
)
def test_the_likeliest_edit_is_said_first(labels: tuple[str, ...], said: str) -> None:
    report = segue.check(story(*labels))

    assert report.to_dict()["diagnosis"][0] == said
    assert (report.diagnosis() or ())[0] == said


def test_a_delivery_of_several_events_comes_late_as_one() -> None:
    late = story("WARM entry by a-2", "WARM exit by a-2")
    batch = {**late[0], "events": [each["events"][0] for each in late]}
    bodies: list[Any] = [*story(NA_IN, NA_OUT, SUMMARY), batch, *story(END)]

    [report] = segue.replay([json.dumps(each) for each in bodies])

    assert report.diagnosis() == ("a delivery came too late (events 3 to 4, due before event 1)",)


def test_an_event_that_cannot_be_read_explains_what_follows() -> None:
    bodies: list[Any] = list(story(NA_IN, NA_OUT, END))
    bodies[1]["events"][0]["name"] = "NOPE"

    assert segue.check(bodies).diagnosis() == ("the NA exit of a-1 cannot be read (event 1)",)


def test_an_event_that_came_twice_explains_nothing() -> None:
    lines = (NA_IN, NA_IN, END, NA_OUT)

    assert (segue.check(story(*lines)).diagnosis() or ())[0] == (
        "the NA exit of a-1 came after END_OF_CONVERSATION (event 3)"
    )


def test_several_mistakes_are_one_line() -> None:
    report = segue.check(story(NA_IN, NA_OUT, END, END, END))

    assert report.diagnosis() == (
        "; ".join(f"END_OF_CONVERSATION is one too many (event {at})" for at in (3, 4)),
    )


def test_a_search_that_ends_early_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.core.edits.single.STEPS", 12)
    said = ("several mistakes (the search for the smallest repair ended before it was found)",)

    assert segue.check(story(NA_IN, NA_OUT, END, END, END)).diagnosis() == said
    monkeypatch.undo()
    monkeypatch.setattr("segue.core.edits.cheapest._BRIEF", 1)
    assert segue.check(story(NA_IN, NA_OUT, END, END, END)).diagnosis() == said


def test_there_is_no_diagnosis_without_errors_or_before_the_end() -> None:
    assert segue.check(story(NA_IN, NA_OUT, END)).diagnosis() == ()
    conversation = segue.Conversation()
    conversation.feed(story("NA exit by a-1")[0])
    assert conversation.report().diagnosis() is None
    assert conversation.report().to_dict()["diagnosis"] is None


def test_a_late_report_says_what_came_after_the_end() -> None:
    after = story("NA exit by a-2", "user message by a-1", END, SUMMARY)
    batch = {**after[0], "events": [after[0]["events"][0], after[3]["events"][0]]}
    unreadable = {**after[0], "events": [{"name": "NOPE"}]}
    lines: list[Any] = [*story(NA_IN, NA_OUT, END), *after[:3], unreadable, batch]

    _, late = segue.replay(json.dumps(each) for each in lines)

    assert late.late
    (line,) = late.to_dict()["diagnosis"]
    assert line.split("; ") == [
        "the NA exit of a-2 came after END_OF_CONVERSATION (event 3)",
        "a message came after END_OF_CONVERSATION (event 4)",
        "END_OF_CONVERSATION is one too many (event 5)",
        "a delivery came after END_OF_CONVERSATION (events 7 to 8)",
    ]


def test_a_late_report_without_an_error_of_order_has_nothing_to_say() -> None:
    action = {"action": "start", "agentId": "a-1"}
    ids = {"conversation_id": "c-1", "bot_id": "st-1"}
    late_action = {"endpoint": "transcription", **ids, "body": action}

    _, late = segue.replay(map(json.dumps, [*story(NA_IN, NA_OUT, END), late_action]))

    assert [each.code for each in late.findings] == ["SG408"]
    assert late.diagnosis() == ()


@pytest.mark.parametrize("after_end", [False, True])
def test_a_delivery_is_one_without_lines_too(*, after_end: bool) -> None:
    """Bodies given to `check` have no line; they came with one delivery all the same."""
    late = story("WARM entry by a-2", "WARM exit by a-2")
    batch = {**late[0], "events": [each["events"][0] for each in late]}
    before = (NA_IN, NA_OUT, SUMMARY)
    bodies: list[Any] = [*story(*before), *story(END)]
    bodies.insert(4 if after_end else 3, batch)
    said = "came after END_OF_CONVERSATION (events 4 to 5)"

    assert segue.check(bodies).diagnosis() == (
        f"a delivery {said}"
        if after_end
        else "a delivery came too late (events 3 to 4, due before event 1)",
    )


def test_of_more_events_after_the_end_than_are_kept_no_edit_is_said_to_explain_them() -> None:
    """Eight are kept: with a ninth, no edit that is found among them is known to be enough."""
    ended = ("NA entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1")

    eight = segue.check(story(*ended, *["user message by a-1"] * 8))
    nine = segue.check(story(*ended, *["user message by a-1"] * 9))
    early = segue.check(story(ended[0], ended[2], *["user message by a-1"] * 9, ended[1], ended[2]))

    assert eight.diagnosis() == ("a message came after END_OF_CONVERSATION (event 3)",)
    assert nine.diagnosis() == ("more than 8 events came after END_OF_CONVERSATION (event 2)",)
    assert early.diagnosis() == ("more than 8 events came after END_OF_CONVERSATION (event 1)",)


def test_a_conversation_of_messages_or_nothing_readable_is_diagnosed_too() -> None:
    assert segue.check([{"conversationId": "c-1", "botId": "st-1"}]).diagnosis() == ()
    report = segue.check(story(SUMMARY))
    assert report.diagnosis()


def test_events_after_the_end_survive_a_snapshot() -> None:
    conversation = segue.Conversation()
    for body in story(NA_IN, END, NA_OUT):
        conversation.feed(body)

    again = segue.Conversation.restore(conversation.snapshot())

    assert again.finish().diagnosis() == conversation.finish().diagnosis()
    assert "came after" in str(again.report().diagnosis())


def test_so_many_events_after_the_end_are_kept_and_no_more() -> None:
    few, many = (segue.check(story(NA_IN, END, *[NA_OUT] * count)) for count in (1, 20))

    assert few.diagnosis() != many.diagnosis()
    assert many.diagnosis()


def test_the_work_of_a_diagnosis_grows_with_the_events_and_not_with_their_agents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Agents enter and nobody leaves: twice as many of them are about twice the work."""
    made: list[None] = []

    def note(*values: Any) -> Candidate:
        made.append(None)
        return Candidate(*values)

    def work(agents: int) -> int:
        report = segue.check(story(NA_IN, *(f"WARM entry by b-{n}" for n in range(agents)), END))
        made.clear()
        assert report.diagnosis()
        return len(made)

    monkeypatch.setattr("segue.core.edits.candidates.Candidate", note)

    assert work(200) < 2.5 * work(100)
