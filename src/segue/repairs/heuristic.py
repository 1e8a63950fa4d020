"""The bound: how many edits the rest of a stream will take at least, whatever came before it.

A *knot* is a stretch of events that cannot follow each other as they are, from any place of the
lifecycle.  Knots do not overlap, and each takes an edit that touches it; an edit touches one knot,
or two when it moves an event from one to another within reach.  So the knots ahead cost the
cheapest edit each, or a move for two neighbours, but for those that an event already on the move
may reach.  That never says too much, which is what makes the search exact.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final, NamedTuple

from segue.events import EventKind
from segue.repairs.abstraction import Mask, shadows
from segue.repairs.costs import CHEAPEST, PRICES, REACH, Change
from segue.repairs.editable import Item, Stream

__all__ = ["Bound"]


class _Knot(NamedTuple):
    start: int
    end: int


class Bound:
    """What is known of a stream before it is searched."""

    def __init__(self, stream: Stream, *, strict: bool) -> None:
        self._items = stream.items
        self._strict = strict
        count = len(stream.items)
        self._movable = [i for i, item in enumerate(stream.items) if not item.is_fixed]
        self._before = [0]
        """How many events that may be moved stand before each position."""
        for item in stream.items:
            self._before.append(self._before[-1] + (not item.is_fixed))
        folded = [agent.casefold() for agent in stream.agents]
        self._alike = frozenset(name for name in folded if folded.count(name) > 1)
        self._is_open = stream.partial in ("end", "both")
        self._shadows = shadows(late=stream.partial in ("start", "both"))
        knots = self._knots(stream.agents)
        self._starts = [knot.start for knot in knots]
        self._costs = self._add_up(knots)
        """What all knots from each one on cost at least."""
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
                    costs[index] = min(costs[index], PRICES[Change.MOVE] + costs[index + 2])
        return costs

    def cost(self, position: int, moving: tuple[int, ...]) -> int:
        """Return what the stream from this position on costs at least."""
        index = self._next[position]
        cost = self._costs[index]
        if cost and moving:
            cost -= CHEAPEST * sum(self._may_help(each, position, index) for each in moving)
        return max(cost, 0)

    def cost_after(self, position: int, moving: tuple[int, ...], *, moves: bool) -> int:
        """Return what is left at least after one edit here; `moves`: it may move an event."""
        index = self._next[min(position + 1, len(self._items))]
        cost = self._costs[index] - CHEAPEST * len(moving)
        if cost > 0 and moves and self.between(position, self._starts[index]) <= REACH:
            cost -= CHEAPEST
        return max(cost, 0)

    def guess(self, position: int) -> int:
        """Return what the knots from this position on cost, if each takes an edit of its own."""
        return CHEAPEST * (len(self._starts) - self._next[min(position, len(self._items))])

    def between(self, one: int, other: int) -> int:
        """Count the events that may be moved between two of them."""
        return self._before[other] - self._before[one] - (not self._items[one].is_fixed)

    def within_reach(self, position: int) -> list[int]:
        """Return the later events that may be moved here."""
        before = self._before[position]
        return self._movable[before + (not self._is_fixed(position)) : before + REACH + 1]

    def is_idle(self, item: Item) -> bool:
        """Whether there is nothing to edit at an item, nor just before it."""
        return item.kind is EventKind.USER_MESSAGE and not (
            self._strict and item.agent.casefold() in self._alike
        )

    def _is_fixed(self, position: int) -> bool:
        return position == len(self._items) or self._items[position].is_fixed

    def _may_help(self, event: int, position: int, index: int) -> bool:
        """Whether an event on the move may yet touch a knot that lies ahead."""
        if event >= position:  # it has been put in before its turn, and will be missing there
            return self._start.get(event, -1) >= position
        return self.between(event, self._starts[index]) <= REACH

    def _knots(self, agents: tuple[str, ...]) -> list[_Knot]:
        """Find the knots: the shortest, from the left."""
        everywhere = self._shadows.everywhere
        masks = dict.fromkeys(agents, everywhere)
        knots: list[_Knot] = []
        start, last = 0, len(self._items)
        for position in range(last + (not self._is_open)):
            for agent in agents:
                masks[agent] = self._step(masks[agent], position, agent, back=False)
            stuck = [agent for agent in agents if not masks[agent]]
            if stuck:
                begin = max(self._untie(agent, start, position) for agent in stuck)
                knots.append(_Knot(begin, position))
                start = position + 1
                masks = dict.fromkeys(agents, everywhere)
        return knots

    def _untie(self, agent: str, start: int, end: int) -> int:
        """Return where the shortest stretch begins that ends here and cannot be."""
        mask = self._shadows.everywhere
        for position in range(end, start, -1):
            mask = self._step(mask, position, agent, back=True)
            if not mask:
                return position
        return start

    def _step(self, mask: Mask, position: int, agent: str, *, back: bool) -> Mask:
        if position == len(self._items):
            return mask & self._shadows.ended
        item = self._items[position]
        if item.kind is EventKind.UNPROCESSABLE:
            return mask
        allowed = None if self._strict else item.warning
        found = 0
        for is_self in self._parts(item, agent):
            found |= self._shadows.step(mask, item.kind, allowed, is_self=is_self, back=back)
        return found

    def _parts(self, item: Item, agent: str) -> Iterable[bool]:
        """Whether the item is the agent's own; both, where letter case leaves it open."""
        if item.agent and item.agent.casefold() in self._alike:
            return _EITHER if item.agent.casefold() == agent.casefold() else _ANOTHERS
        return _OWN if item.agent == agent else _ANOTHERS


_OWN: Final = (True,)
_ANOTHERS: Final = (False,)
_EITHER: Final = (False, True)
