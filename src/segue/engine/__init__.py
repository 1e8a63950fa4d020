"""The engine: the state of one conversation, a delivery applied to it, and its encoding."""

from segue.engine.actions import ActionMachine, ActionSession
from segue.engine.applying import apply, apply_new, delivery_key, finish
from segue.engine.checks import CHECKS, Check, Facts
from segue.engine.history import History, HistoryEvent, ParticipantInfo
from segue.engine.machine import ApplyResult, Machine, MachineOutcome
from segue.engine.machines import MACHINES, TRANSCRIPTION_MACHINE
from segue.engine.segment_replay import replay_segments
from segue.engine.snapshot import VERSION, dump, load
from segue.engine.state import Partial, State, new, restore_ended

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
    "History",
    "HistoryEvent",
    "Machine",
    "MachineOutcome",
    "Partial",
    "ParticipantInfo",
    "State",
    "apply",
    "apply_new",
    "delivery_key",
    "dump",
    "finish",
    "load",
    "new",
    "replay_segments",
    "restore_ended",
]
