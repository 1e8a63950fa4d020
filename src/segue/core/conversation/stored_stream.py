"""The conversion of a stored conversation to the events that a diagnosis reads."""

from typing import Final

from segue.core.edits import EditableEvent, SingleEdit, StoredStream, diagnose, diagnose_late
from segue.core.engine import State, events_of
from segue.core.events import EventKind
from segue.core.findings import Severity

_SHAPE: Final = 5
"""The family of the rules SG501 to SG509 about the shape of bodies and events."""


def diagnose_state(state: State, *, is_late: bool) -> tuple[tuple[str, ...], SingleEdit | None]:
    """Return sentences that explain the mistakes, and the edit that corrects all of them.

    The edit is None if no single edit corrects everything. With `is_late` the sentences cover only
    the events after the end of the conversation.
    """
    stream = stored_stream(state)
    return (diagnose_late(stream), None) if is_late else diagnose(stream)


def stored_stream(state: State) -> StoredStream:
    """Return the events of a conversation that can affect the legality of other events.

    Repeated events (SG601) are left out, and so are messages before the end, which are legal
    anywhere.
    """
    codes = {
        finding.place.event: finding.code
        for finding in state.findings
        if finding.rule.severity is Severity.WARNING and finding.code != "SG206"
    }
    events = {
        finding.place.event: EditableEvent(EventKind.UNPROCESSABLE, "", ~finding.place.event)
        for finding in state.findings
        if finding.place.event is not None and finding.rule.family == _SHAPE
    }
    for position, kind, agent, delivery in state.rare.after_end:
        events[position] = EditableEvent(EventKind(kind), agent, delivery)
    for position, kind, agent, delivery in events_of(state):
        event = EditableEvent(kind, agent, delivery, warning=codes.get(position))
        events[position] = event
        if event.is_repeat:
            del events[position]
    positions = tuple(sorted(events))
    return StoredStream(
        events=tuple([events[each] for each in positions]),
        positions=positions,
        partial=state.rare.partial,
        has_more=state.has_more_after_end,
    )
