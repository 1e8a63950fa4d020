"""What a finding says: place, facts, evidence; and which findings share a place, in which order."""

from typing import Any

import pytest
from tests.builders import body, end, message, transfer

import segue
from segue.core.events import Delivery, Event, EventKind


def found(*deliveries: Any) -> list[tuple[int | None, str, str]]:
    report = segue.check(deliveries, partial="end")
    return [(f.place.event, f.code, f.place.pointer) for f in report.findings]


def test_the_place_is_the_position_in_the_conversation_and_the_pointer_in_the_body() -> None:
    assert found(
        message("USER", "a-1"),
        body(transfer("NA entry", "a-1"), transfer("COLD entry", "a-2")),
    ) == [(2, "SG103", "/events/1")]


def test_the_events_own_rule_comes_first_then_the_others_by_code() -> None:
    nameless = {"identity": "A-1", "type": "agent"}

    assert found(
        body(transfer("NA entry", "a-1")),
        body(transfer("WARM exit", "A-1", participant=nameless, experience="voice")),
    ) == [
        (1, "SG202", "/events/0"),
        (1, "SG206", "/events/0"),
        (1, "SG301", "/events/0/experience"),
        (1, "SG502", "/events/0/participant/name"),
    ]


def test_a_repeat_is_reported_instead_of_all_its_findings() -> None:
    nameless = {"identity": "a-1", "type": "agent"}
    entry = body(transfer("NA entry", "a-1", participant=nameless))

    assert found(entry, entry) == [
        (0, "SG502", "/events/0/participant/name"),
        (1, "SG601", "/events/0"),
    ]


def test_one_and_true_are_not_the_same_event() -> None:
    assert found(
        body(transfer("NA entry", "a-1", reason=1)),
        body(transfer("NA entry", "a-1", reason=True)),
    ) == [
        (0, "SG503", "/events/0/reason"),
        (1, "SG203", "/events/0"),
        (1, "SG503", "/events/0/reason"),
    ]
    assert found(
        body(transfer("NA entry", "a-1", reason=[1])),
        body(transfer("NA entry", "a-1", reason=[1.0])),
    ) == [
        (0, "SG503", "/events/0/reason"),
        (1, "SG601", "/events/0"),
    ]


def test_a_bot_is_reported_once_at_the_first_event_of_its_delivery() -> None:
    assert found(
        body(transfer("NA entry", "a-1")),
        body(transfer("WARM entry", "a-2"), transfer("WARM exit", "a-2"), bot="st-2"),
        body(transfer("NA exit", "a-1"), bot="st-2"),
    ) == [(1, "SG302", "/botId")]


def test_an_experience_is_reported_once() -> None:
    assert found(
        body(transfer("NA entry", "a-1")),
        body(transfer("WARM entry", "a-2", experience="voice")),
        body(transfer("WARM exit", "a-2", experience="voice")),
    ) == [(1, "SG301", "/events/0/experience")]


def test_an_empty_delivery_takes_no_position() -> None:
    assert found(body(), body(transfer("COLD entry", "a-1"))) == [
        (0, "SG508", ""),
        (0, "SG101", "/events/0"),
    ]


def test_an_event_nobody_can_place_keeps_its_position() -> None:
    assert found(body({"name": "NEW_EVENT"}, transfer("COLD entry", "a-1"))) == [
        (0, "SG504", "/events/0/name"),
        (1, "SG101", "/events/1"),
    ]


def test_an_event_without_a_place_or_a_flaw_is_counted_and_no_more() -> None:
    unknown = Event(EventKind.UNPROCESSABLE, "", "", {}, "/events/0")

    assert found(Delivery("c-1", "st-1", (unknown,)), body(transfer("NA exit", "a-1"))) == [
        (1, "SG101", "/events/0")
    ]


def test_an_agent_message_without_an_agent_is_not_an_absent_agents() -> None:
    assert found(
        body(transfer("NA entry", "a-1")),
        {key: value for key, value in message("AGENT", "a-1").items() if key != "agentId"},
    ) == [(1, "SG502", "/agentId")]


def test_after_the_end_only_the_end_is_reported_and_the_shape() -> None:
    assert found(
        body(transfer("NA entry", "a-1"), transfer("NA exit", "a-1"), end()),
        body(end(reason=None, experience="voice"), bot="st-2"),
        message("AGENT", "a-9"),
        message("AGENT", "a-9"),
    ) == [
        (3, "SG109", "/events/0"),
        (3, "SG502", "/events/0/reason"),
        (4, "SG110", ""),
    ]


def test_a_finding_names_who_was_there_and_what_set_it_up() -> None:
    report = segue.check(
        [body(transfer("NA entry", "a-1")), body(transfer("COLD entry", "a-2"))], partial="end"
    )

    (finding,) = report.findings
    assert finding.message == "agent a-2 took over by COLD entry while a-1 was still primary"
    assert finding.help == (
        "send the COLD exit of a-1 first, then the COLD entry of a-2; WARM entry when a-2 joined "
        "beside a-1"
    )
    assert finding.expected == (
        "NA exit by a-1",
        "COLD exit by a-1",
        "WARM entry by another agent",
        "message",
    )
    assert [(cause.place.event, cause.text) for cause in finding.because] == [
        (0, "NA entry of a-1"),
    ]
    assert (finding.name, finding.severity) == ("cold-entry-before-exit", "error")


def test_the_close_names_everyone_present() -> None:
    report = segue.check([body(transfer("NA entry", "a-1"), transfer("WARM entry", "a-2"))])

    missing_exit, missing_end = report.findings
    assert missing_exit.message == (
        "the last agent had sent no NA exit before the end of the log "
        "(present: a-1, a-2; last to leave: nobody)"
    )
    assert (missing_exit.place.event, missing_end.code) == (None, "SG108")
    assert missing_end.expected == (
        "COLD exit by a-1",
        "WARM entry by another agent",
        "WARM exit by a-1",
        "WARM exit by a-2",
        "message",
    )


def test_a_very_long_id_is_cut_in_the_message() -> None:
    report = segue.check([body(transfer("NA exit", "x" * 5000), transfer("NA exit", "x" * 5000))])

    assert max(len(finding.message) for finding in report.findings) < 400


def test_a_cold_exit_is_held_against_the_pauses_of_its_stay() -> None:
    def control(action: str) -> dict[str, Any]:
        said = {"action": action, "agentId": "a-1"}
        ids = {"conversation_id": "c-1", "bot_id": "st-1"}
        return {"endpoint": "transcription", **ids, "body": said}

    leaves = body(transfer("NA entry", "a-1"), transfer("COLD exit", "a-1"))
    comes = body(transfer("COLD entry", "a-2"), transfer("NA exit", "a-2"), end())
    report = segue.check([control("start"), leaves, control("end"), comes])

    (finding,) = report.findings
    assert finding.message == (
        "agent a-1 left by COLD exit with transcription active and no pause handover=true since "
        "joining"
    )


@pytest.mark.parametrize(
    ("actions", "codes"),
    [
        ([{"action": "start", "agentId": "a-1"}, {"action": "end", "agentId": "a-1"}], []),
        ([{"action": "start", "agentId": "A-1"}, {"action": "end", "agentId": "A-1"}], []),
        ([{"action": "start", "agentId": "a-9"}, {"action": "end", "agentId": "a-1"}], ["SG403"]),
        ([{"action": "start", "agentId": "a-1"}], ["SG407"]),
    ],
)
def test_transcription_is_held_against_the_lifecycle_at_the_end(
    actions: list[object], codes: list[str]
) -> None:
    controls = [
        {"endpoint": "transcription", "conversation_id": "c-1", "bot_id": "st-1", "body": action}
        for action in actions
    ]
    report = segue.check(
        [
            *controls,
            body(transfer("NA entry", "a-1"), transfer("NA exit", "a-1"), end()),
        ],
    )

    assert [finding.code for finding in report.findings] == codes
