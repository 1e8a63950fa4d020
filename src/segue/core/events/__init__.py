"""The classes `Event` and `Delivery`, and the kinds of events in canonical spelling."""

from segue.core.events.equality import fingerprint, json_text, same, text_digest
from segue.core.events.event import Delivery, Event, Flaw
from segue.core.events.ids import quoted
from segue.core.events.intakes import (
    CALL_NOTIFICATIONS,
    HOOKS,
    INTAKES,
    TRANSCRIPTION,
    TRANSFER_CALLBACKS,
    IdSource,
    Intake,
    ReceiptKind,
)
from segue.core.events.kind import (
    ACTIONS,
    AUTHORS,
    EXPERIENCES,
    PARTICIPANT_TYPES,
    TRANSFER_TYPES,
    TRANSFERS,
    TRANSITIONS,
    ActionKind,
    CallKind,
    EventKind,
    Json,
)
from segue.core.events.transfer_target import TransferTarget

__all__ = [
    "ACTIONS",
    "AUTHORS",
    "CALL_NOTIFICATIONS",
    "EXPERIENCES",
    "HOOKS",
    "INTAKES",
    "PARTICIPANT_TYPES",
    "TRANSCRIPTION",
    "TRANSFERS",
    "TRANSFER_CALLBACKS",
    "TRANSFER_TYPES",
    "TRANSITIONS",
    "ActionKind",
    "CallKind",
    "Delivery",
    "Event",
    "EventKind",
    "Flaw",
    "IdSource",
    "Intake",
    "Json",
    "ReceiptKind",
    "TransferTarget",
    "fingerprint",
    "json_text",
    "quoted",
    "same",
    "text_digest",
]
