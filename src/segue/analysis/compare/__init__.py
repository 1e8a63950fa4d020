"""Statistics of a log, differences between two logs, and their statistical significance."""

from segue.analysis.compare.change import Change, Shift, changes
from segue.analysis.compare.difference import (
    Comparison,
    ConversationName,
    Difference,
    FindingKey,
    SegmentKey,
    conversation_name,
)
from segue.analysis.compare.measures import Figures
from segue.analysis.compare.significance import Share
from segue.analysis.compare.statistics import Grouping, Statistics

__all__ = [
    "Change",
    "Comparison",
    "ConversationName",
    "Difference",
    "Figures",
    "FindingKey",
    "Grouping",
    "SegmentKey",
    "Share",
    "Shift",
    "Statistics",
    "changes",
    "conversation_name",
]
