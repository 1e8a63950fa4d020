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
    TABLE,
    ActionCell,
    Command,
    TranscriptionState,
    allowed,
    classify,
)

__all__ = [
    "TABLE",
    "ActionCell",
    "ActionOutcome",
    "AppliedAction",
    "Command",
    "Contradiction",
    "Moment",
    "Session",
    "StateInterval",
    "SuspectEvent",
    "TranscriptionState",
    "allowed",
    "classify",
    "contradictions",
    "saw_cold_exit",
    "saw_warm_entry",
]
