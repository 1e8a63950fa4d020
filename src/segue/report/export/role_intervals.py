"""The connections of a segment, split by the agent's role.

A consultant who becomes the primary during a connection has two intervals in it.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from segue.core.segments import UNSEEN, Connection, Segment
from segue.report.export.conversation_view import ExportView
from segue.report.export.recorder import TimelineItem
from segue.report.export.timeline import ascending

CONSULTANT: Final = "consultant"
UNKNOWN: Final = "unknown"


class RoleInterval(NamedTuple):
    """The part of a connection during which the agent had one role, often all of it."""

    role: str
    connection: Connection
    start: datetime | None
    """The start of the interval, or `None` if the agent was only seen leaving."""
    end: datetime | None
    """The end of the interval, or `None` if it is unknown."""

    @property
    def opened_by(self) -> int:
        """The position of the entry, or `UNSEEN` if the agent was only seen leaving."""
        opened_by = self.connection.opened_by
        return UNSEEN if opened_by is None else opened_by

    @property
    def known_from(self) -> datetime | None:
        """The first time at which the agent is known to have been connected.

        It is that of the exit if the start is unknown.
        """
        return self.start or self.end


def role_at(segment: Segment, position: int) -> str:
    """Return the role of a segment's agent after the event at a position.

    The role is `primary`, `consultant` or `unknown`.
    """
    promoted_at = segment.promoted_at
    is_promoted = promoted_at is None or position >= promoted_at
    return segment.role or UNKNOWN if is_promoted else CONSULTANT


def intervals_of(view: ExportView, segment: Segment) -> Iterator[RoleInterval]:
    """Yield the role intervals of all connections of a segment, in order."""
    promoted_at = segment.promoted_at
    for each in segment.connections:
        start, end = each.started_at, each.ended_at
        opened_by = UNSEEN if each.opened_by is None else each.opened_by
        goes_on = each.closed_by is None or promoted_at is None or each.closed_by > promoted_at
        if promoted_at is not None and opened_by < promoted_at and goes_on:
            turned_at = view.at(promoted_at)
            yield RoleInterval(CONSULTANT, each, start, turned_at)
            yield RoleInterval(role_at(segment, promoted_at), each, turned_at, end)
        else:
            yield RoleInterval(role_at(segment, opened_by), each, start, end)


def items_with_segments(view: ExportView) -> Iterator[tuple[TimelineItem, Segment | None]]:
    """Yield pairs of a timeline item and the segment in which its agent acts.

    The segment is None for an action, and for an agent who has no segment yet. The times of the
    items ascend, as in `ascending`. An agent who was only seen leaving acts in a segment from the
    exit on.
    """
    opened = {
        each.closed_by if each.opened_by is None else each.opened_by: segment
        for segment in view.segments
        for each in segment.connections
    }
    latest: dict[str, Segment] = {}
    for item in ascending(view.timeline):
        segment = None if item.is_action else opened.get(item.position)
        if segment is not None:
            latest[segment.agent] = segment
        yield item, None if item.is_action else latest.get(item.agent)
