"""Segments: which agents were present as what, for how long, and the metrics of that."""

from segue.segments.builder import SegmentBuilder
from segue.segments.metrics import Metrics, measure
from segue.segments.move import Move
from segue.segments.segment import IMPLIED, Connection, Segment, for_agent, utc

__all__ = [
    "IMPLIED",
    "Connection",
    "Metrics",
    "Move",
    "Segment",
    "SegmentBuilder",
    "for_agent",
    "measure",
    "utc",
]
