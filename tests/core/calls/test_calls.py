"""A call and its conversation: what one says of the other, and where it is kept."""

import json
from datetime import timedelta
from typing import Any, Final

import pytest
from tests.builders import Sender, body as bodies
from tests.core.calls.vectors import COMPLETED, FAILED

import segue
from segue.core.engine import MACHINES
from segue.core.engine.snapshot import load

SENDER: Final = Sender()


def call(body: dict[str, Any] = COMPLETED, **envelope: Any) -> dict[str, Any]:
    return {
        "endpoint": "notifications",
        **envelope,
        "body": {"conversationId": "c-1", **body},
    }


def hook(*labels: str, **envelope: Any) -> dict[str, Any]:
    body = bodies(*map(SENDER.event, labels))
    return {**envelope, "body": body} if envelope else body


def at(minute: int, second: int = 0) -> dict[str, Any]:
    return {"received_at": f"2026-11-21T13:{minute:02d}:{second:02d}Z"}


BEGIN, LEAVE, END = hook("NA entry"), hook("NA exit"), hook("END")
STORY: Final = (BEGIN, call(), LEAVE, END)


def codes(*lines: dict[str, Any], **options: Any) -> list[str]:
    return [finding.code for finding in segue.check(lines, **options).findings]


def test_a_call_in_its_conversation_is_in_order() -> None:
    report = segue.check(STORY)

    assert report.clean
    assert report.events == 3
    assert report.to_dict()["call"] == report.call
    assert segue.check([BEGIN, LEAVE, END]).call is None


def test_a_conversation_that_has_only_a_call_lacks_no_end() -> None:
    assert codes(call(FAILED)) == []
    assert codes(call({"status": "answered"})) == []


@pytest.mark.parametrize(
    ("detection", "expected"),
    [
        ("amd_human_detected", ["SG708"]),
        ("disabled", ["SG708"]),
        ("AMD_MACHINE_DETECTED", []),
        ("amd_machine_stopped_speaking", []),
        ("amd_tone_detected", []),
    ],
)
def test_a_completed_call_wants_an_agent(detection: str, expected: list[str]) -> None:
    answered = call({**COMPLETED, "machinedetection": detection})

    assert codes(answered) == expected
    assert codes(answered, partial="end") == []
    assert codes(BEGIN, answered, LEAVE, END) == []
    assert codes(answered, END) == ["SG122", *expected]


def test_what_comes_after_the_end_is_not_held_against_the_lifecycle() -> None:
    assert codes(END, call()) == ["SG122"]


@pytest.mark.parametrize(
    ("left", "expected"), [((14, 21), []), ((14, 22), ["SG709"]), ((13, 0), [])]
)
def test_the_last_agent_leaves_within_a_minute(left: tuple[int, int], expected: list[str]) -> None:
    """The call was disconnected at 13:13:21 in UTC. After-call work may take longer."""
    stay = [call(**at(13, 22)), hook("NA exit", **at(*left))]
    if left < (13, 22):
        stay.reverse()
    log = [hook("NA entry", **at(12, 30)), *stay, hook("END", **at(59, 59))]
    found = segue.check(log).findings

    assert [each.code for each in found] == expected
    for finding in found:
        assert finding.place.event == 2
        assert finding.message == (
            "the conversation had an agent for 1 min 1 s after the call was disconnected"
        )


def test_an_end_without_an_exit_outlives_nothing() -> None:
    log = [hook("NA entry", **at(12, 30)), call(**at(13, 22)), hook("END", **at(59, 59))]

    assert [each.code for each in segue.check(log).findings] == ["SG107"]


def test_a_call_over_before_the_conversation_began_is_timed_by_another_clock() -> None:
    """As where a recorded notification is sent again months later."""
    later = [f"2027-03-02T09:0{minute}:00Z" for minute in range(4)]
    log = [
        hook("NA entry", received_at=later[0]),
        call(received_at=later[1]),
        hook("NA exit", received_at=later[2]),
        hook("END", received_at=later[3]),
    ]

    assert codes(*log) == []


def test_times_without_a_zone_are_of_the_zone_they_fit() -> None:
    """The same call, received at 18:43:22 in UTC: the platform's clock is in a zone of -05:30."""
    zoned = call(received_at="2026-11-21T18:43:22Z")
    report = segue.check([hook("NA entry", received_at="2026-11-21T18:42:30Z"), zoned])

    assert report.call is not None
    assert report.call["connected_at"] == "2026-11-21T18:42:24+00:00"
    assert report.call["disconnected_at"] == "2026-11-21T18:43:21+00:00"


def test_a_notification_that_is_a_day_late_says_nothing_of_the_zone() -> None:
    report = segue.check([call(received_at="2026-11-23T13:13:22Z")], partial="end")

    assert report.call is not None
    assert report.call["disconnected_at"] == "2026-11-21T13:13:21+00:00"


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_at_an_end_of_the_calendar_cannot_be_read(time: str) -> None:
    report = segue.check([call({**COMPLETED, "callconnecttime": time})], partial="end")

    assert report.call is not None
    assert report.call["connected_at"] is None
    assert [finding.code for finding in report.findings] == ["SG509"]


def test_an_end_without_a_time_outlives_nothing() -> None:
    assert codes(hook("NA entry"), call(**at(13, 22)), hook("NA exit"), hook("END")) == []


def test_agents_after_a_call_that_failed_are_reported_once() -> None:
    found = segue.check([call(FAILED), BEGIN, LEAVE, END]).findings

    assert [(each.code, each.place.event) for each in found] == [("SG709", 0)]
    assert found[0].message == ("the conversation went on with NA entry after the call had failed")


def test_the_end_of_a_call_that_failed_is_in_order() -> None:
    assert codes(BEGIN, LEAVE, call(FAILED), END) == []
    assert codes(BEGIN, call(FAILED), LEAVE, END) == ["SG709"]


def test_detection_that_was_off_detects_nothing() -> None:
    off = call({"status": "answered", "machinedetection": "disabled"})

    assert codes(off, call(COMPLETED), partial="end") == ["SG707"]
    assert codes(off, call({**COMPLETED, "machinedetection": "disabled"}), partial="end") == []


def test_what_was_known_of_an_answered_call_stays_known() -> None:
    answered = call({"status": "answered", "callconnecttime": "11/21/2026, 01:12:24 PM"})
    completed = call({"status": "completed", "callDisconnectTime": "11/21/2026, 01:13:21 PM"})
    report = segue.check([answered, completed], partial="end")

    assert report.call is not None
    assert (report.call["state"], report.call["call_time"]) == ("completed", 57.0)


def test_another_final_status_says_all_there_is() -> None:
    report = segue.check([call(COMPLETED), call(FAILED)], partial="end")

    assert report.call is not None
    assert (report.call["state"], report.call["connected_at"]) == ("failed", None)


def test_the_ring_time_begins_with_the_request() -> None:
    asked = call(asked_at="2026-11-21T13:12:10Z", **at(13, 22))
    report = segue.check([asked], partial="end")

    assert report.call is not None
    assert report.call["asked_at"] == "2026-11-21T13:12:10+00:00"
    assert report.call["ring_time"] == 14.0
    later = call(asked_at="2026-11-21T13:13:00Z", **at(13, 22))
    found = segue.check([later], partial="end").call
    assert found is not None
    assert found["ring_time"] is None


def test_the_times_of_a_call_are_metrics_of_its_conversation() -> None:
    asked = call(asked_at="2026-11-21T13:12:10Z", **at(13, 22))
    told = segue.check([BEGIN, asked, LEAVE, END])

    assert told.metrics.ring_time == timedelta(seconds=14)
    assert told.metrics.call_time == timedelta(seconds=57)
    assert told.to_dict()["metrics"]["ring_time"] == 14.0
    failed = segue.check([call(FAILED)], partial="end").metrics
    assert (failed.ring_time, failed.call_time) == (None, None)
    at_once = segue.check([call({**COMPLETED, "callDisconnectTime": ""})], partial="end")
    assert at_once.metrics.call_time == timedelta(seconds=57)
    assert segue.check([BEGIN, LEAVE, END]).metrics.call_time is None


def test_a_long_reason_is_cut() -> None:
    report = segue.check([call({**FAILED, "reason": "x" * 9_000})], partial="end")

    assert report.call is not None
    assert report.call["reason"] == "x" * 120


def test_a_call_is_saved_with_its_conversation() -> None:
    conversation = segue.Conversation()
    off = {"status": "answered", "machinedetection": "disabled"}
    for line in (call(off, asked_at="2026-11-21T13:12:10Z", **at(12)), BEGIN, call(**at(14))):
        conversation.feed(line)
        saved = conversation.snapshot()
        conversation = segue.Conversation.restore(saved)
        assert conversation.snapshot() == saved
    call_before, state = conversation.report().call, load(conversation.snapshot())

    assert call_before is not None
    assert MACHINES["calls"].session(state).to_dict() == call_before  # type: ignore[attr-defined]
    assert conversation.feed(call(**at(15))).findings[0].code == "SG601"


def test_a_conversation_without_a_call_has_none() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(BEGIN)

    assert MACHINES["calls"].position(load(conversation.snapshot())) == 0


def test_another_bot_is_reported_where_the_id_alone_is_the_key() -> None:
    assert codes(BEGIN, call(bot_id="st-2"), LEAVE, END) == ["SG302"]


# Logs.


def replayed(*lines: dict[str, Any]) -> list[tuple[bool, list[str]]]:
    reports = list(segue.replay(json.dumps(line) for line in lines))
    return [(each.late, [finding.code for finding in each.findings]) for each in reports]


def test_a_notification_after_the_end_is_judged_by_what_is_left_of_the_call() -> None:
    """Each callback after END makes a report of the whole conversation at once."""
    transfer = {"endpoint": "transfers", "conversation_id": "c-1", "body": []}
    log = (BEGIN, call(), transfer, LEAVE, END)

    assert replayed(*log) == [(False, [])]
    assert replayed(*log, call()) == [(False, []), (True, ["SG601"])]
    assert replayed(*log, transfer, call()) == [(False, []), (True, []), (True, ["SG601"])]
    assert replayed(*log, BEGIN, call()) == [(False, []), (True, ["SG110", "SG601"])]
    assert replayed(*log, transfer, call(FAILED), call(FAILED)) == [
        (False, []),
        (True, []),
        (True, ["SG702"]),
        (True, ["SG702", "SG601"]),
    ]
    assert replayed(BEGIN, LEAVE, END, call(), transfer, call(), call(FAILED)) == [
        (False, []),
        (True, []),
        (True, []),
        (True, ["SG601"]),
        (True, ["SG601", "SG702"]),
    ]


def test_a_machine_detected_after_the_end_is_held_against_what_was_switched_off_before() -> None:
    off = {"status": "answered", "machinedetection": "disabled"}
    on = {"status": "answered", "machinedetection": "amd_human_detected"}

    assert replayed(BEGIN, call(off), LEAVE, END, call(on))[1:] == [(True, ["SG707"])]


def test_late_findings_count_on_from_the_notifications_before() -> None:
    *_, late = segue.replay([*STORY, call({"status": "answered"})])

    assert [(each.code, each.place.action) for each in late.findings] == [("SG703", 1)]


def test_calls_of_several_conversations_are_told_apart() -> None:
    other = {**call(FAILED), "conversation_id": "c-2"}
    other["body"] = {**FAILED, "conversationId": "c-2"}
    first, second = segue.replay([BEGIN, other, call(), LEAVE, END])

    assert first.call is not None
    assert second.call is not None
    assert (first.conversation_id, first.call["state"]) == ("c-1", "completed")
    assert (second.conversation_id, second.call["state"]) == ("c-2", "failed")
