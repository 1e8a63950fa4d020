"""One conversation: fed as it happens, checked as a whole, and reported."""

from segue.conversation.checking import check
from segue.conversation.conversation import Control, Conversation, Step
from segue.conversation.report import Report

__all__ = ["Control", "Conversation", "Report", "Step", "check"]
