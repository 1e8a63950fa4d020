"""Roots: which errors of a conversation are mistakes of their own, and which follow from one."""

from segue.core.roots.tracker import LATE_MARKS, MOST_STEPS, RootTracker, are_steps, packed_step

__all__ = ["LATE_MARKS", "MOST_STEPS", "RootTracker", "are_steps", "packed_step"]
