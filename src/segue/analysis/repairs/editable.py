"""A conversation's events in order, with the deliveries that contain them.

Deliveries that the check did not apply (retries of a delivery id, an id used twice) have no events
here, and neither have transcription actions; both stay where they are.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from segue.core.conversation import Conversation, Input, Report
from segue.core.conversation.conversation import read
from segue.core.engine import Partial, new
from segue.core.events import Delivery, EventKind
from segue.core.events.shapes import key_of
from segue.core.lifecycle import AGENTLESS_KINDS, MESSAGES

_REUSED: Final = "SG603"


@dataclass(frozen=True, slots=True)
class EditableEvent:
    """One event of a conversation as it was sent."""

    kind: EventKind
    agent: str
    """The identity of the agent as sent, or an empty string for an event without one."""
    delivery: int
    """The number of the delivery that contains the event."""
    index: int | None = None
    """The index in the `events` of the body, or None for a message."""
    value: Any = None


class EditableStream:
    """All events of one conversation, numbered as findings number them."""

    def __init__(self, things: Iterable[Input], partial: Partial = None) -> None:
        self.partial: Partial = partial
        self.given: list[Input] = []
        self.deliveries: list[Delivery] = []
        self.applied: list[bool] = []
        conversation = Conversation(partial=partial)
        found: list[EditableEvent] = []
        for thing in things:
            delivery = read(thing, new(conversation.conversation_id))
            result = conversation.feed(delivery)
            is_applied = not (result.duplicate or any(f.code == _REUSED for f in result.findings))
            if is_applied:
                found += _events(delivery, len(self.deliveries))
            self.given.append(thing)
            self.deliveries.append(replace(delivery, body=_meant(delivery)))
            self.applied.append(is_applied)
        self.report: Report = conversation.finish()
        self.events = tuple(found)

    @property
    def agents(self) -> tuple[str, ...]:
        """Every agent that is named, those with a transfer or a message first."""
        acting = [event.agent for event in self.events if event.agent]
        others = [
            name
            for event in self.events
            if event.kind in AGENTLESS_KINDS and (name := _identity(event.value))
        ]
        return tuple(dict.fromkeys([*acting, *others])) or ("unknown",)


def _events(delivery: Delivery, number: int) -> Iterable[EditableEvent]:
    for event in delivery.events:
        if not isinstance(event.kind, EventKind):
            continue
        agent = "" if event.kind in AGENTLESS_KINDS else event.agent
        kind = event.kind
        if kind is EventKind.AGENT_MESSAGE and not agent:
            kind = EventKind.MESSAGE
        index = None if kind in MESSAGES else int(event.pointer.rpartition("/")[2] or 0)
        yield EditableEvent(kind, agent, number, index, event.value)


def ids_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ids of a body, under the keys that it has for them."""
    keys = [key_of(body, name) for name in ("conversationId", "botId")]
    return {key: body[key] for key in keys if key in body}


def _meant(delivery: Delivery) -> Mapping[str, Any] | None:
    """Return the body with its events in `events`, wherever they were sent."""
    body, events = delivery.body, delivery.events
    if body is None or not events:
        return body
    if (
        len(events) == 1
        and not events[0].pointer
        and isinstance(events[0].kind, EventKind)
        and events[0].kind not in MESSAGES
    ):
        return ids_of(body) | {"events": [events[0].value]}
    key = key_of(body, "events")
    return {"events" if each == key else each: item for each, item in body.items()}


def _identity(value: object) -> str:
    participant = value.get("participant") if isinstance(value, Mapping) else None
    identity = participant.get("identity") if isinstance(participant, dict) else None
    return identity if isinstance(identity, str) else ""
