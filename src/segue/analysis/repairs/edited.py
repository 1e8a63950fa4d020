"""The events of a conversation after the edits of its explanation."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from segue.analysis.repairs.editable import EditableEvent
from segue.core.events import EventKind, quoted
from segue.core.explain import Edit, EditKind
from segue.core.lifecycle import AGENTLESS_KINDS, Presence, transition

UNKNOWN_AGENT: Final = "unknown"
"""The identity that is written for an agent whom no event names."""
_LEAVING_OUT: Final = frozenset({EditKind.SURPLUS, EditKind.ID_USED_AGAIN})


class EditedEvent(NamedTuple):
    """One event of the repaired conversation, or one that was left out."""

    origin: int | None
    """The position in the conversation, or None for a new event."""
    kind: EventKind
    """The kind in the repaired conversation."""
    agent: str
    """The identity of the agent, or an empty string for an event without one."""
    edit: Edit | None = None
    """The edit that concerns the event, or None if it is unchanged."""
    sent: str = ""
    """The event as it was sent, such as `COLD entry by a-2`, or an empty string for a new event."""

    @property
    def is_left_out(self) -> bool:
        """Whether the event is not part of the repaired conversation."""
        return self.edit is not None and self.edit.kind in _LEAVING_OUT

    @property
    def is_moved(self) -> bool:
        """Whether the event was sent at another place."""
        return self.edit is not None and self.edit.kind is EditKind.MOVED

    @property
    def label(self) -> str:
        """The event as people read it, such as `COLD entry by a-2`."""
        return event_label(self.kind, self.agent)


def event_label(kind: EventKind, agent: str) -> str:
    """Return an event as people read it, such as `COLD entry by a-2`."""
    return f"{kind.value} by {quoted(agent)}" if agent else kind.value


def edited_events(events: Sequence[EditableEvent], edits: Iterable[Edit]) -> list[EditedEvent]:
    """Return the events of a conversation after some edits.

    An event that is left out stays at its place in the list.
    """
    put: dict[int | None, list[EditedEvent]] = {}
    changed: dict[int, list[EditedEvent]] = {}
    for edit in edits:
        if edit.event is None:
            put.setdefault(edit.before, []).append(_new(edit))
        else:
            _change(events, edit, edit.event, put, changed)
    result: list[EditedEvent] = []
    for position, event in enumerate(events):
        result += put.get(position, [])
        unchanged = EditedEvent(position, event.kind, event.agent)
        result += changed.get(position, [unchanged])
    return _with_hand_overs([*result, *put.get(None, [])])


def _change(
    events: Sequence[EditableEvent],
    edit: Edit,
    first: int,
    put: dict[int | None, list[EditedEvent]],
    changed: dict[int, list[EditedEvent]],
) -> None:
    run = range(first, first + (edit.size or 1))
    as_sent = [_as_sent(at, events[at], edit) for at in run]
    if edit.kind is EditKind.MOVED:
        changed |= {at: [] for at in run}
        put.setdefault(edit.before, []).extend(as_sent)
    elif edit.kind in _LEAVING_OUT:
        changed |= {each.origin: [each] for each in as_sent if each.origin is not None}
    elif edit.kind is EditKind.STAY_RENAMED:
        agent = edit.agent or UNKNOWN_AGENT
        for each in (as_sent[0], as_sent[-1]):
            assert each.origin is not None
            changed[each.origin] = [each._replace(agent=agent)]
    else:
        kind = edit.event_kind or events[first].kind
        changed[first] = [as_sent[0]._replace(kind=kind, agent=_agent(edit))]


def _as_sent(position: int, event: EditableEvent, edit: Edit) -> EditedEvent:
    label = event_label(event.kind, event.agent)
    return EditedEvent(position, event.kind, event.agent, edit, label)


def _new(edit: Edit) -> EditedEvent:
    assert edit.event_kind is not None, "a lost event has a kind"
    return EditedEvent(None, edit.event_kind, _agent(edit), edit)


def _agent(edit: Edit) -> str:
    if edit.event_kind is None or edit.event_kind in AGENTLESS_KINDS:
        return ""
    return edit.agent or UNKNOWN_AGENT


def _with_hand_overs(events: Sequence[EditedEvent]) -> list[EditedEvent]:
    """Return the events with the COLD exit before each entry that stands for a whole hand-over."""
    names: dict[str, int] = {}
    presence = Presence()
    result: list[EditedEvent] = []
    for event in events:
        if event.edit is not None and event.edit.kind is EditKind.TOOK_OVER:
            leaving = next(name for name, at in names.items() if at == presence.primary)
            exit_ = EditedEvent(None, EventKind.COLD_EXIT, leaving, event.edit)
            presence, _ = transition(presence, exit_.kind, names[leaving])
            result.append(exit_)
        result.append(event)
        if event.kind is not EventKind.UNPROCESSABLE and not event.is_left_out:
            number = names.setdefault(event.agent, len(names)) if event.agent else None
            presence, _ = transition(presence, event.kind, number)
    return result
