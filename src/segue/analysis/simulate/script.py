"""The deliveries of one generated conversation, which can be written as lines of a log.

Mistakes and spelling variants edit a script in place. Its deliveries therefore share no objects.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, StrEnum, auto
from typing import Any, Final, NamedTuple

from segue.analysis.simulate.bodies import (
    StoryEvent,
    action,
    body,
    end,
    envelope_of,
    message,
    notification,
    participant,
    read_delivery,
    summary,
    transfer,
)
from segue.core.events import CALL_NOTIFICATIONS, HOOKS, TRANSCRIPTION, IdSource, Intake

SECOND: Final = 1000
"""The number of milliseconds in a second. All times are whole milliseconds."""

_SOON: Final = 9 * SECOND
_CLOCKED: Final = frozenset({"callconnecttime", "callDisconnectTime"})


class Wrapping(Enum):
    """The way in which the sender or the logger wraps bodies."""

    PLAIN = auto()
    """Each event has a body of its own, which is a JSON object."""
    BATCHED = auto()
    """Some events and messages share a delivery with the next event."""
    TEXT = auto()
    """Each body is a string that contains JSON."""
    OUTER_IDS = auto()
    """The ids of the conversation and the bot are only in the envelope, not in the body."""


class LogPart(StrEnum):
    """An optional part of a log, which some mistakes require."""

    MESSAGES = "messages"
    TRANSCRIPTION = "transcription"
    CALLS = "calls"
    ENVELOPES = "envelopes"


def stamp(start: datetime, milliseconds: int) -> str:
    """Return the time `milliseconds` after `start`, such as `2026-03-02T08:00:00.250Z`."""
    when = start + timedelta(milliseconds=milliseconds)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(slots=True)
class ScriptItem:
    """One delivery of a script: an event, message, transcription action or call notification.

    Times in the body of a notification are milliseconds since the conversation began.
    """

    at: int
    """The time of receipt, in milliseconds since the conversation began."""
    body: dict[str, Any]
    intake: Intake = HOOKS
    """The endpoint that receives the delivery."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Fields of the envelope in addition to the usual ones, or instead of them."""
    arriving: float = 1
    """The share of the line that is received, from 0 to 1. It is below 1 for a truncated line."""

    @property
    def event(self) -> dict[str, Any]:
        """The first event of the delivery, or an empty dictionary if there are no events."""
        events = self.body.get("events")
        found: dict[str, Any] = events[0] if events else {}
        return found

    @property
    def story_event(self) -> StoryEvent | None:
        """The event, message, action or notification of the delivery.

        None if the body is empty, damaged or not spelled as in the specification.
        """
        return read_delivery(self.body)

    @property
    def is_odd(self) -> bool:
        """Whether the delivery cannot share a line with another event."""
        return self.intake.ids is IdSource.ADDRESS or bool(self.extra) or self.arriving < 1

    def copy(self, later: int = 0) -> "ScriptItem":
        """Return a copy of this delivery that is received `later` milliseconds later."""
        return replace(self, at=self.at + later, body=deepcopy(self.body), extra=dict(self.extra))


class SentLine(NamedTuple):
    """A line of a log, and its time in milliseconds since the conversation began."""

    at: int
    text: str


_encode: Final = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(slots=True)
class Script:
    """The deliveries of one conversation, in order."""

    conversation_id: str
    bot_id: str
    experience: str
    participant: Callable[[str], dict[str, Any]] = participant
    """A function that returns the `participant` object of an agent id."""
    items: list[ScriptItem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """The codes of the notes that a check reports for this conversation."""
    form: Wrapping = Wrapping.PLAIN
    """The way in which bodies are wrapped."""
    is_enveloped: bool = True
    """Whether lines are envelopes with times, rather than bodies only."""
    delivery_ids: str = ""
    """The prefix of delivery ids. If it is empty, deliveries have no ids."""

    @property
    def has_call(self) -> bool:
        """Whether the conversation has a call notification."""
        return any(item.intake is CALL_NOTIFICATIONS for item in self.items)

    def agents(self) -> set[str]:
        """Return the ids of all agents in the deliveries."""
        events = (item.story_event for item in self.items)
        return {event.agent for event in events if event is not None and event.agent}

    def transfer(self, at: int, label: str, agent: str) -> ScriptItem:
        """Return the delivery of a transfer event, such as `NA entry`."""
        more = {"reason": "agent_initiated"} if label.startswith("redial") else {}
        return self._deliver(at, transfer(label, agent, **self._shared(agent), **more))

    def message(self, at: int, author: str, agent: str, text: str) -> ScriptItem:
        """Return the delivery of a message by `USER` or `AGENT`."""
        more = {
            "sendUserMessage": author == "USER",
            "sendAgentMessage": author == "AGENT",
            "language": "en",
        }
        ids = {"conversationId": self.conversation_id, "botId": self.bot_id}
        return ScriptItem(
            at, message(author, agent, text, **ids, experience=self.experience, **more)
        )

    def summary(self, at: int) -> ScriptItem:
        """Return the delivery of an event that triggers the summary."""
        return self._deliver(at, summary("English"))

    def end(self, at: int, agent: str) -> ScriptItem:
        """Return the delivery of the END event."""
        return self._deliver(at, end(agent, **self._shared(agent)))

    def action(self, at: int, label: str, agent: str) -> ScriptItem:
        """Return the delivery of a transcription action, such as `start`."""
        return ScriptItem(at, action(label, agent), TRANSCRIPTION)

    def call(self, at: int, status: str, **said: Any) -> ScriptItem:
        """Return the delivery of a call notification. `said` contains additional fields."""
        given = notification(status, conversationId=self.conversation_id, **said)
        envelope = envelope_of(CALL_NOTIFICATIONS, bot_id=self.bot_id)
        return ScriptItem(at, given, CALL_NOTIFICATIONS, envelope)

    def _shared(self, agent: str) -> dict[str, Any]:
        return {"experience": self.experience, "participant": self.participant(agent)}

    def _deliver(self, at: int, event: dict[str, Any]) -> ScriptItem:
        return ScriptItem(at, body(event, conversation_id=self.conversation_id, bot_id=self.bot_id))

    def sent(self, start: datetime) -> list[SentLine]:
        """Return the lines of the conversation, which begins at the time `start`."""
        groups = (
            self._batches() if self.form is Wrapping.BATCHED else [(item,) for item in self.items]
        )
        return [
            SentLine(group[0].at, self._text(group, start, number))
            for number, group in enumerate(groups)
        ]

    def _batches(self) -> list[tuple[ScriptItem, ...]]:
        groups: list[tuple[ScriptItem, ...]] = []
        for item in self.items:
            if groups and len(groups[-1]) == 1 and _may_join(groups[-1][0], item):
                groups[-1] = (groups[-1][0], item)
            else:
                groups.append((item,))
        return groups

    def deliveries(self, start: datetime) -> list[Any]:
        """Return each delivery as a JSON value, or as text if it is truncated."""
        return [
            self._value((item,), start, number)
            if item.arriving == 1
            else self._text((item,), start, number)
            for number, item in enumerate(self.items)
        ]

    def _text(self, group: tuple[ScriptItem, ...], start: datetime, number: int) -> str:
        text = _encode(self._value(group, start, number))
        return text[: int(len(text) * group[0].arriving)]

    def _value(self, group: tuple[ScriptItem, ...], start: datetime, number: int) -> dict[str, Any]:
        first = group[0]
        given = first.body
        if first.intake is CALL_NOTIFICATIONS:
            given = {key: _clocked(key, given[key], start) for key in given}
        if len(group) > 1:
            given = given | {"events": [*given.get("events", ()), group[1].event]}
        envelope: dict[str, Any] = {}
        if self.is_enveloped:
            envelope["received_at"] = stamp(start, first.at)
        if self.delivery_ids:
            envelope["delivery_id"] = f"{self.delivery_ids}{number:02d}"
        if first.intake.ids is IdSource.ADDRESS:
            envelope |= envelope_of(first.intake, self.conversation_id, self.bot_id)
        elif self.form is Wrapping.OUTER_IDS:
            envelope |= {"conversation_id": self.conversation_id, "bot_id": self.bot_id}
            given = {key: given[key] for key in given if key not in ("conversationId", "botId")}
        envelope |= first.extra
        if not envelope:
            return given
        return envelope | {"body": _encode(given) if self.form is Wrapping.TEXT else given}


def _clocked(key: str, value: object, start: datetime) -> object:
    """Return the value of a body's key, with times in the platform's format.

    A time is given in milliseconds since `start`, and written as `3/2/2026, 08:00:00 AM`. Other
    values are returned unchanged.
    """
    if type(value) is not int or key not in _CLOCKED:
        return value
    when = start + timedelta(milliseconds=value)
    return f"{when.month}/{when.day}/{when.year}, {when:%I:%M:%S %p}"


def _may_join(first: ScriptItem, second: ScriptItem) -> bool:
    """Return whether a message or event may share a delivery with the event after it."""
    return (
        not (first.is_odd or second.is_odd)
        and bool(first.story_event and second.event)
        and first.at <= second.at <= first.at + _SOON
    )
