"""Segments: who was in a conversation, as what, for how long; and the metrics that follow."""

from segue.segments.ledger import Ledger
from segue.segments.metrics import Metrics, measure
from segue.segments.segment import IMPLIED, Connection, Segment, for_agent
from segue.segments.snapshot import from_json, to_json

__all__ = [
    "IMPLIED",
    "Connection",
    "Ledger",
    "Metrics",
    "Segment",
    "for_agent",
    "from_json",
    "measure",
    "to_json",
]
