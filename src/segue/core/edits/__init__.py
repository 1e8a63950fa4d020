"""The cheapest edits after which the lifecycle allows a conversation."""

from segue.core.edits.cheapest import EditedEvent, Solution, event_label, search
from segue.core.edits.costs import PRICES, REPEATED, EditKind
from segue.core.edits.diagnosing import StoredStream, diagnose, diagnose_late
from segue.core.edits.single import SingleEdit, late_delivery, rearranged
from segue.core.edits.stream import UNKNOWN_AGENT, EditableEvent

__all__ = [
    "PRICES",
    "REPEATED",
    "UNKNOWN_AGENT",
    "EditKind",
    "EditableEvent",
    "EditedEvent",
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
