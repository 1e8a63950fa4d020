"""Transcription actions: enforced or observed, refused or repeated."""

from typing import Any

import pytest
from tests.server.processor.story import ENTERS, processor

from segue.core.findings import Policy
from segue.core.transcription import AllowedAction
from segue.server.processor import ControlReceipt, DeliveryOutcome
from segue.server.stores import MemoryStore

START = {"action": "start", "agentId": "a-1"}
RESUME = {"action": "resume", "agentId": "a-1"}
HOLD = {"action": "pause", "agentId": "a-1", "handover": False}
HELD = AllowedAction("pause", handover=False, agents="any")
HANDED_OVER = AllowedAction("pause", handover=True, agents="any")
ENDED = AllowedAction("end", None, "any")
IN_ACTIVE = (HELD, HANDED_OVER, ENDED)


def test_an_action_is_applied() -> None:
    receipt = processor().control("st-1", "c-1", START)

    assert receipt == ControlReceipt(
        outcome=DeliveryOutcome.APPLIED,
        conversation_id="c-1",
        state="active",
        changed=True,
        generation=1,
        allowed=IN_ACTIVE,
    )


def test_an_action_that_the_state_does_not_allow_is_refused_and_leaves_no_trace() -> None:
    store = MemoryStore()
    it = processor(store)
    it.control("st-1", "c-1", START)

    receipt = it.control("st-1", "c-1", RESUME, delivery_id="d-1")

    assert (receipt.outcome, receipt.state, receipt.changed) == (
        DeliveryOutcome.REFUSED,
        "active",
        False,
    )
    assert receipt.allowed == IN_ACTIVE
    assert [finding.code for finding in receipt.findings] == ["SG401"]
    assert len(store.journal(0, 10, None)) == 1
    assert store.quarantined(0, 10) == []
    known = it.conversation("c-1")
    assert known is not None
    assert known.report.findings == ()


def test_a_refused_first_action_leaves_no_conversation() -> None:
    it = processor()

    receipt = it.control("st-1", "c-1", RESUME)

    assert (receipt.outcome, receipt.state, receipt.allowed) == (
        DeliveryOutcome.REFUSED,
        "idle",
        (AllowedAction("start", None, "any"),),
    )
    assert it.conversation("c-1") is None


def test_a_refused_action_may_come_again_under_its_id_when_it_is_allowed() -> None:
    it = processor()
    it.control("st-1", "c-1", START)
    it.control("st-1", "c-1", RESUME, delivery_id="d-1")
    it.control("st-1", "c-1", HOLD)

    assert it.control("st-1", "c-1", RESUME, delivery_id="d-1").outcome is DeliveryOutcome.APPLIED


def test_observed_actions_are_believed() -> None:
    it = processor(policy=Policy(transcription="observe"))

    receipt = it.control("st-1", "c-1", RESUME)

    assert (receipt.outcome, receipt.state, receipt.changed) == (
        DeliveryOutcome.APPLIED,
        "active",
        True,
    )
    assert [finding.code for finding in receipt.findings] == ["SG401"]


def test_a_repeated_action_changes_nothing() -> None:
    it = processor()
    it.control("st-1", "c-1", START)

    receipt = it.control("st-1", "c-1", START)

    assert (receipt.outcome, receipt.changed, receipt.generation) == (
        DeliveryOutcome.APPLIED,
        False,
        1,
    )
    assert [finding.code for finding in receipt.findings] == ["SG402"]


def test_a_duplicate_says_where_the_transcription_stands_now() -> None:
    it = processor()
    it.control("st-1", "c-1", START, delivery_id="d-1")
    it.control("st-1", "c-1", HOLD)

    receipt = it.control("st-1", "c-1", START, delivery_id="d-1")

    assert receipt == ControlReceipt(
        outcome=DeliveryOutcome.DUPLICATE,
        conversation_id="c-1",
        state="hold",
        generation=1,
        allowed=(HANDED_OVER, AllowedAction("resume", None, "any"), ENDED),
        duplicate=True,
    )


@pytest.mark.parametrize(
    "sent",
    [
        b"{",
        {},
        {"action": "start"},
        {"action": "begin", "agentId": "a-1"},
        {"action": "start", "agentId": 7.5},
        {"action": "pause", "agentId": "a-1"},
        {"action": "pause", "agentId": "a-1", "handover": "maybe"},
    ],
)
def test_a_missing_or_wrong_field_makes_an_action_unreadable(sent: Any) -> None:
    store = MemoryStore()

    receipt = processor(store).control("st-1", "c-1", sent)

    assert receipt.outcome is DeliveryOutcome.UNREADABLE
    assert receipt.findings
    assert (receipt.state, receipt.allowed) == (None, ())
    assert [item.endpoint for item in store.quarantined(0, 10)] == ["transcription"]


def test_an_action_without_a_conversation_is_unreadable() -> None:
    assert processor().control("st-1", "", START).outcome is DeliveryOutcome.UNREADABLE


def test_an_odd_agent_is_no_reason_to_refuse() -> None:
    receipt = processor().control("st-1", "c-1", {"action": "start", "agentId": "undefined"})

    assert receipt.outcome is DeliveryOutcome.APPLIED
    assert [finding.code for finding in receipt.findings] == ["SG507"]


def test_a_rejected_finding_refuses_an_action() -> None:
    it = processor(policy=Policy(reject=("SG402",)))
    it.control("st-1", "c-1", START)

    receipt = it.control("st-1", "c-1", START)

    assert (receipt.outcome, receipt.state, receipt.changed) == (
        DeliveryOutcome.REJECTED,
        "active",
        False,
    )


def test_the_transcription_of_another_bot_is_another_one() -> None:
    it = processor()
    it.control("st-1", "c-1", START)

    started = it.control("st-2", "c-1", START)

    assert (started.outcome, started.changed) == (DeliveryOutcome.APPLIED, True)
    assert (started.generation, started.findings) == (1, ())


def test_a_conversation_may_begin_with_an_action_and_belongs_to_its_bot() -> None:
    it = processor()
    it.control("st-1", "c-1", START)

    assert it.receive("st-1", ENTERS).findings == ()
    assert [row.bot_id for row in it.conversations().items] == ["st-1"]
