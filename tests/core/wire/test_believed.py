"""Mistakes of form that leave no doubt about what was meant: reported, and read as meant."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.core.wire.samples import (
    body,
    end,
    flaws,
    message,
    participant,
    read_hook,
    summary,
    text,
    transfer,
    without,
)

from segue.core.events import Delivery, EventKind
from segue.core.wire import read_line

T = transfer()
E0 = "/events/0"
NAME = "INTERNAL_TRANSFER_EVENT"


def read(value: Any) -> Delivery:
    """Read a body as bytes, text, mapping, bare line and in an envelope: all alike."""
    delivery = read_hook(text(value))
    assert read_hook(value) == delivery
    assert read_hook(json.dumps(value)) == delivery
    assert read_line(text(value)) == delivery
    assert read_line({"body": value}) == delivery
    assert read_line({"body": json.dumps(value)}) == delivery
    return delivery


def believed(delivery: Delivery) -> list[bool]:
    found = [*delivery.flaws, *(flaw for event in delivery.events for flaw in event.flaws)]
    return [flaw.is_believed for flaw in found]


def renamed(value: dict[str, Any], key: str, other: str) -> dict[str, Any]:
    """Return an object one of whose keys is spelled otherwise."""
    return {other if each == key else each: item for each, item in value.items()}


# Names.


@pytest.mark.parametrize(
    ("event", "name", "kind"),
    [
        (T, "internal_transfer_event", EventKind.NA_ENTRY),
        (T, " INTERNAL_TRANSFER_EVENT\t", EventKind.NA_ENTRY),
        (T, "\r\nInternal_Transfer_Event", EventKind.NA_ENTRY),
        (summary(), "trigger_summary_event", EventKind.SUMMARY),
        (end(), "End_Of_Conversation ", EventKind.END),
    ],
)
def test_a_name_in_another_letter_case_is_read(
    event: dict[str, Any], name: str, kind: EventKind
) -> None:
    delivery = read(body(event | {"name": name}))

    assert flaws(delivery) == [("SG504", E0 + "/name")]
    assert believed(delivery) == [True]
    (read_event,) = delivery.events
    assert read_event.kind is kind
    assert read_event.value == event


@pytest.mark.parametrize(
    "name",
    [
        *("INTERNAL TRANSFER EVENT", "internal-transfer-event", "\u0131nternal_transfer_event"),
        *("", " ", "END_OF_CONVERSATION\u00a0", "END_OF_CONVERSATIONS", "end"),
    ],
)
def test_other_names_are_not_guessed(name: str) -> None:
    delivery = read(body(end() | {"name": name}))

    assert flaws(delivery) == [("SG504", E0 + "/name")]
    assert believed(delivery) == [False]
    assert delivery.events[0].kind is EventKind.UNPROCESSABLE


# Keys.

KEYS = [
    (T, "name", "Name"),
    (T, "transfertype", "transferType"),
    (T, "transition", "TRANSITION"),
    (T, "isExtAD", "isExtAd"),
    (T, "experience", "Experience"),
    (T, "participant", "Participant"),
    (summary(), "data", "DATA"),
    (end(), "reason", "Reason"),
    (end(), "language", "Language"),
]


@pytest.mark.parametrize(("event", "key", "other"), KEYS)
def test_a_required_key_in_another_letter_case_is_read(
    event: dict[str, Any], key: str, other: str
) -> None:
    delivery = read(body(renamed(event, key, other)))

    assert flaws(delivery) == [("SG502", f"{E0}/{key}")]
    assert believed(delivery) == [True]
    assert delivery.events[0].value == event
    assert list(delivery.events[0].value) == list(event)
    assert delivery.events[0].kind is read(body(event)).events[0].kind
    assert delivery.body == body(renamed(event, key, other))


@pytest.mark.parametrize("key", ["identity", "name", "type"])
def test_a_key_within_is_read_too(key: str) -> None:
    delivery = read(body(transfer(participant=renamed(participant(), key, key.title()))))

    assert flaws(delivery) == [("SG502", f"{E0}/participant/{key}")]
    assert delivery.events[0].value == T
    assert delivery.events[0].agent == "a-1"


@pytest.mark.parametrize("key", ["query", "agentId", "experience", "author", "source"])
def test_the_keys_of_a_message_are_read(key: str) -> None:
    delivery = read(renamed(message(), key, key.upper()))

    assert flaws(delivery) == [("SG502", f"/{key}")]
    (event,) = delivery.events
    assert event.kind is EventKind.USER_MESSAGE
    assert event.value == message()


def test_both_marks_of_a_message_may_be_in_another_letter_case() -> None:
    value = renamed(renamed(message(), "query", "Query"), "author", "Author")

    delivery = read(value)

    assert flaws(delivery) == [("SG502", "/query"), ("SG502", "/author")]
    assert [event.kind for event in delivery.events] == [EventKind.USER_MESSAGE]


def test_a_message_key_beside_events_is_an_extra_field() -> None:
    assert flaws(read(body(T, Query="x", Author={"type": "USER"}))) == []


def test_ids_and_events_in_another_letter_case_are_read() -> None:
    for key, other in (
        ("conversationId", "ConversationID"),
        ("botId", "botid"),
        ("events", "Events"),
    ):
        delivery = read(renamed(body(T), key, other))

        assert flaws(delivery) == [("SG502", f"/{key}")]
        assert believed(delivery) == [True]
        assert (delivery.conversation_id, delivery.bot_id) == ("c-1", "st-1")
        assert [event.kind for event in delivery.events] == [EventKind.NA_ENTRY]
        assert delivery.events[0].pointer == E0


def test_events_beside_a_message_are_read_in_any_letter_case() -> None:
    delivery = read(message(EVENTS=[transfer("NA", "exit")]))

    assert flaws(delivery) == [("SG502", "/events")]
    assert [event.kind for event in delivery.events] == [EventKind.USER_MESSAGE, EventKind.NA_EXIT]


def test_an_id_that_came_with_the_delivery_makes_up_for_its_key() -> None:
    value = renamed(body(T), "conversationId", "conversationID")

    for delivery in (
        read_hook(text(value), conversation_id="c-9"),
        read_line({"conversation_id": "c-9", "body": value}),
    ):
        assert flaws(delivery) == []
        assert delivery.conversation_id == "c-9"


def test_keys_of_an_envelope_are_not_guessed() -> None:
    delivery = read_line({"Delivery_Id": "d", "Received_At": "noon", "body": body(T)})

    assert flaws(delivery) == []
    assert (delivery.delivery_id, delivery.received_at) == (None, None)
    assert flaws(read_line({"Body": body(T)})) == [
        ("SG502", "/conversationId"),
        ("SG502", "/botId"),
        ("SG508", ""),
    ]


def test_a_key_twice_in_two_letter_cases_is_absent() -> None:
    twice = without(T, "transition") | {"Transition": "entry", "TRANSITION": "entry"}
    delivery = read(body(twice))

    assert flaws(delivery) == [("SG502", E0 + "/transition")]
    assert believed(delivery) == [False]
    assert delivery.events[0].kind is EventKind.UNPROCESSABLE
    assert flaws(read(without(body(T), "botId") | {"BotId": "a", "BOTID": "a"})) == [
        ("SG502", "/botId")
    ]


def test_a_key_under_its_name_is_the_one_that_counts() -> None:
    assert flaws(read(body(T | {"Transition": "exit", "PARTICIPANT": 5}))) == []
    delivery = read(body(T | {"transition": "up", "Transition": "exit"}))
    assert flaws(delivery) == [("SG505", E0 + "/transition")]


def test_null_is_absence() -> None:
    null = T | {"transition": None, "Transition": "exit"}
    delivery = read(body(null))

    assert flaws(delivery) == [("SG502", E0 + "/transition")]
    assert delivery.events[0].kind is EventKind.NA_EXIT
    assert flaws(read(body(without(T, "transition") | {"Transition": None}))) == [
        ("SG502", E0 + "/transition")
    ]


@pytest.mark.parametrize("key", ["language", "Reason", "CUSTOMFIELDS", "part\u0131cipant"])
def test_keys_that_are_not_required_are_extra_fields(key: str) -> None:
    other = key.swapcase()

    assert flaws(read(body(without(T, key) | {other: 7}))) == []


def test_a_kelvin_sign_is_no_letter_k() -> None:
    # Python would make the k of "token" of it; here it hides the name of no field.
    assert flaws(read(without(body(T), "botId") | {"bot\u0131d": "x"})) == [("SG502", "/botId")]


def test_a_redial_without_isextad_is_a_warning_also_when_the_key_is_misspelled() -> None:
    delivery = read(body(renamed(transfer("redial"), "isExtAD", "isextad")))

    (flaw,) = delivery.events[0].flaws
    assert (flaw.code, flaw.is_warning, flaw.is_believed) == ("SG502", True, True)


def test_a_misspelled_key_may_hold_a_wrong_value_besides() -> None:
    delivery = read(body(without(T, "transition") | {"Transition": "up"}))

    assert flaws(delivery) == [("SG502", E0 + "/transition"), ("SG505", E0 + "/transition")]
    assert believed(delivery) == [True, False]


# Numbers as ids.


@pytest.mark.parametrize(
    ("number", "agent"),
    [(7, "7"), (0, "0"), (-12, "-12"), (10**399, "1" + "0" * 399), (10**18 + 1, str(10**18 + 1))],
)
def test_a_whole_number_as_identity_is_its_decimal_text(number: int, agent: str) -> None:

    for value, pointer in (
        (body(transfer(participant=participant(identity=number))), E0 + "/participant/identity"),
        (body(summary(participant={"identity": number})), E0 + "/participant/identity"),
        (message(agentId=number), "/agentId"),
    ):
        delivery = read(value)

        assert flaws(delivery) == [("SG503", pointer)]
        assert believed(delivery) == [True]
        assert delivery.events[0].agent == agent

    assert read(message(agentId=number)).events[0].value == message(agentId=agent)


@pytest.mark.parametrize("value", [True, False, 7.0, 1e3, float("inf"), [7], {"id": 7}])
def test_no_other_value_is_an_identity(value: object) -> None:
    given_body = body(transfer(participant=participant(identity=value)))
    delivery = read_hook(given_body)

    assert flaws(delivery) == [("SG503", E0 + "/participant/identity")]
    assert believed(delivery) == [False]
    assert delivery.events[0].kind is EventKind.UNPROCESSABLE


def test_a_number_of_more_digits_than_python_reads_is_no_identity() -> None:
    raw = text(body(transfer(participant=participant(identity=0)))).replace(
        b'"identity": 0', b'"identity": ' + b"9" * 5_000
    )

    delivery = read_hook(raw)

    assert flaws(delivery) == [("SG503", E0 + "/participant/identity")]
    assert delivery.events[0].kind is EventKind.UNPROCESSABLE


def test_a_number_of_more_digits_than_python_may_write_is_no_identity() -> None:
    before = sys.get_int_max_str_digits()
    value = body(transfer(participant=participant(identity=10**700)))
    sys.set_int_max_str_digits(640)
    try:
        delivery = read_hook(value)
    finally:
        sys.set_int_max_str_digits(before)

    assert delivery.events[0].kind is EventKind.UNPROCESSABLE


def test_a_bot_id_is_a_text() -> None:
    delivery = read(body(T) | {"botId": 7})

    assert flaws(delivery) == [("SG503", "/botId")]
    assert believed(delivery) == [False]
    assert delivery.bot_id is None


def test_a_conversation_id_that_is_an_integer_is_read_as_its_decimal_text() -> None:
    delivery = read(body(T) | {"conversationId": 7})

    assert flaws(delivery) == [("SG503", "/conversationId")]
    assert believed(delivery) == [True]
    assert delivery.conversation_id == "7"


# Events without `events`.

BARE = {"conversationId": "c-1", "botId": "st-1"}


@pytest.mark.parametrize("event", [T, summary(), end(), transfer("redial", "EXIT")])
def test_a_bare_event_is_read(event: dict[str, Any]) -> None:
    delivery = read(BARE | event)

    assert flaws(delivery) == [("SG508", "")]
    assert believed(delivery) == [True]
    (found,) = delivery.events
    assert found.kind is read(body(event)).events[0].kind
    assert (found.value, found.pointer) == (event, "")
    assert delivery.body == BARE | event


def test_a_bare_event_may_have_other_flaws() -> None:
    value = {"botId": "st-1", "ConversationId": "c-1", "events": []}
    delivery = read(value | T | {"name": NAME.lower(), "experience": "x"})

    assert flaws(delivery) == [
        ("SG502", "/conversationId"),
        ("SG508", ""),
        ("SG504", "/name"),
        ("SG505", "/experience"),
    ]
    assert delivery.conversation_id == "c-1"
    assert delivery.events[0].kind is EventKind.NA_ENTRY


def test_a_bare_event_without_ids_cannot_be_filed() -> None:
    delivery = read(T)

    assert delivery.conversation_id is None
    assert flaws(delivery) == [("SG502", "/conversationId"), ("SG502", "/botId"), ("SG508", "")]


def test_a_bare_event_that_is_still_unreadable_keeps_its_position() -> None:
    delivery = read(BARE | without(T, "participant"))

    assert flaws(delivery) == [("SG508", ""), ("SG502", "/participant")]
    assert [event.kind for event in delivery.events] == [EventKind.UNPROCESSABLE]


@pytest.mark.parametrize("name", ["MESSAGE", "", None, 7, [NAME]])
def test_a_body_with_another_name_is_no_event(name: object) -> None:
    delivery = read(BARE | T | {"name": name})

    assert flaws(delivery) == [("SG508", "")]
    assert believed(delivery) == [False]
    assert delivery.events == ()


def test_the_name_of_an_event_beside_a_message_or_events_is_an_extra_field() -> None:
    assert flaws(read(message() | {"name": NAME})) == []
    assert flaws(read(body(T) | {"name": NAME})) == []
    assert flaws(read(BARE | T | {"events": 5})) == [("SG503", "/events")]


# Everything at once.


@given(st.data())
def test_the_spelling_of_keys_never_changes_what_is_read(data: st.DataObject) -> None:
    """Law: any letter case of required keys gives the same events and one finding a key."""
    value = data.draw(st.sampled_from([body(T), body(end()), body(summary()), message()]))
    plain = read_hook(value)

    def respelled(part: Any) -> Any:
        if isinstance(part, list):
            return [respelled(each) for each in part]
        if not isinstance(part, dict):
            return part
        keys = {
            key: data.draw(st.sampled_from((key, key.upper(), key.swapcase())))
            if key not in ("language", "sendUserMessage", "sendAgentMessage") or "data" in part
            else key
            for key in part
        }
        return {keys[key]: respelled(item) for key, item in part.items()}

    other = respelled(value)
    found = read_hook(text(other))

    assert read_hook(other) == found
    assert (found.conversation_id, found.bot_id) == ("c-1", "st-1")
    assert [(event.kind, event.agent, event.pointer) for event in found.events] == [
        (event.kind, event.agent, event.pointer) for event in plain.events
    ]
    assert {code for code, _ in flaws(found)} <= {"SG502"}
