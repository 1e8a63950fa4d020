"""The explanation of a conversation: its mistakes, as the least edits after which it is right."""

from segue.core.explain.costs import EditKind
from segue.core.explain.edits import Alternative, Edit, Mistake
from segue.core.explain.explanation import (
    BUDGET,
    LIVE_BUDGET,
    NOTHING,
    Completeness,
    Explanation,
    explain,
)

__all__ = [
    "BUDGET",
    "LIVE_BUDGET",
    "NOTHING",
    "Alternative",
    "Completeness",
    "Edit",
    "EditKind",
    "Explanation",
    "Mistake",
    "explain",
]
