"""Times of segments as a log gives them: in any zone, out of order, at the ends of the calendar."""

import json
from datetime import UTC, datetime

import pytest
from tests.oracle.oracle import Ev
from tests.streams import body

import segue


def report(*received: tuple[str, str]) -> segue.Report:
    """Replay events of one agent, each built with the time at which it was received."""
    lines = [
        json.dumps({"received_at": at, "body": body(Ev(kind, "" if kind == "end" else "a"))})
        for at, kind in received
    ]
    [found] = segue.replay(lines)
    return found


def test_times_that_run_backwards_are_clamped_to_the_latest() -> None:
    found = report(
        ("2024-05-01T12:01:40Z", "NA entry"),
        ("2024-05-01T12:02:40Z", "user message"),
        ("2024-05-01T12:02:10Z", "NA exit"),
        ("2024-05-01T12:01:30Z", "end"),
    )
    (connection,) = found.segments[0].connections

    assert connection.started_at == datetime(2024, 5, 1, 12, 1, 40, tzinfo=UTC)
    assert connection.ended_at == datetime(2024, 5, 1, 12, 2, 40, tzinfo=UTC)
    assert found.metrics.to_dict()["duration"] == 60.0


def test_times_that_run_backwards_make_no_negative_duration() -> None:
    found = report(
        ("2024-05-01T12:00:50Z", "user message"),
        ("2024-05-01T12:00:20Z", "NA entry"),
        ("2024-05-01T12:00:10Z", "NA exit"),
        ("2024-05-01T12:01:00Z", "end"),
    )
    values = found.metrics.to_dict()

    names = ("wait_time", "duration", "connected_time", "wrapup_time")
    assert [values[name] for name in names] == [0.0, 10.0, 0.0, 10.0]


def test_a_repeat_moves_the_clock_too() -> None:
    found = report(
        ("2024-05-01T12:00:00Z", "NA entry"),
        ("2024-05-01T12:00:10Z", "NA exit"),
        ("2024-05-01T12:00:20Z", "redial entry"),
        ("2024-05-01T12:00:50Z", "redial entry"),
        ("2024-05-01T12:00:40Z", "NA exit"),
    )

    assert found.segments[0].connections[-1].ended_at == datetime(2024, 5, 1, 12, 0, 50, tzinfo=UTC)


def test_times_are_shown_in_utc() -> None:
    found = report(("2024-05-01T14:00:05+02:00", "NA entry"))

    assert found.segments[0].connections[0].to_dict()["started_at"] == "2024-05-01T12:00:05+00:00"


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        ("0001-01-01T00:00:00+05:00", "0001-01-01T00:00:00+00:00"),
        ("9999-12-31T23:59:59-05:00", "9999-12-31T23:59:59.999999+00:00"),
    ],
)
def test_the_ends_of_the_calendar_are_no_error(at: str, shown: str) -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(body(Ev("NA entry", "a")), received_at=datetime.fromisoformat(at))
    [segment] = conversation.report().segments

    assert segment.connections[0].to_dict()["started_at"] == shown


def test_messages_count_for_the_conversation_until_it_ends() -> None:
    found = report(
        ("2024-05-01T12:00:00Z", "user message"),
        ("2024-05-01T12:00:10Z", "NA entry"),
        ("2024-05-01T12:00:20Z", "agent message"),
        ("2024-05-01T12:00:40Z", "NA exit"),
        ("2024-05-01T12:00:50Z", "user message"),
    )

    assert found.metrics.messages == 3
