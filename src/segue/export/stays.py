"""Which segment an event belongs to: that of its agent, who came, is there, or just left."""

from segue.export.episode import Episode
from segue.segments import Segment

__all__ = ["segments_at"]


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
