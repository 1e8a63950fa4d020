"""The cheapest edits after which the lifecycle allows a conversation."""

from segue.edits.cheapest import EditedEvent, Solution, event_label, search
from segue.edits.costs import PRICES, REACH, REPEATED, EditKind
from segue.edits.diagnosing import StoredStream, diagnose, diagnose_late
from segue.edits.single import SingleEdit, late_delivery, rearranged
from segue.edits.stream import UNKNOWN_AGENT, EditableEvent, EventStream

__all__ = [
    "PRICES",
    "REACH",
    "REPEATED",
    "UNKNOWN_AGENT",
    "EditKind",
    "EditableEvent",
    "EditedEvent",
    "EventStream",
    "SingleEdit",
    "Solution",
    "StoredStream",
    "diagnose",
    "diagnose_late",
    "event_label",
    "late_delivery",
    "rearranged",
    "search",
]
