"""Statistics of a log, differences between two logs, and their statistical significance."""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.analysis.compare.change import (
        Change as Change,
        Shift as Shift,
        changes as changes,
    )
    from segue.analysis.compare.difference import (
        Comparison as Comparison,
        ConversationName as ConversationName,
        Difference as Difference,
        FindingKey as FindingKey,
        SegmentKey as SegmentKey,
        conversation_name as conversation_name,
    )
    from segue.analysis.compare.measures import Figures as Figures
    from segue.analysis.compare.significance import Share as Share
    from segue.analysis.compare.statistics import Grouping as Grouping, Statistics as Statistics

_NAMES = {
    "segue.analysis.compare.change": "Change Shift changes",
    "segue.analysis.compare.difference": "Comparison ConversationName Difference FindingKey "
    "SegmentKey conversation_name",
    "segue.analysis.compare.measures": "Figures",
    "segue.analysis.compare.significance": "Share",
    "segue.analysis.compare.statistics": "Grouping Statistics",
}

if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES)
