"""How many edits explain the events of a conversation: a search over streams without errors.

A hypothesis is a stream without errors that the events so far may have been meant as.  Layer `k`
holds, for each place, the hypotheses that take `k` edits.  It begins one event before the first
place that `k - 2` edits do not reach, so at every place all hypotheses within one edit of the least
are known.  Layers are worked out as far as they are asked for, and always in the same order.
"""

import sys
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, TypeAlias

from segue.events import EventKind
from segue.lifecycle import Phase, Presence
from segue.roots.graph import (
    FRESH,
    Node,
    agent_of,
    coded,
    forget_nodes,
    kind_of,
    node_of,
    other_agents,
    other_types,
    renamed,
)

__all__ = ["Moves", "Search", "Step"]

_ON_THE_MOVE: Final = 2
_AGENTS: Final = 6
"""So many agents of earlier events are tried in place of another, beside those that matter."""
_MOST: Final = 20_000
"""The search is given up when it has looked at more hypotheses."""
_DEEPEST: Final = 4
"""With so many layers it is better to begin anew: each takes many times as long as the last."""
_NOTHING: Final = -1
_NEVER: Final = sys.maxsize
_END: Final = coded(EventKind.END, None)


class Step(NamedTuple):
    """One event of the conversation, as the search sees it."""

    code: int
    value: int
    """Equal for events that are equal as JSON values."""
    is_repeat: bool = False
    """It was reported as SG601, and takes no edit to leave out."""


Moves: TypeAlias = tuple[int, ...]
"""What is on the move: events taken out as they are, events put in early as their complement."""
_Hypothesis: TypeAlias = tuple[Node, int, Moves]
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
        self._layers = [_Layer(0, {(node_of(base), _NOTHING, ()): None})]
        self._steps: list[Step] = []
        self._agents: list[tuple[int, ...]] = [()]
        """The latest agents named before each place."""
        self.looked_at = 0
        for step in steps:
            self.add(step)

    @property
    def is_exhausted(self) -> bool:
        """Whether it was given up; then no result means anything."""
        return self.looked_at > _MOST

    @property
    def is_spent(self) -> bool:
        """Whether it is better to begin anew."""
        return self.is_exhausted or len(self._layers) >= _DEEPEST

    def add(self, step: Step) -> None:
        """Add the next event."""
        named, agent = self._agents[-1], agent_of(step.code)
        if agent is not None and agent not in named:
            named = (*named, agent)[-_AGENTS:]
        self._steps.append(step)
        self._agents.append(named)

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
            for node, _, moves in self._after(number, place)
            if node.presence.phase is Phase.ENDED
        ]

    def _after(self, number: int, place: int) -> _Set:
        """Return the hypotheses of a layer behind the event before a place."""
        if number == len(self._layers):
            first = self._layers[number - 2].dead - 1 if number > 1 else 0
            self._layers.append(_Layer(first, {}))
        layer = self._layers[number]
        while layer.last < place < layer.dead and not self.is_exhausted:
            self._extend(number, layer)
        return layer.after[place - layer.first] if layer.first <= place <= layer.last else {}

    def _extend(self, number: int, layer: _Layer) -> None:
        """Take the next event."""
        place = layer.last
        step = self._steps[place]
        found = self._kept(self._before(number, place), step, place)
        if number:
            found |= self._edited(self._before(number - 1, place), step, place)
            for each in self._after(number - 1, place + 1):
                found.pop(each, None)
        self.looked_at += len(found)
        layer.after.append(found)
        if not found and (not number or self._layers[number - 1].dead <= place + 1):
            layer.dead = place + 1

    def _before(self, number: int, place: int) -> _Set:
        """Return the hypotheses of a layer just before the event at a place."""
        found = dict(self._after(number, place))
        layer = self._layers[number]
        if not layer.first <= place <= layer.last or self.is_exhausted:
            return {}
        if place - layer.first == len(layer.before):
            if number:
                found |= self._put_in(self._before(number - 1, place), place)
            self._put_back(found)
            self._name(found, place)
            self.looked_at += len(found)
            layer.before.append(found)
        return layer.before[place - layer.first]

    def _kept(self, before: _Set, step: Step, place: int) -> _Set:
        """Keep the event, or leave it out where that takes no edit."""
        code, value, is_repeat = step
        if kind_of(code) is EventKind.UNPROCESSABLE:
            return self._read_as_any(before, place)
        found: _Set = dict(before) if is_repeat else {}
        for hypothesis in before:
            node, last, moves = hypothesis
            if ~code in moves:
                found[node, last, _without(moves, ~code)] = None
            to, can_repeat = node.step(code)
            if can_repeat and last == value:
                found[hypothesis] = None
            elif to is not None:
                found[to, value, moves] = None
        return found

    def _read_as_any(self, before: _Set, place: int) -> _Set:
        """Take an event that could not be read as any event, or as none."""
        found = dict(before)
        for node, _, moves in before:
            to, _ = node.step(_END)
            if to is not None:
                found[to, _NOTHING, moves] = None
            for agent in self._candidates(node, moves, place):
                for _, to in node.moves_of(agent):
                    found[to, _NOTHING, moves] = None
        return found

    def _edited(self, before: _Set, step: Step, place: int) -> _Set:
        """Take the event out, to come later perhaps, or change its transfer type or its agent."""
        code = step.code
        found: _Set = {}
        if kind_of(code) is EventKind.UNPROCESSABLE:
            return found
        types = other_types(code)
        for node, last, moves in before:
            found[node, last, moves] = found[node, last, _with(moves, code)] = None
            for other in (*types, *other_agents(code, self._candidates(node, moves, place))):
                to, _ = node.step(other)
                if to is not None:
                    found[to, _NOTHING, moves] = None
        return found

    def _put_in(self, before: _Set, place: int) -> _Set:
        """Put one event in; if it comes later, it was moved."""
        found: _Set = {}
        for node, _, moves in before:
            for agent in self._candidates(node, moves, place):
                for code, to in node.moves_of(agent):
                    found[to, _NOTHING, moves] = None
                    found[to, _NOTHING, _with(moves, ~code)] = None
        return found

    def _put_back(self, found: _Set) -> None:
        """Put events in that were taken out before, which takes no further edit."""
        waiting = list(found)
        while waiting:
            node, _, moves = waiting.pop()
            for code in moves:
                to, _ = node.step(code) if code >= 0 else (None, False)
                if to is not None and to is not node:
                    put = (to, _NOTHING, _without(moves, code))
                    if put not in found:
                        found[put] = None
                        waiting.append(put)

    def _name(self, found: _Set, place: int) -> None:
        """Let an agent that an edit made up be the one whom the next event names first."""
        agent = agent_of(self._steps[place].code) if place < len(self._steps) else None
        if agent is None or agent in self._agents[place]:
            return
        for node, last, moves in list(found):
            if agent not in node.agents:
                for fresh in dict.fromkeys(_fresh(node, moves)):
                    named = tuple(sorted([renamed(code, fresh, agent) for code in moves]))
                    found[node.renamed(fresh, agent), last, named] = None

    def _candidates(self, node: Node, moves: Moves, place: int) -> Iterable[int]:
        """Return the agents that an edit may name: those that matter, the latest, and a new one."""
        used = _fresh(node, moves)
        new = FRESH
        while new in used:
            new += 1
        return dict.fromkeys((*node.candidates, *self._agents[place], *used, new))


def _with(moves: Moves, code: int) -> Moves:
    """Return what is on the move with one event more, as long as there is room."""
    return moves if len(moves) == _ON_THE_MOVE else tuple(sorted((*moves, code)))


def _without(moves: Moves, code: int) -> Moves:
    rest = list(moves)
    rest.remove(code)
    return tuple(rest)


def _fresh(node: Node, moves: Moves) -> Collection[int]:
    """Return the agents that edits made up."""
    moved = [agent_of(code if code >= 0 else ~code) for code in moves]
    return (*node.fresh, *[each for each in moved if each is not None and each >= FRESH])
