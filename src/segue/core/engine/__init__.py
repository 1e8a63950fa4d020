"""The engine: it applies deliveries to the state of a conversation and encodes the state."""

from segue.core.engine.actions import ControlMachine
from segue.core.engine.agents import ParticipantInfo, info_of
from segue.core.engine.applying import (
    MACHINES,
    TRANSCRIPTION_MACHINE,
    apply,
    delivery_key,
    finish,
    is_known,
    note_id,
    rare_machines,
)
from segue.core.engine.checks import CHECKS, Check
from segue.core.engine.history import (
    History,
    HistoryEvent,
    HistoryRow,
    MessageCounts,
    events_of,
    history_of,
    rows_of,
)
from segue.core.engine.judging_form import copy_of, form_of, has_forms
from segue.core.engine.machine import ApplyResult
from segue.core.engine.reordering import (
    MOST_HELD,
    Outlook,
    apply_held,
    deadline_of,
    foresee,
    next_to_apply,
)
from segue.core.engine.segment_replay import presences_of, replay_segments
from segue.core.engine.segment_tracker import SegmentTracker, latest_connections
from segue.core.engine.snapshot import (
    NO_HISTORY,
    HistorySize,
    dump,
    dump_parts,
    findings_in,
    forget_history,
    load,
    load_checked,
    load_parts,
    restore_history,
)
from segue.core.engine.state import Facts, Partial, State, new, restore_ended

__all__ = [
    "CHECKS",
    "MACHINES",
    "MOST_HELD",
    "NO_HISTORY",
    "TRANSCRIPTION_MACHINE",
    "ApplyResult",
    "Check",
    "ControlMachine",
    "Facts",
    "History",
    "HistoryEvent",
    "HistoryRow",
    "HistorySize",
    "MessageCounts",
    "Outlook",
    "Partial",
    "ParticipantInfo",
    "SegmentTracker",
    "State",
    "apply",
    "apply_held",
    "copy_of",
    "deadline_of",
    "delivery_key",
    "dump",
    "dump_parts",
    "events_of",
    "findings_in",
    "finish",
    "foresee",
    "forget_history",
    "form_of",
    "has_forms",
    "history_of",
    "info_of",
    "is_known",
    "latest_connections",
    "load",
    "load_checked",
    "load_parts",
    "new",
    "next_to_apply",
    "note_id",
    "presences_of",
    "rare_machines",
    "replay_segments",
    "restore_ended",
    "restore_history",
    "rows_of",
]
