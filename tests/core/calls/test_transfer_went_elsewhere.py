"""SG711: a transfer that the platform confirmed (E9), and the agent who then took the conversation.

The answer of E9 has `agentId` or `queueId` and the `status` `transferred` (Endpoints, E9).
"""

import json
from typing import Any, Final

import pytest
from tests.builders import Sender

import segue

SENDER: Final = Sender()
QUEUE: Final = "qu-1"


def event(label: str, queue: str | None = None) -> dict[str, Any]:
    told = SENDER.body(label)
    if queue is not None:
        (sent,) = told["events"]
        sent["participant"]["customFields"] = {"queueId": queue}
    return told


def callback(body: object) -> dict[str, Any]:
    return {"endpoint": "transfers", "conversation_id": "c-1", "bot_id": "st-1", "body": body}


def to_agent(agent: object, status: object = "transferred") -> dict[str, Any]:
    answer = {"sessionId": "s-1", "agentId": agent, "status": status}
    return callback({**answer, "requestCompletedAt": 1772442060000})


def to_queue(queue: str) -> dict[str, Any]:
    return callback({"sessionId": "s-1", "queueId": queue, "status": "transferred"})


def found(*lines: dict[str, Any]) -> list[tuple[str, int | None]]:
    report = segue.check(lines, partial="end")
    assert report.explanation == "complete"
    return [(each.code, each.place.event) for each in report.findings]


ENTER, LEAVE = event("NA entry a-1"), event("COLD exit a-1")
ELSEWHERE: Final = [("SG711", 2)]


def test_the_finding_names_who_was_asked_for_and_who_came() -> None:
    lines = ENTER, LEAVE, to_agent("a-2"), event("COLD entry a-3")
    (finding,) = segue.check(lines, partial="end").findings

    assert (finding.code, finding.severity.value, finding.place.event) == ("SG711", "note", 2)
    assert finding.message == (
        "the transfer to agent a-2 was confirmed, but agent a-3 joined by COLD entry"
    )


def test_a_queue_is_compared_with_the_queue_of_the_entry() -> None:
    entry = event("COLD entry a-3", "qu-2")
    (finding,) = segue.check([ENTER, LEAVE, to_queue(QUEUE), entry], partial="end").findings

    assert finding.message == (
        "the transfer to queue qu-1 was confirmed, but agent a-3 of queue qu-2 joined by COLD entry"
    )


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([ENTER, to_agent("a-2"), LEAVE, event("COLD entry a-3")], id="asked before"),
        pytest.param(
            [ENTER, to_agent("a-9"), LEAVE, to_agent("a-2"), event("COLD entry a-9")], id="latest"
        ),
        pytest.param([ENTER, LEAVE, to_agent("a-2", " Transferred "), event("COLD entry a-3")]),
    ],
)
def test_an_agent_who_was_not_asked_for_is_reported(lines: list[dict[str, Any]]) -> None:
    assert found(*lines) == ELSEWHERE


def test_the_first_agent_of_a_conversation_can_be_the_wrong_one() -> None:
    assert found(to_agent("a-2"), event("NA entry a-1")) == [("SG711", 0)]
    assert found(to_queue(QUEUE), event("NA entry a-1", "qu-2")) == [("SG711", 0)]
    assert found(to_queue(QUEUE), event("NA entry a-1", QUEUE)) == []


def test_only_the_first_agent_who_takes_the_conversation_is_compared() -> None:
    again = [event("COLD exit a-3"), event("COLD entry a-4")]

    assert found(ENTER, LEAVE, to_agent("a-2"), event("COLD entry a-3"), *again) == ELSEWHERE
    assert found(ENTER, LEAVE, to_agent("a-3"), event("COLD entry a-3"), *again) == []


def test_consultants_and_reconnections_take_nothing() -> None:
    consult = [event("WARM entry a-3"), event("WARM exit a-3")]
    assert found(ENTER, to_agent("a-2"), *consult, LEAVE, event("COLD entry a-2")) == []
    assert found(ENTER, to_agent("a-2"), *consult, LEAVE, event("COLD entry a-4")) == [("SG711", 4)]
    drop = [event("NA exit a-1"), event("redial entry a-1")]
    assert found(ENTER, to_agent("a-2"), *drop, LEAVE, event("COLD entry a-4")) == [("SG711", 4)]


def test_an_agent_who_consults_was_reached() -> None:
    consult = [event("WARM entry a-2"), event("WARM exit a-2")]

    assert found(ENTER, to_agent("a-2"), *consult, LEAVE, event("COLD entry a-3")) == []


def test_the_confirmation_can_come_after_the_entry() -> None:
    taken = [ENTER, LEAVE, event("COLD entry a-2", QUEUE)]
    passed_on = [event("COLD exit a-2", QUEUE), event("COLD entry a-3", "qu-2")]

    for confirmed in (to_agent("a-2"), to_queue(QUEUE)):
        assert found(*taken, confirmed, *passed_on) == []
        assert found(*taken, passed_on[0], confirmed, passed_on[1]) == []


@pytest.mark.parametrize(
    "told",
    [
        pytest.param([to_agent("a-2"), callback({"status": "failure"})], id="failed afterwards"),
        pytest.param([to_agent("a-2"), callback(["anything"])], id="any other callback"),
        pytest.param([to_agent("a-2", "failed")], id="another status"),
        pytest.param([to_agent("a-2", 200)], id="a number as status"),
        pytest.param([to_agent(7)], id="a number as agent"),
        pytest.param([to_agent({"id": "a-2"})], id="an object as agent"),
        pytest.param([to_agent("u-2")], id="an id of another kind"),
        pytest.param([to_agent("A-3")], id="another letter case"),
        pytest.param([to_queue(QUEUE)], id="an entry without a queue"),
        pytest.param([callback({"status": "transferred"})], id="no target"),
        pytest.param([callback('"transferred"')], id="text"),
    ],
)
def test_nothing_is_reported_if_it_is_not_certain(told: list[dict[str, Any]]) -> None:
    assert found(ENTER, LEAVE, *told, event("COLD entry a-3")) == []


def test_a_saved_conversation_still_knows_its_target() -> None:
    conversation = segue.Conversation("c-1")
    for each in (ENTER, LEAVE):
        conversation.feed(each)
    conversation.feed(callback_delivery())
    restored = segue.Conversation.restore(conversation.snapshot())

    assert [each.code for each in restored.feed(event("COLD entry a-3")).findings] == ["SG711"]


def callback_delivery() -> Any:
    return segue.core.wire.read_line(to_agent("a-2"))


@pytest.mark.parametrize("store_text", [True, False])
def test_a_processor_compares_the_answer_that_the_host_files(*, store_text: bool) -> None:
    answer = to_agent("a-2")["body"]
    with segue.Processor(store=segue.MemoryStore(), store_text=store_text) as processor:
        processor.expect_transfer("st-1", "c-1")
        for each in (ENTER, LEAVE):
            processor.receive("st-1", each)
        receipt = processor.receive_transfer("st-1", answer, conversation_id="c-1")
        assert receipt.findings == ()
        receipt = processor.receive("st-1", event("COLD entry a-3"))

    assert [each.code for each in receipt.findings] == ["SG711"]


def test_a_log_of_lines_is_compared_alike() -> None:
    lines = ENTER, LEAVE, to_agent("a-2"), event("COLD entry a-3")
    (report,) = segue.replay([json.dumps(each) for each in lines], partial="end")

    assert [(each.code, each.place.line) for each in report.findings] == [("SG711", 4)]
