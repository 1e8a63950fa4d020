"""Segments (the presence of one agent each) and the metrics of a conversation."""

from segue.core.segments.builder import SegmentBuilder
from segue.core.segments.dialogue import EventTime
from segue.core.segments.metrics import (
    METRIC_NAMES,
    Metrics,
    implied_times,
    measure,
    rough_times,
    unknown_starts,
)
from segue.core.segments.move import Move
from segue.core.segments.segment import (
    IMPLIED,
    UNSEEN,
    Connection,
    ResponseTimes,
    Segment,
    for_agent,
)
from segue.core.segments.transfers import Drop, Transfer, drops_of, transfers_of

__all__ = [
    "IMPLIED",
    "METRIC_NAMES",
    "UNSEEN",
    "Connection",
    "Drop",
    "EventTime",
    "Metrics",
    "Move",
    "ResponseTimes",
    "Segment",
    "SegmentBuilder",
    "Transfer",
    "drops_of",
    "for_agent",
    "implied_times",
    "measure",
    "rough_times",
    "transfers_of",
    "unknown_starts",
]
