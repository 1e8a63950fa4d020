"""Which callbacks a delivery causes, and what they are told."""

import json
from typing import Any

import pytest
from hypothesis import given
from tests.oracle.oracle import Ev
from tests.server.processor.story import (
    ENDS,
    ENTERS,
    LEAVES,
    SUMMARY,
    body,
    due,
    end,
    message,
    processor,
    summary,
    transfer,
)
from tests.strategies import streams
from tests.streams import body as event_body

import segue
from segue.core.conversation import Report
from segue.core.engine.snapshot import load
from segue.core.findings import Policy
from segue.core.segments import Connection
from segue.server.processor import OutboxMessage, Processor
from segue.server.processor.callback_payloads import CALLBACKS, closed_connections
from segue.server.stores import MemoryStore


def _nothing(_: object) -> None:
    """Handle nothing."""


class Watched:
    """A processor whose worker never gets to anything, and its outbox."""

    def __init__(self, *kinds: str, **options: Any) -> None:
        self.store = MemoryStore()
        self.store.claim = lambda *_, **__: []  # type: ignore[method-assign]
        handlers = {f"on_{kind}": _nothing for kind in kinds or CALLBACKS}
        self.processor: Processor = processor(self.store, **handlers, **options)

    def messages(self) -> list[OutboxMessage]:
        return due(self.store)

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [json.loads(message.data) for message in self.messages() if message.kind == kind]

    def send(self, *deliveries: dict[str, Any]) -> "Watched":
        with self.processor:
            for delivery in deliveries:
                self.processor.receive("st-1", delivery)
        return self


def test_only_callbacks_with_a_handler_are_due() -> None:
    watched = Watched("conversation_ended").send(LEAVES, ENDS)

    assert [message.kind for message in watched.messages()] == ["conversation_ended"]
    assert Watched("finding").send(ENTERS).messages() == []


def test_a_process_without_handlers_writes_what_others_have_handlers_for() -> None:
    store = MemoryStore()
    with processor(store, callbacks=["conversation_ended", "finding"]) as receiving:
        receiving.receive("st-1", LEAVES)
        receiving.receive("st-1", ENDS)

    written = [(message.id, message.kind) for message in due(store)]
    assert written == [
        ("st-1:c-1:1:finding:0", "finding"),
        ("st-1:c-1:2:conversation_ended:0", "conversation_ended"),
    ]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"callbacks": "finding"}, r"`callbacks` must be a list of strings, .*, got str$"),
        (
            {"callbacks": ["on_finding"]},
            r"only contain call_finished.*, got 'on_finding'$",
        ),
        (
            {"callbacks": ["finding"], "on_finding": print},
            r"for a process without handlers, and this one has .*: leave",
        ),
    ],
    ids=["text", "name", "both"],
)
def test_callbacks_of_other_processes_that_cannot_be_meant(
    options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(segue.ConfigurationError, match=reason):
        processor(**options)


def test_a_callback_has_an_id_of_its_own_that_names_its_place() -> None:
    watched = Watched().send(ENTERS, body(transfer("NA exit", "a-1"), end()))

    assert [message.id for message in watched.messages()] == [
        "st-1:c-1:2:segment_closed:0",
        "st-1:c-1:2:conversation_ended:0",
    ]


def test_every_callback_says_whose_conversation_it_is_and_when() -> None:
    (told,) = Watched().send(LEAVES).told("finding")

    assert (told["bot_id"], told["received_at"]) == ("st-1", "2026-03-02T09:00:00+00:00")


def test_findings_are_told_as_reported() -> None:
    watched = Watched(policy=Policy(severity={"SG101": "note"}, ignore=("SG206",))).send(LEAVES)

    assert [(told["code"], told["severity"]) for told in watched.told("finding")] == [
        ("SG101", "note"),
    ]


def test_messages_are_told_with_their_text() -> None:
    watched = Watched().send(ENTERS, message("AGENT", "a-1", language="en"))

    (told,) = watched.told("message")

    assert {key: told[key] for key in told if key not in ("bot_id", "received_at")} == {
        "event": 1,
        "author": "AGENT",
        "agent": "a-1",
        "experience": "chat",
        "language": "en",
        "source": "desk",
        "text": "Hello",
    }


def test_no_text_is_told_where_none_is_kept() -> None:
    watched = Watched(store_text=False).send(message("USER", "a-1"))

    assert [told["text"] for told in watched.told("message")] == [""]


def test_a_message_without_an_author_has_a_callback_too() -> None:
    watched = Watched().send(message("ROBOT", ""))

    assert [(told["author"], told["agent"]) for told in watched.told("message")] == [(None, None)]


def test_a_summary_is_requested_once_for_each_wish() -> None:
    french = summary() | {"data": {"language": "French", "locale": "fr", "type": "post"}}

    watched = Watched().send(ENTERS, LEAVES, SUMMARY, SUMMARY, body(french))

    assert [(told["event"], told["locale"]) for told in watched.told("summary_requested")] == [
        (2, "en"),
        (4, "fr"),
    ]


def test_a_summary_without_a_wish_is_requested_all_the_same() -> None:
    bare = {"name": "TRIGGER_SUMMARY_EVENT"}

    (told,) = Watched().send(ENTERS, LEAVES, body(bare)).told("summary_requested")

    assert (told["language"], told["locale"], told["type"]) == (None, None, None)


def test_a_summary_after_the_end_is_not_requested() -> None:
    watched = Watched().send(ENTERS, LEAVES, body(end(), summary()), SUMMARY, SUMMARY)

    assert watched.told("summary_requested") == []


def test_the_end_is_told_once_with_the_report() -> None:
    watched = Watched().send(ENTERS, LEAVES, ENDS, ENDS)

    (told,) = watched.told("conversation_ended")

    assert (told["report"]["conversation_id"], told["report"]["phase"]) == ("c-1", "ended")
    assert told["report"]["valid"]


def test_a_segment_is_told_when_it_closes_and_again_when_a_redial_closes() -> None:
    redials = body(transfer("redial entry", "a-1"))

    watched = Watched().send(ENTERS, LEAVES, redials, LEAVES)

    assert [
        (told["segment"]["agent"], told["connection"], told["segment"]["outcome"])
        for told in watched.told("segment_closed")
    ] == [("a-1", 0, "completed"), ("a-1", 1, "completed")]


def test_segments_are_told_alike_whether_events_come_together_or_one_by_one() -> None:
    events = [
        transfer("NA entry", "a-1"),
        transfer("WARM entry", "a-2"),
        transfer("WARM exit", "a-2"),
        transfer("NA exit", "a-1"),
        transfer("redial entry", "a-1"),
        transfer("NA exit", "a-1"),
        end(),
    ]

    apart = Watched().send(*(body(event) for event in events)).told("segment_closed")
    together = Watched().send(body(*events)).told("segment_closed")

    closed = [(told["segment"]["index"], told["connection"]) for told in apart]
    assert closed == [(1, 0), (0, 0), (0, 1)]
    assert sorted(closed) == [(told["segment"]["index"], told["connection"]) for told in together]


def test_a_segment_is_told_at_its_own_exit_not_where_a_later_event_was_believed() -> None:
    others = body(transfer("NA entry", "a-2"))
    watched = Watched()
    with watched.processor as processor:
        for delivery in (ENTERS, others):
            processor.receive("st-1", delivery)
        assert watched.told("segment_closed") == []
        processor.receive("st-1", body(transfer("NA exit", "a-2")))
        processor.receive("st-1", LEAVES)
        closed = watched.told("segment_closed")

    assert [
        (told["segment"]["agent"], told["segment"]["connections"][0]["closed_by"])
        for told in closed
    ] == [("a-2", 2), ("a-1", 3)]
    assert [told["segment"]["outcome"] for told in closed] == ["completed", "completed"]


def test_a_segment_whose_exit_never_comes_is_told_at_the_end() -> None:
    watched = Watched().send(ENTERS, body(transfer("NA entry", "a-2")), LEAVES, ENDS)

    ended = [message.id for message in watched.messages() if message.kind == "conversation_ended"]
    assert [
        (told["segment"]["agent"], told["segment"]["outcome"])
        for told in watched.told("segment_closed")
    ] == [("a-1", "completed"), ("a-2", "implied")]
    assert ended == ["st-1:c-1:4:conversation_ended:0"]


@given(streams())
def test_every_connection_is_told_once_as_it_is_in_the_end(stream: list[Ev]) -> None:
    conversation, told = segue.Conversation("c-1"), dict[tuple[int, int], Connection]()
    for event in stream:
        conversation.feed(event_body(event))
        conversation = segue.Conversation.restore(conversation.snapshot())
        state = load(conversation.snapshot())
        closed, segments = closed_connections(state), Report(state).segments
        assert closed >= told.keys()
        told |= {key: segments[key[0]].connections[key[1]] for key in closed - told.keys()}
    segments = segue.check(map(event_body, stream), partial="end").segments
    final = {
        (segment.index, index): connection
        for segment in segments
        for index, connection in enumerate(segment.connections)
    }
    if conversation.phase is segue.Phase.ENDED:
        assert told == final
    assert {key: final[key] for key in told} == told
    assert all(each.closed_kind in {None, "implied"} for key, each in final.items() - told.items())


def test_a_transcription_is_told_when_it_changes() -> None:
    watched = Watched()
    it = watched.processor
    for action in (
        {"action": "start", "agentId": "a-1"},
        {"action": "start", "agentId": "a-1"},
        {"action": "resume", "agentId": "a-1"},
        {"action": "pause", "agentId": "a-1", "handover": True},
    ):
        it.control("st-1", "c-1", action)

    told = watched.told("transcription_changed")

    assert [(each["action"], each["handover"], each["state"]) for each in told] == [
        ("start", None, "active"),
        ("pause", True, "handover"),
    ]
    assert [(each["position"], each["state_before"], each["generation"]) for each in told] == [
        (0, "idle", 1),
        (2, "active", 1),
    ]
    it.close()


def test_what_is_not_applied_causes_no_callback() -> None:
    watched = Watched(policy=Policy(reject=("SG101",)))

    assert watched.send(LEAVES, {}).messages() == []
