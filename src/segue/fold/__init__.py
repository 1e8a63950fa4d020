"""The fold: one conversation, one delivery at a time, and the encoding of its state."""

from segue.fold.account import account
from segue.fold.extract import extract, move, moved, rebuild
from segue.fold.plain import plainly
from segue.fold.snapshot import VERSION, dump, load
from segue.fold.state import Partial, State, new, revive
from segue.fold.step import Step, finish, step
from segue.fold.trail import Moment, Trail

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
    "step",
]
