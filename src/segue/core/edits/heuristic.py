"""A lower bound of the edits that the rest of a conversation takes, whatever came before it.

A *knot* is a stretch of events that cannot follow each other as they are, from any state of the
lifecycle.  Knots do not overlap, and each takes an edit that touches it; an edit touches one knot,
or two when it moves an event from one to another within reach.  So the knots ahead cost the
cheapest edit each, or a move for two neighbours, except for those that an event already on the move
may reach.  The bound is never too high, which makes the search exact.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from segue.core.edits.abstraction import StateSet, abstract_states
from segue.core.edits.costs import CHEAPEST, PRICES, REACH, EditKind
from segue.core.edits.stream import EditableEvent, EventStream
from segue.core.events import EventKind


class _Knot(NamedTuple):
    start: int
    end: int


class Heuristic:
    """Lower bounds for one conversation, worked out before the search."""

    def __init__(self, stream: EventStream, *, strict: bool) -> None:
        self.is_exact = True
        """Whether costs are lower bounds; else each knot is assumed to take an edit of its own."""
        self._events = stream.events
        self._strict = strict
        count = len(stream.events)
        self._movable = [i for i, event in enumerate(stream.events) if not event.is_fixed]
        self._before = [0]
        """How many events that may be moved stand before each position."""
        for event in stream.events:
            self._before.append(self._before[-1] + (not event.is_fixed))
        folded = [agent.casefold() for agent in stream.agents]
        self._alike = frozenset(name for name in folded if folded.count(name) > 1)
        self._is_open = stream.partial in ("end", "both")
        self._states = abstract_states(late=stream.partial in ("start", "both"))
        knots = self._knots(stream.agents)
        self._starts = [knot.start for knot in knots]
        self._costs = self._add_up(knots)
        """The least cost of all knots from each one on."""
        self._next = [bisect_left(self._starts, position) for position in range(count + 1)]
        """The first knot that starts at each position or after it."""
        self._start: dict[int, int] = {}
        """Where the knot starts that a position is in."""
        for start, end in knots:
            self._start |= dict.fromkeys(range(start, end + 1), start)

    def _add_up(self, knots: list[_Knot]) -> list[int]:
        costs = [0] * (len(knots) + 2)
        for index in range(len(knots) - 1, -1, -1):
            costs[index] = CHEAPEST + costs[index + 1]
            if index + 1 < len(knots):
                here, there = self._before[knots[index].end], self._before[knots[index + 1].start]
                if there - here <= REACH + 1:
                    costs[index] = min(costs[index], PRICES[EditKind.MOVE] + costs[index + 2])
        return costs

    def cost(self, position: int, moving: tuple[int, ...]) -> int:
        """Return the least cost of the conversation from this position on."""
        if not self.is_exact:
            return self._guess(position)
        index = self._next[position]
        cost = self._costs[index]
        if cost and moving:
            cost -= CHEAPEST * sum(self._may_help(each, position, index) for each in moving)
        return max(cost, 0)

    def cost_after(self, position: int, moving: tuple[int, ...], *, is_move: bool) -> int:
        """Return the least cost that remains after one edit here, which may move an event."""
        if not self.is_exact:
            return self._guess(position + 1)
        index = self._next[min(position + 1, len(self._events))]
        cost = self._costs[index] - CHEAPEST * len(moving)
        if cost > 0 and is_move and self.between(position, self._starts[index]) <= REACH:
            cost -= CHEAPEST
        return max(cost, 0)

    def _guess(self, position: int) -> int:
        return CHEAPEST * (len(self._starts) - self._next[min(position, len(self._events))])

    def between(self, one: int, other: int) -> int:
        """Count the events that may be moved between two of them."""
        return self._before[other] - self._before[one] - (not self._events[one].is_fixed)

    def within_reach(self, position: int) -> list[int]:
        """Return the later events that may be moved here."""
        later = self._before[min(position + 1, len(self._events))]
        return self._movable[later : self._before[position] + REACH + 1]

    def is_idle(self, event: EditableEvent) -> bool:
        """Whether there is nothing to edit at an event, nor just before it."""
        return event.kind is EventKind.USER_MESSAGE and not (
            self._strict and event.agent.casefold() in self._alike
        )

    def _may_help(self, event: int, position: int, index: int) -> bool:
        """Whether an event on the move may yet touch a knot that lies ahead."""
        if event >= position:  # it has been put in before its turn, and will be missing there
            return self._start.get(event, -1) >= position
        return self.between(event, self._starts[index]) <= REACH

    def _knots(self, agents: tuple[str, ...]) -> list[_Knot]:
        """Find the knots: the shortest, from the left."""
        everywhere = self._states.everywhere
        sets = dict.fromkeys(agents, everywhere)
        knots: list[_Knot] = []
        start, last = 0, len(self._events)
        for position in range(last + (not self._is_open)):
            for agent in agents:
                sets[agent] = self._step(sets[agent], position, agent, back=False)
            stuck = [agent for agent in agents if not sets[agent]]
            if stuck:
                begin = max(self._start_of_knot(agent, start, position) for agent in stuck)
                knots.append(_Knot(begin, position))
                start = position + 1
                sets = dict.fromkeys(agents, everywhere)
        return knots

    def _start_of_knot(self, agent: str, start: int, end: int) -> int:
        """Return where the shortest stretch begins that ends here and cannot be."""
        states = self._states.everywhere
        for position in range(end, start, -1):
            states = self._step(states, position, agent, back=True)
            if not states:
                return position
        return start

    def _step(self, states: StateSet, position: int, agent: str, *, back: bool) -> StateSet:
        if position == len(self._events):
            return states & self._states.ended
        event = self._events[position]
        if event.kind is EventKind.UNPROCESSABLE:
            return states
        allowed = None if self._strict else event.warning
        found = 0
        for is_self in self._whose(event, agent):
            found |= self._states.step(states, event.kind, allowed, is_self=is_self, back=back)
        return found

    def _whose(self, event: EditableEvent, agent: str) -> Iterable[bool]:
        """Whether the event is the agent's own; both, where letter case leaves it open."""
        if event.agent and event.agent.casefold() in self._alike:
            return (False, True) if event.agent.casefold() == agent.casefold() else (False,)
        return (event.agent == agent,)
