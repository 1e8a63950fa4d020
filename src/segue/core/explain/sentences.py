"""Edits in words: what happened, and what to change at the sender.

Events are named by their positions. A renderer that knows the log replaces them by lines.
"""

from collections.abc import Mapping, Sequence

from segue.core.events import EventKind, quoted
from segue.core.explain.changes import StreamEdit
from segue.core.explain.costs import EditKind
from segue.core.explain.edits import name_of
from segue.core.explain.told import NO_AGENT, Symbol, ToldEvent, agent_of, kind_of
from segue.core.lifecycle import MESSAGES

_END = EventKind.END.value


_LISTED = 4
"""The maximum number of missing events that are named one by one."""
_SENTENCES = {
    EditKind.SURPLUS: "the {told} is one too many ({place})",
    EditKind.RETYPED: "the {told} should be {kind} ({place})",
    EditKind.RENAMED: "the {told} should name {agent} ({place})",
    EditKind.TOOK_OVER: "{told_agent} took over from {left}, sent as {told_kind} alone ({place})",
    EditKind.STAY_RENAMED: "a stay of {agent} was sent under the name of {told_agent} ({place})",
    EditKind.ID_USED_AGAIN: "a second conversation was sent under this id ({place})",
}
_WHO = "Put the identity of the agent who enters or leaves into participant.identity."
_FIXES = {
    EditKind.SURPLUS: "Send the {told} once, and only when it happens.",
    EditKind.RETYPED: "Send {kind} here, not {told_kind}.",
    EditKind.RENAMED: _WHO,
    EditKind.TOOK_OVER: "Send a hand-over as two events: the COLD exit, then the COLD entry.",
    EditKind.STAY_RENAMED: _WHO,
    EditKind.ID_USED_AGAIN: "Give every conversation an id of its own.",
}


class Wording:
    """The words for the edits of one conversation."""

    def __init__(
        self,
        events: Sequence[ToldEvent],
        names: Sequence[str],
        kinds: Mapping[int, tuple[EventKind, ...]] | None = None,
    ) -> None:
        """Take the conversation as told, and the other kinds of lost exits by turn of the edit."""
        self._events, self._names, self._kinds = events, names, kinds or {}

    def sentence(self, change: StreamEdit) -> str:
        """Return what happened."""
        if change.at is None:
            return f"the {self._lost(change)} is missing ({self._before(change.to)})"
        if change.kind is EditKind.MOVED:
            return self._moved(change, change.at)
        event = self._events[change.at]
        left = NO_AGENT if change.other is None else change.other
        return _SENTENCES[change.kind].format(
            told=self._named(event.what),
            told_agent=self._agent(event.what),
            told_kind=_a(event.what),
            agent=self._agent(change.what),
            kind=_a(change.what),
            left=self._name(left) if change.kind is EditKind.TOOK_OVER else "",
            place=self._run(change),
        )

    def _moved(self, change: StreamEdit, index: int) -> str:
        subject, place = self._subject(change, index), self._run(change)
        if self._came_after_end(change, index):
            return f"{subject} came after {_END} ({place})"
        if change.to > index:
            last = self._events[change.to - 1]
            other, due = self._named(last.what), f"due after event {last.position}"
            return f"{subject} came before the {other} ({place}, {due})"
        first = self._events[change.to]
        other, due = self._named(first.what), f"due before event {first.position}"
        return f"{subject} came after the {other} ({place}, {due})"

    def _came_after_end(self, change: StreamEdit, index: int) -> bool:
        """Return whether END_OF_CONVERSATION was told before what is moved, and due after it."""
        is_message = self._events[index].is_message  # others are not moved
        passed = self._events[change.to : index]
        return is_message or any(event.kind is EventKind.END for event in passed)

    def _subject(self, change: StreamEdit, index: int) -> str:
        run = self._events[index : index + change.size]
        if not run[0].is_message:
            return f"the {self._named(change.what)}" if len(run) == 1 else "a delivery"
        size = sum(event.size for event in run)
        text = "a message" if size == 1 else f"{size} messages"
        agents = {event.agent for event in run}
        return (
            text
            if agents != {run[0].agent} or run[0].agent < 0
            else f"{text} of {self._name(run[0].agent)}"
        )

    def stopped(self, changes: Sequence[StreamEdit]) -> str:
        """Return what is missing after the last event of a log that stops."""
        parts = [f"the {self._lost(change)}" for change in changes]
        if len(parts) > _LISTED:
            parts = [f"{len(parts) - 1} exits", parts[-1]]
        many = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
        verb = "are" if len(changes) > 1 else "is"
        last = self._events[-1].position if self._events else 0
        return f"the conversation stops: {many} {verb} missing (after event {last})"

    def fix(self, change: StreamEdit) -> str:
        """Return what to change at the sender."""
        if change.at is None:
            return f"Send {_a(change.what, self._lost(change))}{self._due(change)}."
        told = self._events[change.at]
        if change.kind is not EditKind.MOVED:
            kind, told_kind, before = _a(change.what), _a(told.what), self._named(told.what)
            return _FIXES[change.kind].format(kind=kind, told_kind=told_kind, told=before)
        if told.kind is EventKind.END:
            return f"Send {_END} once, after everything else."
        if self._came_after_end(change, change.at):
            return f"Send {_END} only after everything else has been delivered."
        due = f"the {self._named(change.what)}{self._due(change)}"
        return f"Send events in the order in which they happen: {due}."

    def _due(self, change: StreamEdit) -> str:
        if change.to == len(self._events):
            return " at the end"
        if change.at is not None and change.to > change.at:
            last = self._events[change.to - 1]
            return f" after the {self._named(last.what)}"
        return f" before the {self._named(self._events[change.to].what)}"

    def _before(self, to: int) -> str:
        if to == len(self._events):
            return "at the end"
        return f"at the latest before event {self._events[to].position}"

    def _run(self, change: StreamEdit) -> str:
        events, index = self._events, change.at or 0
        last = events[index + change.size - 1]
        if change.kind is EditKind.STAY_RENAMED and change.other is not None:
            last = events[change.other]
        return _events(events[index].position, last.last)

    def _lost(self, change: StreamEdit) -> str:
        """Return the name of an event that is put in, with all kinds that it may have had."""
        kinds = self._kinds.get(change.turn, ())
        if not kinds:
            return self._named(change.what)
        return f"{name_of(kind_of(change.what), *kinds)} of {self._agent(change.what)}"

    def _named(self, what: Symbol) -> str:
        kind = kind_of(what)
        if kind.transfer_type:
            return f"{kind.value} of {self._agent(what)}"
        if kind in MESSAGES:
            return f"message of {self._agent(what)}" if agent_of(what) != NO_AGENT else "message"
        return kind.value

    def _agent(self, what: Symbol) -> str:
        return self._name(agent_of(what))

    def _name(self, agent: int) -> str:
        return quoted(self._names[agent]) if 0 <= agent < len(self._names) else "another agent"


def _a(what: Symbol, named: str = "") -> str:
    """Return the kind of an event with its article."""
    text = named or kind_of(what).value
    return f"an {text}" if text.startswith(("NA", "END", "exit")) else f"a {text}"


def _events(first: int, last: int) -> str:
    return f"event {first}" if first == last else f"events {first} to {last}"
