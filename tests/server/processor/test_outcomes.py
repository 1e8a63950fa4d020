"""What becomes of a delivery: each outcome, and what it leaves behind."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.server.processor.story import (
    AT,
    ENDS,
    ENTERS,
    LEAVES,
    AwayStore,
    Clock,
    body,
    message,
    processor,
    send_as,
    transfer,
)

import segue
from segue.core.findings import Policy
from segue.errors import ConfigurationError, StoreUnavailable
from segue.server.processor import DeliveryOutcome, Processor, Receipt, drive
from segue.server.stores import MemoryStore


def _codes(receipt: Any) -> list[str]:
    return [finding.code for finding in receipt.findings]


def _left(store: MemoryStore) -> tuple[int, list[str]]:
    """How many deliveries the journal has, and why bodies are in the quarantine."""
    reasons = [item.reason for item in store.quarantined(0, 100)]
    return len(store.journal(0, 100, None)), reasons


# Applied.


def test_a_delivery_is_applied_and_answered_with_where_the_conversation_stands() -> None:
    receipt = processor().receive("st-1", ENTERS)

    assert receipt == Receipt(
        outcome=DeliveryOutcome.APPLIED,
        conversation_id="c-1",
        phase="active",
        expected=(
            "NA exit by a-1",
            "COLD exit by a-1",
            "WARM entry by another agent",
            "message",
        ),
    )


@pytest.mark.parametrize(
    "sent", [ENTERS, json.dumps(ENTERS), json.dumps(ENTERS).encode()], ids=["dict", "str", "bytes"]
)
def test_a_body_may_be_a_mapping_text_or_bytes(sent: Any) -> None:
    store = MemoryStore()

    assert processor(store).receive("st-1", sent).outcome is DeliveryOutcome.APPLIED
    (entry,) = store.journal(0, 100, None)
    assert json.loads(entry.body) == ENTERS


def test_an_offence_is_applied_and_its_finding_answered() -> None:
    receipt = processor().receive("st-1", LEAVES)

    assert receipt.outcome is DeliveryOutcome.APPLIED
    assert _codes(receipt) == ["SG101"]
    assert receipt.phase == "released"


def test_the_policy_ranks_what_is_answered() -> None:
    receipt = processor(policy=Policy(ignore=("SG101",))).receive("st-1", LEAVES)

    assert receipt.findings == ()


def test_the_end_has_effect_once() -> None:
    it = processor()
    for delivery in (ENTERS, LEAVES, ENDS):
        it.receive("st-1", delivery)

    receipt = it.receive("st-1", ENDS)

    assert (receipt.outcome, receipt.phase) == (DeliveryOutcome.APPLIED, "ended")
    assert _codes(receipt) == ["SG109"]


def test_a_bot_of_the_body_that_is_not_the_one_of_the_path_is_a_finding() -> None:
    it = processor()

    receipt = it.receive("st-9", ENTERS)

    assert _codes(receipt) == ["SG506"]
    known = it.conversation("c-1")
    assert known is not None
    assert known.bot_id == "st-9"


# Not read, not filed.


@pytest.mark.parametrize(
    ("sent", "outcome", "code"),
    [
        (b"", DeliveryOutcome.UNREADABLE, "SG501"),
        (b"{", DeliveryOutcome.UNREADABLE, "SG501"),
        (b"[1]", DeliveryOutcome.UNREADABLE, "SG501"),
        (b"\xff", DeliveryOutcome.UNREADABLE, "SG501"),
        ('{"a":1,"a":2}', DeliveryOutcome.UNREADABLE, "SG501"),
        ({"a": object()}, DeliveryOutcome.UNREADABLE, "SG501"),
        (
            {"botId": "st-1", "events": [transfer("NA entry", "a-1")]},
            DeliveryOutcome.UNFILED,
            "SG502",
        ),
        (body(), DeliveryOutcome.UNFILED, "SG508"),
        ({"conversationId": "c-1", "botId": "st-1"}, DeliveryOutcome.UNFILED, "SG508"),
    ],
)
def test_what_cannot_be_read_or_filed_goes_to_the_quarantine(
    sent: Any, outcome: DeliveryOutcome, code: str
) -> None:
    store = MemoryStore()

    receipt = processor(store).receive("st-1", sent, delivery_id="d-1")

    assert receipt.outcome is outcome
    assert _codes(receipt) == [code]
    assert receipt.phase is None
    assert _left(store) == (0, [outcome.value])
    (item,) = store.quarantined(0, 100)
    assert (item.bot_id, item.delivery_id, item.codes) == ("st-1", "d-1", (code,))
    assert item.received_at == AT


BARE = transfer("NA entry", "a-1")


@pytest.mark.parametrize(
    ("sent", "codes"),
    [
        (body({**BARE, "name": "internal_transfer_event "}), ["SG504"]),
        ({"ConversationId": "c-1", "botId": "st-1", "EVENTS": [BARE]}, ["SG502", "SG502"]),
        (body({**BARE, "participant": {**BARE["participant"], "identity": 7}}), ["SG503"]),
        ({"conversationId": "c-1", "botId": "st-1", **BARE}, ["SG508"]),
    ],
    ids=["name", "keys", "identity", "bare"],
)
@pytest.mark.parametrize("store_text", [True, False])
def test_what_is_believed_is_applied_with_its_findings(
    sent: Any, codes: list[str], *, store_text: bool
) -> None:
    store = MemoryStore()
    it = processor(store, store_text=store_text)

    receipt = it.receive("st-1", sent, delivery_id="d-1")

    assert (receipt.outcome, receipt.phase) == (DeliveryOutcome.APPLIED, "active")
    assert _codes(receipt) == codes
    assert _left(store) == (1, [])
    assert it.receive("st-1", sent, delivery_id="d-1").duplicate
    (report,) = segue.replay(it.export(), partial="end")
    assert _codes(report) == codes


def test_a_bare_event_without_a_conversation_goes_to_the_quarantine() -> None:
    store = MemoryStore()

    receipt = processor(store).receive("st-1", {"botId": "st-1", **BARE})

    assert (receipt.outcome, _codes(receipt)) == (DeliveryOutcome.UNFILED, ["SG502", "SG508"])
    (item,) = store.quarantined(0, 100)
    assert json.loads(item.body) == {"botId": "st-1", **BARE}


@pytest.mark.parametrize(
    ("action", "code"),
    [({"action": "start", "agentId": 7}, "SG503"), ({"Action": "start", "agentId": "7"}, "SG502")],
    ids=["number", "key"],
)
def test_an_action_that_is_believed_is_applied(action: dict[str, Any], code: str) -> None:
    it = processor()

    receipt = it.control("st-1", "c-1", action)

    assert (receipt.outcome, receipt.state) == (DeliveryOutcome.APPLIED, "active")
    assert _codes(receipt) == [code]


@pytest.mark.parametrize(
    "action",
    [{"action": "START", "agentId": "7"}, {"action": "pause", "agentId": "7"}, {"action": "start"}],
    ids=["word", "handover", "agent"],
)
def test_an_action_that_cannot_be_read_is_refused_and_kept(action: dict[str, Any]) -> None:
    store = MemoryStore()

    receipt = processor(store).control("st-1", "c-1", action)

    assert receipt.outcome is DeliveryOutcome.UNREADABLE
    assert _left(store) == (0, ["unreadable"])


def test_the_quarantine_keeps_the_bytes_as_they_were_sent_up_to_a_size() -> None:
    store = MemoryStore()
    it = processor(store)

    it.receive("st-1", b'{"cut off')
    it.receive("st-1", b"x" * 300_000)

    small, large = store.quarantined(0, 100)
    assert (small.body, small.size) == (b'{"cut off', 9)
    assert (len(large.body), large.size) == (256 * 1024, 300_000)


# Delivery ids.


def test_the_same_delivery_again_is_a_duplicate_and_not_applied() -> None:
    store = MemoryStore()
    it = processor(store)
    first = it.receive("st-1", ENTERS, delivery_id="d-1")

    again = it.receive("st-1", ENTERS, delivery_id="d-1")

    assert (again.outcome, again.duplicate, again.findings) == (DeliveryOutcome.DUPLICATE, True, ())
    assert (again.phase, again.expected) == (first.phase, first.expected)
    assert _left(store) == (1, [])


def test_the_same_json_value_in_other_words_is_a_duplicate() -> None:
    it = processor()
    it.receive("st-1", json.dumps(ENTERS), delivery_id="d-1")

    again = it.receive("st-1", json.dumps(ENTERS, indent=2, sort_keys=True), delivery_id="d-1")

    assert again.outcome is DeliveryOutcome.DUPLICATE


def test_an_id_with_another_body_is_refused_and_kept() -> None:
    store = MemoryStore()
    it = processor(store)
    it.receive("st-1", ENTERS, delivery_id="d-1")

    receipt = it.receive("st-1", LEAVES, delivery_id="d-1")

    assert receipt.outcome is DeliveryOutcome.REUSED
    assert _codes(receipt) == ["SG603"]
    assert receipt.phase == "active"
    assert _left(store) == (1, ["reused"])


def test_an_id_is_known_whichever_conversation_it_came_with() -> None:
    it = processor()
    it.receive("st-1", ENTERS, delivery_id="d-1")

    other = body(transfer("NA entry", "a-1"), conversation="c-2")

    assert it.receive("st-1", other, delivery_id="d-1").outcome is DeliveryOutcome.REUSED


def test_ids_of_other_bots_and_of_the_other_endpoint_are_other_ids() -> None:
    it = processor()
    it.receive("st-1", ENTERS, delivery_id="d-1")
    other = body(transfer("NA entry", "a-1"), conversation="c-2", bot="st-2")
    start = {"action": "start", "agentId": "a-1"}

    assert it.receive("st-2", other, delivery_id="d-1").outcome is DeliveryOutcome.APPLIED
    assert it.control("st-1", "c-1", start, delivery_id="d-1").outcome is DeliveryOutcome.APPLIED
    assert it.control("st-1", "c-1", start, delivery_id="d-1").duplicate
    assert it.control("st-1", "c-2", start, delivery_id="d-1").outcome is DeliveryOutcome.REUSED


def test_an_id_still_counts_after_the_end() -> None:
    it = processor()
    for index, delivery in enumerate((ENTERS, LEAVES, ENDS)):
        it.receive("st-1", delivery, delivery_id=str(index))

    assert it.receive("st-1", ENTERS, delivery_id="0").outcome is DeliveryOutcome.DUPLICATE


def test_without_an_id_only_the_lifecycle_tells_a_repeat() -> None:
    it = processor()
    it.receive("st-1", ENTERS)

    receipt = it.receive("st-1", ENTERS)

    assert receipt.outcome is DeliveryOutcome.APPLIED
    assert _codes(receipt) == ["SG601"]


def test_messages_without_an_id_are_never_dropped() -> None:
    it = processor()
    it.receive("st-1", ENTERS)
    for _ in range(2):
        assert it.receive("st-1", message("USER", "a-1")).findings == ()

    known = it.conversation("c-1")
    assert known is not None
    assert known.report.events == 3


def test_an_empty_id_is_none() -> None:
    it = processor()
    it.receive("st-1", ENTERS, delivery_id="")

    assert it.receive("st-1", ENTERS, delivery_id="").outcome is DeliveryOutcome.APPLIED


def test_an_id_that_was_not_applied_is_not_known() -> None:
    it = processor()
    it.receive("st-1", b"{", delivery_id="d-1")

    assert it.receive("st-1", ENTERS, delivery_id="d-1").outcome is DeliveryOutcome.APPLIED


# Rejected.


def test_a_rejected_finding_refuses_the_whole_delivery() -> None:
    store = MemoryStore()
    it = processor(store, policy=Policy(reject=("SG201",)))
    it.receive("st-1", ENTERS)
    mixed = body(transfer("COLD exit", "a-1"), transfer("COLD entry", "a-2"))
    mixed["events"].append(transfer("NA exit", "a-9"))

    receipt = it.receive("st-1", mixed, delivery_id="d-1")

    assert receipt.outcome is DeliveryOutcome.REJECTED
    assert "SG201" in _codes(receipt)
    assert (receipt.phase, receipt.expected[0]) == ("active", "NA exit by a-1")
    assert _left(store) == (1, ["rejected"])
    known = it.conversation("c-1")
    assert known is not None
    assert (known.report.events, known.report.findings) == (1, ())


def test_a_rejected_first_delivery_leaves_no_conversation() -> None:
    it = processor(policy=Policy(reject=("SG101",)))

    assert it.receive("st-1", LEAVES).outcome is DeliveryOutcome.REJECTED
    assert it.conversation("c-1") is None


def test_a_rule_may_be_rejected_and_ignored() -> None:
    it = processor(policy=Policy(reject=("SG101",), ignore=("SG101",)))

    receipt = it.receive("st-1", LEAVES)

    assert (receipt.outcome, receipt.findings) == (DeliveryOutcome.REJECTED, ())


def test_a_cross_check_rejects_nothing() -> None:
    it = processor(policy=Policy(reject=("SG4",)))
    it.receive("st-1", ENTERS)
    it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})
    it.receive("st-1", LEAVES)

    it.receive("st-1", ENDS)

    receipt = it.control("st-1", "c-1", {"action": "end", "agentId": "a-9"})

    assert (receipt.outcome, _codes(receipt)) == (DeliveryOutcome.APPLIED, ["SG403"])
    assert (receipt.state, receipt.changed) == ("ended", True)


def test_a_transcription_that_is_open_at_the_end_is_no_finding_live() -> None:
    it = processor()
    it.receive("st-1", ENTERS)
    it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})
    it.receive("st-1", LEAVES)

    assert _codes(it.receive("st-1", ENDS)) == []
    assert _codes(it.control("st-1", "c-1", {"action": "end", "agentId": "a-1"})) == []
    assert _codes(it.control("st-1", "c-1", {"action": "end", "agentId": "a-1"})) == ["SG402"]


def test_an_action_after_the_end_that_would_be_believed_may_be_rejected() -> None:
    store = MemoryStore()
    it = processor(store, policy=Policy(transcription="observe", reject=("SG408",)))
    for sent in (ENTERS, LEAVES, ENDS):
        it.receive("st-1", sent)

    receipt = it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})

    assert (receipt.outcome, _codes(receipt)) == (DeliveryOutcome.REJECTED, ["SG408"])
    assert (receipt.state, receipt.changed) == ("idle", False)
    assert _left(store) == (3, ["rejected"])


# Tenancy.


def test_the_path_must_be_one_of_the_senders_bots() -> None:
    store = MemoryStore()

    receipt = send_as(processor(store), {"st-2"}, "st-1", ENTERS)

    assert receipt == Receipt(DeliveryOutcome.FORBIDDEN, "c-1")
    assert _left(store) == (0, [])


def test_the_path_decides_and_not_the_body() -> None:
    it = processor()

    assert send_as(it, {"st-1"}, "st-9", ENTERS).outcome is DeliveryOutcome.FORBIDDEN
    assert send_as(it, {"st-9"}, "st-9", ENTERS).outcome is DeliveryOutcome.APPLIED


def test_without_a_path_the_body_says_whose_it_is() -> None:
    it = processor()

    assert send_as(it, {"st-2"}, None, ENTERS).outcome is DeliveryOutcome.FORBIDDEN
    assert send_as(it, {"st-1"}, None, ENTERS).outcome is DeliveryOutcome.APPLIED


def test_another_bot_has_its_own_conversation_under_the_same_id() -> None:
    it = processor()
    send_as(it, ["st-1", "st-2"], "st-1", ENTERS)

    receipt = it.receive("st-2", body(transfer("NA exit", "a-1"), bot="st-2"))

    assert (receipt.outcome, _codes(receipt)) == (DeliveryOutcome.APPLIED, ["SG101"])
    known = drive(it.queries.conversation("c-1", allowed_bots={"st-1"}))
    assert known is not None
    assert (known.bot_id, known.report.clean, known.report.events) == ("st-1", True, 1)


def test_unreadable_bodies_of_a_stranger_are_not_kept() -> None:
    store = MemoryStore()

    receipt = send_as(processor(store), {"st-2"}, "st-1", b"{")

    assert receipt.outcome is DeliveryOutcome.FORBIDDEN
    assert _left(store) == (0, [])


# Time.


def test_without_a_time_the_clock_is_read() -> None:
    store = MemoryStore()

    processor(store).receive("st-1", ENTERS)

    (entry,) = store.journal(0, 100, None)
    assert entry.received_at == AT


def test_our_own_clock_never_runs_backwards_in_a_conversation() -> None:
    clock = Clock()
    it = processor(clock=clock)
    it.receive("st-1", ENTERS)
    clock.move(-60)

    assert it.receive("st-1", LEAVES).findings == ()


def test_a_time_that_is_given_is_taken_as_it_is() -> None:
    it = processor()
    it.receive("st-1", ENTERS, received_at=AT)

    receipt = it.receive("st-1", LEAVES, received_at=AT - timedelta(seconds=1))

    assert _codes(receipt) == ["SG602"]


def test_an_earlier_time_does_not_make_a_conversation_older() -> None:
    it = processor()
    it.receive("st-1", ENTERS, received_at=AT)
    it.receive("st-1", LEAVES, received_at=AT - timedelta(days=1))

    (row,) = it.conversations().items

    assert (row.started_at, row.updated_at) == (AT, AT)


def test_the_clock_is_the_systems_unless_another_is_given() -> None:
    store = MemoryStore()
    before = datetime.now(tz=UTC)
    Processor(store=store).receive("st-1", ENTERS)

    (entry,) = store.journal(0, 100, None)
    assert before <= entry.received_at <= datetime.now(tz=UTC)


def test_a_time_without_a_zone_is_the_hosts_mistake() -> None:
    with pytest.raises(ConfigurationError, match="time zone"):
        processor().receive("st-1", ENTERS, received_at=AT.replace(tzinfo=None))


# The store is away.


def test_a_store_that_is_away_is_said_to_be_and_heals() -> None:
    store = AwayStore()
    it = processor(store)
    it.receive("st-1", ENTERS)
    store.away = True

    with pytest.raises(StoreUnavailable):
        it.receive("st-1", LEAVES)
    store.away = False

    assert it.receive("st-1", LEAVES).phase == "released"


def test_an_unreadable_body_that_cannot_be_kept_is_not_answered_for() -> None:
    class Full(MemoryStore):
        def quarantine(self, item: Any) -> int:
            raise StoreUnavailable(f"the disk is full: {item.size} bytes")

    with pytest.raises(StoreUnavailable):
        processor(Full()).receive("st-1", b"{")
