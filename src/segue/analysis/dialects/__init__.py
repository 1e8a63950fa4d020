"""Derives a policy from the habits of the senders of a log, such as unusual spellings.

notes     the spelling and the optional fields of each event
habits    deviations that a sender shows nearly always, with their frequencies
proposal  a policy that accepts the habits, and the findings that it would hide
"""

from segue.analysis.dialects.habits import Dialects, Sender, field_of
from segue.analysis.dialects.notes import dialect_note_of
from segue.analysis.dialects.proposal import ProposedPolicy, proposed

__all__ = [
    "Dialects",
    "ProposedPolicy",
    "Sender",
    "dialect_note_of",
    "field_of",
    "proposed",
]
