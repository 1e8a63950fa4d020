"""What is kept: the journal as a log, the quarantine, text or none, and for how long."""

import json
from dataclasses import astuple
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from tests.server.processor.story import (
    AT,
    ENDS,
    ENTERS,
    LEAVES,
    Clock,
    RacingStore,
    body,
    due,
    message,
    processor,
    transfer,
)
from tests.strategies import json_values

import segue
from segue.core.events import HOOKS
from segue.core.findings import Policy
from segue.errors import ConfigurationError
from segue.server.processor import DeliveryOutcome, Processor, drive
from segue.server.processor.redaction import blank, json_text
from segue.server.processor.submission import spelt
from segue.server.stores import MemoryStore

CANARY = "CANARY-4711"
TALKS = message("USER", "a-1", query=CANARY)
KNOWS = body(
    transfer(
        "NA entry",
        "a-1",
        participant={
            "identity": "a-1",
            "name": "Ada",
            "type": "agent",
            "customFields": {"agentEmail": CANARY, "queueId": "q-1", "other": [CANARY]},
        },
    )
)


# The journal as a log.


def test_the_journal_is_a_log_of_what_was_applied() -> None:
    it = processor()
    it.receive("st-1", json.dumps(ENTERS, indent=1).replace("\n", "\r\n"), delivery_id="d-1")
    it.receive("st-1", b"{")
    it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})

    lines = [json.loads(line) for line in it.export()]

    assert lines == [
        {
            "received_at": AT.isoformat(),
            "delivery_id": "d-1",
            "endpoint": "hooks",
            "bot_id": "st-1",
            "body": ENTERS,
        },
        {
            "received_at": AT.isoformat(),
            "endpoint": "transcription",
            "bot_id": "st-1",
            "conversation_id": "c-1",
            "body": {"action": "start", "agentId": "a-1"},
        },
    ]
    assert not any("\n" in line or "\r" in line for line in it.export())


def test_a_byte_order_mark_is_no_part_of_the_journal() -> None:
    it = processor()
    it.receive("st-1", "\ufeff".encode() + json.dumps(ENTERS).encode())
    it.receive("st-1", "\ufeff" + json.dumps(LEAVES))

    assert [json.loads(line)["body"] for line in it.export()] == [ENTERS, LEAVES]


def test_the_journal_says_which_bot_a_delivery_was_sent_for() -> None:
    store = MemoryStore()
    it = processor(store)
    it.receive("st-1", ENTERS)
    it.receive("st-2", LEAVES)
    it.receive(None, ENDS)

    assert [json.loads(line)["bot_id"] for line in it.export()] == ["st-1", "st-2", ""]
    owners = [entry.owner for entry in store.journal(0, 9, None)]
    assert owners == ["st-1", "st-2", "st-1"]
    assert len(drive(it.queries.read_feed(allowed_bots={"st-1"})).items) == 2


def test_the_journal_of_one_conversation() -> None:
    it = processor()
    for name in ("a", "b", "a"):
        it.receive("st-1", message("USER", "a-1", conversationId=name))

    assert len(list(it.export("a"))) == 2
    assert list(it.export("c")) == []


def test_a_long_journal_is_read_in_pages() -> None:
    it = processor()
    for number in range(1001):
        it.receive("st-1", message("USER", "a-1", query=str(number)))

    queries = [json.loads(line)["body"]["query"] for line in it.export()]

    assert queries == [str(number) for number in range(1001)]


# The quarantine.


def test_a_body_is_sent_again_when_the_policy_has_changed() -> None:
    store = MemoryStore()
    processor(store, policy=Policy(reject=("SG101",))).receive("st-1", LEAVES, delivery_id="d")
    it = processor(store)
    (item,) = it.quarantined()

    receipt = it.resubmit(item)

    assert receipt.outcome is DeliveryOutcome.APPLIED
    assert it.quarantined() == []
    assert it.receive("st-1", LEAVES, delivery_id="d").duplicate


def test_what_is_refused_again_goes_back() -> None:
    it = processor()
    it.receive("st-1", b"{")
    (item,) = it.quarantined()

    assert it.resubmit(item).outcome is DeliveryOutcome.UNREADABLE
    (again,) = it.quarantined()
    assert again.number > item.number


def test_a_body_is_applied_once_however_often_it_is_sent_again() -> None:
    store = MemoryStore()
    processor(store, policy=Policy(reject=("SG205",))).receive(
        "st-1", message("AGENT", "a-9", query="x")
    )
    it = processor(store)
    (item,) = it.quarantined()

    assert it.resubmit(item).outcome is DeliveryOutcome.APPLIED
    with pytest.raises(ConfigurationError, match=f"quarantined body {item.number} is gone"):
        it.resubmit(item)
    assert len(list(it.export())) == 1


@pytest.mark.parametrize("patience", [None, timedelta(seconds=5)], ids=["applied", "held"])
def test_a_body_that_another_process_sends_again_meanwhile_is_applied_once(
    patience: timedelta | None,
) -> None:
    late = body(transfer("COLD entry", "a-2"))
    rivals: list[Processor] = []
    store = RacingStore(lambda _: rivals.pop().resubmit(item), 0)
    processor(store, policy=Policy(reject=("SG1",))).receive("st-1", late)
    it = processor(store, patience=patience)
    (item,) = it.quarantined()
    rivals.append(processor(store, patience=patience))
    store.times = 1

    with pytest.raises(ConfigurationError, match=f"quarantined body {item.number} is gone"):
        it.resubmit(item)

    view = it.conversation("c-1")
    assert view is not None
    assert len(list(it.export())) + len(view.to_dict().get("held", ())) == 1


def test_a_blank_body_is_a_whole_body() -> None:
    store = MemoryStore()
    strict = processor(store, store_text=False, policy=Policy(reject=("SG205",)))
    strict.receive("st-1", ENTERS)
    strict.receive("st-1", message("AGENT", "a-9", query="x" * 1000))
    it = processor(store)

    assert it.resubmit(it.quarantined()[0]).outcome is DeliveryOutcome.APPLIED


def test_an_action_is_sent_again() -> None:
    store = MemoryStore()
    strict = processor(store, policy=Policy(reject=("SG507",)))
    strict.control("st-1", "c-1", {"action": "start", "agentId": "null"})
    it = processor(store)

    assert it.resubmit(it.quarantined()[0]).outcome is DeliveryOutcome.APPLIED


def test_a_reused_id_is_not_used_again() -> None:
    it = processor()
    it.receive("st-1", ENTERS, delivery_id="d-1")
    it.receive("st-1", LEAVES, delivery_id="d-1")

    assert it.resubmit(it.quarantined()[0]).outcome is DeliveryOutcome.APPLIED


def test_a_body_that_was_cut_is_not_sent_again() -> None:
    it = processor()
    it.receive("st-1", b"x" * 300_000)

    with pytest.raises(ConfigurationError, match="not stored completely"):
        it.resubmit(it.quarantined()[0])


def test_a_body_is_discarded() -> None:
    it = processor()
    it.receive("st-1", b"{")
    number = it.quarantined()[0].number

    discarded = it.discard(number)

    assert discarded is not None
    assert discarded.body == b"{"
    assert it.discard(number) is None


def test_what_is_no_delivery_at_all_can_be_kept_too() -> None:
    for store_text, kept in ((True, b'{"cut'), (False, b"")):
        it = processor(store_text=store_text)
        drive(it.ingest.quarantine(HOOKS, "st-1", b'{"cut', reason="cut-off"))

        (item,) = it.quarantined()
        assert (item.reason, item.bot_id, item.body, item.size) == ("cut-off", "st-1", kept, 5)


def test_what_is_quarantined_shows_no_text() -> None:
    it = processor()
    it.receive("st-1", CANARY)

    assert CANARY not in repr(it.quarantined())


# Text or none.


def _everything(store: MemoryStore) -> str:
    keys = [summary.key for summary in store.list(None, 99, None)]
    rows = [
        *(store.load(key).conversation.snapshot for key in keys),  # type: ignore[union-attr]
        *(store.load(key).conversation.agents for key in keys),  # type: ignore[union-attr]
        *(piece.data for key in keys for piece in store.history(key, 0, 99, 99)),
        *(
            row
            for key in keys
            for entry in store.entries(key, -1, 99, 99)
            for row in astuple(entry)
        ),
        *(entry.body for entry in store.journal(0, 99, None)),
        *(entry.findings for entry in store.journal(0, 99, None)),
        *(item.body for item in store.quarantined(0, 99)),
        *(message.data for message in due(store)),
    ]
    return "".join(str(row) for row in rows)


def _filled(*, store_text: bool) -> MemoryStore:
    store = MemoryStore()
    store.claim = lambda *_, **__: []  # type: ignore[method-assign]
    names = ("finding", "message", "segment_closed", "conversation_ended")
    handlers = {f"on_{name}": print for name in names}
    it = processor(store, store_text=store_text, policy=Policy(reject=("SG503",)), **handlers)
    with it:
        it.receive("st-1", KNOWS, delivery_id="d-1")
        it.receive("st-1", TALKS, delivery_id="d-2")
        it.receive("st-1", LEAVES)
        it.receive("st-1", TALKS, delivery_id="d-1")  # reused
        it.receive("st-1", {**TALKS, "source": 7})  # rejected
        it.receive("st-1", {**TALKS, "conversationId": None})  # unfiled
        it.receive("st-1", json.dumps(TALKS)[:-1])  # unreadable
        it.receive("st-1", ENDS)
    return store


def test_text_is_kept_where_it_may_be() -> None:
    assert CANARY in _everything(_filled(store_text=True))


def test_no_text_is_kept_where_none_may_be() -> None:
    store = _filled(store_text=False)

    assert CANARY not in _everything(store)
    assert [item.reason for item in store.quarantined(0, 9)] == [
        "reused",
        "rejected",
        "unfiled",
        "unreadable",
    ]
    assert [len(item.body) > 0 for item in store.quarantined(0, 9)] == [True, True, True, False]
    assert [item.size > 0 for item in store.quarantined(0, 9)] == [True] * 4


def test_a_duplicate_is_told_by_its_text_even_where_none_is_kept() -> None:
    it = processor(store_text=False)
    it.receive("st-1", TALKS, delivery_id="d-1")

    other = {**TALKS, "query": "something else"}

    assert it.receive("st-1", TALKS, delivery_id="d-1").outcome is DeliveryOutcome.DUPLICATE
    assert it.receive("st-1", other, delivery_id="d-1").outcome is DeliveryOutcome.REUSED


def test_the_same_is_found_with_a_body_and_with_its_blank() -> None:
    odd = [
        {**TALKS, "query": 7},
        {**TALKS, "query": None},
        body(transfer("NA exit", "a-1", participant={"identity": "a-1", "customFields": [1]})),
        body(
            transfer(
                "NA exit",
                "a-1",
                participant={"identity": "a-1", "customFields": {"agentEmail": {"a": 1}}},
            )
        ),
        body(transfer("NA entry", "a-1", participant=7)),
        {**TALKS, "events": "none"},
        {**TALKS, "events": [7]},
    ]
    codes = [
        [[(found.code, found.place) for found in it.receive("st-1", sent).findings] for sent in odd]
        for it in (processor(), processor(store_text=False))
    ]

    assert codes[0] == codes[1]
    assert all(codes[0])


def test_text_is_blank_in_any_letter_case_and_in_bare_events() -> None:
    said = {**TALKS, "Query": CANARY}
    del said["query"]
    fields = {"agentEmail": CANARY}
    left = transfer("NA exit", "a-1", participant={"identity": "a-1", "CustomFields": fields})
    bare = {"conversationId": "c-1", "botId": "st-1", **left}

    for sent in (said, body(left), bare, {"EVENTS": [left]}):
        assert CANARY not in json.dumps(blank(sent))
    assert blank(left)["participant"] == {"identity": "a-1", "CustomFields": {"agentEmail": ""}}


@given(json_values())
def test_a_blank_has_the_shape_of_its_body(value: Any) -> None:
    sent = {"query": value, "events": [{"participant": {"customFields": value}}, value]}

    blanked = blank(sent)

    assert type(blanked["query"]) is type(value)
    assert blanked["query"] in ("", 0, [], {}, True, False, None)
    assert blanked["events"][1] == value or isinstance(value, dict)
    assert blank(blanked) == blanked


@given(json_values().filter(lambda value: "Infinity" not in json.dumps(value)))
def test_json_text_is_json(value: Any) -> None:
    assert json.loads(json_text(value)) == value


def test_json_has_no_infinity() -> None:
    text = json_text({"a": [1e999, -1e999, 0.5]})

    assert "Infinity" not in text
    large, small, half = json.loads(text)["a"]
    assert small < -1e308
    assert large > 1e308
    assert half == 0.5


def test_a_number_no_float_holds_stays_a_number() -> None:
    store = MemoryStore()
    raw = json.dumps(TALKS).replace("}", ', "huge": 1e999}', 1).replace(CANARY, "x")
    it = processor(store)
    assert it.receive("st-1", raw).outcome is DeliveryOutcome.APPLIED
    it = processor(store, store_text=False)
    assert it.receive("st-1", raw).outcome is DeliveryOutcome.APPLIED

    assert [report.events for report in segue.replay(list(it.export()))] == [2]


# Ids that did not come in a body.


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("d-1", "d-1"),
        ("", None),
        (None, None),
        ("żółw", "żółw"),
        ("a\0b", "a\\x00b"),
        ("a\ud800b", "a\\ud800b"),
    ],
)
def test_an_id_is_spelt_so_that_every_store_takes_it(
    name: str | None, expected: str | None
) -> None:
    assert spelt(name) == expected


def test_ids_of_any_kind_are_taken() -> None:
    it = processor()
    for delivery_id in ("\0", "\ud800", "x" * 10_000, "🦎"):
        sent = message("USER", "a-1")
        assert it.receive("b\0t", sent, delivery_id=delivery_id).outcome is DeliveryOutcome.APPLIED
        assert it.receive("b\0t", sent, delivery_id=delivery_id).duplicate
    start = {"action": "start", "agentId": "a-1"}
    assert it.control("st-1", "c\ud800", start).outcome is DeliveryOutcome.APPLIED
    assert it.conversation("c\ud800") is not None
    long = message("USER", "a-1", conversationId="c" * 200_000)
    assert it.receive("b" * 100_000, long).outcome is DeliveryOutcome.APPLIED
    assert it.conversation("c" * 200_000) is not None


# For how long.


def test_purging_removes_what_was_last_touched_before() -> None:
    clock, store = Clock(), MemoryStore()
    it = processor(store, clock=clock)
    it.receive("st-1", message("USER", "a-1", conversationId="old"), delivery_id="d-1")
    it.receive("st-1", b"{")
    clock.move(60)
    it.receive("st-1", message("USER", "a-1", conversationId="new"), delivery_id="d-2")

    assert it.purge(AT + timedelta(seconds=60)) == 1

    assert [row.conversation_id for row in it.conversations().items] == ["new"]
    assert len(list(it.export())) == 1
    assert it.quarantined() == []
    assert it.receive("st-1", message("USER", "a-1"), delivery_id="d-1").duplicate is False
    assert it.receive(
        "st-1", message("USER", "a-1", conversationId="new"), delivery_id="d-2"
    ).duplicate


def test_purging_leaves_what_is_still_to_be_called() -> None:
    store = MemoryStore()
    store.claim = lambda *_, **__: []  # type: ignore[method-assign]
    with processor(store, on_finding=print) as it:
        it.receive("st-1", LEAVES)

        assert it.purge(AT + timedelta(days=1)) == 0
        assert it.conversation("c-1") is not None


def test_purging_before_a_time_without_a_zone_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError, match="time zone"):
        processor().purge(AT.replace(tzinfo=None))
