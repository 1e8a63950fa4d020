"""Select the events around a finding as rows in the order of the log.

The rows show the event of the finding with its neighbours, and the events that led to the finding.
Events between these rows are counted. An event that is not in the history (a message, an
unprocessable event or a dropped delivery) gets its own row.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from segue.core.conversation import Report
from segue.core.conversation.current import is_whole
from segue.core.engine import Entry
from segue.core.events import EventKind
from segue.core.findings import Finding

_BEFORE: Final = 2
"""The number of neighbouring events shown before the event of a finding."""
_AFTER: Final = 1
"""The number of neighbouring events shown after the event of a finding."""


class Mark(Enum):
    """The relation of an event to the findings that the timeline explains."""

    NONE = auto()
    HERE = auto()
    """The finding is about the event of this row."""
    BECAUSE = auto()
    """The event of this row led to the finding."""


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """A line of the timeline that shows one event of the conversation."""

    position: int | None
    """The position of the event in the conversation.

    The position is None for an action, a dropped delivery and the end of the log.
    """
    label: str
    agent: str = ""
    line: int | None = None
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class TimelineGap:
    """A line of the timeline that replaces events that are not shown with their counts."""

    events: int
    """The number of lifecycle events and unprocessable events."""
    messages: int


def timeline_rows(
    report: Report, history: Sequence[Entry], findings: Sequence[Finding]
) -> list[TimelineRow | TimelineGap]:
    """Return an excerpt of the conversation that explains `findings`, which concern the same event.

    The excerpt contains the event of the findings, the events before and after it, and the earlier
    events that led to the findings. Gaps count the events in between.

    `history` holds the events of `report`. Return an empty list if the event cannot be located.
    """
    found = _find_event(history, findings[0]) if is_whole(report) else None
    if found is None:
        return []
    here, extra = found
    rows = [TimelineRow(each.position, each.kind.value, each.agent, each.line) for each in history]
    rows[here:here] = extra
    rows[here] = replace(rows[here], mark=Mark.HERE)
    causes = {cause.place.event for finding in findings for cause in finding.because} - {None}
    keep = set(range(max(0, here - _BEFORE), min(len(rows), here + _AFTER + 1)))
    for index, row in enumerate(rows):
        if index != here and row.position in causes:
            rows[index] = replace(row, mark=Mark.BECAUSE)
            keep.add(index)
    unplaced = {f.place.event for f in report.findings if f.place.pointer.startswith("/events/")}
    unplaced -= {row.position for row in rows}
    return list(_with_gaps(rows, sorted(keep), report.events, unplaced))


def _find_event(history: Sequence[Entry], finding: Finding) -> tuple[int, list[TimelineRow]] | None:
    """Locate the event of a finding in `history`.

    Return its index, and a list with the row to insert there if the history lacks the event. The
    list is empty if the history has it. Return None if the event cannot be located.
    """
    place = finding.place
    row = TimelineRow(None, "delivery", line=place.line)  # a dropped delivery has no position
    if place.event is not None:
        index = bisect_left(history, place.event, key=lambda each: each.position)
        if index == len(history) or history[index].position != place.event:
            return index, [replace(row, position=place.event, label=_label(finding))]
        is_kept = place.line is None or history[index].line in {None, place.line}
        return index, [] if is_kept else [row]
    if place.action is None:
        return (len(history), [TimelineRow(None, EventKind.CLOSE.value)]) if history else None
    if place.line is None or not history or any(each.line is None for each in history):
        return None
    index = bisect_right(history, place.line, key=lambda each: each.line or 0)
    return index, [replace(row, label=place.position)]


def _label(finding: Finding) -> str:
    if finding.code == "SG205":
        return EventKind.AGENT_MESSAGE.value
    return "event" if finding.place.pointer.startswith("/events/") else "message"


def _with_gaps(
    rows: Sequence[TimelineRow], keep: Sequence[int], size: int, unplaced: set[int | None]
) -> Iterator[TimelineRow | TimelineGap]:
    """Yield the rows whose indices are in `keep`, and gaps that count the events between them.

    `size` is the number of events of the conversation. `unplaced` contains the positions of events
    that could not be processed. They have no row, but gaps count them.
    """
    shown, place = -1, -1
    for index in keep:
        row = rows[index]
        hidden = [each.position for each in rows[shown + 1 : index] if each.position is not None]
        here = row.position
        if here is None:  # the end of the log, or directly after the previous row
            here = size - 1 if row.label == EventKind.CLOSE.value else max(hidden, default=place)
        others = here - place - len(hidden) - (row.position is not None)
        skipped = sum(position in unplaced for position in range(place + 1, here))
        if hidden or others > 0:
            yield TimelineGap(len(hidden) + skipped, max(0, others - skipped))
        yield row
        shown, place = index, here
