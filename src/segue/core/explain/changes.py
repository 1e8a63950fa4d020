"""The edits of a search as values, and streams of events after edits."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.events import EventKind
from segue.core.explain.costs import EditKind
from segue.core.explain.told import Symbol, ToldEvent, agent_of, kind_of, symbol

_EDITED: Final = -1
"""The delivery of an event that was put in."""


class Action(Enum):
    """What a step of a search does. `Step` lists the arguments."""

    LEAVE_OUT = auto()
    """Leave out the event at an index."""
    LEAVE_OUT_REPEAT = auto()
    """Leave out a repeat as told, which would be legal here, for free."""
    HOLD = auto()
    """Hold the event at an index, to put it back later, or else to leave it out."""
    HOLD_MORE = auto()
    """Hold the event at an index as well, the next one of the same delivery."""
    PUT_BACK = auto()
    """Put back the events from a first to a last index, before another index."""
    PUT_BEFORE_END = auto()
    """Move a message from after END_OF_CONVERSATION to before it."""
    PUT_IN_EARLY = auto()
    """Put the event of a later index before an index."""
    MOVE_MORE = auto()
    """Move the event at an index as well, the next one of a run."""
    PUT_IN = auto()
    """Put events that were not told before an index."""
    CHANGE = auto()
    """Take the event at an index for another one, by a kind of edit."""
    END_STAY = auto()
    """End a renamed stay with the exit at an index."""
    USE_AGAIN = auto()
    """Leave out a second conversation: an index and the number of events."""
    READ = auto()
    """Take an unreadable event for another one."""


Step: TypeAlias = tuple[Any, ...]
"""An `Action` and its arguments."""
Chain: TypeAlias = Any
"""The steps of a search as nested pairs, the latest first, or None."""


class StreamEdit(NamedTuple):
    """One edit of a stream of events. Places are indices of the stream."""

    kind: EditKind
    at: int | None
    """The first event that the edit is about, or None for an event that is put in."""
    size: int
    """The number of events from `at` on."""
    to: int
    """The event before which the events are put, otherwise equal to `at`."""
    what: Symbol
    """The event as it should be."""
    turn: int = 0
    """The order among events that are put in at one place.

    The turns of a search are even, so an alternative can come between any two.
    """
    other: int | None = None
    """The index of the exit of a stay that was renamed, or the agent who left in a hand-over that
    was sent as one entry, otherwise None.
    """

    @property
    def run(self) -> range:
        """The indices of the events that the edit is about. Empty for an event that is put in."""
        return range(0) if self.at is None else range(self.at, self.at + self.size)

    @property
    def begin(self) -> int:
        """The first place that the edit touches."""
        return self.to if self.at is None else min(self.to, self.at)

    @property
    def end(self) -> int:
        """The last place that the edit touches."""
        if self.at is None:
            return self.to
        last = self.other if self.kind is EditKind.STAY_RENAMED else None
        return max(self.to, self.at + self.size - 1, last or 0)


class EditScript(NamedTuple):
    """The edits of a search."""

    changes: tuple[StreamEdit, ...]
    """In order of place."""
    read: tuple[StreamEdit, ...]
    """What unreadable events are taken for, for free."""
    repeats: tuple[StreamEdit, ...] = ()
    """Repeats as told that are left out for free, although they would be legal after the edits."""


def script(chain: Chain, events: Sequence[ToldEvent]) -> EditScript:
    """Return the edits that a search has chained, in the order of the events as told."""
    steps: list[Step] = []
    while chain:
        step, chain = chain
        steps.append(step)
    writer = _Writer(events)
    for action, *rest in reversed(steps):
        _WRITTEN[action](writer, *rest)
    return writer.script()


class _Writer:
    """The edits of a search while they are collected, in the order in which they were made."""

    def __init__(self, events: Sequence[ToldEvent]) -> None:
        self._events = events
        self._changes: list[StreamEdit] = []
        self._read: list[StreamEdit] = []
        self._repeats: list[StreamEdit] = []
        self._left_out: set[int] = set()

    def script(self) -> EditScript:
        """Return all edits in the order of their places."""
        made = map(_ended, self._changes)
        changes = [change._replace(turn=2 * number) for number, change in enumerate(made)]
        changes += map(self._surplus, self._left_out)
        changes.sort(key=lambda each: (each.begin, each.to))
        return EditScript(tuple(changes), tuple(self._read), tuple(self._repeats))

    def _surplus(self, index: int) -> StreamEdit:
        return StreamEdit(EditKind.SURPLUS, index, 1, index, self._events[index].what)

    def leave_out(self, index: int) -> None:
        self._left_out.add(index)

    def leave_out_repeat(self, index: int) -> None:
        self._repeats.append(self._surplus(index))

    def put_back(self, first: int, last: int, to: int) -> None:
        self._left_out.difference_update(range(first, last + 1))
        self._changes.append(self._moved(first, last - first + 1, to))

    def put_before_end(self, index: int) -> None:
        place, turn = self._end_before(index)
        self._changes.insert(turn, self._moved(index, 1, place))

    def put_in_early(self, index: int, later: int) -> None:
        self._changes.append(self._moved(later, 1, index))

    def move_more(self, index: int) -> None:
        for turn, change in enumerate(self._changes):
            if change.kind is EditKind.MOVED and change.run.stop == index:
                self._changes[turn] = change._replace(size=change.size + 1)

    def _moved(self, index: int, size: int, to: int) -> StreamEdit:
        return StreamEdit(EditKind.MOVED, index, size, to, self._events[index].what)

    def _end_before(self, index: int) -> tuple[int, int]:
        """Return the last place of END_OF_CONVERSATION up to an index.

        This is the place before an event, and the number of changes to make there before.
        """
        gone, turns = set(self._left_out), dict[int, int]()
        for turn, change in enumerate(self._changes):
            if change.kind in _LEAVING_OUT:
                gone.update(change.run)
                if change.kind is EditKind.MOVED and any(map(self._is_end, change.run)):
                    turns.setdefault(change.to, turn)
        read = [each.to for each in self._read if kind_of(each.what) is EventKind.END]
        told = [at for at in range(index) if self._is_end(at) and at not in gone]
        place = max([*told, *read, *turns], default=index)
        return place, turns.get(place, len(self._changes))

    def _is_end(self, index: int) -> bool:
        return self._events[index].kind is EventKind.END

    def put_in(self, index: int, *whats: Symbol) -> None:
        self._changes += [StreamEdit(EditKind.LOST, None, 1, index, what) for what in whats]

    def change(self, index: int, kind: EditKind, what: Symbol, other: int | None = None) -> None:
        self._changes.append(StreamEdit(kind, index, 1, index, what, other=other))

    def end_stay(self, index: int) -> None:
        stays = (at for at, each in enumerate(self._changes) if each.kind is EditKind.STAY_RENAMED)
        at = max(stays)
        self._changes[at] = self._changes[at]._replace(other=index)

    def use_again(self, index: int, size: int) -> None:
        what = self._events[index].what
        self._changes.append(StreamEdit(EditKind.ID_USED_AGAIN, index, size, index, what))

    def read(self, index: int, what: Symbol) -> None:
        self._read.append(StreamEdit(EditKind.RETYPED, index, 1, index, what))


def _ended(change: StreamEdit) -> StreamEdit:
    """Return an edit, which is a changed agent if the search ended within a renamed stay."""
    if change.kind is EditKind.STAY_RENAMED and change.other is None:
        return change._replace(kind=EditKind.RENAMED)
    return change


_WRITTEN: Final[Mapping[Action, Callable[..., None]]] = {
    Action.LEAVE_OUT: _Writer.leave_out,
    Action.LEAVE_OUT_REPEAT: _Writer.leave_out_repeat,
    Action.HOLD: _Writer.leave_out,
    Action.HOLD_MORE: _Writer.leave_out,
    Action.PUT_BACK: _Writer.put_back,
    Action.PUT_BEFORE_END: _Writer.put_before_end,
    Action.PUT_IN_EARLY: _Writer.put_in_early,
    Action.MOVE_MORE: _Writer.move_more,
    Action.PUT_IN: _Writer.put_in,
    Action.CHANGE: _Writer.change,
    Action.END_STAY: _Writer.end_stay,
    Action.USE_AGAIN: _Writer.use_again,
    Action.READ: _Writer.read,
}


def applied(
    events: Sequence[ToldEvent], changes: Iterable[StreamEdit], start: int = 0
) -> Iterator[ToldEvent]:
    """Yield the events after some edits, from the place of the event at `start` on."""
    put: dict[int, list[ToldEvent]] = {}
    changed: dict[int, Sequence[ToldEvent]] = {}
    for change in sorted(changes, key=lambda each: each.turn):
        if change.at is None:
            put.setdefault(change.to, []).append(_new(change.what, change.turn))
        elif change.kind in _LEAVING_OUT:
            changed |= dict.fromkeys(change.run, ())
            if change.kind is EditKind.MOVED:
                put.setdefault(change.to, []).extend(events[at] for at in change.run)
        else:
            changed |= _changed(events, change.at, change)
    for index in range(start, len(events)):
        yield from put.get(index, ())
        yield from changed.get(index, events[index : index + 1])
    yield from put.get(len(events), ())


_LEAVING_OUT: Final = frozenset({EditKind.SURPLUS, EditKind.ID_USED_AGAIN, EditKind.MOVED})
"""The kinds of edits that take events away from their places."""


def _changed(
    events: Sequence[ToldEvent], index: int, change: StreamEdit
) -> dict[int, Sequence[ToldEvent]]:
    """Return the events that an edit puts in the place of others, by the index of those."""
    event, what, other = _as(events[index], change.what), change.what, change.other
    if change.kind is EditKind.TOOK_OVER and other is not None:
        return {index: (_new(symbol(EventKind.COLD_EXIT, other)), event)}
    if change.kind is EditKind.STAY_RENAMED and other is not None:
        leaving = events[other]
        return {
            index: (event,),
            other: (_as(leaving, symbol(leaving.kind, agent_of(what))),),
        }
    return {index: (event,)}


def _as(event: ToldEvent, what: Symbol) -> ToldEvent:
    return event._replace(kind=kind_of(what), agent=agent_of(what), what=what, same=0)


def _new(what: Symbol, turn: int | None = None) -> ToldEvent:
    return ToldEvent(kind_of(what), agent_of(what), what, _EDITED, 0, None, -1, turn=turn)
