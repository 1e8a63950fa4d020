"""The edits of a search as values, and streams of events after edits."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from segue.core.events import EventKind
from segue.core.explain.costs import EditKind
from segue.core.explain.told import Symbol, ToldEvent, agent_of, kind_of, symbol

_EDITED: Final = -1
"""The delivery of an event that was put in."""


class Change(NamedTuple):
    """One edit of a stream of events. Places are indices of the stream."""

    kind: EditKind
    index: int | None
    """The first event that the edit is about, or None for an event that is put in."""
    size: int
    """The number of events from `index` on."""
    to: int
    """The event before which the events are put, otherwise equal to `index`."""
    what: Symbol
    """The event as it should be."""
    turn: int = 0
    """The order among events that are put in at one place."""
    other: int | None = None
    """The index of the exit of a stay that was renamed, or the agent who left in a hand-over that
    was sent as one entry, otherwise None.
    """

    @property
    def begin(self) -> int:
        """The first place that the edit touches."""
        return self.to if self.index is None else min(self.to, self.index)

    @property
    def end(self) -> int:
        """The last place that the edit touches."""
        if self.index is None:
            return self.to
        last = self.other if self.kind is EditKind.STAY_RENAMED else None
        return max(self.to, self.index + self.size - 1, last or 0)


class Script(NamedTuple):
    """The edits of a search."""

    changes: tuple[Change, ...]
    """In order of place."""
    read: tuple[Change, ...]
    """What unreadable events are taken for, for free."""


def script(chain: Any, events: Sequence[ToldEvent]) -> Script:
    """Return the edits that a search has chained, in the order of the events as told."""
    steps = []
    while chain:
        step, chain = chain
        steps.append(step)
    changes: list[Change] = []
    read: list[Change] = []
    left_out: dict[int, int] = {}
    for word, *rest in reversed(steps):
        match word, rest:
            case (("out" | "hold"), [index]):
                left_out[index] = 1
            case "out too", [index]:
                first = max(each for each in left_out if each < index)
                left_out[first] = index - first + 1
            case "back", [first, last, to]:
                del left_out[first]
                changes.append(_moved(events, first, last - first + 1, to))
            case "late", [index]:
                changes.append(_moved(events, index, 1, _end_before(events, index, left_out)))
            case "late too" | "along", _:
                changes[-1] = changes[-1]._replace(size=changes[-1].size + 1)
            case "early", [index, later]:
                changes.append(_moved(events, later, 1, index))
            case "change", [index, kind, what]:
                changes.append(Change(kind, index, 1, index, what))
            case "took over", [index, what, left]:
                changes.append(Change(EditKind.TOOK_OVER, index, 1, index, what, other=left))
            case "stay", [index, what]:
                changes.append(Change(EditKind.STAY_RENAMED, index, 1, index, what))
            case "stayed", [index, _]:
                at = max(i for i, c in enumerate(changes) if c.kind is EditKind.STAY_RENAMED)
                changes[at] = changes[at]._replace(other=index)
            case "again", [index, size]:
                changes.append(
                    Change(EditKind.ID_USED_AGAIN, index, size, index, events[index].what)
                )
            case "in", [index, what]:
                changes.append(Change(EditKind.LOST, None, 1, index, what))
            case "many", [index, whats]:
                changes += [Change(EditKind.LOST, None, 1, index, what) for what in whats]
            case "read", [index, what]:
                read.append(Change(EditKind.RETYPED, index, 1, index, what))
    changes = [change._replace(turn=turn) for turn, change in enumerate(changes)]
    changes += [
        Change(EditKind.SURPLUS, index, size, index, events[index].what)
        for index, size in left_out.items()
    ]
    return Script(tuple(sorted(changes, key=lambda each: (each.begin, each.to))), tuple(read))


def _moved(events: Sequence[ToldEvent], index: int, size: int, to: int) -> Change:
    return Change(EditKind.MOVED, index, size, to, events[index].what)


def _end_before(events: Sequence[ToldEvent], index: int, left_out: Iterable[int]) -> int:
    """Return the index of the last END before an event, preferably one that is not left out."""
    ends = [at for at in range(index) if events[at].kind is EventKind.END]
    return max([at for at in ends if at not in {*left_out}] or ends)


def applied(
    events: Sequence[ToldEvent], changes: Iterable[Change], start: int = 0
) -> Iterator[ToldEvent]:
    """Yield the events after some edits, from the place of the event at `start` on."""
    gone: set[int] = set()
    changed: dict[int, Sequence[ToldEvent]] = {}
    put: dict[int, list[ToldEvent]] = {}
    for change in sorted(changes, key=lambda each: each.turn):
        kind, index, what = change.kind, change.index, change.what
        if index is None:
            put.setdefault(change.to, []).append(_new(what))
        elif kind in {EditKind.SURPLUS, EditKind.ID_USED_AGAIN}:
            gone.update(range(index, index + change.size))
        elif kind is EditKind.MOVED:
            run = range(index, index + change.size)
            gone.update(run)
            put.setdefault(change.to, []).extend(events[at] for at in run)
        else:
            changed[index] = list(_changed(events, change))
            if kind is EditKind.STAY_RENAMED and change.other is not None:
                event = events[change.other]
                changed[change.other] = [_as(event, symbol(event.kind, agent_of(what)))]
    for index in range(start, len(events)):
        yield from put.get(index, ())
        if index in changed:
            yield from changed[index]
        elif index not in gone:
            yield events[index]
    yield from put.get(len(events), ())


def _changed(events: Sequence[ToldEvent], change: Change) -> Iterator[ToldEvent]:
    assert change.index is not None
    event = events[change.index]
    if change.kind is EditKind.TOOK_OVER:
        assert change.other is not None
        yield _new(symbol(EventKind.COLD_EXIT, change.other))
    yield _as(event, change.what)


def _as(event: ToldEvent, what: Symbol) -> ToldEvent:
    return event._replace(kind=kind_of(what), agent=agent_of(what), what=what, same=0)


def _new(what: Symbol) -> ToldEvent:
    return ToldEvent(kind_of(what), agent_of(what), what, _EDITED, 0, None, -1)
