"""How the senders of a log write, and which policy would take their habits for granted.

notes     what is kept of each delivery
habits    what a sender does nearly always, with how often
proposal  the policy that follows from the habits, and what it would hide
"""

from segue.analysis.dialects.habits import Dialects, FindingHabit, Sender, field_of
from segue.analysis.dialects.notes import dialect_note_of
from segue.analysis.dialects.proposal import ProposedIgnore, ProposedPolicy, proposed

__all__ = [
    "Dialects",
    "FindingHabit",
    "ProposedIgnore",
    "ProposedPolicy",
    "Sender",
    "dialect_note_of",
    "field_of",
    "proposed",
]
