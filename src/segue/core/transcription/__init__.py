"""Transcription: the state of a conversation's recording, and contradictions with its events."""

from segue.core.transcription.consistency import contradictions, saw_cold_exit
from segue.core.transcription.session import AppliedAction, Moment, Session, StateInterval
from segue.core.transcription.table import (
    OPEN,
    TABLE,
    AllowedAction,
    TranscriptionState,
    allowed_labels,
)

__all__ = [
    "OPEN",
    "TABLE",
    "AllowedAction",
    "AppliedAction",
    "Moment",
    "Session",
    "StateInterval",
    "TranscriptionState",
    "allowed_labels",
    "contradictions",
    "saw_cold_exit",
]
