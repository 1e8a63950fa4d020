"""`segue.Conversation` and `segue.check`: what callers may hand in, and what they get back."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zlib import crc32

import pytest
from tests.builders import Nowhere, body, end, message, summary, transfer

import segue
from segue.core.events import Delivery

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def codes(findings: tuple[segue.Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


def test_each_step_tells_its_findings_and_the_phase() -> None:
    conversation = segue.Conversation("c-1")

    first = conversation.feed(body(transfer("NA entry", "a-1")))
    second = conversation.feed(body(transfer("COLD entry", "a-2")))

    assert (codes(first.findings), first.phase) == ([], "active")
    assert (codes(second.findings), second.phase) == (["SG103"], "active")


def test_what_is_legal_next_is_told_at_any_time() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(body(transfer("NA entry", "a-1")))

    assert conversation.expected() == (
        "NA exit by a-1",
        "COLD exit by a-1",
        "WARM entry by another agent",
        "message",
    )


def test_events_bodies_envelopes_and_json_text_are_all_taken() -> None:
    as_event = transfer("NA entry", "a-1")
    as_body = body(transfer("WARM entry", "a-2"))
    as_envelope = {
        "received_at": "2026-03-02T12:00:00Z",
        "body": body(transfer("WARM exit", "a-2")),
    }
    as_text = json.dumps(body(transfer("NA exit", "a-1")))
    as_bytes = json.dumps(body(end())).encode()

    report = segue.check([as_event, as_body, as_envelope, as_text, as_bytes])

    assert (report.conversation_id, report.bot_id) == ("c-1", "st-1")
    assert (report.phase, report.events, report.clean) == ("ended", 5, True)


def as_mapping(event: dict[str, Any]) -> Any:
    return event


def as_text(event: dict[str, Any]) -> Any:
    return json.dumps(event)


def as_bytes(event: dict[str, Any]) -> Any:
    return json.dumps(event).encode()


@pytest.mark.parametrize("form", [as_mapping, as_text, as_bytes])
def test_bare_events_are_taken_in_every_form(form: Any) -> None:
    ids = {"conversationId": "c-1", "botId": "st-1"}
    events = [transfer("NA entry", "a-1"), transfer("NA exit", "a-1"), end()]

    for given in (events, [ids | event for event in events]):
        report = segue.check([form(event) for event in given])

        assert (report.phase, report.events, codes(report.findings)) == ("ended", 3, [])
    odd = segue.check([form({"name": "MESSAGE"}), form({"name": 5})], partial="both")
    assert codes(odd.findings) == ["SG504", "SG503"]


@pytest.mark.parametrize("form", [as_mapping, as_text, as_bytes])
def test_bare_events_in_a_log_are_reported_and_applied(form: Any) -> None:
    ids = {"conversationId": "c-1", "botId": "st-1"}
    events = [transfer("NA entry", "a-1"), transfer("NA exit", "a-1"), end()]

    (report,) = segue.replay([form(ids | event) for event in events])
    assert (report.phase, report.events) == ("ended", 3)
    assert codes(report.findings) == ["SG508"] * 3
    assert [finding.place.event for finding in report.findings] == [0, 1, 2]

    (unfiled,) = segue.replay([form(events[0])])
    assert (unfiled.conversation_id, unfiled.events) == (None, 0)
    assert codes(unfiled.findings) == ["SG502", "SG502", "SG508"]


def test_a_bare_event_in_an_envelope_is_taken() -> None:
    line = {"conversation_id": "c-1", "bot_id": "st-1", "body": transfer("NA entry", "a-1")}

    report = segue.check([line], partial="end")

    assert (report.conversation_id, report.phase, report.findings) == ("c-1", "active", ())


@pytest.mark.parametrize("form", [as_mapping, as_text, as_bytes])
def test_the_envelope_of_a_bare_event_counts(form: Any) -> None:
    events = [transfer("NA entry", "a-1"), transfer("NA exit", "a-1"), end()]
    lines = [
        {"received_at": f"2026-03-02T12:00:0{second}Z", "delivery_id": f"d-{second}", "body": event}
        for second, event in enumerate(events)
    ]

    report = segue.check([form(line) for line in [lines[0], *lines]])
    assert (report.phase, report.events, codes(report.findings)) == ("ended", 3, [])
    times = [event.received_at for event in report.timeline]
    assert times == [NOON + timedelta(seconds=second) for second in range(3)]
    assert report.metrics.duration == timedelta(seconds=2)

    odd = segue.check([form({"received_at": "noon", "body": events[0]})], partial="end")
    assert (odd.phase, codes(odd.findings)) == ("active", ["SG509"])


@pytest.mark.parametrize("form", [as_mapping, as_text, as_bytes])
@pytest.mark.parametrize(
    "beside",
    [
        {"conversationId": "c-1"},
        {"botId": "st-1"},
        {"conversationId": None, "botId": None, "events": None},
        {"conversationId": ""},
        {"query": None, "author": None},
    ],
    ids=["conversation", "bot", "nulls", "empty id", "null message"],
)
def test_a_bare_event_needs_no_ids(beside: dict[str, Any], form: Any) -> None:
    events = [transfer("NA entry", "a-1"), transfer("NA exit", "a-1"), end()]

    report = segue.check([form(beside | event) for event in events])

    assert (report.phase, report.events, codes(report.findings)) == ("ended", 3, [])
    assert report.conversation_id == (beside.get("conversationId") or None)
    assert report.bot_id == beside.get("botId")


@pytest.mark.parametrize("form", [as_mapping, as_text, as_bytes])
def test_a_misspelled_key_of_a_bare_event_is_its_only_finding(form: Any) -> None:
    event = transfer("NA entry", "a-1")
    name = event.pop("name")

    for ids in ({}, {"conversationId": "c-1", "botId": "st-1"}):
        report = segue.check([form({**ids, "Name": name, **event})], partial="end")

        assert (report.phase, codes(report.findings)) == ("active", ["SG502"])
        assert report.findings[0].message.endswith("was spelled Name")

    report = segue.check([form({"ConversationId": "c-1", "name": name, **event})], partial="end")
    assert (report.conversation_id, report.phase) == ("c-1", "active")
    assert codes(report.findings) == ["SG502"]
    assert report.findings[0].message.endswith("was spelled ConversationId")


def test_what_was_believed_is_applied() -> None:
    stream = [
        body({**transfer("NA entry", "a-1"), "name": "internal_transfer_event"}),
        body(
            transfer("WARM entry", "7", participant={"identity": 7, "name": "B", "type": "agent"})
        ),
        body({**transfer("WARM exit", "7"), "transfertype": " warm "}),
        {"ConversationId": "c-1", "botId": "st-1", "EVENTS": [transfer("NA exit", "a-1")]},
        body(end()),
    ]

    report = segue.check(stream)

    assert (report.phase, report.events) == ("ended", 5)
    assert codes(report.findings) == ["SG504", "SG503", "SG502", "SG502"]
    assert [segment.agent for segment in report.segments] == ["a-1", "7"]
    assert report.findings[0].message == (
        "an event was named internal_transfer_event, which was read as INTERNAL_TRANSFER_EVENT"
    )
    assert report.findings[2].message == "conversationId of delivery was spelled ConversationId"
    assert report.findings[2].help == "spell the key conversationId: letter case counts"


def test_who_enters_with_a_delivery_may_speak_in_it() -> None:
    said = message("AGENT", "a-1") | {"events": [transfer("NA entry", "a-1")]}
    left = message("AGENT", "a-1") | {"events": [transfer("NA exit", "a-1"), end()]}

    report = segue.check([said, left])

    assert (report.phase, report.events, codes(report.findings)) == ("ended", 5, [])


@pytest.mark.parametrize(
    ("nonsense", "why"),
    [
        (5, "not an object"),
        (None, "not an object"),
        ([], "not an object"),
        ("null", "not an object"),
        (object(), "not JSON"),
        ("", "cut off"),
        (b"\xff", "not UTF-8"),
    ],
    ids=["number", "None", "list", "null", "object", "empty", "bytes"],
)
def test_nonsense_is_a_finding_that_says_why(nonsense: Any, why: str) -> None:
    (finding,) = segue.check([nonsense]).findings
    (refused,) = segue.Conversation("c-1").control(nonsense).findings

    assert (finding.code, refused.code) == ("SG501", "SG501")
    assert why in finding.message
    assert refused.message == finding.message


@pytest.mark.parametrize("year", ["0001", "9999"])
@pytest.mark.parametrize("key", ["received_at", "asked_at"])
def test_the_years_that_mean_never_are_not_read(year: str, key: str) -> None:
    line = {key: f"{year}-12-31T23:00:00Z", "body": body(transfer("NA entry", "a-1"))}

    assert codes(segue.check([line], partial="end").findings) == ["SG509"]
    assert codes(segue.Conversation("c-1").feed(line).findings) == ["SG509"]


def test_an_empty_object_is_a_body_that_lacks_everything() -> None:
    assert sorted(codes(segue.check([{}]).findings)) == ["SG502", "SG502", "SG508"]


def test_a_conversation_is_named_by_its_first_delivery() -> None:
    conversation = segue.Conversation()
    assert conversation.conversation_id is None

    conversation.feed(body(transfer("NA entry", "a-1")))
    assert conversation.conversation_id == "c-1"


def test_nothing_at_all_is_clean() -> None:
    assert segue.check([]).clean


def test_another_conversation_is_refused_with_a_way_out() -> None:
    deliveries = [body(transfer("NA entry", "a-1")), body(end(), conversation="c-2")]

    with pytest.raises(segue.ConfigurationError) as refused:
        segue.check(deliveries)

    assert str(refused.value) == (
        "a delivery of conversation 'c-2' was fed to 'c-1': "
        "use segue.replay for a log of several conversations"
    )


def test_an_id_that_was_given_is_minded_from_the_start() -> None:
    with pytest.raises(segue.ConfigurationError, match="fed to 'c-9'"):
        segue.Conversation("c-9").feed(body(end()))


def test_a_finished_conversation_takes_no_more() -> None:
    conversation = segue.Conversation("c-1")
    conversation.finish()

    for take in (conversation.feed, conversation.control):
        with pytest.raises(segue.ConfigurationError) as refused:
            take(body(end()))
        assert str(refused.value) == (
            "the conversation is finished: start a new Conversation, or feed before finish()"
        )


def test_finishing_twice_finds_nothing_new() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(body(transfer("NA entry", "a-1")))

    assert codes(conversation.finish().findings) == ["SG107", "SG108"]
    assert codes(conversation.finish().findings) == ["SG107", "SG108"]


def test_a_report_is_of_a_conversation_that_was_not_late() -> None:
    report = segue.check([body(transfer("NA entry", "a-1"))])

    assert report.late is False
    assert report.mended is not None
    assert report.best is not None
    assert report.to_dict() == {
        "conversation_id": "c-1",
        "bot_id": "st-1",
        "valid": False,
        "clean": False,
        "phase": "active",
        "late": False,
        "replaces": False,
        "keyed_by": "conversation",
        "events": 1,
        "findings": [finding.to_dict() | {"mistake": 1} for finding in report.findings],
        "mistakes": [
            {
                "number": 1,
                "sentence": "the conversation stops: the NA exit of a-1 and the "
                "END_OF_CONVERSATION are missing (after event 0)",
                "fix": report.mistakes[0].fix,
                "edits": [
                    {
                        "kind": "lost",
                        "event": None,
                        "size": None,
                        "before": None,
                        "event_kind": kind,
                        "agent": agent,
                        "other_kinds": [],
                    }
                    for kind, agent in (("NA exit", "a-1"), ("END_OF_CONVERSATION", None))
                ],
                "findings": [0, 1],
                "event": None,
                "at": None,
                "agent": None,
                "queue": None,
                "bot": "st-1",
                "alternatives": [],
            }
        ],
        "ignored_mistakes": 0,
        "untraced": [],
        "explanation": "complete",
        "segments": [segment.to_dict() for segment in report.segments],
        "call": None,
        "metrics": report.metrics.to_dict(),
        "estimated": list(report.estimated),
        "mended": report.mended.to_dict(),
        "best": {name: each and each.to_dict() for name, each in report.best.items()},
        "after_end": [],
        "transfers": [],
        "drops": [],
        "transcription": {"state": "idle", "controller": None, "generation": 0, "actions": 0},
        "schema": 3,
    }


def test_a_report_on_the_way_closes_nothing() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(body(transfer("NA entry", "a-1")))

    assert conversation.report().clean
    assert conversation.feed(body(transfer("NA exit", "a-1"))).phase == "released"


def test_a_naive_time_is_refused() -> None:
    conversation = segue.Conversation("c-1")

    with pytest.raises(segue.ConfigurationError) as refused:
        conversation.feed(body(end()), received_at=datetime(2026, 3, 2))  # noqa: DTZ001

    assert str(refused.value) == "received_at has no time zone: pass an aware datetime"


def test_a_time_that_is_none_is_refused_wherever_it_is_given() -> None:
    conversation = segue.Conversation("c-1")
    odd: list[Any] = [datetime(2026, 3, 2), "2026-03-02T12:00:00Z", 1772452800]  # noqa: DTZ001
    odd.append(NOON.replace(tzinfo=Nowhere()))

    for received_at in odd:
        for take in (conversation.feed, conversation.control):
            with pytest.raises(segue.ConfigurationError, match="received_at"):
                take({"action": "start", "agentId": "a-1"}, received_at)
        with pytest.raises(segue.ConfigurationError, match="received_at"):
            conversation.feed(Delivery("c-1", "st-1", received_at=received_at))

    assert conversation.report().to_dict() == segue.Conversation("c-1").report().to_dict()


def test_a_delivery_that_was_fed_stays_as_it_was() -> None:
    delivery = Delivery("c-1", "st-1")

    segue.Conversation("c-1").feed(delivery, NOON, delivery_id="d-1")

    assert (delivery.received_at, delivery.delivery_id) == (None, None)


@pytest.mark.parametrize(
    "single",
    [None, 5, Delivery("c-1", "st-1"), bytearray(b"{}"), memoryview(b"{}"), body(end()), "a.jsonl"],
    ids=["None", "number", "delivery", "bytearray", "memoryview", "body", "file"],
)
def test_a_single_item_instead_of_a_list_is_refused(single: Any) -> None:
    with pytest.raises(segue.ConfigurationError) as refused:
        segue.check(single)

    assert str(refused.value) == (
        f"check takes the events of one conversation, got one {type(single).__name__}: "
        "pass a list of them, or use segue.replay for a file"
    )


@pytest.mark.parametrize("odd", [5, "", b"c-1", body(end())])
def test_an_id_that_no_delivery_can_have_is_refused(odd: Any) -> None:
    with pytest.raises(segue.ConfigurationError, match="`conversation_id` must be"):
        segue.Conversation(odd)


def test_times_that_run_backwards_are_found() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(body(transfer("NA entry", "a-1")), received_at=NOON)

    step = conversation.feed(
        body(transfer("NA exit", "a-1")), received_at=NOON - timedelta(hours=1)
    )

    assert codes(step.findings) == ["SG602"]
    assert "2026-03-02T11:00:00+00:00" in step.findings[0].message


def test_the_same_delivery_id_applies_once() -> None:
    conversation = segue.Conversation("c-1")
    delivery = body(transfer("NA entry", "a-1"))
    conversation.feed(delivery, delivery_id="d-1")

    again = conversation.feed(delivery, delivery_id="d-1")
    other = conversation.feed(body(transfer("NA exit", "a-1")), delivery_id="d-1")

    assert (again.duplicate, again.findings) == (True, ())
    assert (other.duplicate, codes(other.findings)) == (False, ["SG603"])
    assert conversation.report().events == 1


def test_a_delivery_that_was_read_already_is_taken_as_it_is() -> None:
    conversation = segue.Conversation("c-1")

    step = conversation.feed(Delivery("c-1", "st-1"))

    assert (step.findings, conversation.phase) == ((), "waiting")


def test_representations_say_where_it_stands_and_no_more() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(message("USER", "a-1", query="my card number"))
    report = conversation.finish()

    assert repr(conversation) == "<Conversation 'c-1' waiting events=1>"
    assert repr(report) == "<Report 'c-1' waiting: SG108>"
    assert repr(segue.check([])) == "<Report None waiting: clean>"


def test_a_partial_that_cannot_be_meant_is_refused() -> None:
    with pytest.raises(segue.ConfigurationError, match="partial"):
        segue.check([], partial="middle")  # type: ignore[arg-type]


def test_both_views_of_the_segments() -> None:
    report = segue.check(
        [
            body(transfer("NA entry", "a-1"), transfer("COLD exit", "a-1")),
            body(transfer("COLD entry", "a-2"), transfer("NA exit", "a-2"), summary(), end("a-2")),
        ],
    )

    assert [segment.agent for segment in report.segments] == ["a-1", "a-2"]
    assert [segment.kind for segment in report.for_agent("a-2")] == ["COLD"]
    assert report.for_agent("a-3") == ()


def test_the_policy_decides_what_is_reported() -> None:
    deliveries = [body(transfer("redial entry", "a-1"), transfer("NA exit", "a-1"), end())]

    assert codes(segue.check(deliveries).findings) == ["SG118"]
    assert segue.check(deliveries, policy=segue.Policy(ignore=("SG118",))).clean
    assert not segue.check(deliveries, policy=segue.Policy(strict=True)).valid


class TestControl:
    """Live transcription control."""

    def test_an_allowed_action_changes_the_state(self) -> None:
        conversation = segue.Conversation("c-1")
        conversation.feed(body(transfer("NA entry", "a-1")))

        answer = conversation.control({"action": "start", "agentId": "a-1"})

        assert (answer.accepted, answer.changed) == (True, True)
        assert (answer.state, answer.generation) == ("active", 1)
        assert answer.allowed == (
            segue.core.AllowedAction("pause", handover=False, agents="any"),
            segue.core.AllowedAction("pause", handover=True, agents="any"),
            segue.core.AllowedAction("end", None, "any"),
        )

    def test_actions_are_timed(self) -> None:
        conversation = segue.Conversation("c-1")
        conversation.feed(body(transfer("NA entry", "a-1")), NOON)
        for minute, action in enumerate(("start", "pause", "resume", "end")):
            said = {"action": action, "agentId": "a-1", "handover": False}
            conversation.control(said, NOON + timedelta(minutes=minute))
        conversation.feed(body(transfer("NA exit", "a-1"), end()), NOON + timedelta(minutes=10))

        assert conversation.report().metrics.hold_time == timedelta(minutes=1)

    def test_a_refused_action_changes_nothing_and_says_what_would_be_allowed(self) -> None:
        conversation = segue.Conversation("c-1")

        answer = conversation.control({"action": "resume", "agentId": "a-1"})

        assert (answer.accepted, answer.changed, answer.state) == (False, False, "idle")
        assert answer.allowed == (segue.core.AllowedAction("start", None, "any"),)
        assert answer.generation == 0
        assert codes(answer.findings) == ["SG401"]
        assert conversation.report().clean

    def test_an_observing_policy_believes_it(self) -> None:
        policy = segue.Policy(transcription="observe")
        conversation = segue.Conversation("c-1", policy=policy)

        answer = conversation.control({"action": "resume", "agentId": "a-1"})

        assert (answer.accepted, answer.state) == (True, "active")
        assert codes(conversation.report().findings) == ["SG401"]

    def test_a_repeat_is_accepted_and_changes_nothing(self) -> None:
        conversation = segue.Conversation("c-1")
        conversation.control({"action": "start", "agentId": "a-1"})

        answer = conversation.control({"action": "start", "agentId": "a-1"})

        assert (answer.accepted, answer.changed) == (True, False)
        assert codes(answer.findings) == ["SG402"]

    @pytest.mark.parametrize("action", [5, None, {}, {"action": "stop", "agentId": "a-1"}, b"{"])
    def test_what_is_no_action_is_not_accepted(self, action: Any) -> None:
        answer = segue.Conversation("c-1").control(action)

        assert (answer.accepted, answer.state) == (False, "idle")
        assert answer.allowed == (segue.core.AllowedAction("start", None, "any"),)
        assert (answer.changed, answer.generation) == (False, 0)
        assert answer.findings

    def test_an_action_belongs_to_the_conversation_whatever_ids_its_body_has(self) -> None:
        conversation = segue.Conversation("c-1")
        ids = {"conversationId": "c-2", "botId": "st-2"}

        answer = conversation.control({"action": "start", "agentId": "a-1"} | ids)

        assert (answer.accepted, answer.state, answer.findings) == (True, "active", ())
        assert conversation.conversation_id == "c-1"

    def test_an_agent_in_another_letter_case_is_the_agent(self) -> None:
        conversation = segue.Conversation("c-1")
        conversation.feed(body(transfer("NA entry", "a-1")))

        first = conversation.control({"action": "start", "agentId": "A-1"})
        second = conversation.control({"action": "end", "agentId": "A-1"})

        assert codes(first.findings) == ["SG206"]
        assert codes(second.findings) == []


class TestSnapshot:
    """Save and restore."""

    def test_a_conversation_goes_on_where_it_was_saved(self) -> None:
        conversation = segue.Conversation("c-1")
        conversation.feed(body(transfer("NA entry", "a-1")), received_at=NOON, delivery_id="d-1")
        conversation.control({"action": "start", "agentId": "a-1"})
        conversation.feed(body(transfer("COLD entry", "a-2")))

        restored = segue.Conversation.restore(conversation.snapshot())

        assert restored.snapshot() == conversation.snapshot()
        assert restored.finish().to_dict() == conversation.finish().to_dict()

    def test_a_snapshot_keeps_no_text(self) -> None:
        conversation = segue.Conversation("c-1")
        conversation.feed(message("USER", "a-1", query="my card number"))
        conversation.feed(body(transfer("NA entry", "a-1", reason="a private reason")))

        assert b"card number" not in conversation.snapshot()
        assert b"private reason" not in conversation.snapshot()

    @pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b"null"])
    def test_other_bytes_are_refused(self, data: bytes) -> None:
        with pytest.raises(segue.ConfigurationError, match="not a snapshot"):
            segue.Conversation.restore(data)

    def test_a_snapshot_of_a_newer_segue_is_refused(self) -> None:
        newer = b'{"version": 99}'
        with pytest.raises(segue.errors.SchemaTooNew, match=r"version 99.*upgrade"):
            segue.Conversation.restore(f"{crc32(newer):08x}".encode() + newer)


class TestMisuse:
    @pytest.mark.parametrize("events", ["shift.jsonl", b"{}", {"events": []}])
    def test_one_item_instead_of_several_is_refused(self, events: Any) -> None:
        with pytest.raises(segue.ConfigurationError, match=r"use segue\.replay for a file"):
            segue.check(events)

    def test_a_policy_is_a_policy(self) -> None:
        policy: Any = {"select": ["SG1"]}
        with pytest.raises(
            segue.ConfigurationError, match=r"`policy` must be a Policy or None, .*, got dict"
        ):
            segue.check([], policy=policy)


def test_an_event_of_our_own_is_fed_as_it_is() -> None:
    conversation = segue.Conversation("c-1")
    entry = segue.Event(segue.core.EventKind.COLD_ENTRY, "a-1", "chat", {}, "")

    assert [finding.code for finding in conversation.feed(entry).findings] == ["SG101"]
    assert conversation.phase.value == "active"
