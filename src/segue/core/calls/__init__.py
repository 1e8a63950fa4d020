"""Outbound calls: the state of a call, and contradictions in the notifications about it."""

from segue.core.calls.notification import is_duration
from segue.core.calls.session import CallOutcome, CallSession
from segue.core.calls.table import TABLE, CallState

__all__ = ["TABLE", "CallOutcome", "CallSession", "CallState", "is_duration"]
