"""Bodies to start from, written after the specification, and ways to look at what they give."""

from __future__ import annotations

import json
from typing import Any

from segue.core.events import HOOKS, TRANSCRIPTION, Delivery
from segue.core.wire import BodyLimits, DeliveryContext, read_body
from segue.core.wire.limits import LIMITS


def participant(**changes: Any) -> dict[str, Any]:
    return {"identity": "a-1", "name": "Agent 1", "type": "agent"} | changes


def transfer(transfer_type: str = "NA", transition: str = "entry", **changes: Any) -> Any:
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": transfer_type,
        "transition": transition,
        "isExtAD": False,
        "language": "en",
        "experience": "chat",
        "participant": participant(),
    } | changes


def summary(**changes: Any) -> dict[str, Any]:
    data = {"language": "English", "locale": "en", "type": "post"}
    return {"name": "TRIGGER_SUMMARY_EVENT", "data": data} | changes


def end(**changes: Any) -> dict[str, Any]:
    return {
        "name": "END_OF_CONVERSATION",
        "reason": "agent_initiated",
        "language": "en",
        "experience": "chat",
        "participant": participant(),
    } | changes


def body(*events: Any, **changes: Any) -> dict[str, Any]:
    ids: dict[str, Any] = {"conversationId": "c-1", "botId": "st-1"}
    return ids | ({"events": list(events)} if events else {}) | changes


def message(**changes: Any) -> dict[str, Any]:
    fields = {
        "query": "hello",
        "agentId": "a-1",
        "experience": "chat",
        "author": {"type": "USER"},
        "source": "desk",
        "sendUserMessage": True,
        "sendAgentMessage": True,
        "language": "en",
    }
    return body() | fields | changes


def action(name: str = "start", **changes: Any) -> dict[str, Any]:
    return {"action": name, "agentId": "a-1"} | changes


def without(value: dict[str, Any], *path: str) -> dict[str, Any]:
    """Return the object without the member at the end of the path."""
    key, *rest = path
    if rest:
        return value | {key: without(value[key], *rest)}
    return {name: member for name, member in value.items() if name != key}


def text(value: Any) -> bytes:
    return json.dumps(value).encode()


def delivery_flaws(delivery: Delivery) -> list[tuple[str, str]]:
    return [(flaw.code, flaw.pointer) for flaw in delivery.flaws]


def flaws(delivery: Delivery) -> list[tuple[str, str]]:
    """Return code and pointer of every flaw: of the delivery, its events."""
    found = list(delivery.flaws)
    for event in delivery.events:
        found += event.flaws
    return [(flaw.code, flaw.pointer) for flaw in found]


def reason(delivery: Delivery) -> str | None:
    """Return why a body could not be read; None: it was."""
    if delivery.body is not None:
        return None
    (flaw,) = delivery.flaws
    assert flaw.code == "SG501"
    assert flaw.pointer == ""
    return flaw.facts["reason"]


BODIES: tuple[dict[str, Any], ...] = (
    body(transfer()),
    body(transfer("cold", "EXIT", isExtAD="true", experience="VOICE", reason="r", language=None)),
    body(transfer("redial", participant=participant(customFields={"agentEmail": "a@b.c"}))),
    body(transfer("Warm"), summary(), end(), x={"a": [1, 2.5, None, {"b": "c:d"}]}),
    body(summary(experience="chat", participant=participant(customFields=None))),
    body(end(participant=participant(customFields={"queueId": "q", "queueName": "Q", "z": 1}))),
    message(),
    message(author={"type": "Agent"}, query='at 10:30: \\ "yes" é', events=[transfer()]),
    body(transfer(extra={"NaN": "Infinity"}), query=None, author=None, events=[transfer()]),
)
"""Flawless bodies of E21."""

ACTIONS: tuple[dict[str, Any], ...] = (
    action(),
    action("pause", handover=True),
    action("pause", handover="false"),
    action("resume", handover="whatever", conversationId="c-2", botId="st-2"),
    action("end", extra=[{}]),
)
"""Flawless bodies of E1."""


def read_hook(raw: Any, *, limits: BodyLimits = LIMITS, **context: Any) -> Delivery:
    """Read a body of E21; `context` are the fields of a `DeliveryContext`."""
    return read_body(raw, HOOKS, DeliveryContext(**context), limits=limits)


def read_action(raw: Any, *, limits: BodyLimits = LIMITS, **context: Any) -> Delivery:
    """Read a body of E1; `context` are the fields of a `DeliveryContext`."""
    return read_body(raw, TRANSCRIPTION, DeliveryContext(**context), limits=limits)
