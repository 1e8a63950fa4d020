"""The events of a conversation after the edits of its explanation."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from segue.analysis.repairs.editable import EditableEvent
from segue.core.events import EventKind, quoted
from segue.core.explain import Edit, EditKind
from segue.core.lifecycle import AGENTLESS_KINDS, resolve

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
    def place(self) -> int:
        """The position in the conversation of an event that was sent."""
        assert self.origin is not None, "the event was sent"
        return self.origin

    def renamed(self, kind: EventKind, agent: str | None) -> "EditedEvent":
        """Return the event with another kind and agent."""
        return self._replace(kind=kind, agent=_written(kind, agent))

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

    Args:
        events: The events of the conversation.
        edits: The edits of its explanation.

    """
    writer = _Writer(events)
    for edit in sorted(edits, key=lambda each: each.turn):
        writer.add(edit)
    return writer.edited()


class _Writer:
    """The events of a conversation while its edits are applied."""

    def __init__(self, events: Sequence[EditableEvent]) -> None:
        self._events = events
        self._put: dict[int, list[EditedEvent]] = {}
        """New and moved events, by the index of the event before which they belong."""
        self._changed: dict[int, list[EditedEvent]] = {}
        """The events in the place of another one."""

    def add(self, edit: Edit) -> None:
        if edit.event is None:
            assert edit.event_kind is not None, "a lost event has a kind"
            self._put_before(edit, [_new(edit, edit.event_kind, edit.agent)])
            return
        sent = [self._sent(at, edit) for at in self._run(edit.event, edit.size or 1)]
        kind = edit.event_kind or sent[0].kind
        if edit.kind is EditKind.MOVED:
            self._changed |= {each.place: [] for each in sent}
            self._put_before(edit, sent)
        elif edit.kind in _LEAVING_OUT:
            self._changed |= {each.place: [each] for each in sent}
        elif edit.kind is EditKind.STAY_RENAMED:
            for each in (sent[0], sent[-1]):
                self._changed[each.place] = [each.renamed(each.kind, edit.agent)]
        elif edit.kind is EditKind.TOOK_OVER:
            entry = sent[0].renamed(kind, edit.agent)
            leaving = _new(edit, EventKind.COLD_EXIT, edit.leaving)
            self._changed[entry.place] = [leaving, entry]
        else:
            self._changed |= {each.place: [each.renamed(kind, edit.agent)] for each in sent}

    def edited(self) -> list[EditedEvent]:
        result: list[EditedEvent] = []
        for index, event in enumerate(self._events):
            result += self._put.get(index, [])
            result += self._changed.get(index, [EditedEvent(index, event.kind, event.agent)])
        return [*result, *self._put.get(len(self._events), [])]

    def _run(self, position: int, size: int) -> Iterable[int]:
        """Return the indices of the events of a run, which begins at a position.

        Before END, the messages of an agent are a run that messages of others may interrupt.
        """
        first, run = self._events[position], range(position, position + size)
        if size == 1 or first.kind is not EventKind.AGENT_MESSAGE or self._has_ended(position):
            return run
        same = (at for at in range(position, len(self._events)) if self._is_of(at, first.agent))
        return islice(same, size)

    def _has_ended(self, position: int) -> bool:
        return any(event.kind is EventKind.END for event in self._events[:position])

    def _is_of(self, index: int, agent: str) -> bool:
        event = self._events[index]
        is_message = event.kind is EventKind.AGENT_MESSAGE
        return is_message and resolve({agent: None}, event.kind, event.agent) == agent

    def _sent(self, index: int, edit: Edit) -> EditedEvent:
        event = self._events[index]
        label = event_label(event.kind, event.agent)
        return EditedEvent(index, event.kind, event.agent, edit, label)

    def _put_before(self, edit: Edit, events: Iterable[EditedEvent]) -> None:
        index = len(self._events) if edit.before is None else edit.before
        self._put.setdefault(index, []).extend(events)


def _new(edit: Edit, kind: EventKind, agent: str | None) -> EditedEvent:
    return EditedEvent(None, kind, _written(kind, agent), edit)


def _written(kind: EventKind, agent: str | None) -> str:
    """Return the identity with which an event is written."""
    return "" if kind in AGENTLESS_KINDS else agent or UNKNOWN_AGENT
