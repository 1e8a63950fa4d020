"""When customers were answered, every expectation worked out by hand."""

from typing import Any

import pytest
from tests.core.segments.story import Story, built
from tests.oracle.oracle import Ev
from tests.streams import body

import segue
from segue.core.engine.entries import MOST_RUNS
from segue.core.events import Delivery
from segue.core.segments import measure
from segue.core.wire import read_line


def of(story: Story, *names: str) -> list[Any]:
    values = measure(story.builder).to_dict()
    return [values[name] for name in names]


def delivery(at: str, value: Any) -> Delivery:
    return read_line({"received_at": f"2026-03-02T{at}Z", "body": value})


def responses(story: Story) -> list[Any]:
    """Return number, median and longest of the response times of each segment, in seconds."""
    found = [segment.response_times for segment in story.segments]
    return [each and tuple(each.to_dict().values()) for each in found]


def test_the_first_response_is_measured_from_the_entry_if_the_customer_wrote_before() -> None:
    story = built("user, NA entry a, agent a, agent a", [0, 10, 14, 20])
    assert of(story, "answer_time", "first_response") == [10, 4]
    assert responses(story) == [(1, 4, 4)]


def test_the_first_response_is_measured_from_the_message_if_the_customer_wrote_after() -> None:
    story = built("NA entry a, agent a, user, user, agent a", [0, 2, 5, 9, 15])
    assert of(story, "answer_time", "first_response") == [None, 10]
    assert responses(story) == [(1, 10, 10)]


def test_response_times_have_a_median_and_a_longest() -> None:
    story = built(
        "NA entry a, user, agent a, user, agent a, user, agent a", [0, 1, 3, 10, 19, 30, 33]
    )
    assert responses(story) == [(3, 3, 9)]
    story.tell("user, agent a", [40, 48])
    assert responses(story) == [(4, 5.5, 9)]


def test_who_takes_over_responds_since_the_own_entry() -> None:
    story = built("NA entry a, user, COLD exit a, COLD entry b, agent b", [0, 5, 10, 20, 26])
    assert responses(story) == [None, (1, 6, 6)]
    assert of(story, "first_response") == [21]


def test_who_redials_responds_since_the_redial() -> None:
    story = built("NA entry a, user, NA exit a, redial entry a, agent a", [0, 5, 10, 30, 37])
    assert responses(story) == [(1, 7, 7)]


def test_a_consultant_who_answers_has_the_response() -> None:
    story = built("NA entry a, WARM entry b, user, agent b, agent a", [0, 5, 10, 12, 14])
    assert responses(story) == [None, (1, 2, 2)]


def test_a_message_of_an_agent_nobody_knows_answers_as_well() -> None:
    story = built("NA entry a, user, agent x, agent a", [0, 5, 10, 12])
    assert responses(story) == [None]
    assert of(story, "first_response") == [5]


@pytest.mark.parametrize(
    ("told", "unanswered"),
    [
        ("NA entry a, user, agent a", False),
        ("NA entry a, user, agent a, user, NA exit a, END", True),
        ("user, END", True),
        ("NA entry a, agent a, NA exit a, END", None),
        ("NA entry a, NA exit a, END", None),
        ("NA entry a, user, message", None),
        ("NA entry a, message, user", True),
        ("NA entry a, message, agent a", None),
        ("NA entry a, user, agent a, NA exit a, END, user", False),
    ],
)
def test_the_last_word_tells_whether_the_customer_was_answered(
    told: str,
    unanswered: bool | None,  # noqa: FBT001
) -> None:
    assert of(built(told), "unanswered") == [unanswered]


def test_the_last_word_is_unknown_where_the_log_is_cut() -> None:
    story = built("NA entry a, user")
    assert of(story, "unanswered") == [True]
    assert of(story.close(partial_end=True), "unanswered") == [None]
    ended = built("NA entry a, user, NA exit a, END")
    assert of(ended, "unanswered") == [True]


@pytest.mark.parametrize(
    ("told", "abandoned"),
    [
        ("user, END", True),
        ("user", None),
        ("message, END", None),
        ("message, user, END", True),
        ("user, NA entry a", False),
        ("user, NA exit a, END", False),
    ],
)
def test_who_writes_and_meets_no_agent_has_given_up(
    told: str,
    abandoned: bool | None,  # noqa: FBT001
) -> None:
    assert of(built(told), "abandoned") == [abandoned]


@pytest.mark.parametrize(
    ("experience", "abandoned"), [("chat", False), ("voice", None), ("", None)]
)
def test_a_caller_gives_up_without_a_message(
    experience: str,
    abandoned: bool | None,  # noqa: FBT001
) -> None:
    story = built("END")
    story.builder.experience = experience
    assert of(story, "abandoned") == [abandoned]


def test_whether_a_conversation_was_abandoned_is_unknown_where_the_log_begins_late() -> None:
    assert of(Story(midway=True).tell("user, END"), "abandoned") == [None]
    assert of(Story(midway=True).tell("user, NA entry a, END"), "abandoned") == [False]


def test_an_exit_that_came_first_hides_the_first_entry() -> None:
    story = built("user, NA exit x, redial entry a, agent a", [0, 5, 9, 10])
    assert of(story, "answer_time", "first_response") == [None, None]


def test_times_that_are_unknown_make_no_figure() -> None:
    story = built("user, NA entry a, agent a, user, agent a", [None, 5, 9, None, 12])
    assert of(story, "answer_time", "first_response") == [None, 4]
    assert responses(story) == [None]


def test_a_message_of_an_unknown_author_may_be_the_first_of_the_customer() -> None:
    story = built("message, user, NA entry a, agent a", [0, 1, 5, 9])
    assert of(story, "answer_time", "first_response") == [None, 4]
    assert responses(story) == [(1, 4, 4)]


def test_a_message_of_an_unknown_author_may_be_the_response() -> None:
    story = built("user, NA entry a, message, agent a", [0, 5, 7, 9])
    assert of(story, "answer_time", "first_response") == [5, None]
    assert responses(story) == [None]


def test_a_message_beside_an_entry_comes_after_it() -> None:
    together = body(Ev("user message", "a")) | body(Ev("WARM entry", "b"))
    deliveries = (
        ("09:00:00", body(Ev("NA entry", "a"))),
        ("09:00:05", together),
        ("09:00:09", body(Ev("agent message", "b"))),
    )
    report = segue.check([delivery(at, value) for at, value in deliveries], partial="end")

    assert (report.metrics.to_dict()["first_response"], report.estimated) == (4, ())
    times = report.segments[1].response_times
    assert times is not None
    assert times.to_dict() == {"count": 1, "median": 4.0, "longest": 4.0}


def test_beyond_the_runs_that_are_kept_no_response_is_known() -> None:
    entry, *turn = (
        delivery("09:00:00", body(Ev(kind, "a")))
        for kind in ("NA entry", "user message", "agent message")
    )
    known = segue.check([entry, *turn * (MOST_RUNS // 2)], partial="end")
    more = segue.check([entry, *turn * (MOST_RUNS // 2), turn[0]], partial="end")

    assert known.metrics.first_response is not None
    assert known.segments[0].response_times is not None
    assert (more.metrics.first_response, more.metrics.unanswered) == (None, None)
    assert more.segments[0].response_times is None
    assert more.metrics.messages == MOST_RUNS + 1
