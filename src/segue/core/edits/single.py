"""Every single edit that makes a conversation one without errors.

An edit that helps touches the first error or something before it.  What stands before the edit is
walked through once, and of what stands behind it is remembered from where it is legal to the end,
so most edits cost a step or two.  The steps are counted: the same conversation is searched equally
far everywhere.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from segue.core.edits.candidates import Candidate, Candidates
from segue.core.edits.cheapest import EditedEvent, Solution
from segue.core.edits.costs import PRICES, EditKind
from segue.core.edits.stream import EventStream, ValueOf
from segue.core.edits.walk import Walk
from segue.core.events import EventKind

__all__ = ["STEPS", "SingleEdit", "late_delivery", "rearranged", "single_edits"]

T = TypeVar("T")

STEPS: Final = 20_000
"""How many steps the search takes at most."""

_CHANGES: Final = {
    PRICES[EditKind.RETYPE]: EditKind.RETYPE,
    PRICES[EditKind.REIDENTIFY]: EditKind.REIDENTIFY,
}


_RANKS: Final = {kind: rank for rank, kind in enumerate(EditKind)}
_CHOSEN: Final = frozenset({EditKind.REIDENTIFY, EditKind.INSERT})
"""Edits that choose an agent, who is spelt as in the conversation."""


class SingleEdit(NamedTuple):
    """One edit of one event, or of several that came with one delivery."""

    cost: int
    edit: EditKind
    origin: int | None
    """Index of the event, or of the first of several; None if it was not sent."""
    to: int
    """Index of the event that it stands before afterwards."""
    kind: EventKind
    agent: str
    size: int = 1
    """How many events are moved together."""


class _OutOfStepsError(Exception):
    """The search has taken all its steps."""


def single_edits(stream: EventStream, value_of: ValueOf) -> tuple[list[SingleEdit], bool]:
    """Return the single edits, the cheapest first and then late ones, and whether these are all.

    If a spoiled event explains everything, only what it may have been is returned.
    """
    found: list[SingleEdit] = []
    is_complete = True
    try:
        for edit in _SingleEdits(stream, value_of).all():
            found.append(edit)  # noqa: PERF402 - what was found stays when the steps are used up
    except _OutOfStepsError:
        is_complete = False
    found.sort(key=lambda edit: (edit.cost, _RANKS[edit.edit], edit.size))
    return [each for each in found if found[0].cost or not each.cost], is_complete


def late_delivery(stream: EventStream, value_of: ValueOf) -> Solution | None:
    """Return the move of one delivery of several events that repairs a conversation."""
    found, _ = single_edits(stream, value_of)
    block = next((each for each in found if each.size > 1), None)
    if block is None or block.origin is None:
        return None
    events = [EditedEvent(at, each.kind, each.agent) for at, each in enumerate(stream.events)]
    for at in range(block.origin, block.origin + block.size):
        events[at] = events[at]._replace(
            edits=(EditKind.MOVE,), at=block.to, is_along=at != block.origin
        )
    after = rearranged(events, block, events[block.origin])
    return Solution(tuple(after), is_least=True)


def rearranged(before: Sequence[T], edit: SingleEdit, new: T) -> list[T]:
    """Return items that stand for the events of a stream as an edit leaves them.

    `new` stands for the event that it inserts or changes.
    """
    index, to = edit.origin, edit.to
    if index is None:
        return [*before[:to], new, *before[to:]]
    rest = [*before[:index], *before[index + edit.size :]]
    if edit.edit is EditKind.DELETE:
        return rest
    if edit.edit is not EditKind.MOVE:
        return [*rest[:index], new, *rest[index:]]
    to -= edit.size if to > index else 0
    return [*rest[:to], *before[index : index + edit.size], *rest[to:]]


class _SingleEdits:
    def __init__(self, stream: EventStream, value_of: ValueOf) -> None:
        self._events = stream.events
        self._end = len(stream.events)
        self._is_open = stream.partial in ("end", "both")
        self._candidates = Candidates(stream, value_of)
        self._walk = Walk(stream.agents, stream.partial)
        self._left = STEPS
        self._legal: dict[tuple[int, int], bool] = {}
        """Whether all is legal from an index and a place on."""
        self._places = [self._walk.start]
        """The place before each event, up to the first that is an error."""
        for index in range(self._end):
            place = self._unchanged(self._places[-1], index)
            if place is None:
                break
            self._places.append(place)

    def all(self) -> Iterator[SingleEdit]:
        """Yield the edits that help."""
        blocks = self._blocks()
        for index in range(len(self._places) - 1, -1, -1):
            if index < self._end:
                yield from self._changes(index)
                yield from self._moves_on(index, blocks.get(index, 1))
            yield from self._insertions(index)
            yield from self._moves_back(index, blocks)

    def _blocks(self) -> dict[int, int]:
        """Return where deliveries of several events begin, and how many each has."""
        sizes: dict[int, int] = {}
        start = 0
        for index, event in enumerate(self._events):
            if event.is_fixed or event.delivery != self._events[start].delivery:
                start = index
            if not event.is_fixed:
                sizes[start] = index - start + 1
        return {index: size for index, size in sizes.items() if size > 1}

    def _changes(self, index: int) -> Iterator[SingleEdit]:
        event, place = self._events[index], self._places[index]
        if event.kind is EventKind.UNPROCESSABLE:
            changed = [(0, EditKind.RETYPE, each) for each in self._candidates.inserted]
        else:
            changed = [
                (cost, edit, each)
                for cost, edit in _CHANGES.items()
                for each in self._candidates.of(index, cost)
            ]
        for cost, edit, candidate in changed:
            if self._is_repaired(place, candidate, index + 1):
                yield SingleEdit(cost, edit, index, index, candidate.kind, candidate.agent)
        if not event.is_fixed and self._is_legal(index + 1, place):
            cost = PRICES[EditKind.DELETE]
            yield SingleEdit(cost, EditKind.DELETE, index, index, event.kind, event.agent)

    def _insertions(self, index: int) -> Iterator[SingleEdit]:
        for candidate in self._candidates.inserted:
            if self._is_repaired(self._places[index], candidate, index):
                kind, agent = candidate.kind, candidate.agent
                yield SingleEdit(candidate.cost, EditKind.INSERT, None, index, kind, agent)

    def _moves_on(self, index: int, size: int) -> Iterator[SingleEdit]:
        """Yield moves of an event, or of a delivery that begins with it, behind later ones."""
        for count in {1, size}:
            if any(event.is_fixed for event in self._events[index : index + count]):
                continue
            place: int | None = self._places[index]
            for other in range(index + count, self._end):
                place = None if place is None else self._unchanged(place, other)
                if place is None:
                    break
                after = self._put(place, index, count)
                is_swap = count == 1 and other == index + 1 and not self._events[other].is_fixed
                if is_swap and self._events[index].kind is not EventKind.SUMMARY:
                    continue  # said of the other event, which came too late
                if after is not None and self._is_legal(other + 1, after):
                    yield self._move(index, other + 1, count)

    def _moves_back(self, index: int, blocks: dict[int, int]) -> Iterator[SingleEdit]:
        """Yield moves of later events, or deliveries, before an event."""
        for count, starts in self._alike(index + 1, blocks):
            place, other = self._put(self._places[index], starts[0], count), index
            for start in starts:
                while place is not None and other < start:
                    place, other = self._unchanged(place, other), other + 1
                if place is not None and self._is_legal(start + count, place):
                    yield self._move(start, index, count)

    def _alike(self, index: int, blocks: dict[int, int]) -> Iterator[tuple[int, list[int]]]:
        """Yield sizes and indices of equal events and deliveries from an index on."""
        alike: dict[tuple[tuple[EventKind, str], ...], list[int]] = {}
        for start in range(index, self._end):
            for count in {1, blocks.get(start, 1)}:
                moved = self._events[start : start + count]
                if not any(event.is_fixed for event in moved):
                    key = tuple((event.kind, event.agent) for event in moved)
                    alike.setdefault(key, []).append(start)
        for key, starts in alike.items():
            yield len(key), starts

    def _move(self, index: int, to: int, size: int) -> SingleEdit:
        event = self._events[index]
        cost = PRICES[EditKind.MOVE]
        return SingleEdit(cost, EditKind.MOVE, index, to, event.kind, event.agent, size)

    def _put(self, place: int, index: int, count: int) -> int | None:
        """Return the place behind some events put in at a place; None if one is not legal."""
        after: int | None = place
        for each in range(index, index + count):
            (same,) = self._candidates.of(each, 0)
            after = None if after is None else self._step(after, same, None)
        return after

    def _is_repaired(self, place: int, candidate: Candidate, index: int) -> bool:
        """Whether a candidate is legal at a place, and then the rest from an index on."""
        after = self._step(place, candidate, None)
        return after is not None and self._is_legal(index, after)

    def _is_legal(self, index: int, place: int) -> bool:
        """Whether the events from an index on are legal from a place on."""
        passed = []
        result: bool | None = None
        here: int | None = place
        while result is None:
            if here is None:
                result = False
            elif (index, here) in self._legal:
                result = self._legal[index, here]
            else:
                passed.append((index, here))
                if index == self._end:
                    result = self._is_open or self._walk.has_ended(here)
                else:
                    here, index = self._unchanged(here, index), index + 1
        self._legal.update(dict.fromkeys(passed, result))
        return result

    def _unchanged(self, place: int, index: int) -> int | None:
        event = self._events[index]
        if event.kind is EventKind.UNPROCESSABLE:
            return place
        return self._step(place, self._candidates.unchanged(index), event.warning)

    def _step(self, place: int, candidate: Candidate, warning: str | None) -> int | None:
        """Return the place behind a candidate; None if it is an error or gets a new warning."""
        if not self._left:
            raise _OutOfStepsError
        self._left -= 1
        step = self._walk.step(place, candidate.kind, candidate.agent, candidate.token)
        is_chosen = not _CHOSEN.isdisjoint(candidate.edits)
        is_allowed = step.is_noted or step.code == warning
        return step.place if is_allowed and not (step.is_respelt and is_chosen) else None
