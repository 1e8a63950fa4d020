"""Record the messages, transcription actions and callbacks of a log for an export.

Reports only count them. Message text is kept only on request, so that no export contains it by
mistake.
"""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from segue.core.conversation import Report
from segue.core.epoch import utc
from segue.core.events import ActionKind, CallKind, Delivery, EventKind
from segue.core.lifecycle import MESSAGES


class TimelineItem(NamedTuple):
    """One lifecycle event, message, transcription action or callback."""

    position: int
    """The index among the events of the conversation, or among the actions with the same `noun`."""
    kind: StrEnum
    """An `EventKind`, or the kind of an action or callback."""
    agent: str
    """The agent's identity.

    It is an empty string for user messages and for events without an agent.
    """
    at: datetime | None
    text: str | None = None
    """The text of a message. The value is None for other items, and if text was not requested."""
    noun: str = ""
    """The name of the items that `position` counts, such as `call notification`.

    It is an empty string for events.
    """

    @property
    def label(self) -> str:
        """The kind for display, such as `COLD exit` or `call completed`."""
        return f"call {self.kind.value}" if isinstance(self.kind, CallKind) else self.kind.value

    @property
    def place(self) -> str:
        """The position in words, such as `event 3`."""
        return f"{self.noun or 'event'} {self.position}"

    @property
    def is_message(self) -> bool:
        """Whether the item is a message of a user or an agent."""
        return self.kind in MESSAGES

    @property
    def is_transcription(self) -> bool:
        """Whether the item is a transcription action."""
        return isinstance(self.kind, ActionKind)

    @property
    def is_action(self) -> bool:
        """Whether the item is an action or a callback, and not an event.

        Actions and callbacks are numbered separately from events.
        """
        return not isinstance(self.kind, EventKind)


def resource_of(item: TimelineItem) -> str:
    """Return who caused an item: the identity of an agent, `customer` or `system`.

    A message without an agent is attributed to the customer.
    """
    return item.agent or ("customer" if item.is_message else "system")


class Recorder:
    """Records the events and actions of a log while its deliveries are applied.

    Call an instance with each delivery, and `recall` with the report of a conversation.
    """

    def __init__(self, *, include_text: bool = False) -> None:
        self._include_text = include_text
        self._recorded: dict[str, list[tuple[str | None, TimelineItem]]] = {}
        """The recorded items by conversation id, as pairs of a bot id and an item."""

    def __call__(self, delivery: Delivery, position: int) -> None:
        """Record the events or the action of a delivery.

        `position` is the position of the first event, or of the action, in the conversation.
        """
        items = self._recorded.setdefault(delivery.conversation_id or "", [])
        at = None if delivery.received_at is None else utc(delivery.received_at)
        for place, event in enumerate(delivery.events, position):
            text = None
            if self._include_text and event.kind in MESSAGES:
                query = event.value.get("query")
                text = query if isinstance(query, str) else ""
            noun = "" if isinstance(event.kind, EventKind) else delivery.intake.noun
            item = TimelineItem(place, event.kind, event.agent, at, text, noun)
            items.append((delivery.bot_id, item))

    def recall(self, report: Report) -> list[TimelineItem]:
        """Remove and return the recorded items of a report's conversation, in order of arrival."""
        name = report.conversation_id or ""
        items = self._recorded.pop(name, [])
        if report.keyed_by == "bot":
            others = [(bot, item) for bot, item in items if bot != report.bot_id]
            if others:
                self._recorded[name] = others
                items = [(bot, item) for bot, item in items if bot == report.bot_id]
        return [item for _, item in items]
