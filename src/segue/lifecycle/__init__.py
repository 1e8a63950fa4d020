"""The lifecycle: one table, the roster that resolves agents for it, and one step."""

from segue.lifecycle.advance import MESSAGES, Move, advance
from segue.lifecycle.expected import expected, is_legal
from segue.lifecycle.phase import Circumstance, Effect, Phase, Stance
from segue.lifecycle.roster import UNNAMED, Roster
from segue.lifecycle.table import ROWS, TABLE, Cell, Row, Situation, situations

__all__ = [
    "MESSAGES",
    "ROWS",
    "TABLE",
    "UNNAMED",
    "Cell",
    "Circumstance",
    "Effect",
    "Move",
    "Phase",
    "Roster",
    "Row",
    "Situation",
    "Stance",
    "advance",
    "expected",
    "is_legal",
    "situations",
]
