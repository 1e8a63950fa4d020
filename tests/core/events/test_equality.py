"""Two deliveries are the same if they agree in all that Segue reads, in canonical spelling."""

import json
from collections.abc import Callable
from copy import deepcopy
from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.builders import body, end, message, summary, transfer
from tests.families import family

from segue.core.events import Delivery, EventKind, fingerprint, json_text, same, text_digest
from segue.core.wire import read_line

ENTRY = transfer("NA entry", "a-1")
ENTRY["participant"]["customFields"] = {"agentEmail": "a@example.com", "queueId": "q-1"}
BODIES = {
    "entry": body(ENTRY),
    "redial": body(transfer("redial entry", "a-1")),
    "summary": body(summary()),
    "end": body(end()),
    "message": message("AGENT", "a-1"),
    "flags": message("USER", "a-1") | {"sendUserMessage": True, "sendAgentMessage": False},
    "both": message("USER", "a-1") | {"events": [ENTRY]},
}
ENDPOINTS: dict[str, dict[str, dict[str, Any]]] = {
    "hooks": BODIES,
    "transcription": {
        "start": {"action": "start", "agentId": "a-1"},
        "pause": {"action": "pause", "agentId": "a-1", "handover": True},
    },
    "notifications": {
        "completed": {
            "conversationId": "c-1",
            "status": "completed",
            "reasonCode": "caller-disconnected",
            "callconnecttime": "3/2/2026, 09:00:10 AM",
            "duration": 60,
        }
    },
    "transfers": {"any": {"result": [1, "x"], "more": {"a": None}}},
}


def read(value: Any, endpoint: str = "hooks", **envelope: Any) -> Delivery:
    known = {"delivery_id": "d-1", "endpoint": endpoint, "bot_id": "st-1"}
    if endpoint != "hooks":
        known["conversation_id"] = "c-1"
    return read_line({**known, **envelope, "body": value})


def edited(value: dict[str, Any], path: str, edit: Callable[[dict[str, Any], str], None]) -> Any:
    """Return a copy in which the member at the path, such as `events.0.name`, was edited."""
    copy = deepcopy(value)
    *way, last = path.split(".")
    holder: Any = copy
    for step in way:
        holder = holder[int(step) if step.isdigit() else step]
    edit(holder, last)
    return copy


def put(found: Any) -> Callable[[dict[str, Any], str], None]:
    return lambda holder, name: holder.update({name: found})


def remove(holder: dict[str, Any], name: str) -> None:
    del holder[name]


def rename(name: str) -> Callable[[dict[str, Any], str], None]:
    return lambda holder, old: holder.update({name: holder.pop(old)})


PERSON = "events.0.participant"
NEUTRAL = (
    ("entry", "attempt", put(2)),
    ("entry", "events.0.timestamp", put("2026-03-02T09:00:00Z")),
    ("entry", f"{PERSON}.phone", put("1")),
    ("entry", f"{PERSON}.customFields.team", put("x")),
    ("entry", "events.0.data", put({"language": "en"})),
    ("entry", "events.0.transfertype", put(" na\t")),
    ("entry", "events.0.transition", put("ENTRY")),
    ("entry", "events.0.experience", put("Chat ")),
    ("entry", f"{PERSON}.type", put("AGENT")),
    ("entry", "events.0.isExtAD", put("False")),
    ("entry", "events.0.name", put(" internal_transfer_event")),
    ("entry", "events.0.name", rename("NAME")),
    ("entry", "events", rename("Events")),
    ("entry", "botId", rename("botID")),
    ("entry", "botId", remove),
    ("entry", "events.0.language", put(None)),
    ("entry", "events.0.language", put("")),
    ("entry", "events.0.reason", put(None)),
    ("entry", f"{PERSON}.customFields.queueName", put("")),
    ("redial", f"{PERSON}.customFields", put({})),
    ("redial", f"{PERSON}.customFields", put({"team": "x"})),
    ("redial", f"{PERSON}.customFields", put(None)),
    ("entry", "query", put(None)),
    ("entry", "source", put("web")),
    ("summary", "events.0.participant", put({})),
    ("summary", "events.0.experience", put("")),
    ("end", "events.0.experience", put(" CHAT")),
    ("message", "author.type", put("Agent")),
    ("message", "author.name", put("Bo")),
    ("flags", "sendUserMessage", put("TRUE")),
    ("flags", "sendAgentMessage", put("False")),
    ("message", "events", put([])),
    ("message", "events", put(None)),
    ("message", "events", put("")),
    ("message", "experience", put("CHAT")),
    ("start", "handover", put(found=True)),
    ("start", "sentAt", put(1)),
    ("start", "botId", put("another")),
    ("pause", "handover", put("TRUE")),
    ("pause", "agentId", rename("AgentID")),
    ("completed", "status", put("Completed ")),
    ("completed", "duration", put(" 60.0")),
    ("completed", "duration", put(60.0)),
    ("completed", "callconnecttime", put("2026-03-02T09:00:10")),
    ("completed", "reason", put("")),
    ("completed", "sid", put("CA1")),
)
OTHER = (
    ("entry", "conversationId", put("c-2")),
    ("entry", "conversationId", put("C-1")),
    ("entry", "botId", put("st-2")),
    ("entry", "events.0.transfertype", put("COLD")),
    ("entry", "events.0.transition", put("exit")),
    ("entry", "events.0.transition", put("exits")),
    ("entry", "events.0.isExtAD", put(found=True)),
    ("entry", "events.0.isExtAD", put(0)),
    ("entry", "events.0.isExtAD", put("no")),
    ("entry", "events.0.experience", put("voice")),
    ("entry", "events.0.experience", put("phone")),
    ("entry", "events.0.name", put("END_OF_CONVERSATION")),
    ("entry", "events.0.name", put("SOMETHING_ELSE")),
    ("entry", "events.0.language", put("de")),
    ("entry", f"{PERSON}.identity", put("A-1")),
    ("entry", f"{PERSON}.identity", put("a-2")),
    ("entry", f"{PERSON}.name", put("agent a-1")),
    ("entry", f"{PERSON}.name", put(["Agent a-1"])),
    ("entry", f"{PERSON}.type", put("bot")),
    ("entry", f"{PERSON}.customFields", remove),
    ("entry", f"{PERSON}.customFields", put([])),
    ("entry", f"{PERSON}.customFields.queueId", put("q-2")),
    ("entry", f"{PERSON}.customFields.queueName", put("q-1")),
    ("entry", "events", put([ENTRY, ENTRY])),
    ("entry", "events", put([ENTRY, 5])),
    ("entry", "query", put("Hi")),
    ("redial", "events.0.reason", put("agent_initiated")),
    ("summary", "events.0.data.locale", put("de-DE")),
    ("summary", "events.0.participant", put({"identity": "a-1"})),
    ("end", "events.0.reason", put("timeout")),
    ("message", "query", put("hello")),
    ("message", "query", put("Hello ")),
    ("message", "agentId", put("a-2")),
    ("message", "author.type", put("USER")),
    ("message", "source", put("App")),
    ("message", "sendUserMessage", put(found=False)),
    ("message", "events", put("x")),
    ("message", "events", put([ENTRY])),
    ("start", "action", put("resume")),
    ("start", "action", put("Start")),
    ("start", "agentId", put("a-2")),
    ("pause", "handover", put(found=False)),
    ("completed", "status", put("failed")),
    ("completed", "duration", put(61)),
    ("completed", "duration", put("a minute")),
    ("completed", "callconnecttime", put("3/2/2026, 09:00:11 AM")),
    ("completed", "callconnecttime", put("at nine")),
    ("completed", "machinedetection", put("amd_human_detected")),
    ("any", "more.a", put(1)),
)
PLACES: dict[str, tuple[str, dict[str, Any]]] = {
    name: (each, value) for each, all_ in ENDPOINTS.items() for name, value in all_.items()
}


def pair(change: tuple[str, str, Any]) -> tuple[Delivery, Delivery]:
    name, path, edit = change
    endpoint, value = PLACES[name]
    return read(value, endpoint), read(edited(value, path, edit), endpoint)


@family("change", NEUTRAL, ids=lambda case: f"{case[0]} {case[1]}")
def test_what_segue_does_not_look_at_makes_no_other_delivery(change: Any) -> None:
    one, other = pair(change)

    assert one.body != other.body or json.dumps(one.body) != json.dumps(other.body)
    assert same(one, other)
    assert same(one.fingerprint, other)


@family("change", OTHER, ids=lambda case: f"{case[0]} {case[1]}")
def test_another_value_makes_another_delivery(change: Any) -> None:
    one, other = pair(change)

    assert not same(one, other)


@family("name", PLACES)
def test_the_request_and_the_order_of_keys_do_not_count(name: str) -> None:
    endpoint, value = PLACES[name]

    def turned(item: Any) -> Any:
        if isinstance(item, list):
            return [turned(each) for each in item]
        if not isinstance(item, dict):
            return item
        return {key: turned(each) for key, each in reversed(item.items())}

    facts = {"received_at": "2026-03-02T09:00:00Z", "delivery_id": "d-2", "asked_at": ""}
    assert same(read(value, endpoint), read(turned(value), endpoint, **facts))
    assert same(read(value, endpoint), read(json.dumps(value), endpoint))


def test_different_bodies_differ() -> None:
    prints = {read(value, endpoint).fingerprint for endpoint, value in PLACES.values()}

    assert len(prints) == len(PLACES)


def test_events_count_in_their_order() -> None:
    one, other = transfer("NA entry", "a-1"), transfer("WARM entry", "a-2")

    assert not same(read(body(one, other)), read(body(other, one)))


def test_an_event_beside_the_ids_is_the_one_in_the_list() -> None:
    ids = {key: item for key, item in body(ENTRY).items() if key != "events"}

    assert same(read(ids | ENTRY), read(body(ENTRY)))


@family(
    ("one", "other", "equal"),
    [
        ({"name": "X", "transition": "exit"}, {"name": "X", "transition": " EXIT", "n": 1}, True),
        ({"name": "X", "transition": "exit"}, {"name": "X", "transition": "entry"}, False),
        ({"transition": "exit"}, {"Transition": "exit"}, False),
        ({"NAME": "X"}, {"name": "X"}, True),
        ({}, {"n": 1}, True),
        (5, 5.0, True),
        (5, "5", False),
        (["a"], ["b"], False),
        (None, {}, False),
        (None, 0, False),
    ],
)
def test_events_that_cannot_be_processed_are_compared_too(
    one: Any, other: Any, *, equal: bool
) -> None:
    assert same(read(body(one)), read(body(other))) is equal
    assert same(read(body(ENTRY, one)), read(body(ENTRY, other))) is equal


@family(
    ("one", "other", "equal"),
    [
        ("{broken", "{broken", True),
        ("{broken", "{ broken", False),
        ("[1]", "[1]", True),
        ("[1]", "[2]", False),
        (7, 7, True),
        (7, 8, False),
        ("{broken", "{}", False),
    ],
)
def test_bodies_that_cannot_be_read_are_compared_as_they_are(
    one: object, other: object, *, equal: bool
) -> None:
    assert same(read(one), read(other)) is equal


def test_a_value_of_python_beyond_all_limits_is_no_exception() -> None:
    endless: dict[str, Any] = {}
    endless["a"] = endless

    assert same(read(endless), read(endless))


def test_nothing_is_the_same_as_none() -> None:
    delivery = read(body(ENTRY))

    assert not same(None, None)
    assert not same(delivery, None)
    assert not same(None, delivery.fingerprint)


def test_events_are_compared_without_their_delivery() -> None:
    one, other = read(body(ENTRY)).events[0], read(body(ENTRY, bot="st-9")).events[0]

    assert same(one, other)
    assert one.fingerprint == fingerprint(one.value) == fingerprint(one.value, EventKind.NA_ENTRY)


def test_a_fingerprint_stays_what_it_was_for_it_is_kept() -> None:
    said = "INTERNAL_TRANSFER_EVENT", "NA", "entry", "false", "", "chat"
    person = "a-1", "Agent a-1", "agent", "a@example.com", "q-1", ""
    text = "\0".join(("INTERNAL_TRANSFER_EVENT", *said, *person, ""))
    event = deepcopy(ENTRY) | {"language": None}

    assert fingerprint(event) == blake2b(text.encode(), digest_size=12).hexdigest()
    assert read(body(event)).fingerprint == text_digest(f"c-1\0st-1\0{text}")


def test_a_fingerprint_is_small() -> None:
    long = message("USER", "a-1") | {"query": "x" * 10_000}

    assert len(read(long).fingerprint) == 24


@pytest.mark.parametrize("value", [{"a": 1}, {"a": 0}])
def test_numbers_and_flags_are_no_equal_json_values(value: dict[str, Any]) -> None:
    assert json_text(value) != json_text({"a": bool(value["a"])})


@given(st.floats(allow_nan=False, allow_infinity=False).filter(float.is_integer), st.text())
def test_a_whole_number_is_the_same_however_it_is_written(number: float, text: str) -> None:
    """Law: whatever else is said."""
    written, whole = {"b": [number], text: text}, {text: text, "b": [int(number)]}

    assert json_text(written | {"b": [number]}) == json_text(whole | {"b": [int(number)]})


def test_half_a_character_has_a_fingerprint_of_its_own() -> None:
    """JSON may have a lone surrogate as an escape, in a text that somebody has sent."""
    halves = {fingerprint({"name": text}) for text in ("\ud800", "\ud801", "\udc00", "?", "")}

    assert len(halves) == 5
