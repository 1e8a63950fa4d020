"""Edits in words: what happened, and what to change at the sender.

Events are named by their positions. A renderer that knows the log replaces them by lines.
"""

from collections.abc import Sequence

from segue.core.events import EventKind, quoted
from segue.core.explain.changes import Change
from segue.core.explain.costs import EditKind
from segue.core.explain.told import NO_AGENT, Symbol, ToldEvent, agent_of, kind_of
from segue.core.lifecycle import MESSAGES

_END = EventKind.END.value


class Wording:
    """The words for the edits of one conversation."""

    def __init__(self, events: Sequence[ToldEvent], names: Sequence[str]) -> None:
        self._events, self._names = events, names

    def sentence(self, change: Change) -> str:
        """Return what happened."""
        events, index, after = self._events, change.index, self._named(change.what)
        if index is None:
            return f"the {after} is missing ({self._before(change.to)})"
        event = events[index]
        before, place = self._named(event.what), f"event {event.position}"
        match change.kind:
            case EditKind.SURPLUS:
                return f"the {before} is one too many ({self._run(change)})"
            case EditKind.RETYPED:
                return f"the {before} was {_a(change.what)} ({place})"
            case EditKind.RENAMED:
                return f"the {before} was that of {self._agent(change.what)} ({place})"
            case EditKind.TOOK_OVER:
                left = self._name(NO_AGENT if change.other is None else change.other)
                taker = self._agent(event.what)
                kind = _a(event.what)
                return f"{taker} took over from {left}, told as {kind} alone ({place})"
            case EditKind.STAY_RENAMED:
                last = events[change.other or index].position
                whose = f"a stay of {self._agent(change.what)}"
                named = self._agent(event.what)
                return (
                    f"{whose} was sent under the name of {named} ({_events(event.position, last)})"
                )
            case EditKind.ID_USED_AGAIN:
                return f"a second conversation was sent under this id ({self._run(change)})"
        return self._moved(change, event, before)

    def _moved(self, change: Change, event: ToldEvent, before: str) -> str:
        events, index = self._events, change.index or 0
        passed = events[change.to : index]
        run = self._run(change)
        size = sum(each.size for each in events[index : index + change.size])
        if event.is_message:
            subject = "a message" if size == 1 else f"{size} messages"
            if event.agent != NO_AGENT:
                subject += f" of {self._agent(event.what)}"
        else:
            subject = f"the {before}" if change.size == 1 else "a delivery"
        if passed and any(each.kind is EventKind.END for each in passed):
            return f"{subject} came after {_END} ({run})"
        if change.to > index:
            last = events[change.to - 1]
            other = self._named(last.what)
            return f"{subject} came before the {other} ({run}, due after event {last.position})"
        first = events[change.to]
        other = self._named(first.what)
        return f"{subject} came after the {other} ({run}, due before event {first.position})"

    def stopped(self, changes: Sequence[Change]) -> str:
        """Return what is missing after the last event of a log that stops."""
        parts = [f"the {self._named(change.what)}" for change in changes]
        many = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
        if len(parts) > 4:
            many = f"{len(parts) - 1} exits and {parts[-1]}"
        verb = "are" if len(parts) > 1 else "is"
        last = self._events[-1].position if self._events else 0
        return f"the conversation stops: {many} {verb} missing (after event {last})"

    def fix(self, change: Change) -> str:
        """Return what to change at the sender."""
        after = self._named(change.what)
        index = change.index
        if index is None:
            return f"Send {_a(change.what, self._named(change.what))}{self._due(change)}."
        before = self._named(self._events[index].what)
        match change.kind:
            case EditKind.SURPLUS:
                return f"Send the {before} once, and only when it happens."
            case EditKind.RETYPED:
                return f"Send {_a(change.what)} here."
            case EditKind.RENAMED | EditKind.STAY_RENAMED:
                return "Put the identity of the agent who enters or leaves into the event."
            case EditKind.TOOK_OVER:
                return "Send a hand-over as two events: the COLD exit, then the COLD entry."
            case EditKind.ID_USED_AGAIN:
                return "Give every conversation an id of its own."
        if self._events[index].kind is EventKind.END:
            return f"Send {_END} once, after everything else."
        if change.to < index and any(
            each.kind is EventKind.END for each in self._events[change.to : index]
        ):
            return f"Send {_END} only after everything else has been delivered."
        return f"Send events in the order in which they happen: the {after}{self._due(change)}."

    def _due(self, change: Change) -> str:
        if change.to == len(self._events):
            return " at the end"
        if change.index is not None and change.to > change.index:
            last = self._events[change.to - 1]
            return f" after the {self._named(last.what)}"
        return f" before the {self._named(self._events[change.to].what)}"

    def _before(self, to: int) -> str:
        if to == len(self._events):
            return "at the end"
        return f"at the latest before event {self._events[to].position}"

    def _run(self, change: Change) -> str:
        events, index = self._events, change.index or 0
        last = events[index + change.size - 1]
        return _events(events[index].position, last.position + last.size - 1)

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
    return f"an {text}" if text.startswith(("NA", "END")) else f"a {text}"


def _events(first: int, last: int) -> str:
    return f"event {first}" if first == last else f"events {first} to {last}"
