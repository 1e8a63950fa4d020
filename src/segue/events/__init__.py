"""Events: what a delivery says, in canonical spellings, without knowing how it was read."""

from segue.events.event import Delivery, Event, Flaw
from segue.events.fingerprints import fingerprint, same
from segue.events.intakes import (
    HOOKS,
    INTAKES,
    TRANSCRIPTION,
    IdSource,
    Intake,
    ReceiptKind,
)
from segue.events.kind import (
    ACTIONS,
    AUTHORS,
    EXPERIENCES,
    TRANSFER_TYPES,
    TRANSFERS,
    TRANSITIONS,
    ActionKind,
    EventKind,
    Json,
)

__all__ = [
    "ACTIONS",
    "AUTHORS",
    "EXPERIENCES",
    "HOOKS",
    "INTAKES",
    "TRANSCRIPTION",
    "TRANSFERS",
    "TRANSFER_TYPES",
    "TRANSITIONS",
    "ActionKind",
    "Delivery",
    "Event",
    "EventKind",
    "Flaw",
    "IdSource",
    "Intake",
    "Json",
    "ReceiptKind",
    "fingerprint",
    "same",
]
