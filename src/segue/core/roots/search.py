"""How many edits explain the events of a conversation: a search over streams without errors.

A hypothesis is a stream without errors that the events so far may have been meant as.  Layer `k`
holds, for each place, the hypotheses that take `k` edits.  It begins one event before the first
place that `k - 2` edits do not reach, so at every place all hypotheses within one edit of the least
are known; the first one begins a few events before the first error.  Layers are worked out as far
as they are asked for, and always in the same order.
"""

import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from segue.core.events import EventKind
from segue.core.lifecycle import Phase, Presence
from segue.core.roots.graph import (
    FRESH,
    Agents,
    Stand,
    agent_of,
    coded,
    forget_nodes,
    kind_of,
    other_agents,
    other_types,
    renamed,
    stand_of,
)

_ON_THE_MOVE: Final = 2
_MOST: Final = 33_000
"""The search is given up when it has taken so many steps: each is about a microsecond."""
_PAST: Final = 32
"""So many hypotheses are kept of one edit among events of which none is an error, for each way in
which they can be read."""
_BACK: Final = 16
"""So many events before the first one that is an error may be edited."""
_PRICE: Final = 10
"""So many steps it takes to edit a hypothesis in every way, or to put in what can be put in."""
_CANDIDATES: Final = 6
"""So many agents that matter at a place may be named by an edit."""
_MEMO: Final = 4_096
_NOTHING: Final = -1
_NEVER: Final = sys.maxsize
_FRESH_CODE: Final = coded(EventKind.NA_ENTRY, FRESH) & ~15
"""No event of an agent that edits did not make up is as great."""
_END: Final = coded(EventKind.END, None)


class Step(NamedTuple):
    """One event of the conversation, as the search sees it."""

    code: int
    value: int
    """Equal for events that are equal as JSON values."""
    is_repeat: bool = False
    """It was reported as SG601, and takes no edit to leave out."""
    is_before_message: bool = False
    """A message came behind it, which cannot be when the conversation has ended."""


Moves: TypeAlias = tuple[int, ...]
"""What is on the move: events taken out as they are, events put in early as their complement."""
_Hypothesis: TypeAlias = tuple[Stand, int, Moves]
"""Where it stands, the value of the last event if that was kept, and what is on the move."""
_Set: TypeAlias = dict[_Hypothesis, None]
"""In the order in which they were found."""


class _Layer:
    """The hypotheses of as many edits, by place."""

    __slots__ = ("after", "before", "dead", "first")

    def __init__(self, first: int, after: _Set) -> None:
        self.first = first
        self.after: list[_Set] = [after]
        """Behind the event before the place."""
        self.before: list[_Set] = []
        """The same, with events put in before the next one."""
        self.dead = _NEVER
        """The first place that as many edits do not reach."""

    @property
    def last(self) -> int:
        """The last place that has been worked out."""
        return self.first + len(self.after) - 1


class Search:
    """The hypotheses about the events of one conversation.

    Args:
        base: The presence before the first event, which is taken as true.
        steps: The events.

    """

    def __init__(self, base: Presence, steps: Iterable[Step]) -> None:
        forget_nodes()
        self._start = stand_of(base)
        self._layers = [_Layer(0, {(self._start, _NOTHING, ()): None})]
        self._steps = list(steps)
        self._work = 0

    @property
    def taken(self) -> int:
        """How many steps it has taken."""
        return self._work + self._start.visits

    @property
    def is_exhausted(self) -> bool:
        """Whether it was given up; then no result means anything."""
        return self.taken > _MOST

    @property
    def has_unreadable(self) -> bool:
        """Whether any of the events could not be read."""
        return any(kind_of(step.code) is EventKind.UNPROCESSABLE for step in self._steps)

    def add(self, step: Step) -> None:
        """Add the next event."""
        self._steps.append(step)

    def close(self) -> None:
        """Free what was found; the search is over."""
        self._layers.clear()
        self._start.forget_all()

    def reaches(self, place: int, cost: int) -> bool:
        """Return whether at most so many edits explain the events before a place."""
        return any(self._after(number, place) for number in range(cost + 1))

    def least(self, place: int) -> int:
        """Return the least number of edits that explain the events before a place."""
        cost = 0
        while not self._after(cost, place) and not self.is_exhausted:
            cost += 1
        return cost

    def ended(self, place: int, cost: int) -> list[Moves]:
        """Return what is on the move where so many edits lead to the end of a conversation."""
        return [
            moves
            for number in range(cost + 1)
            for stand, _, moves in self._after(number, place)
            if stand.presence.phase is Phase.ENDED
        ]

    def _after(self, number: int, place: int) -> _Set:
        """Return the hypotheses of a layer behind the event before a place."""
        if number == len(self._layers):
            first = self._layers[max(number - 2, 0)].dead - 1 - (_BACK if number == 1 else 0)
            self._layers.append(_Layer(max(first, 0), {}))
        layer = self._layers[number]
        while layer.last < place < layer.dead and not self.is_exhausted:
            self._extend(number, layer)
        return layer.after[place - layer.first] if layer.first <= place <= layer.last else {}

    def _extend(self, number: int, layer: _Layer) -> None:
        """Take the next event."""
        place = layer.last
        step = self._steps[place]
        before = self._before(number, place)
        self._work += len(before)
        if kind_of(step.code) is EventKind.UNPROCESSABLE:
            found = before | _read_as_any(self._each(before))
        else:
            found = _kept(before, step)
            if number:
                found |= _edited(self._each(self._before(number - 1, place)), step)
        if step.is_before_message:
            found = {each: None for each in found if each[0].presence.phase is not Phase.ENDED}
        if number:
            for each in self._after(number - 1, place + 1):
                found.pop(each, None)
            if number == 1 and self._layers[0].dead > place + 1:
                _forget_oldest(found, _PAST * len(self._after(0, place + 1)))
        layer.after.append(found)
        if not found and (not number or self._layers[number - 1].dead <= place + 1):
            layer.dead = place + 1

    def _each(self, before: _Set) -> Iterator[_Hypothesis]:
        """Yield what is going to be edited, until the search is given up."""
        for hypothesis in before:
            self._work += _PRICE
            if self.is_exhausted:
                return
            yield hypothesis

    def _before(self, number: int, place: int) -> _Set:
        """Return the hypotheses of a layer just before the event at a place."""
        found = dict(self._after(number, place))
        layer = self._layers[number]
        if not layer.first <= place <= layer.last or self.is_exhausted:
            return {}
        if place - layer.first == len(layer.before):
            if number:
                found |= _put_in(self._each(self._before(number - 1, place)))
            _put_back(found)
            _name(found, agent_of(self._steps[place].code) if place < len(self._steps) else None)
            layer.before.append(found)
        return layer.before[place - layer.first]


def _forget_oldest(found: _Set, most: int) -> None:
    """Forget what was found long ago, if there is more."""
    for each in list(found)[: max(0, len(found) - most)]:
        del found[each]


def _kept(before: _Set, step: Step) -> _Set:
    """Keep the event, or leave it out where that takes no edit."""
    code, value, is_repeat, _ = step
    found: _Set = dict(before) if is_repeat else {}
    for hypothesis in before:
        stand, last, moves = hypothesis
        if moves and ~code in moves:
            found[stand, last, _without(moves, ~code)] = None
        to, can_repeat = stand.step(code)
        if can_repeat and last == value:
            found[hypothesis] = None
        elif to is not None:
            found[to, value, moves] = None
    return found


def _read_as_any(before: Iterable[_Hypothesis]) -> _Set:
    """Take an event that could not be read as any event."""
    found: _Set = {}
    for stand, _, moves in before:
        to, _ = stand.step(_END)
        if to is not None:
            found[to, _NOTHING, moves] = None
        for agent in _candidates(stand.agents, moves):
            for _, to in stand.moves_of(agent):
                found[to, _NOTHING, moves] = None
    return found


def _edited(before: Iterable[_Hypothesis], step: Step) -> _Set:
    """Take the event out, to come later perhaps, or change its transfer type or its agent."""
    code = step.code
    found: _Set = {}
    types = other_types(code)
    for stand, last, moves in before:
        for more in _with(moves, code):
            found[stand, last, more] = None
        for other in (*types, *other_agents(code, _candidates(stand.agents, moves))):
            to, _ = stand.step(other)
            if to is not None:
                found[to, _NOTHING, moves] = None
    return found


def _put_in(before: Iterable[_Hypothesis]) -> _Set:
    """Put one event in; if it comes later, it was moved."""
    found: _Set = {}
    for stand, _, moves in before:
        for agent in _candidates(stand.agents, moves):
            for code, to in stand.moves_of(agent):
                for more in _with(moves, ~code):
                    found[to, _NOTHING, more] = None
    return found


def _put_back(found: _Set) -> None:
    """Put events in that were taken out before, which takes no further edit."""
    waiting = [each for each in found if each[2] and each[2][-1] >= 0]
    while waiting:
        stand, _, moves = waiting.pop()
        for code in moves:
            to = stand.step(code)[0] if code >= 0 else None
            if to is not None and to is not stand:
                put = (to, _NOTHING, _without(moves, code))
                if put not in found:
                    found[put] = None
                    waiting.append(put)


def _name(found: _Set, agent: int | None) -> None:
    """Let an agent that an edit made up be the one whom the next event names."""
    if agent is None:
        return
    for stand, last, moves in list(found):
        if agent in stand.agents:
            continue
        fresh = stand.fresh
        if moves and (moves[-1] >= _FRESH_CODE or ~moves[0] >= _FRESH_CODE):
            fresh = (*fresh, *[each for each in _moved(moves) if each >= FRESH])
        if fresh and agent not in _moved(moves):
            for old in dict.fromkeys(fresh):
                if (old, agent) not in stand.barred:
                    named = _renamed(moves, old, agent)
                    found[stand.renamed(old, agent), last, named] = None


@lru_cache(maxsize=_MEMO)
def _candidates(agents: Agents, moves: Moves) -> tuple[int, ...]:
    """Return the agents that an edit may name: a new one stands for all that do not matter."""
    known = (*agents[:_CANDIDATES], *_moved(moves))
    new = FRESH
    while new in known or new in agents:
        new += 1
    return tuple(dict.fromkeys((*known, new)))


@lru_cache(maxsize=_MEMO)
def _moved(moves: Moves) -> Agents:
    """Return the agents of what is on the move."""
    agents = [agent_of(code if code >= 0 else ~code) for code in moves]
    return tuple([agent for agent in agents if agent is not None])


@lru_cache(maxsize=_MEMO)
def _renamed(moves: Moves, old: int, new: int) -> Moves:
    return tuple(sorted([renamed(code, old, new) for code in moves]))


@lru_cache(maxsize=_MEMO)
def _with(moves: Moves, code: int) -> tuple[Moves, ...]:
    """Return what may be on the move with one event more: two at most.

    What is on the move need not come, so fewer are never better than more.
    """
    if len(moves) < _ON_THE_MOVE:
        return (tuple(sorted((*moves, code))),)
    one, other = moves
    return moves, tuple(sorted((one, code))), tuple(sorted((other, code)))


@lru_cache(maxsize=_MEMO)
def _without(moves: Moves, code: int) -> Moves:
    rest = list(moves)
    rest.remove(code)
    return tuple(rest)
