"""Times of segments as a log gives them: in any zone, out of order, at the ends of the calendar."""

import json
from datetime import UTC, datetime
from typing import Any

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
    # The message was ahead of all around it. END is clamped to the exit.
    assert connection.ended_at == datetime(2024, 5, 1, 12, 2, 10, tzinfo=UTC)
    assert found.metrics.to_dict()["duration"] == 30.0


def test_times_that_run_backwards_make_no_negative_duration() -> None:
    found = report(
        ("2024-05-01T12:00:50Z", "user message"),
        ("2024-05-01T12:00:20Z", "NA entry"),
        ("2024-05-01T12:00:10Z", "NA exit"),
        ("2024-05-01T12:01:00Z", "end"),
    )
    values = found.metrics.to_dict()

    names = ("answer_time", "duration", "connected_time", "wrapup_time")
    assert [values[name] for name in names] == [0.0, 40.0, 0.0, 40.0]


def test_one_time_that_is_ahead_does_not_stretch_figures() -> None:
    found = report(
        ("2024-05-01T12:00:00Z", "NA entry"),
        ("2024-05-01T12:01:00Z", "NA exit"),
        ("2024-05-01T23:00:00Z", "redial entry"),
        ("2024-05-01T12:03:00Z", "user message"),
        ("2024-05-01T12:05:00Z", "NA exit"),
        ("2024-05-01T12:05:10Z", "end"),
    )
    values = found.metrics.to_dict()

    names = ("duration", "connected_time", "drop_gap", "wrapup_time")
    assert [values[name] for name in names] == [310.0, 180.0, 120.0, 10.0]
    assert {"connected_time", "drop_gap"} < {*found.estimated}
    assert [finding.code for finding in found.findings] == ["SG602"]


def test_the_advice_names_the_clock_that_is_ahead() -> None:
    """Only the time before tells: 12:30 is ahead of 12:00 and 12:10, and then 12:05 is late."""
    found = report(
        ("2024-05-01T12:00:00Z", "NA entry"),
        ("2024-05-01T12:30:00Z", "user message"),
        ("2024-05-01T12:10:00Z", "NA exit"),
        ("2024-05-01T12:05:00Z", "end"),
    )

    assert [(each.code, each.place.event) for each in found.findings] == [
        ("SG602", 2),
        ("SG602", 3),
    ]
    ahead, late = found.findings
    assert ahead.message == (
        "a delivery received at 2024-05-01T12:10:00+00:00 comes after one received at "
        "2024-05-01T12:30:00+00:00"
    )
    assert ahead.help.startswith(
        "set the clock of the writer that said 2024-05-01T12:30:00+00:00, which is ahead"
    )
    assert late.help == "sort the log by the time of receipt, or set the clocks of its writers"


def test_a_repeat_moves_the_clock_too() -> None:
    found = report(
        ("2024-05-01T12:00:00Z", "NA entry"),
        ("2024-05-01T12:00:10Z", "NA exit"),
        ("2024-05-01T12:00:20Z", "redial entry"),
        ("2024-05-01T12:00:50Z", "redial entry"),
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


# What has no time of its own.


def estimated(*received: tuple[str, dict[str, Any]]) -> list[str]:
    """Return the metrics that are estimated, the state restored after each delivery."""
    conversation = segue.Conversation("c-1")
    for at, said in received:
        conversation.feed(said, received_at=datetime.fromisoformat(f"2024-05-01T12:{at}Z"))
        conversation = segue.Conversation.restore(conversation.snapshot())
    return list(conversation.report().estimated)


def together(*kinds: str, message: bool = False) -> dict[str, Any]:
    """Return one body with several events of agent a, and a user's message beside them."""
    events = [body(Ev(kind, "" if kind in {"end", "summary"} else "a")) for kind in kinds]
    said = {"events": [each["events"][0] for each in events]}
    return (body(Ev("user message", "a")) if message else events[0]) | said


ENTRY, EXIT, END = (body(Ev(kind, "a")) for kind in ("NA entry", "NA exit", "end"))


def test_a_message_that_came_with_the_entry_it_waited_for_has_no_time_of_its_own() -> None:
    said = together("summary", "NA entry", message=True)

    assert estimated(("00:00", said), ("01:00", EXIT), ("01:10", END)) == ["answer_time"]


def test_an_entry_that_came_with_another_event_ended_the_wait_at_its_own_time() -> None:
    waits, said = body(Ev("user message", "a")), together("summary", "NA entry")

    assert estimated(("00:00", waits), ("00:10", said), ("01:00", EXIT), ("01:10", END)) == []


def test_a_wait_from_a_message_that_was_clamped_is_estimated() -> None:
    early, waits = body(Ev("summary")), body(Ev("user message", "a"))

    assert estimated(
        ("00:20", early),
        ("00:30", early),
        ("00:00", waits),
        ("00:40", ENTRY),
        ("01:00", EXIT),
        ("01:10", END),
    ) == ["answer_time"]


def test_deliveries_of_one_time_are_measured() -> None:
    assert estimated(("00:00", ENTRY), ("00:00", EXIT), ("00:00", END)) == []


def test_three_events_of_one_delivery_share_a_time_and_the_next_delivery_does_not() -> None:
    said = together("NA exit", "redial entry", "NA exit")

    assert estimated(("00:00", ENTRY), ("00:10", said), ("00:20", END)) == [
        "connected_time", "drop_gap", "agent_time", "talk_time", "handle_time",
    ]  # fmt: skip


def test_without_times_nothing_is_estimated() -> None:
    found = segue.check([together("NA entry", "NA exit", "end")])

    assert found.estimated == ()


def test_a_hold_whose_time_was_clamped_is_estimated() -> None:
    action = {"action": "start", "agentId": "a"}
    lines = [
        {"received_at": f"2024-05-01T12:{at}Z", "body": said}
        | ({"endpoint": "transcription", "conversation_id": "c-1"} if "action" in said else {})
        for at, said in [
            ("00:00", ENTRY),
            ("00:10", action),
            ("00:05", action | {"action": "pause", "handover": False}),
            ("00:20", action | {"action": "resume"}),
            ("00:30", action | {"action": "end"}),
            ("00:40", EXIT),
            ("00:50", END),
        ]
    ]
    [found] = segue.replay(map(json.dumps, lines))

    assert found.metrics.to_dict()["hold_time"] == 10.0
    assert found.estimated == ("hold_time", "talk_time", "transcription_coverage")


def test_only_what_ends_with_a_delivery_of_two_events_has_no_time_of_its_own() -> None:
    assert estimated(("00:00", ENTRY), ("01:00", together("NA exit", "end"))) == [
        "wrapup_time", "handle_time",
    ]  # fmt: skip


def test_what_goes_from_one_delivery_of_several_events_to_another_is_measured() -> None:
    first, second = together("NA entry", "NA exit"), together("redial entry", "NA exit")

    assert estimated(("00:00", first), ("00:10", second), ("00:20", END)) == [
        "connected_time", "agent_time", "talk_time", "handle_time",
    ]  # fmt: skip
