"""One conversation: fed as it happens, checked as a whole, and reported."""

from segue.conversation.checking import check, refuse_single
from segue.conversation.conversation import ControlResult, Conversation, FeedResult, Input
from segue.conversation.report import Keying, Note, Report

__all__ = [
    "ControlResult",
    "Conversation",
    "FeedResult",
    "Input",
    "Keying",
    "Note",
    "Report",
    "check",
    "refuse_single",
]
