"""Events as values: what is absent or of another type reads as empty; nothing private shows."""

from typing import Any

import pytest

from segue.core.events import ActionKind, Delivery, Event, EventKind

WHOLE = {
    "language": "en",
    "reason": "agent_initiated",
    "participant": {
        "identity": "a-1",
        "name": "Ada",
        "type": "agent",
        "customFields": {"agentEmail": "ada@example.com", "queueId": "qu-1", "queueName": "Orders"},
    },
}
FIELDS = ("language", "reason", "name", "type", "email", "queue_id", "queue_name")


def event(value: dict[str, Any]) -> Event:
    return Event(EventKind.NA_ENTRY, "a-1", "chat", value, "/events/0")


def read(value: dict[str, Any]) -> list[str]:
    return [getattr(event(value), field) for field in FIELDS]


def test_every_field_is_read() -> None:
    assert read(WHOLE) == [
        "en", "agent_initiated", "Ada", "agent", "ada@example.com", "qu-1", "Orders",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"participant": None},
        {"participant": {"customFields": 5}},
        {"language": 5, "reason": []},
    ],
    ids=str,
)
def test_what_is_absent_or_of_another_type_reads_as_empty(value: dict[str, Any]) -> None:
    assert read(value) == [""] * len(FIELDS)


def test_representations_show_ids_and_kinds_only() -> None:
    entry = event(WHOLE)
    message = Event(EventKind.USER_MESSAGE, "", "chat", {"query": "secret"}, "")

    assert repr(entry) == "<Event NA entry 'a-1'>"
    assert repr(message) == "<Event user message>"
    assert (
        repr(Delivery("c-1", "st-1", (entry, message)))
        == "<Delivery 'c-1' [NA entry, user message]>"
    )


def test_a_kind_knows_its_transfer_type() -> None:
    assert EventKind.REDIAL_ENTRY.transfer_type == "redial"
    assert EventKind.END.transfer_type == ""


@pytest.mark.parametrize(
    ("kind", "action", "handover"),
    [
        (ActionKind.HANDOVER, "pause", True),
        (ActionKind.PAUSE, "pause", False),
        (ActionKind.START, "start", None),
        (ActionKind.UNPROCESSABLE, "", None),
    ],
    ids=str,
)
def test_an_action_says_what_was_sent(
    kind: ActionKind, action: str, *, handover: bool | None
) -> None:
    assert (kind.action, kind.handover) == (action, handover)


def test_an_action_is_labelled_as_people_read_it() -> None:
    assert str(ActionKind.HANDOVER) == "pause handover=true"
