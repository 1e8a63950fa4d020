"""What the specification shows of notifications is read, and what it forbids is said."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from tests.core.calls.vectors import COMPLETED, FAILED, KNOWN, OFFENCES, VECTORS, Vector
from tests.families import family

import segue
from segue.core.wire import read_line


def line(body: dict[str, Any], **envelope: Any) -> dict[str, Any]:
    return {
        "endpoint": "notifications",
        "bot_id": "st-1",
        **envelope,
        "body": {"conversationId": "c-1", **body},
    }


def codes(*lines: dict[str, Any]) -> list[str]:
    return [finding.code for finding in segue.check(lines, partial="end").findings]


@family("vector", [pytest.param(each, id=str(n)) for n, each in enumerate((*VECTORS, *OFFENCES))])
@family("as_text", [False, True])
def test_a_body_of_the_specification(vector: Vector, *, as_text: bool) -> None:
    sent: Any = line(vector.body)
    report = segue.check([json.dumps(sent) if as_text else sent], partial="end")

    assert tuple(finding.code for finding in report.findings) == vector.codes
    assert report.call == (vector.call if vector.call["notifications"] else None)


@pytest.mark.parametrize("status", ["COMPLETED", " Completed\t", "completed"])
def test_letter_case_and_blanks_of_a_status_do_not_matter(status: str) -> None:
    assert codes(line({**COMPLETED, "status": status})) == []


def test_what_is_found_points_at_the_field_and_names_the_notification() -> None:
    wrong = {**COMPLETED, "reasonCode": "Busy Here", "duration": -1, "machinedetection": "x"}
    found = segue.check([line({"status": "answered"}), line(wrong)], partial="end").findings

    assert [(each.code, each.place.action, each.place.pointer) for each in found] == [
        ("SG704", 1, "/reasonCode"),
        ("SG705", 1, "/duration"),
        ("SG707", 1, "/machinedetection"),
    ]
    assert str(found[0]) == (
        "call notification 1: SG704 a completed call came with reason code Busy Here "
        "[reason-contradicts-status]"
    )
    assert found[1].message == "the duration -1 of a completed call is negative"


def test_the_pointer_is_that_of_the_spelling_that_was_sent() -> None:
    (flaw,) = read_line(line({"status": "failed", "callDisconnecttime": "noon"})).events[0].flaws

    assert (flaw.code, flaw.pointer) == ("SG509", "/callDisconnecttime")


def test_times_are_read_without_a_blank_after_the_comma_and_before_the_half_of_the_day() -> None:
    times = {"callconnecttime": "5/8/2026,11:32:49AM", "callDisconnectTime": "5/8/2026,11:33:03AM"}
    body = {"status": "completed", "reasonCode": "caller-disconnected", **times}
    report = segue.check([line(body)], partial="end")
    assert ([*report.findings], report.metrics.call_time) == ([], timedelta(seconds=14))


@pytest.mark.parametrize("spell", [str, str.lower, str.upper, str.title])
@pytest.mark.parametrize("name", ["callConnectTime", "callDisconnecttime", "machineDetection"])
def test_some_keys_are_read_in_every_letter_case(name: str, spell: Callable[[str], str]) -> None:
    [old] = [each for each in COMPLETED if each.lower() == name.lower()]
    body = {spell(name) if key == old else key: value for key, value in COMPLETED.items()}
    report = segue.check([line(body)], partial="end")
    assert ([*report.findings], report.call) == ([], KNOWN)


def test_a_key_that_comes_in_two_letter_cases_is_read_as_the_specification_spells_it() -> None:
    body = {**COMPLETED, "MACHINEDETECTION": "odd", "callconnectTIME": "x"}
    assert codes(line(body)) == []


def test_a_second_difference_is_none() -> None:
    for duration in (56, 57, 58, 56.2, "58.0"):
        assert codes(line({**COMPLETED, "duration": duration})) == []


def test_a_failed_call_of_no_duration_is_in_order() -> None:
    assert codes(line({**FAILED, "duration": 0})) == []


@pytest.mark.parametrize("duration", [1e999, -1e999, 10**400, -(10**400), float("nan")])
def test_numbers_that_are_no_durations_are_reported(duration: float) -> None:
    for sent in (line({**COMPLETED, "duration": duration}),):
        report = segue.check([sent], partial="end")
        assert [each.code for each in report.findings] in (["SG705"], ["SG503"], ["SG501"])
        assert json.dumps(report.to_dict())


def test_the_bot_of_a_notification_is_that_of_the_path() -> None:
    delivery = read_line(line(COMPLETED))

    assert (delivery.bot_id, delivery.flaws) == ("st-1", ())
    assert read_line(line({**COMPLETED, "botId": "st-2"})).flaws[0].code == "SG506"


@pytest.mark.parametrize("sent", [[1, 2], "text", 5, None, {}, {"any": "thing"}, True])
def test_a_transfer_callback_is_any_json_value(sent: Any) -> None:
    envelope = {"endpoint": "transfers", "conversation_id": "c-1", "bot_id": "st-1"}
    for body in (json.dumps(sent), *(() if isinstance(sent, str) else (sent,))):
        delivery = read_line({**envelope, "body": body})

        assert [event.kind.value for event in delivery.events] == ["transfer callback"]
        assert delivery.flaws == ()
        assert segue.check([{**envelope, "body": body}]).clean


def test_a_transfer_callback_without_a_conversation_is_filed_nowhere() -> None:
    delivery = read_line({"endpoint": "transfers", "bot_id": "st-1", "body": [1]})

    assert delivery.conversation_id is None
    assert [flaw.code for flaw in delivery.flaws] == ["SG502"]


def test_what_was_not_asked_for_is_a_note_and_applied() -> None:
    report = segue.check([line(COMPLETED, asked_at="")], partial="end")

    assert [each.code for each in report.findings] == ["SG710"]
    assert report.valid
    assert report.call is not None
    assert codes(line(COMPLETED, asked_at="2026-11-21T13:12:00Z")) == []


def test_a_time_of_the_request_that_cannot_be_read_is_reported() -> None:
    assert codes(line(COMPLETED, asked_at="noon")) == ["SG509"]


def test_what_an_event_answers_is_not_looked_at() -> None:
    hook = {"bot_id": "st-1", "asked_at": "", "body": {"conversationId": "c-1", "events": []}}

    assert [flaw.code for flaw in read_line(hook).flaws] == ["SG508"]
