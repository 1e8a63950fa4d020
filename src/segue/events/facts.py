"""The plain facts of a delivery of one event or action that nothing is wrong with, in one tuple.

They are what the most frequent deliveries come to on the shortest way, where objects would cost
more than what is done with them.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from segue.events.kind import EventKind

__all__ = ["Facts"]

Facts: TypeAlias = tuple[
    str,
    EventKind | None,
    str,
    str,
    Mapping[str, Any],
    str | None,
    datetime | None,
    str | None,
    str,
    Mapping[str, Any],
]
"""Conversation; kind, or None for a transcription action; agent; experience, or the action's name;
the event (of a message and an action: the body); bot; time; delivery id and, if there is one,
fingerprint of the body; body."""
