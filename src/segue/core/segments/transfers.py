"""Transfers and drops: the rows that metrics, statistics and exports count.

The builder of segments notes what happened in a `Handover` or a `Reconnection`. The rows are made
of these and of the segments once the figures are read.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from segue.core.reprs import shows
from segue.core.segments.segment import UNSEEN, Segment, between, json_object

COLD: Final = "COLD"
WARM: Final = "WARM"


@dataclass(frozen=True, slots=True)
class Transfer:
    """The attempt of one agent to hand the conversation over to another agent."""

    kind: str
    """`COLD`, or `WARM` if a consultant took over when the primary left by WARM exit."""
    from_agent: str | None
    """The identity of the agent who hands over, or None if no event names the agent."""
    to_agent: str | None
    """The identity of the agent who was in charge next. None if no event names the agent, or nobody
    entered.
    """
    from_segment: int | None
    """The index of the first agent's segment, or None if the agent has none."""
    to_segment: int | None
    """The index of the next agent's segment, or None if the agent has none."""
    from_queue: str
    """The name of the queue of the first agent, or else its id. Empty if unknown."""
    to_queue: str
    """The name of the queue of the next agent, or else its id. Empty if unknown."""
    left_by: int | None
    """The position of the exit, or None if no exit came."""
    left_at: datetime | None
    """The time of the exit, with a time zone, or None if unknown."""
    taken_by: int | None
    """The position of the event by which the next agent took over.

    None if nobody entered, or if that agent was only seen leaving.
    """
    taken_at: datetime | None
    """The time of that event, with a time zone, or None if unknown."""
    gap: timedelta | None
    """The time from the exit until the next agent was connected. Zero if that agent was connected
    before. None if unknown, or if the log has no entry.
    """
    taken: bool | None
    """Whether another agent took over. None as long as the transfer waits for that agent.

    An agent who takes back a transfer is not another agent.
    """
    promoted: bool
    """Whether the next agent had been a consultant."""

    __repr__ = shows()

    def to_dict(self) -> dict[str, object]:
        """Return the transfer as a JSON object. The gap is a number of seconds."""
        return _TRANSFER(self)


@dataclass(frozen=True, slots=True)
class Drop:
    """A connection that was lost, and the redial that continued it."""

    agent: str | None
    """The identity of the agent whose connection dropped, or None if no event names the agent."""
    segment: int | None
    """The index of the agent's segment, or None."""
    dropped_by: int | None
    """The position of the exit that reported the drop, or None if no exit came."""
    dropped_at: datetime | None
    """The time of the exit, with a time zone, or None if unknown."""
    redial_agent: str
    """The identity of the agent who redialed."""
    redial_segment: int
    """The index of that agent's segment."""
    redialed_by: int
    """The position of the redial entry."""
    redialed_at: datetime | None
    """The time of the redial entry, with a time zone, or None if unknown."""
    gap: timedelta | None
    """The time from the drop to the redial, or None if unknown."""

    __repr__ = shows()

    def to_dict(self) -> dict[str, object]:
        """Return the drop as a JSON object. The gap is a number of seconds."""
        return _DROP(self)


_TRANSFER: Final = json_object(*Transfer.__slots__)
_DROP: Final = json_object(*Drop.__slots__)


@dataclass(slots=True)
class Handover:
    """A transfer as far as it is known. Mutable."""

    kind: str
    giver: str
    """The identity of the agent who hands over. Empty if no event named the agent."""
    left_by: int | None
    left_at: datetime | None
    taker: str | None = None
    """The identity of the next agent. Empty if no event named the agent, None if nobody entered."""
    taken_by: int | None = None
    taken_at: datetime | None = None
    is_open: bool = True
    """Whether the next agent may still enter."""
    is_promotion: bool = False
    is_evident: bool = True
    """Whether this is a transfer. An agent whom another one replaced may have left in any way."""

    @property
    def is_taken(self) -> bool | None:
        """Whether another agent took over, see `Transfer.taken`."""
        if self.is_open:
            return None
        return self.taker is not None and (not self.taker or self.taker != self.giver)

    def settle(self, taker: str | None, by: int | None, at: datetime | None) -> None:
        """Note who took over, by which event and when. Do nothing if that is known already."""
        if self.is_open:
            self.is_open = False
            if taker is not None:
                self.taker, self.taken_by, self.taken_at = taker, by, at

    @property
    def gap(self) -> timedelta | None:
        """The time from the exit until the next agent was connected, see `Transfer.gap`."""
        if self.taker is None or self.left_by is None or self.taken_by is None:
            return None
        if self.is_promotion or self.left_by > self.taken_by:
            return timedelta()
        return between(self.left_at, self.taken_at)


@dataclass(slots=True)
class Reconnection:
    """A redial, and the connection that it continues."""

    agent: str
    by: int
    at: datetime | None
    dropped: tuple[int, int] | None
    """The indices of a segment and of a connection of it, or None if they are not known."""


def count(handovers: Iterable[Handover], kind: str) -> int:
    """Return the number of transfers of a kind that another agent took."""
    return sum(each.kind == kind and bool(each.is_taken) for each in handovers if each.is_evident)


def transfers_of(handovers: Iterable[Handover], segments: Sequence[Segment]) -> list[Transfer]:
    """Return the transfers, in the order in which they began."""
    find, promoted = _Finder(segments), {each.promoted_at: each for each in segments}
    return [_transfer(each, find, promoted) for each in handovers if each.is_evident]


def _transfer(found: Handover, find: "_Finder", promoted: dict[int | None, Segment]) -> Transfer:
    begin = found.taken_by if found.left_by is None else found.left_by
    giver = find.segment(found.giver, begin)
    taker = find.segment(found.taker, UNSEEN if found.taken_by is None else found.taken_by)
    if found.kind == WARM and not found.taker:
        taker = promoted.get(found.left_by)
    return Transfer(
        kind=found.kind,
        from_agent=found.giver or None,
        to_agent=taker.agent if taker else found.taker or None,
        from_segment=giver.index if giver else None,
        to_segment=taker.index if taker else None,
        from_queue=_queue(giver),
        to_queue=_queue(taker),
        left_by=found.left_by,
        left_at=found.left_at,
        taken_by=found.taken_by,
        taken_at=found.taken_at,
        gap=found.gap,
        taken=found.is_taken,
        promoted=found.is_promotion,
    )


def _queue(segment: Segment | None) -> str:
    return segment.queue_name or segment.queue_id if segment else ""


def drops_of(redials: Iterable[Reconnection], segments: Sequence[Segment]) -> list[Drop]:
    """Return the drops, in the order of their redials."""
    find = _Finder(segments)
    return [_drop(each, find, segments) for each in redials]


def _drop(redial: Reconnection, find: "_Finder", segments: Sequence[Segment]) -> Drop:
    agent = segment = by = at = None
    if redial.dropped is not None:
        segment, connection = redial.dropped
        agent, closed = segments[segment].agent, segments[segment].connections[connection]
        if closed.closed_by != redial.by:
            by, at = closed.closed_by, closed.ended_at
    again = find.segment(redial.agent, redial.by)
    assert again is not None, "a redial connects its agent"
    is_known = by is not None and by < redial.by
    return Drop(
        agent=agent,
        segment=segment,
        dropped_by=by,
        dropped_at=at,
        redial_agent=redial.agent,
        redial_segment=again.index,
        redialed_by=redial.by,
        redialed_at=redial.at,
        gap=between(at, redial.at) if is_known else None,
    )


class _Finder:
    """Finds the segment that an agent had at an event."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments: defaultdict[str, list[Segment]] = defaultdict(list)
        for each in segments:
            self._segments[each.agent].append(each)

    def segment(self, agent: str | None, position: int | None) -> Segment | None:
        """Return the latest segment of an agent that began at a position or before."""
        found = self._segments.get(agent or "", [])
        if position is None:
            return None
        index = bisect_right(found, position, key=_beginning)
        return found[index - 1] if index else None


def _beginning(segment: Segment) -> int:
    """Return the position of the first event of a segment, or `UNSEEN` without an entry."""
    opened_by = segment.connections[0].opened_by
    return UNSEEN if opened_by is None else opened_by
