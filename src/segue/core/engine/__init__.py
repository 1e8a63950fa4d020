"""The engine, which applies deliveries to the state of a conversation.

The package exports only the names that every check needs, so that a check starts fast. Import the
others from their modules: `snapshot` encodes states, `reordering` holds deliveries that arrived too
early, `entry_replay` and `segment_tracker` compute segments, and `judging_form` compares states.
"""

from segue.core.engine.actions import ControlMachine
from segue.core.engine.applying import (
    MACHINES,
    TRANSCRIPTION_MACHINE,
    apply,
    awaits_end,
    delivery_key,
    finish,
    is_known,
    note_id,
    rare_machines,
)
from segue.core.engine.checks import CHECKS
from segue.core.engine.entries import Entry, EventDetails, lifecycle_entries
from segue.core.engine.machine import ApplyResult
from segue.core.engine.state import Partial, State, new, restore_ended

__all__ = [
    "CHECKS",
    "MACHINES",
    "TRANSCRIPTION_MACHINE",
    "ApplyResult",
    "ControlMachine",
    "Entry",
    "EventDetails",
    "Partial",
    "State",
    "apply",
    "awaits_end",
    "delivery_key",
    "finish",
    "is_known",
    "lifecycle_entries",
    "new",
    "note_id",
    "rare_machines",
    "restore_ended",
]
