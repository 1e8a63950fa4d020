"""Periods between two events, and functions for their lengths, counts and overlaps."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Final, NamedTuple, TypeAlias

from segue.core.epoch import utc
from segue.core.segments.segment import Connection

Intervals: TypeAlias = Sequence[tuple[str, datetime | None, datetime | None]]
"""The periods of the transcription in order, each as a tuple of state, start and end."""

Count: TypeAlias = tuple[float, int, datetime | None]
"""A position, the number of agents connected after it, and the time of the position."""

_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
_LATEST: Final = datetime.max.replace(tzinfo=UTC)


class Stretch(NamedTuple):
    """A period between two events. Each end has the position and the time of an event."""

    since: float
    """The position of the event that begins the period."""
    start: datetime | None
    """The time of the beginning, or None if unknown."""
    until: float
    """The position of the event that ends the period, or infinity while there is no such event."""
    end: datetime | None
    """The time of the end, or None if unknown."""

    @classmethod
    def of(cls, connection: Connection) -> "Stretch":
        """Return the period of a connection. It has no end while the connection is open.

        If its start is unknown, the period has no beginning.
        """
        since = -inf if connection.opened_by is None else connection.opened_by
        until = inf if connection.closed_by is None else connection.closed_by
        return cls(since, connection.started_at, until, connection.ended_at)


def length(found: Iterable[Stretch]) -> timedelta | None:
    """Return the total length of periods, or None if one of their times is unknown."""
    sum_of_all = timedelta()
    for _, start, _, end in found:
        if start is None or end is None:
            return None
        sum_of_all += end - start
    return sum_of_all


def counts(connected: Iterable[Stretch]) -> list[Count]:
    """Return how many agents were connected over time.

    The result is a list of tuples, one for each event that begins or ends a period of `connected`.
    A tuple contains the position of the event, the number of agents connected after it, and its
    time.
    """
    changes: defaultdict[float, int] = defaultdict(int)
    times: dict[float, datetime | None] = {}
    for each in connected:
        changes[each.since] += 1
        changes[each.until] -= 1
        times[each.since] = each.start
        times[each.until] = each.end
    count = 0
    found = []
    for position in sorted(changes):
        count += changes[position]
        found.append((position, count, times[position]))
    return found


def stretches(changes: Iterable[Count], least: int) -> list[Stretch]:
    """Return the periods in which at least `least` agents were connected.

    `changes` is a result of `counts`.
    """
    found: list[Stretch] = []
    since: tuple[float, datetime | None] | None = None
    for position, count, at in changes:
        if (since is None) is (count >= least):
            if since is not None:
                found.append(Stretch(*since, position, at))
            since = (position, at) if since is None else None
    return found


def during(state: str, transcription: Intervals) -> tuple[list[Stretch], bool]:
    """Return the periods in which a transcription was in `state`, and whether a time was adjusted.

    A time that is earlier than a preceding one is adjusted: it is replaced by the latest time so
    far. The last period of the transcription is extended to the end of time if it has no end.
    """
    found, is_clamped, clock = [], False, _EARLIEST
    for number, (current, start, end) in enumerate(transcription, 1):
        boundaries: list[datetime | None] = []
        for at in (start, _LATEST if end is None and number == len(transcription) else end):
            if at is not None:
                is_clamped = is_clamped or (utc(at) < clock and current == state)
                clock = max(clock, utc(at))
            boundaries.append(None if at is None else clock)
        if current == state:
            found.append(Stretch(0, boundaries[0], 0, boundaries[1]))
    return found, is_clamped


def overlap(some: Sequence[Stretch], others: Sequence[Stretch]) -> timedelta | None:
    """Return the total length of the overlap of two lists of periods, or None if a time is unknown.

    The periods of a list must be in order and must not overlap each other.
    """
    common = timedelta()
    if not some or not others:
        return common
    known = [(each.start, each.end) for each in some if each.start and each.end]
    known_others = [(each.start, each.end) for each in others if each.start and each.end]
    if len(known) < len(some) or len(known_others) < len(others):
        return None
    ours, theirs = 0, 0
    while ours < len(known) and theirs < len(known_others):
        start = max(known[ours][0], known_others[theirs][0])
        end = min(known[ours][1], known_others[theirs][1])
        common += max(end - start, timedelta())
        if known[ours][1] <= known_others[theirs][1]:
            ours += 1
        else:
            theirs += 1
    return common
