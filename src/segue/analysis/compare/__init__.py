"""What differs between two logs, what changed from one day to another, what one adds up to."""

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
