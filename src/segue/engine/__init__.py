"""The fold: one conversation, one delivery at a time, and the encoding of its state."""

from segue.engine.applying import Step, finish, step
from segue.engine.history import Moment, Trail
from segue.engine.plain import plainly, scoped
from segue.engine.segment_replay import account
from segue.engine.snapshot import VERSION, dump, load
from segue.engine.state import Partial, State, new, revive
from segue.engine.transfer import extract, move, moved, rebuild

__all__ = [
    "VERSION",
    "Moment",
    "Partial",
    "State",
    "Step",
    "Trail",
    "account",
    "dump",
    "extract",
    "finish",
    "load",
    "move",
    "moved",
    "new",
    "plainly",
    "rebuild",
    "revive",
    "scoped",
    "step",
]
