"""Transcription: the control of one recording, and where it contradicts the lifecycle."""

from segue.transcription.consistency import Remark, crosscheck, saw_cold_exit, saw_warm_entry
from segue.transcription.session import (
    Deed,
    Outcome,
    Session,
    Sighting,
    Spell,
    act,
    follow,
    session_from_json,
    session_to_dict,
    session_to_json,
    spells,
)
from segue.transcription.table import TABLE, Cell, Command, State, allowed, classify

__all__ = [
    "TABLE",
    "Cell",
    "Command",
    "Deed",
    "Outcome",
    "Remark",
    "Session",
    "Sighting",
    "Spell",
    "State",
    "act",
    "allowed",
    "classify",
    "crosscheck",
    "follow",
    "saw_cold_exit",
    "saw_warm_entry",
    "session_from_json",
    "session_to_dict",
    "session_to_json",
    "spells",
]
