"""The witness: what a report forgets and an export tells.

A report counts messages; here each of them has its place, its time and its author, and so has
every transcription action.  House rules: a text is kept only where it was asked for, so that no
export can have it by mistake; what a conversation left is handed out once and then forgotten.  It
refuses to know what any of it means.
"""

from datetime import datetime
from typing import NamedTuple

from segue.events import Delivery, EventKind
from segue.lifecycle import MESSAGES
from segue.segments import utc

__all__ = ["Sighting", "Witness"]


class Sighting(NamedTuple):
    """An event or an action, as it came in."""

    position: int
    """Of the event, or of the action, among their own."""
    kind: EventKind | None
    """None: an action."""
    label: str
    """The kind as people read it, `pause handover=true`."""
    agent: str
    """As it was spelt."""
    at: datetime | None
    text: str | None = None
    """What was said, empty where that was left out; None: nobody asked."""


class Witness:
    """Takes in the deliveries of a log as they are applied."""

    def __init__(self, *, include_text: bool = False) -> None:
        self._include_text = include_text
        self._seen: dict[str, list[Sighting]] = {}

    def __call__(self, delivery: Delivery, position: int) -> None:
        """Take in a delivery, and the position of its first event or of its action."""
        seen = self._seen.setdefault(delivery.conversation_id or "", [])
        at = None if delivery.received_at is None else utc(delivery.received_at)
        for place, event in enumerate(delivery.events, position):
            if not isinstance(event.kind, EventKind):
                seen.append(Sighting(place, None, event.kind.value, event.agent, at))
                continue
            text = None
            if self._include_text and event.kind in MESSAGES:
                query = event.value.get("query")
                text = query if isinstance(query, str) else ""
            seen.append(Sighting(place, event.kind, event.kind.value, event.agent, at, text))

    def recall(self, conversation_id: str) -> list[Sighting]:
        """Return what came in for a conversation, in order, and forget it."""
        return self._seen.pop(conversation_id, [])
