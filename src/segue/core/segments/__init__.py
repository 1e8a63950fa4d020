"""Segments (the presence of one agent each) and the metrics of a conversation."""

from segue.core.segments.builder import SegmentBuilder
from segue.core.segments.metrics import Metrics, measure
from segue.core.segments.move import Move
from segue.core.segments.segment import IMPLIED, Connection, Segment, for_agent
from segue.core.segments.transfers import Drop, Transfer, drops_of, transfers_of

__all__ = [
    "IMPLIED",
    "Connection",
    "Drop",
    "Metrics",
    "Move",
    "Segment",
    "SegmentBuilder",
    "Transfer",
    "drops_of",
    "for_agent",
    "measure",
    "transfers_of",
]
