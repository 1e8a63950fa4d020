"""The likeliest repair of a conversation for the HTML page: one edit and its result."""

from datetime import datetime
from typing import Any, NamedTuple

from segue.core.conversation import Report, single_edit_of, state_of
from segue.core.conversation.stored_stream import stored_stream
from segue.core.edits import EditKind, SingleEdit, rearranged
from segue.core.engine import State, apply, new
from segue.core.events import Delivery, Event, EventKind
from segue.report.escape import visible


class _Moment(NamedTuple):
    kind: EventKind
    agent: str
    at: datetime | None


def likeliest_repair(report: Report) -> tuple[dict[str, Any], Report] | None:
    """Return the single edit that repairs a conversation, and the report after that edit.

    The edit is a dict for JSON. Return None if no single edit suffices.
    """
    edit = single_edit_of(report)
    if edit is None:
        return None
    stream = stored_stream(state_of(report))
    times = {each.position: at for each, at in zip(report.timeline, report.times, strict=True)}
    moments = [
        _Moment(event.kind, event.agent, times.get(position))
        for event, position in zip(stream.events, stream.positions, strict=True)
    ]
    here = min(edit.to if edit.origin is None else edit.origin, len(moments) - 1)
    inserted = _Moment(edit.kind, edit.agent, moments[here].at if moments else None)
    after = Report(_state_of(report, rearranged(moments, edit, inserted)))
    return _plain(edit, stream.positions), after


def _plain(edit: SingleEdit, positions: tuple[int, ...]) -> dict[str, Any]:
    is_moved = edit.edit in {EditKind.INSERT, EditKind.MOVE}
    return {
        "edit": edit.edit.value,
        "event": None if edit.origin is None else positions[edit.origin],
        "kind": edit.kind.value,
        "agent": visible(edit.agent),
        "before": positions[edit.to] if is_moved and edit.to < len(positions) else None,
    }


def _state_of(report: Report, moments: list[_Moment]) -> State:
    """Return the state of a conversation after the given events.

    An event whose time is earlier than that of its predecessor, because one of them was moved, gets
    the predecessor's time.
    """
    names = {segment.agent: segment.name for segment in report.segments}
    state, latest = new(report.conversation_id), None
    for number, (kind, agent, at) in enumerate(moments):
        if kind is EventKind.UNPROCESSABLE:
            continue
        latest = at if latest is None or (at is not None and at > latest) else latest
        who = {"identity": agent, "name": names.get(agent, agent), "type": "agent"}
        event = Event(kind, agent, "", {"participant": who, "number": number}, "")
        apply(state, Delivery(report.conversation_id, report.bot_id, (event,), received_at=latest))
    return state
