"""Build events, deliveries and log lines for tests from short labels.

A label names an event and its agent: `COLD exit a-1`, `agent message a-2`, `user message`,
`summary`, `END`, `start a-1`, `pause handover=true a-1` (or `pause true a-1`). The default agent is
a-1. The testing kit builds the bodies, and a `Sender` defines the bot, the names and the texts.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final

from segue.analysis.simulate import bodies
from segue.analysis.simulate.bodies import LABELS, StoryEvent
from segue.core.events import TRANSCRIPTION

__all__ = [
    "Nowhere",
    "Sender",
    "body",
    "end",
    "jsonl",
    "message",
    "read_label",
    "summary",
    "transfer",
]


class Nowhere(tzinfo):
    """A time zone without an offset, so that times in it are naive."""

    def utcoffset(self, at: datetime | None) -> None:
        """Return None."""

    dst = utcoffset

    def tzname(self, at: datetime | None) -> str:
        """Return a name although there is no offset."""
        return f"nowhere at {at}"

    def __repr__(self) -> str:
        """Return a constant text without an address, because test ids contain it."""
        return "Nowhere()"


_ALIASES: Final = {
    "summary": "TRIGGER_SUMMARY_EVENT",
    "END": "END_OF_CONVERSATION",
    "user": "user message",
    "agent": "agent message",
    "pause true": "pause handover=true",
    "pause false": "pause handover=false",
}


def read_label(text: str, agent: str = "a-1") -> StoryEvent:
    """Return the event, message or action of a label. `agent` acts if the label names no agent."""
    what = text
    if text not in _ALIASES and text not in LABELS:
        what, agent = text.rsplit(" ", 1)
    label = _ALIASES.get(what, what)
    assert label in LABELS, text
    return StoryEvent(label, agent)


@dataclass(frozen=True, slots=True)
class Sender:
    """A sender: its bot, the names of its agents and the text of its messages."""

    bot: str = "st-1"
    names: tuple[str, ...] = ()
    """The names of a-1, a-2, … If empty, agents have names such as `Agent a-1`."""
    text: str = "Hello"

    def participant(self, agent: str) -> dict[str, Any]:
        known = {f"a-{number}": name for number, name in enumerate(self.names, start=1)}
        name = known.get(agent, "") if self.names else f"Agent {agent}"
        return {"identity": agent, "name": name, "type": "agent"}

    def event(self, text: str, **changed: Any) -> dict[str, Any]:
        """Return an object of `events`, with fields replaced by `changed`."""
        label, agent, _ = read_label(text)
        if label == "TRIGGER_SUMMARY_EVENT":
            return bodies.summary("English") | changed
        changed = {"participant": self.participant(agent)} | changed
        if label == "END_OF_CONVERSATION":
            return bodies.end(agent, **changed)
        event = bodies.transfer(label, agent, **changed)
        return (
            event
            if "language" in changed
            else {key: value for key, value in event.items() if key != "language"}
        )

    def body(self, *texts: str, conversation: str = "c-1", **changed: Any) -> dict[str, Any]:
        """Return an E21 body with a message or events. `changed` replaces fields of each event."""
        ids = {"conversationId": conversation, "botId": self.bot}
        first = read_label(texts[0]) if texts else None
        if first is not None and first.is_message:
            author = first.label.split()[0].upper()
            return bodies.message(author, first.agent, self.text, **ids, **changed)
        return ids | {"events": [self.event(text, **changed) for text in texts]}

    def delivery(
        self, text: str, conversation: str = "c-1", at: str | None = None, **changed: Any
    ) -> dict[str, Any]:
        """Return a line of a log. `at` is a time on 2026-03-02, such as `09:00:00`."""
        envelope = {"received_at": f"2026-03-02T{at}Z"} if at else {}
        event = read_label(text)
        if event.is_action:
            given = bodies.action(event.label, event.agent)
            address = bodies.envelope_of(TRANSCRIPTION, conversation, self.bot)
            return envelope | address | {"body": given}
        given = self.body(text, conversation=conversation, **changed)
        return envelope | {"body": given} if at else given


_USUAL: Final = Sender()


def body(*events: dict[str, Any], conversation: str = "c-1", bot: str = "st-1") -> dict[str, Any]:
    """Return an E21 body with these events."""
    return bodies.body(*events, conversation_id=conversation, bot_id=bot)


def transfer(label: str, agent: str, **changed: Any) -> dict[str, Any]:
    """Return the event of an agent who enters or leaves, with fields replaced by `changed`."""
    return _USUAL.event(f"{label} {agent}", **changed)


def summary() -> dict[str, Any]:
    """Return the event that triggers the summary."""
    return _USUAL.event("summary")


def end(agent: str = "a-1", **changed: Any) -> dict[str, Any]:
    """Return the event that ends the conversation, with fields replaced by `changed`."""
    return _USUAL.event(f"END {agent}", **changed)


def message(author: str, agent: str, **changed: Any) -> dict[str, Any]:
    """Return the body of a message, with fields replaced by `changed`."""
    return bodies.message(author, agent, "Hello", **changed)


def jsonl(values: Iterable[Any]) -> bytes:
    """Return the values as the bytes of a JSON Lines log."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)
