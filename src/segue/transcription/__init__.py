"""Transcription: the control of one recording, and where it contradicts the lifecycle."""

from segue.transcription.consistency import (
    Contradiction,
    contradictions,
    saw_cold_exit,
    saw_warm_entry,
)
from segue.transcription.session import (
    ActionOutcome,
    AppliedAction,
    Moment,
    Session,
    StateInterval,
    SuspectEvent,
)
from segue.transcription.table import (
    OPEN,
    TABLE,
    TABLE_AFTER_END,
    ActionCell,
    AllowedAction,
    Command,
    TranscriptionState,
    allowed,
    allowed_labels,
    classify,
)

__all__ = [
    "OPEN",
    "TABLE",
    "TABLE_AFTER_END",
    "ActionCell",
    "ActionOutcome",
    "AllowedAction",
    "AppliedAction",
    "Command",
    "Contradiction",
    "Moment",
    "Session",
    "StateInterval",
    "SuspectEvent",
    "TranscriptionState",
    "allowed",
    "allowed_labels",
    "classify",
    "contradictions",
    "saw_cold_exit",
    "saw_warm_entry",
]
