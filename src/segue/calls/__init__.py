"""Outbound calls: what their notifications say, and where that cannot be."""

from segue.calls.notification import is_duration
from segue.calls.session import CallOutcome, CallSession
from segue.calls.table import TABLE, CallState

__all__ = ["TABLE", "CallOutcome", "CallSession", "CallState", "is_duration"]
