"""The repaired conversation for the HTML page: the edits of its explanation and their result."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from segue.analysis.repairs.editable import EditableEvent
from segue.analysis.repairs.edited import EditedEvent, edited_events
from segue.core.conversation import Report, explanation_of, state_of
from segue.core.conversation.report import Note
from segue.core.engine import apply, finish, new
from segue.core.engine.entries import Entry
from segue.core.engine.state import told_entries
from segue.core.events import HOOKS, Delivery, Event, EventKind
from segue.core.explain import Edit
from segue.core.findings import Severity
from segue.report.escape import visible
from segue.report.page_rows import page_note

_ORDER = (1, 2)
_UNREADABLE = EditableEvent(EventKind.UNPROCESSABLE, "", 0)


def repaired(report: Report) -> tuple[list[dict[str, Any]], Report] | None:
    """Apply the edits of all mistakes to a conversation.

    Return the edits as dicts for JSON, and the report of the conversation after the edits. Return
    None if there are no edits, or if errors about order or presence remain after them.
    """
    if report.explanation is None:
        return None
    found = explanation_of(report)
    edits = [edit for mistake in found.mistakes for edit in mistake.edits]
    if not edits:
        return None
    events, times = _told(report, told_entries(state_of(report)))
    after = _judged(report, _timed(edited_events(events, [*edits, *found.free]), times))
    errors = [each for each in after.findings if each.severity is Severity.ERROR]
    if any(each.rule.family in _ORDER for each in errors):
        return None
    return [_plain(edit, events) for edit in edits], after


def _told(
    report: Report, entries: Iterable[Entry]
) -> tuple[list[EditableEvent], list[datetime | None]]:
    """Return the events of a conversation by position, with their times where they are known."""
    size = report.events
    events, times = [_UNREADABLE] * size, list[datetime | None]([None] * size)
    for entry in entries:
        for position in range(entry.position, min(entry.position + entry.count, size)):
            events[position] = EditableEvent(entry.kind, entry.agent, entry.delivery)
            times[position] = entry.received_at
    for first, _, note in report.notes:
        if note[2] == HOOKS.name and note[1] is not None:
            at = datetime.fromtimestamp(note[1] / 1000, UTC)
            for position in range(first, min(first + len(note[4]), size)):
                times[position] = times[position] or at
    return events, times


def _judged(report: Report, events: Iterable[tuple[EditedEvent, datetime | None]]) -> Report:
    """Check the edited events, and return their report with a note of each for the page.

    An event that is earlier than the events before it, because an event was moved, gets the latest
    of their times.
    """
    told = state_of(report)
    names = {segment.agent: segment.name for segment in report.segments}
    state, latest = new(report.conversation_id, partial=told.partial), None
    notes: list[Note] = []
    for event, at in events:
        if event.is_left_out or event.kind is EventKind.UNPROCESSABLE:
            continue
        latest = at if latest is None or (at is not None and at > latest) else latest
        who = {"identity": event.agent, "name": names.get(event.agent, event.agent)}
        value = {"participant": who | {"type": "agent"}, "number": len(notes)}
        sent = Event(event.kind, event.agent, "", value, "")
        delivery = Delivery(
            report.conversation_id, report.bot_id, (sent,), received_at=at and latest
        )
        apply(state, delivery)
        notes.append((len(notes), "", page_note(delivery)))
    if told.closed:
        finish(state)
    after = Report(state)
    after.notes = tuple(notes)
    return after


def _timed(
    edited: Sequence[EditedEvent], times: Sequence[datetime | None]
) -> Iterator[tuple[EditedEvent, datetime | None]]:
    """Return the events with their times. A new event has the time of the event after it."""
    following = max((at for at in times if at is not None), default=None)
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
        "kind": edit.named_kind,
        "agent": visible(agent),
        "before": edit.before,
    }
