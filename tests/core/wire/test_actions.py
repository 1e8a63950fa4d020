from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.core.wire.samples import ACTIONS, action, flaws, read_action, text, without

from segue.core.events import ActionKind, Delivery, Event


def read(value: Any) -> Delivery:
    """Read an action as text, and make sure that the mapping gives the same."""
    delivery = read_action(text(value), conversation_id="c-1", bot_id="st-1")
    assert read_action(value, conversation_id="c-1", bot_id="st-1") == delivery
    return delivery


@pytest.mark.parametrize("value", ACTIONS)
def test_a_flawless_action_has_no_flaw(value: dict[str, Any]) -> None:
    delivery = read(value)

    assert flaws(delivery) == []
    assert delivery.body == value
    assert len(delivery.events) == 1
    assert (delivery.conversation_id, delivery.bot_id) == ("c-1", "st-1")


@pytest.mark.parametrize(
    ("value", "expected", "name", "handover"),
    [
        (action("start"), [], "start", None),
        (action("end", handover=True), [], "end", None),
        (action("resume", handover=[]), [], "resume", None),
        (action("pause", handover=False), [], "pause", False),
        (action("pause", handover="true"), [], "pause", True),
        (action("pause"), [("SG502", "/handover")], "pause", False),
        (action("pause", handover=None), [("SG502", "/handover")], "pause", False),
        (action("pause", handover="yes"), [("SG503", "/handover")], "pause", False),
        (action("pause", handover=1), [("SG503", "/handover")], "pause", False),
        (action("stop"), [("SG505", "/action")], "", None),
        (action("Start"), [("SG505", "/action")], "", None),
        (action(""), [("SG505", "/action")], "", None),
        (action() | {"action": 1}, [("SG503", "/action")], "", None),
        (action() | {"action": ["start"]}, [("SG503", "/action")], "", None),
        (without(action(), "action"), [("SG502", "/action")], "", None),
        (without(action(), "agentId"), [("SG502", "/agentId")], "", None),
        (action(agentId=""), [("SG502", "/agentId")], "", None),
        (action(agentId=7), [("SG503", "/agentId")], "start", None),
        (action(agentId=7.0), [("SG503", "/agentId")], "", None),
        (action(agentId=True), [("SG503", "/agentId")], "", None),
        (action("pause", handover="TRUE"), [], "pause", True),
        (action("pause", handover=" true"), [("SG503", "/handover")], "pause", False),
        (
            {"Action": "end", "AGENTID": "a-1"},
            [("SG502", "/action"), ("SG502", "/agentId")],
            "end",
            None,
        ),
        (
            without(action("pause"), "handover") | {"Handover": "True"},
            [("SG502", "/handover")],
            "pause",
            True,
        ),
        (action(agentId="<agent>"), [("SG507", "/agentId")], "start", None),
        (action(agentId="null"), [("SG507", "/agentId")], "start", None),
        ({}, [("SG502", "/action"), ("SG502", "/agentId")], "", None),
    ],
)
def test_an_odd_action_gives_these_flaws(
    value: Any,
    expected: list[tuple[str, str]],
    name: str,
    handover: bool | None,  # noqa: FBT001
) -> None:
    delivery = read(value)

    assert flaws(delivery) == expected
    [event] = delivery.events
    assert isinstance(event.kind, ActionKind)
    assert (event.kind.action, event.kind.handover) == (name, handover)
    assert event.agent == (str(value.get("agentId", "a-1")) if name else "")
    assert (event.experience, event.pointer) == ("", "")
    assert delivery.flaws == ()
    if any(flaw.is_believed for flaw in event.flaws):
        names = {"action": "action", "agentid": "agentId", "handover": "handover"}
        value = {names[key.lower()]: item for key, item in value.items()}
        value["agentId"] = str(value["agentId"])
    assert event.value == value


def test_the_flaws_of_an_action_say_so() -> None:
    delivery = read(action("pause", handover="x"))

    [event] = delivery.events
    assert event.flaws[0].facts == {
        "field": "handover",
        "of": "transcription action",
        "found": "string",
        "wanted": "boolean",
    }


def test_an_action_needs_its_ids() -> None:
    delivery = read_action(text(action()))

    assert flaws(delivery) == [("SG502", "/conversationId"), ("SG502", "/botId")]
    assert delivery.flaws[0].facts == {
        "field": "conversationId",
        "of": "transcription action",
        "how": "was absent or null",
        "advice": "send conversationId with every transcription action",
    }
    assert delivery.events == (Event(ActionKind.START, "a-1", "", action(), ""),)


def test_the_body_of_an_action_fills_in_ids() -> None:
    for value in (
        action(conversationId="c-5", botId="st-5"),
        action(conversationId="c-5", botId="st-5", agentId="<a>"),
    ):
        alone = read_action(text(value))
        given = read_action(text(value), conversation_id="c-1", bot_id="st-1")

        assert (alone.conversation_id, alone.bot_id) == ("c-5", "st-5")
        assert (given.conversation_id, given.bot_id) == ("c-1", "st-1")
        assert alone.flaws == given.flaws == ()


def test_ids_of_a_wrong_type_in_an_action_are_not_there() -> None:
    delivery = read_action(text(action(conversationId=5, botId=None)))

    assert flaws(delivery) == [("SG502", "/conversationId"), ("SG502", "/botId")]


@pytest.mark.parametrize("given", ["undefined", "<conversation_id>"])
def test_a_placeholder_in_the_path_is_a_flaw_of_the_delivery(given: str) -> None:
    delivery = read_action(text(action()), conversation_id=given, bot_id="st-1")
    other = read_action(text(action()), conversation_id="c-1", bot_id=given)

    assert (delivery.conversation_id, other.bot_id) == (given, given)
    assert [(flaw.code, flaw.pointer) for flaw in delivery.flaws] == [("SG512", "/conversationId")]
    assert [(flaw.code, flaw.pointer) for flaw in other.flaws] == [("SG507", "/botId")]


@pytest.mark.parametrize("key", ["conversationId", "botId", "agentId"])
def test_a_placeholder_in_the_body_of_an_action_is_a_flaw(key: str) -> None:
    value = action(conversationId="c-1", botId="st-1") | {key: "<x>"}

    code = "SG512" if key == "conversationId" else "SG507"
    assert flaws(read_action(text(value))) == [(code, f"/{key}")]


def test_what_comes_with_an_action_is_kept() -> None:
    when = datetime(2026, 3, 2, tzinfo=UTC)
    for value in (action(), {}):
        delivery = read_action(text(value), delivery_id="d-1", received_at=when, line=3)

        assert (delivery.delivery_id, delivery.received_at, delivery.line) == ("d-1", when, 3)


def test_an_action_that_cannot_be_read_is_one_without_a_name() -> None:
    for raw in (b"{", b"[]", "no JSON"):
        delivery = read_action(raw, conversation_id="c-1", bot_id="st-1")

        assert flaws(delivery) == [("SG501", "")]
        assert delivery.events == (Event(ActionKind.UNPROCESSABLE, "", "", {}, ""),)


def test_every_placeholder_of_an_action_is_a_flaw() -> None:
    delivery = read_action(text(action(conversationId="<c>", botId="<b>", agentId="<a>")))

    assert flaws(delivery) == [
        ("SG512", "/conversationId"),
        ("SG507", "/botId"),
        ("SG507", "/agentId"),
    ]
