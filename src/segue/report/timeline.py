"""The part of a conversation that makes a finding understood, as rows to draw.

It decides which events are shown: the one the finding is about with its neighbours, and those that
set it up; what lies between is counted.  House rules: rows stand in the order of the log; an event
that left no trace in the conversation (a message, one nobody could place) still gets its row when
the finding is about it.  It refuses to know colours and columns.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from segue.findings import Place
from segue.fold import Moment

__all__ = ["Gap", "Mark", "Row", "window"]

_BEFORE: Final = 2
"""Neighbours shown before the event of a finding."""
_AFTER: Final = 1


class Mark(Enum):
    """What a row is to the finding."""

    NONE = auto()
    HERE = auto()
    """The finding is about it."""
    BECAUSE = auto()
    """It set the finding up."""


@dataclass(frozen=True, slots=True)
class Row:
    """One event."""

    position: int | None
    """None: an action, or the end of the log, which have no position among the events."""
    label: str
    agent: str = ""
    line: int | None = None
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Gap:
    """What is left out between two rows."""

    events: int
    """Lifecycle events."""
    others: int
    """Messages, and events that could not be placed."""


def window(
    moments: Sequence[Moment],
    place: Place,
    because: Sequence[Place] = (),
) -> list[Row | Gap]:
    """Return the rows that show a finding in its conversation; none when there is none to show."""
    events = [_of(moment) for moment in moments]
    found = _here(moments, place)
    if found is None:
        return []
    here, row = found
    if row is None:
        row = events.pop(here)
    rows = [*events[:here], _marked(row, Mark.HERE), *events[here:]]
    causes = {cause.event for cause in because}
    keep = set(range(max(0, here - _BEFORE), min(len(rows), here + _AFTER + 1)))
    for index, row in enumerate(rows):
        if index != here and row.position is not None and row.position in causes:
            rows[index] = _marked(row, Mark.BECAUSE)
            keep.add(index)
    return list(_with_gaps(rows, sorted(keep)))


def _of(moment: Moment) -> Row:
    return Row(moment.position, moment.kind.value, moment.agent, moment.line)


def _marked(row: Row, mark: Mark) -> Row:
    return Row(row.position, row.label, row.agent, row.line, mark)


def _here(moments: Sequence[Moment], place: Place) -> tuple[int, Row | None] | None:
    """Return where the finding stands among the moments, and its row if it is none of them."""
    if place.event is not None:
        index = bisect_left(moments, place.event, key=lambda moment: moment.position)
        if index < len(moments) and moments[index].position == place.event:
            return index, None
        label = "event" if place.pointer.startswith("/events/") else "message"
        return index, Row(place.event, label, line=place.line)
    if place.action is None:
        return (len(moments), Row(None, "end of the log")) if moments else None
    if place.line is None or not moments or any(moment.line is None for moment in moments):
        return None
    index = bisect_right(moments, place.line, key=lambda moment: moment.line or 0)
    return index, Row(None, f"transcription action {place.action}", line=place.line)


def _with_gaps(rows: Sequence[Row], keep: Sequence[int]) -> Iterator[Row | Gap]:
    position, previous = -1, -1
    for index in keep:
        row = rows[index]
        events = sum(row.position is not None for row in rows[previous + 1 : index])
        others = 0
        if row.position is not None:
            others = row.position - position - 1 - events
            position = row.position
        elif index < len(rows) - 1:  # an action: what is around it is not known
            position += events
        if events or others > 0:
            yield Gap(events, max(0, others))
        yield row
        previous = index
