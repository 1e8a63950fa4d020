"""The habits of the senders of a log, and a policy that accepts them.

notes     the form of each event of a delivery
habits    what a sender nearly always does, with its frequency
proposal  the proposed policy, and the findings that it would hide
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
