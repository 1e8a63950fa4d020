"""Segments: who was in a conversation, as what, for how long; and the metrics that follow."""

from segue.segments.builder import Ledger, utc
from segue.segments.metrics import Metrics, measure
from segue.segments.segment import IMPLIED, Connection, Segment, for_agent

__all__ = [
    "IMPLIED",
    "Connection",
    "Ledger",
    "Metrics",
    "Segment",
    "for_agent",
    "measure",
    "utc",
]
