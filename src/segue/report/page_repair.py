"""The repaired conversation for the HTML page: the edits of its explanation and their result."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from segue.analysis.repairs.editable import EditableEvent
from segue.analysis.repairs.edited import EditedEvent, edited_events
from segue.core.conversation import Report, explanation_of, state_of
from segue.core.engine import State, apply, finish, new
from segue.core.engine.entries import Entry, entries_of
from segue.core.events import Delivery, Event, EventKind
from segue.core.explain import Edit
from segue.core.findings import Severity
from segue.report.escape import visible

_ORDER = (1, 2)
_UNREADABLE = EditableEvent(EventKind.UNPROCESSABLE, "", 0)


def repaired(report: Report) -> tuple[list[dict[str, Any]], Report] | None:
    """Apply the edits of all mistakes to a conversation.

    Return the edits as dicts for JSON, and the report of the conversation after the edits. Return
    None if there are no edits, or if errors about order or presence remain after them.
    """
    if report.explanation is None or report.late:
        return None
    found = explanation_of(report)
    edits = [edit for mistake in found.mistakes for edit in mistake.edits]
    if not edits:
        return None
    state = state_of(report)
    entries = list(entries_of(state))
    events, times = _told(entries, report.events)
    edited = edited_events(events, [*edits, *found.free])
    after = Report(_judged(report, state, edited, times))
    if any(
        each.severity is Severity.ERROR and each.rule.family in _ORDER for each in after.findings
    ):
        return None
    return [_plain(edit, events) for edit in edits], after


def _told(entries: Iterable[Entry], size: int) -> tuple[list[EditableEvent], list[datetime | None]]:
    """Return the events of a conversation by position, with their times where they are known."""
    events, times = [_UNREADABLE] * size, list[datetime | None]([None] * size)
    for entry in entries:
        for position in range(entry.position, min(entry.position + entry.count, size)):
            events[position] = EditableEvent(entry.kind, entry.agent, entry.delivery)
            times[position] = entry.received_at
    return events, times


def _judged(
    report: Report, state: State, edited: list[EditedEvent], times: list[datetime | None]
) -> State:
    """Apply the edited events to a new conversation, and return its state.

    An event that is put in has the time of the event after it. An event that is earlier than the
    events before it, because an event was moved, gets the latest of their times.
    """
    names = {segment.agent: segment.name for segment in report.segments}
    judged, latest = new(report.conversation_id, partial=state.rare.partial), None
    for number, (event, at) in enumerate(_timed(edited, times)):
        if event.is_left_out or event.kind is EventKind.UNPROCESSABLE:
            continue
        latest = at if latest is None or (at is not None and at > latest) else latest
        who = {"identity": event.agent, "name": names.get(event.agent, event.agent)}
        value = {"participant": who | {"type": "agent"}, "number": number}
        sent = Event(event.kind, event.agent, "", value, "")
        apply(judged, Delivery(report.conversation_id, report.bot_id, (sent,), received_at=latest))
    if state.rare.closed:
        finish(judged)
    return judged


def _timed(
    edited: list[EditedEvent], times: list[datetime | None]
) -> Iterator[tuple[EditedEvent, datetime | None]]:
    following: datetime | None = None
    found: list[tuple[EditedEvent, datetime | None]] = []
    for event in reversed(edited):
        at = following if event.origin is None else times[event.origin]
        found.append((event, at))
        following = following if event.is_moved or at is None else at
    return reversed(found)


def _plain(edit: Edit, events: Sequence[EditableEvent]) -> dict[str, Any]:
    kind, agent = edit.event_kind, edit.agent or ""
    if kind is None and edit.event is not None:
        agent = events[edit.event].agent  # of an event that is left out
    return {
        "edit": edit.kind.value,
        "event": edit.event,
        "size": edit.size,
        "kind": "" if kind is None else kind.value,
        "agent": visible(agent),
        "before": edit.before,
    }
