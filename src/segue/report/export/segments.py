"""The export format `segments`: one JSON object per segment, in the platform's own format.

The output can be reconciled with the segments of the platform. Times are in UTC with milliseconds,
as the platform writes them. An unknown start or end is null.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from segue.core.segments import Segment
from segue.report.export.conversation_view import ExportView
from segue.report.export.identifiers import iso, uuid8
from segue.report.json_list import json_list


def segment_pieces(views: Iterable[ExportView]) -> Iterator[str]:
    """Yield the pieces of one JSON document: all segments, then the number of segments."""
    found = (_platform_segment(view, segment) for view in views for segment in view.segments)
    return json_list('{"data": [', found, '], "numResults": {}, "hasMore": false}}\n'.format)


def _platform_segment(view: ExportView, segment: Segment) -> dict[str, Any]:
    first, last = segment.connections[0], segment.connections[-1]
    queue = {"queueId": segment.queue_id, "queueName": segment.queue_name}
    identity = uuid8("segment", view.bot_id, view.conversation_id, segment.index)
    return {
        "conversationID": view.conversation_id,
        "botId": view.bot_id,
        "channel": segment.experience,
        "segmentID": f"ac-{identity}",
        "segmentStartTime": first.started_at and iso(first.started_at, "milliseconds"),
        "segmentEndTime": last.ended_at and iso(last.ended_at, "milliseconds"),
        "agent": {"agentId": segment.agent, "name": segment.name},
        "queueInfo": {name: value for name, value in queue.items() if value},
    }
