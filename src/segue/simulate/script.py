"""A script: the deliveries of one conversation, before they are interleaved with others.

It decides how an event, a message or an action looks as a body, and a delivery as a line.  House
rules: scripts are edited by the mistakes and respelt by senders, so everything here is plain and
mutable; no two items share an object.  It does not know what is legal, nor who else is in the log.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from segue.events import TRANSCRIPTION, EventKind
from segue.simulate.sample_data import Agent

__all__ = ["SECOND", "Form", "Item", "Note", "Script", "Sent", "stamp"]

SECOND: Final = 1000
"""Times are whole milliseconds, so that their order survives the writing."""

_SOON: Final = 9 * SECOND
_NAMES: Final = {
    "TRIGGER_SUMMARY_EVENT": EventKind.SUMMARY.value,
    "END_OF_CONVERSATION": EventKind.END.value,
}


class Form(Enum):
    """How a sender, or whoever writes the log, wraps bodies up."""

    PLAIN = auto()
    BATCHED = auto()
    """An event, or a message, and the event after it share a delivery."""
    TEXT = auto()
    """Bodies are JSON in a string."""
    OUTER_IDS = auto()
    """Conversation and bot stand in the envelope only."""


def stamp(start: datetime, milliseconds: int) -> str:
    """Return a time of reception: ISO 8601, UTC, milliseconds."""
    when = start + timedelta(milliseconds=milliseconds)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(slots=True)
class Item:
    """One delivery: an event, a message or a transcription action."""

    at: int
    """Milliseconds since the conversation began."""
    body: dict[str, Any]
    is_action: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    """Keys of the envelope, beside or instead of the usual ones."""
    spoil: Callable[[str], str] | None = None
    """What happens to the line on its way."""

    @property
    def event(self) -> dict[str, Any]:
        """The event of the delivery; empty when it has none."""
        events = self.body.get("events")
        found: dict[str, Any] = events[0] if events else {}
        return found

    @property
    def kind(self) -> str:
        """What it is: the label of an event, `message`, `start`, … or empty."""
        if self.is_action:
            return str(self.body["action"])
        if "query" in self.body:
            return EventKind.MESSAGE.value
        event = self.event
        if "transfertype" in event:
            return f"{event['transfertype']} {event['transition']}"
        return _NAMES.get(event.get("name", ""), "")

    @property
    def agent(self) -> str:
        """Identity of the agent; empty when there is none."""
        if self.is_action or "query" in self.body:
            return str(self.body["agentId"])
        return str(self.event.get("participant", {}).get("identity", ""))

    @property
    def author(self) -> str:
        """`USER` or `AGENT` for a message, else empty."""
        return str(self.body.get("author", {}).get("type", ""))

    def copy(self, later: int = 0) -> "Item":
        """Return the same delivery at another time."""
        return Item(
            self.at + later, deepcopy(self.body), self.is_action, dict(self.extra), self.spoil
        )


class Note(NamedTuple):
    """Something unusual that the specification allows, or does not mention."""

    item: Item
    code: str


class Sent(NamedTuple):
    """One line, and what it delivers."""

    at: int
    text: str
    items: tuple[Item, ...]


_encode: Final = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(slots=True)
class Script:
    """One conversation."""

    conversation_id: str
    bot_id: str
    experience: str
    items: list[Item] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    form: Form = Form.PLAIN
    is_enveloped: bool = True
    """Whether the log says when a delivery came, and how."""

    def where(self, wanted: Callable[[Item], bool]) -> list[int]:
        """Return the indexes of the items that are wanted."""
        return [index for index, item in enumerate(self.items) if wanted(item)]

    def having(self, *kinds: str) -> list[int]:
        """Return the indexes of the items of these kinds."""
        return self.where(lambda item: item.kind in kinds)

    def agents(self) -> set[str]:
        """Return everybody who is named."""
        return {item.agent for item in self.items if item.agent}

    def transfer(self, at: int, kind: str, agent: Agent) -> Item:
        """Return the delivery of a transfer event."""
        transfer_type, transition = kind.split(" ")
        event = {
            "name": "INTERNAL_TRANSFER_EVENT",
            "transfertype": transfer_type,
            "transition": transition,
            "isExtAD": False,
            "language": "en",
            "experience": self.experience,
            "participant": agent.participant(),
        }
        if transfer_type == "redial":
            event["reason"] = "agent_initiated"
        return self.deliver(at, event)

    def message(self, at: int, author: str, agent: str, text: str) -> Item:
        """Return the delivery of a message."""
        body = {
            "conversationId": self.conversation_id,
            "botId": self.bot_id,
            "query": text,
            "agentId": agent,
            "experience": self.experience,
            "author": {"type": author},
            "source": "desk",
            "sendUserMessage": author == "USER",
            "sendAgentMessage": author == "AGENT",
            "language": "en",
        }
        return Item(at, body)

    def summary(self, at: int, locale: str = "en") -> Item:
        """Return the delivery of a summary trigger."""
        data = {"language": "English", "locale": locale, "type": "post"}
        return self.deliver(at, {"name": "TRIGGER_SUMMARY_EVENT", "data": data})

    def end(self, at: int, agent: Agent) -> Item:
        """Return the delivery of the end."""
        event = {
            "name": "END_OF_CONVERSATION",
            "reason": "agent_initiated",
            "language": "en",
            "experience": self.experience,
            "participant": agent.participant(),
        }
        return self.deliver(at, event)

    def deliver(self, at: int, event: dict[str, Any]) -> Item:
        """Return a delivery with one event."""
        body = {"conversationId": self.conversation_id, "botId": self.bot_id, "events": [event]}
        return Item(at, body)

    def action(self, at: int, name: str, agent: str, *, handover: bool | None = None) -> Item:
        """Return the delivery of a transcription action."""
        body: dict[str, Any] = {"action": name, "agentId": agent}
        if handover is not None:
            body["handover"] = handover
        return Item(at, body, is_action=True)

    def sent(self, start: datetime, delivery_ids: str = "") -> list[Sent]:
        """Return the conversation as lines of a log that begins at `start`.

        `delivery_ids` is what the delivery ids begin with; empty: there are none.
        """
        groups = self._batches() if self.form is Form.BATCHED else [(item,) for item in self.items]
        return [
            Sent(
                group[0].at,
                self._text(group, start, f"{delivery_ids}{number:02d}" if delivery_ids else ""),
                group,
            )
            for number, group in enumerate(groups)
        ]

    def _batches(self) -> list[tuple[Item, ...]]:
        groups: list[tuple[Item, ...]] = []
        for item in self.items:
            if groups and len(groups[-1]) == 1 and _may_join(groups[-1][0], item):
                groups[-1] = (groups[-1][0], item)
            else:
                groups.append((item,))
        return groups

    def _text(self, group: tuple[Item, ...], start: datetime, delivery_id: str) -> str:
        first = group[0]
        body = first.body
        if len(group) > 1:
            body = body | {"events": [*body.get("events", ()), group[1].event]}
        envelope: dict[str, Any] = {}
        if self.is_enveloped:
            envelope["received_at"] = stamp(start, first.at)
        if delivery_id:
            envelope["delivery_id"] = delivery_id
        if first.is_action:
            envelope |= {
                "endpoint": TRANSCRIPTION.name,
                "conversation_id": self.conversation_id,
                "bot_id": self.bot_id,
            }
        elif self.form is Form.OUTER_IDS:
            envelope |= {"conversation_id": self.conversation_id, "bot_id": self.bot_id}
            body = {key: body[key] for key in body if key not in ("conversationId", "botId")}
        envelope |= first.extra
        if envelope:
            envelope.setdefault("body", _encode(body) if self.form is Form.TEXT else body)
            text = _encode(envelope)
        else:
            text = _encode(body)
        return text if first.spoil is None else first.spoil(text)


def _may_join(first: Item, second: Item) -> bool:
    """Whether two items may come in one delivery: a message or event, and then an event."""
    return (
        not (first.is_action or first.extra or first.spoil)
        and not (second.is_action or second.extra or second.spoil)
        and bool(first.kind and second.event)
        and first.at <= second.at <= first.at + _SOON
    )
