"""Stretches of time between two events, with their lengths, counts and overlaps."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Final, NamedTuple, TypeAlias

from segue.core.segments.segment import Connection, between, total, utc

Intervals: TypeAlias = Sequence[tuple[str, datetime | None, datetime | None]]
"""The state, start and end of each interval of the transcription, in order."""

Count: TypeAlias = tuple[float, int, datetime | None]
"""A position, the number of agents connected from there on, and the time of the position."""

_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
_LATEST: Final = datetime.max.replace(tzinfo=UTC)


class Stretch(NamedTuple):
    """The time between two events, by their positions and times."""

    since: float
    start: datetime | None
    until: float
    """The position of the end. Infinite if the stretch is not over."""
    end: datetime | None

    @classmethod
    def of(cls, connection: Connection) -> "Stretch":
        """Return the stretch of a connection."""
        until = inf if connection.closed_by is None else connection.closed_by
        return cls(connection.opened_by, connection.started_at, until, connection.ended_at)


def length(found: Iterable[Stretch]) -> timedelta | None:
    """Return the total length, or None if a boundary has no time."""
    return total(between(each.start, each.end) for each in found)


def counts(connected: Iterable[Stretch]) -> list[Count]:
    """Return the number of connected agents after each event that changes it."""
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
    """Return the stretches in which at least `least` agents were connected."""
    found: list[Stretch] = []
    since: tuple[float, datetime | None] | None = None
    for position, count, at in changes:
        if (since is None) is (count >= least):
            if since is not None:
                found.append(Stretch(*since, position, at))
            since = (position, at) if since is None else None
    return found


def during(state: str, transcription: Intervals) -> tuple[list[Stretch], bool]:
    """Return the stretches in which transcription was in a state, and whether a time was adjusted.

    A time that runs backwards is replaced by the latest time before it. The last interval is open.
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
    """Return the length of the intersection of two lists, each disjoint and in order."""
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
