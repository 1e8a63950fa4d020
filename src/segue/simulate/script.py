"""A script: the deliveries of one conversation, before they are interleaved with others.

Scripts are edited by the mistakes, so everything here is plain and mutable, and an item knows how
to say itself as a line of a log.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from segue.simulate.people import Agent

__all__ = ["Item", "Script", "stamp"]


def stamp(start: datetime, seconds: float) -> str:
    """Return a time of reception: ISO 8601, UTC, milliseconds."""
    when = start + timedelta(milliseconds=round(seconds * 1000))
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(slots=True)
class Item:
    """One delivery: an event, a message or a transcription action."""

    at: float
    """Seconds since the conversation began."""
    body: dict[str, Any]
    is_action: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    """Other keys of the envelope."""
    cut: int | None = None
    """Only so many characters of the line arrive."""

    @property
    def event(self) -> dict[str, Any]:
        """The event of the delivery; empty when it has none."""
        events = self.body.get("events")
        found: dict[str, Any] = events[0] if events else {}
        return found

    @property
    def kind(self) -> str:
        """What it is: `NA entry`, `summary`, `end`, `message`, `start`, … or empty."""
        event = self.event
        if self.is_action:
            return str(self.body["action"])
        if "query" in self.body:
            return "message"
        if "transfertype" in event:
            return f"{event['transfertype']} {event['transition']}"
        name = event.get("name", "")
        return {"TRIGGER_SUMMARY_EVENT": "summary", "END_OF_CONVERSATION": "end"}.get(name, "")

    @property
    def agent(self) -> str:
        """Identity of the agent; empty when there is none."""
        if self.is_action or "query" in self.body:
            return str(self.body["agentId"])
        return str(self.event.get("participant", {}).get("identity", ""))

    def copy(self, later: float = 0.0) -> "Item":
        """Return the same delivery at another time."""
        return Item(self.at + later, deepcopy(self.body), self.is_action, dict(self.extra), self.cut)

    def line(self, script: "Script", start: datetime) -> str:
        """Return the delivery as a line of a log."""
        envelope: dict[str, Any] = {"received_at": stamp(start, self.at)}
        if self.is_action:
            envelope |= {
                "endpoint": "transcription",
                "conversation_id": script.conversation_id,
                "bot_id": script.bot_id,
            }
        text = json.dumps({**envelope, **self.extra, "body": self.body})
        return text if self.cut is None else text[: self.cut]


@dataclass(slots=True)
class Script:
    """One conversation."""

    conversation_id: str
    bot_id: str
    experience: str
    items: list[Item] = field(default_factory=list)

    def where(self, wanted: Callable[[Item], bool]) -> list[int]:
        """Return the indexes of the items that are wanted."""
        return [index for index, item in enumerate(self.items) if wanted(item)]

    def having(self, *kinds: str) -> list[int]:
        """Return the indexes of the items of these kinds."""
        return self.where(lambda item: item.kind in kinds)

    def agents(self) -> set[str]:
        """Return everybody who is named."""
        return {item.agent for item in self.items if item.agent}

    def primary_at(self, index: int) -> str:
        """Return who last took the primary place before this item."""
        for item in reversed(self.items[:index]):
            if item.kind in ("NA entry", "COLD entry", "redial entry"):
                return item.agent
        return ""

    def deliver(self, at: float, event: dict[str, Any]) -> Item:
        """Return a delivery with one event."""
        body = {"conversationId": self.conversation_id, "botId": self.bot_id, "events": [event]}
        return Item(at, body)

    def transfer(self, at: float, kind: str, agent: Agent) -> Item:
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

    def message(self, at: float, author: str, agent: str, text: str) -> Item:
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

    def summary(self, at: float, locale: str = "en") -> Item:
        """Return the delivery of a summary trigger."""
        data = {"language": "English", "locale": locale, "type": "post"}
        return self.deliver(at, {"name": "TRIGGER_SUMMARY_EVENT", "data": data})

    def end(self, at: float, agent: Agent) -> Item:
        """Return the delivery of the end."""
        event = {
            "name": "END_OF_CONVERSATION",
            "reason": "agent_initiated",
            "language": "en",
            "experience": self.experience,
            "participant": agent.participant(),
        }
        return self.deliver(at, event)

    def action(self, at: float, name: str, agent: str, *, handover: bool | None = None) -> Item:
        """Return the delivery of a transcription action."""
        body: dict[str, Any] = {"action": name, "agentId": agent}
        if handover is not None:
            body["handover"] = handover
        return Item(at, body, is_action=True)

    def lines(self, start: datetime) -> Iterator[str]:
        """Yield the whole conversation as lines of a log."""
        return (item.line(self, start) for item in self.items)
