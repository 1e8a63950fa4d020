"""Segments (the presence of one agent each) and the metrics of a conversation."""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.core.segments.builder import SegmentBuilder as SegmentBuilder
    from segue.core.segments.dialogue import EventTime as EventTime
    from segue.core.segments.metrics import (
        METRIC_NAMES as METRIC_NAMES,
        Metrics as Metrics,
        implied_times as implied_times,
        measure as measure,
        rough_times as rough_times,
        unknown_starts as unknown_starts,
    )
    from segue.core.segments.move import Move as Move
    from segue.core.segments.segment import (
        IMPLIED as IMPLIED,
        UNSEEN as UNSEEN,
        Connection as Connection,
        ResponseTimes as ResponseTimes,
        Segment as Segment,
        for_agent as for_agent,
    )
    from segue.core.segments.transfers import (
        Drop as Drop,
        Transfer as Transfer,
        drops_of as drops_of,
        transfers_of as transfers_of,
    )

_NAMES = {
    "segue.core.segments.builder": "SegmentBuilder",
    "segue.core.segments.dialogue": "EventTime",
    "segue.core.segments.metrics": (
        "METRIC_NAMES Metrics implied_times measure rough_times unknown_starts"
    ),
    "segue.core.segments.move": "Move",
    "segue.core.segments.segment": "IMPLIED UNSEEN Connection ResponseTimes Segment for_agent",
    "segue.core.segments.transfers": "Drop Transfer drops_of transfers_of",
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES)
