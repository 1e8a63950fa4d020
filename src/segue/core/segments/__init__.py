"""Segments (the presence of one agent each) and the metrics of a conversation."""

from segue.core.segments.builder import SegmentBuilder
from segue.core.segments.metrics import Metrics, measure
from segue.core.segments.move import Move
from segue.core.segments.segment import IMPLIED, Connection, Segment, for_agent

__all__ = [
    "IMPLIED",
    "Connection",
    "Metrics",
    "Move",
    "Segment",
    "SegmentBuilder",
    "for_agent",
    "measure",
]
