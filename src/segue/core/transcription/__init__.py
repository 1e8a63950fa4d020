"""Transcription: the state of one recording, and its contradictions with the lifecycle."""

from segue.core.transcription.consistency import contradictions, saw_cold_exit, saw_warm_entry
from segue.core.transcription.session import AppliedAction, Moment, Session, StateInterval
from segue.core.transcription.table import TABLE, AllowedAction, TranscriptionState, allowed_labels

__all__ = [
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
    "saw_warm_entry",
]
