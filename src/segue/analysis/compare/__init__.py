"""Statistics of one log, the differences between two logs, and significant changes over time."""

from segue.analysis.compare.change import Change, Shift, changes
from segue.analysis.compare.difference import (
    Comparison,
    ConversationName,
    Difference,
    FindingKey,
    ReportDigest,
    SegmentKey,
    conversation_name,
)
from segue.analysis.compare.significance import Share
from segue.analysis.compare.statistics import Spread, Statistics

__all__ = [
    "Change",
    "Comparison",
    "ConversationName",
    "Difference",
    "FindingKey",
    "ReportDigest",
    "SegmentKey",
    "Share",
    "Shift",
    "Spread",
    "Statistics",
    "changes",
    "conversation_name",
]
