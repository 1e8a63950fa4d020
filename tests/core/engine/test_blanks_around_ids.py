"""Blanks around an id are removed, and reported once a spelling (SG510)."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import body, end, message, transfer

import segue

if TYPE_CHECKING:
    from pathlib import Path

STREAM = [
    body(transfer("NA entry", "a-1")),
    message("AGENT", "a-1"),
    body(transfer("NA exit", "a-1")),
    body(end()),
]


def spelled(index: int, name: str, text: str, stream: list[Any] = STREAM) -> list[Any]:
    """Return the stream with an id of a delivery in another spelling."""
    found = deepcopy(stream)
    holder = found[index]
    if name == "identity":
        holder = holder["events"][0]["participant"]
    holder[name] = text
    return found


def codes(report: segue.Report) -> list[tuple[str, str]]:
    return [(each.code, each.place.pointer) for each in report.findings]


@pytest.mark.parametrize("text", [" a-1", "a-1 ", "\ta-1\r\n", "a-1\n"])
@pytest.mark.parametrize(
    ("index", "name", "pointer"),
    [
        (0, "identity", "/events/0/participant/identity"),
        (1, "agentId", "/agentId"),
        (2, "identity", "/events/0/participant/identity"),
    ],
)
def test_an_agent_is_found_without_the_blanks(
    index: int, name: str, pointer: str, text: str
) -> None:
    report = segue.check(spelled(index, name, text))

    assert codes(report) == [("SG510", pointer)]
    assert [each.agent for each in report.segments] == ["a-1"]
    assert report.valid


@pytest.mark.parametrize(
    ("name", "read"), [("conversationId", "conversation_id"), ("botId", "bot_id")]
)
def test_conversations_and_bots_are_known_without_the_blanks(name: str, read: str) -> None:
    plain = STREAM[0][name]
    report = segue.check(spelled(0, name, f" {plain}\t"))

    assert codes(report) == [("SG510", f"/{name}")]
    assert report.to_dict()[read] == plain


def test_both_ids_of_a_delivery_are_reported() -> None:
    both = spelled(0, "botId", "st-1 ", spelled(0, "conversationId", "c-1 "))

    pointers = ["/botId", "/conversationId"]
    assert sorted(codes(segue.check(both))) == [("SG510", each) for each in pointers]


def test_a_spelling_is_reported_once() -> None:
    stream = STREAM
    for index, text in ((0, "a-1 "), (2, "a-1 ")):
        stream = spelled(index, "identity", text, stream)
    stream = spelled(1, "agentId", " a-1", stream)
    report = segue.check(stream)

    assert [(each.code, each.message) for each in report.findings] == [
        ("SG510", 'participant.identity was "a-1 ", with blanks around the id'),
        ("SG510", 'agentId was " a-1", with blanks around the id'),
    ]


def test_what_was_reported_is_saved_with_the_conversation() -> None:
    first, *rest = spelled(2, "identity", "a-1 ", spelled(0, "identity", "a-1 "))
    conversation = segue.Conversation("c-1")
    conversation.feed(first)
    restored = segue.Conversation.restore(conversation.snapshot())
    for each in rest:
        restored.feed(each)

    assert codes(restored.finish()) == [("SG510", "/events/0/participant/identity")]


def test_spellings_of_several_ids_are_saved_apart() -> None:
    stream = STREAM
    for index in (0, 2):
        for name, text in (("conversationId", "c-1 "), ("botId", "st-1 "), ("identity", "a-1 ")):
            stream = spelled(index, name, text, stream)
    conversation = segue.Conversation("c-1")
    for each in stream:
        conversation.feed(each)
        conversation = segue.Conversation.restore(conversation.snapshot())

    found = [code for code, _ in codes(conversation.finish())]
    assert found == [code for code, _ in codes(segue.check(stream))] == ["SG510"] * 3


def test_an_action_of_an_agent_with_blanks_is_that_of_the_agent() -> None:
    ids = {"conversationId": "c-1", "botId": "st-1"}
    lines: list[Any] = [
        STREAM[0],
        {"endpoint": "transcription", "body": {**ids, "action": "start", "agentId": "a-1 "}},
        {"endpoint": "transcription", "body": {**ids, "action": "end", "agentId": "a-1 "}},
        *STREAM[2:],
    ]
    assert codes(segue.check(lines)) == [("SG510", "/agentId")]


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("conversationId", " {{id}} ", "SG512"),
        ("conversationId", " \t", "SG512"),
        ("botId", " undefined", "SG507"),
        ("botId", "  ", "SG507"),
    ],
)
def test_a_placeholder_with_blanks_is_a_placeholder(name: str, text: str, code: str) -> None:
    report = segue.check(spelled(0, name, text, STREAM[:1]), partial="both")

    assert (code, f"/{name}") in codes(report)
    assert "SG510" not in {each.code for each in report.findings}


def test_a_log_has_one_conversation_for_all_spellings(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    stream = spelled(2, "conversationId", "c-1 ")
    path.write_text("".join(f"{json.dumps(each)}\n" for each in stream))
    [report] = segue.replay(path)

    assert (report.conversation_id, codes(report)) == ("c-1", [("SG510", "/conversationId")])


def test_the_bot_of_an_envelope_is_known_without_the_blanks() -> None:
    [report] = segue.replay([{"bot_id": "st-1 ", "body": each} for each in STREAM])

    assert (report.bot_id, codes(report)) == ("st-1", [])


def test_a_conversation_is_fed_in_both_spellings_of_a_uuid() -> None:
    uuid = "7f0f4d6e-0000-4000-8000-0000000000c1"
    stream = [each | {"conversationId": uuid} for each in STREAM]
    report = segue.check(spelled(2, "conversationId", f"{{{uuid.upper()}}}", stream))

    assert (report.conversation_id, codes(report)) == (uuid, [])
