"""Events: what a delivery says, in canonical spellings, without knowing how it was read."""

from segue.events.event import Action, Delivery, Event, Flaw
from segue.events.facts import Facts
from segue.events.fingerprints import digest, fingerprint, same
from segue.events.kind import (
    ACTIONS,
    AUTHORS,
    EXPERIENCES,
    TRANSFER_TYPES,
    TRANSFERS,
    TRANSITIONS,
    EventKind,
)

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
