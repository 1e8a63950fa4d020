"""`segments`: one object a segment, in the platform's own shape, to reconcile with what it has.

It decides what of a segment the platform's shape can hold.  House rules: names and times as the
platform writes them (milliseconds, UTC); a redial adds no segment; an end that nobody told is null,
and never made up.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from segue.export.conversation_view import Episode, Needs
from segue.export.identifiers import iso, uuid8
from segue.segments import Segment

__all__ = ["Segments"]


class Segments:
    """Writes one document: the segments of all conversations, then how many there are."""

    needs: Final[Needs] = "lifecycle"

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._before = '{"data": [\n'
        self._count = 0

    def show(self, episode: Episode) -> None:
        """Write the segments of a conversation."""
        for segment in episode.segments:
            self._write(f"{self._before}{json.dumps(_shaped(episode, segment))}")
            self._before = ",\n"
            self._count += 1

    def finish(self) -> None:
        """Close the list."""
        end = f'], "numResults": {self._count}, "hasMore": false}}\n'
        self._write(f"\n{end}" if self._count else f"{self._before}{end}")


def _shaped(episode: Episode, segment: Segment) -> dict[str, Any]:
    first, last = segment.connections[0], segment.connections[-1]
    queue = {"queueId": segment.queue_id, "queueName": segment.queue_name}
    identity = uuid8("segment", episode.bot_id, episode.conversation_id, segment.index)
    return {
        "conversationID": episode.conversation_id,
        "botId": episode.bot_id,
        "channel": segment.experience,
        "segmentID": f"ac-{identity}",
        "segmentStartTime": first.started_at and iso(first.started_at, "milliseconds"),
        "segmentEndTime": last.ended_at and iso(last.ended_at, "milliseconds"),
        "agent": {"agentId": segment.agent, "name": segment.name},
        "queueInfo": {name: value for name, value in queue.items() if value},
    }
