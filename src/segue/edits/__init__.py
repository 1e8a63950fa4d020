"""The cheapest edits after which the lifecycle allows a conversation."""

from segue.edits.cheapest import EditedEvent, Solution, event_label, search
from segue.edits.costs import PRICES, REACH, REPEATED, EditKind
from segue.edits.stream import EditableEvent, EventStream

__all__ = [
    "PRICES",
    "REACH",
    "REPEATED",
    "EditKind",
    "EditableEvent",
    "EditedEvent",
    "EventStream",
    "Solution",
    "event_label",
    "search",
]
