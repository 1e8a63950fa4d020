"""Events: what a delivery says, in canonical spellings, without knowing how it was read."""

from segue.events.event import Action, Delivery, Event, Flaw
from segue.events.facts import Facts
from segue.events.kind import (
    ACTIONS,
    AUTHORS,
    EXPERIENCES,
    TRANSFER_TYPES,
    TRANSFERS,
    TRANSITIONS,
    EventKind,
)
from segue.events.sameness import digest, fingerprint, same

__all__ = [
    "ACTIONS",
    "AUTHORS",
    "EXPERIENCES",
    "TRANSFERS",
    "TRANSFER_TYPES",
    "TRANSITIONS",
    "Action",
    "Delivery",
    "Event",
    "EventKind",
    "Facts",
    "Flaw",
    "digest",
    "fingerprint",
    "same",
]
