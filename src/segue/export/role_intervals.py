"""Stays: the connections of a segment, with the role that the agent had in each.

House rule: a consultant who becomes the primary in the middle of a connection stays twice, before
and after.  An event belongs to the segment of its agent, who came, is there, or just left.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from segue.export.conversation_view import Episode
from segue.segments import Connection, Segment

__all__ = ["CONSULTANT", "Stay", "role_at", "segments_at", "stays_of"]

CONSULTANT: Final = "consultant"


class Stay(NamedTuple):
    """A connection, or the part of it in one role."""

    role: str
    connection: Connection
    start: datetime | None
    end: datetime | None
    """None: nobody told it."""


def role_at(segment: Segment, position: int) -> str:
    """Return the role of an agent at an event, which may be the one that gives it."""
    turn = segment.promoted_at
    return segment.role if turn is None or position >= turn else CONSULTANT


def stays_of(episode: Episode, segment: Segment) -> Iterator[Stay]:
    """Yield the stays of a segment, in order."""
    turn = segment.promoted_at
    for each in segment.connections:
        start, end = each.started_at, each.ended_at
        goes_on = each.closed_by is None or turn is None or each.closed_by > turn
        if turn is not None and each.opened_by < turn and goes_on:
            turned_at = episode.at(turn)
            yield Stay(CONSULTANT, each, start, turned_at)
            yield Stay(segment.role, each, turned_at, end)
        else:
            yield Stay(role_at(segment, each.opened_by), each, start, end)


def segments_at(episode: Episode) -> dict[int, Segment]:
    """Return segments by the positions of the events that belong to them."""
    opened = {
        stay.opened_by: segment for segment in episode.segments for stay in segment.connections
    }
    found: dict[int, Segment] = {}
    latest: dict[str, Segment] = {}
    for each in episode.happenings:
        if each.is_action:
            continue
        segment = opened.get(each.position)
        if segment is not None:
            latest[segment.agent] = segment
        if each.agent in latest:
            found[each.position] = latest[each.agent]
    return found
