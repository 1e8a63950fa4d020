"""The function `check`, and the classes `Conversation` and `Report`."""

from segue.core.conversation.checking import check, refuse_single
from segue.core.conversation.conversation import ControlResult, Conversation, FeedResult, Input
from segue.core.conversation.report import (
    Keying,
    Note,
    Report,
    call_times_of,
    explain_state,
    explanation_of,
    keep_findings,
    leading_findings,
    state_of,
    unknown_metrics,
)

__all__ = [
    "ControlResult",
    "Conversation",
    "FeedResult",
    "Input",
    "Keying",
    "Note",
    "Report",
    "call_times_of",
    "check",
    "explain_state",
    "explanation_of",
    "keep_findings",
    "leading_findings",
    "refuse_single",
    "state_of",
    "unknown_metrics",
]
