"""The engine: the state of one conversation, a delivery applied to it, and its encoding."""

from segue.engine.actions import ActionMachine, ActionSession
from segue.engine.applying import MACHINES, TRANSCRIPTION_MACHINE, apply, delivery_key, finish
from segue.engine.checks import CHECKS, Check
from segue.engine.history import HistoryEvent, HistoryRow, ParticipantInfo, events_of, rows_of
from segue.engine.machine import ApplyResult, Machine, MachineOutcome
from segue.engine.segment_replay import replay_segments
from segue.engine.snapshot import VERSION, dump, load
from segue.engine.state import Facts, Partial, State, new, restore_ended

__all__ = [
    "CHECKS",
    "MACHINES",
    "TRANSCRIPTION_MACHINE",
    "VERSION",
    "ActionMachine",
    "ActionSession",
    "ApplyResult",
    "Check",
    "Facts",
    "HistoryEvent",
    "HistoryRow",
    "Machine",
    "MachineOutcome",
    "Partial",
    "ParticipantInfo",
    "State",
    "apply",
    "delivery_key",
    "dump",
    "events_of",
    "finish",
    "load",
    "new",
    "replay_segments",
    "restore_ended",
    "rows_of",
]
