"""What differs between two logs, what changed from one day to another, what one adds up to."""

from segue.compare.change import Change, Shift, changes
from segue.compare.difference import (
    Comparison,
    ConversationName,
    Difference,
    FindingKey,
    ReportDigest,
    SegmentKey,
    conversation_name,
)
from segue.compare.significance import Share
from segue.compare.statistics import Spread, Statistics

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
