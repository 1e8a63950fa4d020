"""What differs between two logs, and what one of them adds up to."""

from segue.compare.difference import Comparison, Difference, FindingKey, ReportDigest, SegmentKey
from segue.compare.statistics import Spread, Statistics

__all__ = [
    "Comparison",
    "Difference",
    "FindingKey",
    "ReportDigest",
    "SegmentKey",
    "Spread",
    "Statistics",
]
