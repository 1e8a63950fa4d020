"""What the presence of agents adds up to over one conversation.

A metric is `None` when a boundary it needs has no time, never a partial sum.  Sums are exact:
`duration == connected_time + transfer_gap + drop_gap + lost_time + wrapup_time` to the microsecond.
Which agents were present together is decided by positions, only lengths by times.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any, Final

from segue.segments.builder import UNSEEN, SegmentBuilder, utc
from segue.segments.open_segment import CONSULTED, OpenSegment
from segue.segments.segment import IMPLIED, Connection, between, plain, total

__all__ = ["Metrics", "measure"]

Intervals = Sequence[tuple[str, datetime | None, datetime | None]]
"""State, start and end of each interval of the transcription, in order."""

Span = tuple[datetime | None, datetime | None]

_Count = tuple[float, int, datetime | None]
"""A position, how many agents were connected from then on, and its time."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Durations and counts of one conversation."""

    duration: timedelta | None
    """From the event that leaves waiting to END."""
    connected_time: timedelta | None
    """At least one agent connected."""
    transfer_gap: timedelta | None
    """No agent connected during transfers that were taken."""
    drop_gap: timedelta | None
    """No agent connected after a release, until one entered again."""
    lost_time: timedelta | None
    """No agent connected during transfers that were not taken, or while only an agent whom no
    event named can have been present."""
    wrapup_time: timedelta | None
    """No agent connected from the last release to END."""
    wait_time: timedelta | None
    """From the first message to the event that leaves waiting."""
    agent_time: timedelta | None
    """The sum of all connections."""
    overlap_time: timedelta | None
    """Two or more agents connected."""
    hold_time: timedelta | None
    """Transcription on hold while connected."""
    talk_time: timedelta | None
    """Connected and not on hold."""
    handle_time: timedelta | None
    """Connected, and wrapping up."""
    consult_time: timedelta | None
    """At least one consultant connected."""
    transcription_coverage: float | None
    """Part of the connected time with transcription active; `None` if it was never started."""
    transfers_cold: int
    """COLD exits after which another agent took over."""
    transfers_warm: int
    """Primaries who handed over to a consultant by a WARM exit."""
    consults: int
    """WARM entries that opened a segment."""
    redials: int
    """Redial entries other than callbacks."""
    callbacks: int
    """Redial entries that began the conversation."""
    max_concurrent_agents: int
    messages: int
    implied_closures: int
    """Connections whose exit never came."""
    estimated: tuple[str, ...] = ()
    """Names of the metrics above that rest on an implied close."""

    def to_dict(self) -> dict[str, object]:
        """Return the metrics as the documented JSON object, durations in seconds."""
        return {name: plain(getattr(self, name)) for name in _NAMES}


_NAMES: Final = tuple(field.name for field in fields(Metrics))


_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
_LATEST: Final = datetime.max.replace(tzinfo=UTC)

_PRESENCE: Final = (
    "connected_time",
    "agent_time",
    "overlap_time",
    "hold_time",
    "talk_time",
    "handle_time",
    "transcription_coverage",
)
"""Metrics that rest on when each connection closed."""

_FROM_THE_START: Final = (*_PRESENCE, "consult_time", "transfer_gap", "drop_gap", "lost_time")
"""Metrics that are incomplete if the beginning is not in the log."""


def measure(builder: SegmentBuilder, transcription: Intervals = ()) -> Metrics:
    """Return the metrics of a conversation.

    `transcription` is the time spent in each of its states; the end of the last one is `None`,
    because that state goes on.
    """
    segments = builder.open_segments
    connections = [each for segment in segments for each in segment.connections]
    consults = [each for segment in segments for each in _consults(segment)]
    counts = _counts(connections)
    spans = _spans(counts, 1)
    connected = _length(spans)
    hold = _overlap(spans, _during("hold", transcription))
    wrapup = None if builder.gap is None else between(builder.gap.since, builder.ended_at)
    redials = [each.opened_by for each in connections if each.opened_kind == "redial"]
    callbacks = int(builder.begun_by in redials)
    metrics = Metrics(
        duration=between(builder.begun_at, builder.ended_at),
        connected_time=connected,
        wrapup_time=wrapup,
        wait_time=between(builder.first_message_at, builder.begun_at),
        agent_time=total(each.talk_time for each in connections),
        overlap_time=_length(_spans(counts, 2)),
        hold_time=hold,
        talk_time=None if connected is None or hold is None else connected - hold,
        handle_time=None if connected is None or wrapup is None else connected + wrapup,
        consult_time=_length(_spans(_counts(consults), 1)),
        transcription_coverage=_coverage(spans, connected, transcription),
        transfers_cold=builder.transfers_cold,
        transfers_warm=builder.transfers_warm,
        consults=sum(segment.connections[0].opened_kind == "WARM" for segment in segments),
        redials=len(redials) - callbacks,
        callbacks=callbacks,
        max_concurrent_agents=max((count for _, count, _ in counts), default=0),
        messages=builder.messages,
        implied_closures=sum(each.closed_kind == IMPLIED for each in connections),
        estimated=(),
        **_gaps(builder),
    )
    if builder.begun_by == UNSEEN:
        unknown: dict[str, Any] = dict.fromkeys(_FROM_THE_START)
        metrics = replace(metrics, **unknown)
    estimated = _estimated(builder, metrics, consults)
    return replace(metrics, estimated=estimated) if estimated else metrics


def _estimated(
    builder: SegmentBuilder, metrics: Metrics, consults: Iterable[Connection]
) -> tuple[str, ...]:
    """Return the metrics that rest on an implied close, in the order of their fields."""
    names = set(builder.estimated)
    if metrics.implied_closures:
        names.update(_PRESENCE)
    if any(each.closed_kind == IMPLIED for each in consults):
        names.add("consult_time")
    if builder.gap is not None and builder.gap.is_estimated:
        names.add("wrapup_time")
    return tuple(name for name in _NAMES if name in names and getattr(metrics, name) is not None)


def _gaps(builder: SegmentBuilder) -> dict[str, timedelta | None]:
    """Return `transfer_gap`, `drop_gap` and `lost_time`, `None` where an open gap may count."""
    gaps = dict(builder.gaps)
    if builder.gap is not None and builder.ended_by is None:
        gaps[builder.gap.metric] = None
        if builder.gap.metric == "transfer_gap":
            gaps["lost_time"] = None
    return gaps


def _consults(segment: OpenSegment) -> list[Connection]:
    """Return the connections of a consultant, up to the promotion."""
    connections = segment.connections
    if not segment.is_primary:
        return connections
    promotion = segment.promotion
    if promotion is None:
        return connections[-1:] if segment.closing_reason == CONSULTED else []
    before = [each for each in connections if each.opened_by < promotion.by]
    if before[-1].closed_by is None or before[-1].closed_by > promotion.by:
        before[-1] = replace(
            before[-1], closed_by=promotion.by, closed_kind="WARM", ended_at=promotion.at
        )
    return before


def _counts(connections: Iterable[Connection]) -> list[_Count]:
    """Return how many agents are connected after each event that changes it."""
    changes: defaultdict[float, int] = defaultdict(int)
    times: dict[float, datetime | None] = {}
    for each in connections:
        closed_by = inf if each.closed_by is None else each.closed_by
        changes[each.opened_by] += 1
        changes[closed_by] -= 1
        times[each.opened_by] = each.started_at
        times[closed_by] = each.ended_at
    count = 0
    counts = []
    for position in sorted(changes):
        count += changes[position]
        counts.append((position, count, times[position]))
    return counts


def _spans(counts: Iterable[_Count], least: int) -> list[Span]:
    """Return when at least that many agents were connected."""
    spans: list[Span] = []
    start: datetime | None = None
    enough = False
    for _, count, at in counts:
        if enough is not (count >= least):
            if enough:
                spans.append((start, at))
            enough, start = not enough, at
    return spans


def _during(state: str, transcription: Intervals) -> list[Span]:
    """Return when transcription was in a state; the last interval goes on."""
    spans: list[Span] = []
    clock = _EARLIEST
    for number, (current, start, end) in enumerate(transcription, 1):
        if start is not None:
            clock = max(clock, utc(start))
        begun_at = None if start is None else clock
        if end is not None:
            clock = max(clock, utc(end))
        ended_at = clock if end is not None else _LATEST if number == len(transcription) else None
        if current == state:
            spans.append((begun_at, ended_at))
    return spans


def _length(spans: Iterable[Span]) -> timedelta | None:
    """Return the total length of the spans."""
    return total(between(*span) for span in spans)


def _overlap(spans: list[Span], others: list[Span]) -> timedelta | None:
    """Return the length of the overlap of two lists of disjoint spans in order."""
    overlap = timedelta()
    if not spans or not others:
        return overlap
    known = [(start, end) for start, end in spans if start is not None and end is not None]
    known_others = [(start, end) for start, end in others if start is not None and end is not None]
    if len(known) < len(spans) or len(known_others) < len(others):
        return None
    ours, theirs = 0, 0
    while ours < len(known) and theirs < len(known_others):
        start = max(known[ours][0], known_others[theirs][0])
        end = min(known[ours][1], known_others[theirs][1])
        overlap += max(end - start, timedelta())
        if known[ours][1] <= known_others[theirs][1]:
            ours += 1
        else:
            theirs += 1
    return overlap


def _coverage(
    spans: list[Span], connected: timedelta | None, transcription: Intervals
) -> float | None:
    active = _overlap(spans, _during("active", transcription))
    return active / connected if transcription and connected and active is not None else None
