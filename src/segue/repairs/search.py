"""The search: the cheapest way through a stream that the lifecycle allows, with edits where needed.

A shortest path (A*) over positions in the stream, places in the lifecycle, and the events that are
on the move: taken out and not yet put back, or put in before their turn and not yet passed.  What
a step costs stands in `price`, where it leads is asked of `walk`, and `bound` keeps the search from
editing what is far from any offence.

House rules.  (1) A step is allowed when the check would report nothing of it that is forbidden, and
no warning that the very event did not have before: a repair makes no new ones.  (2) Equal costs are
settled by what is left to remark on, then by fewer edits, the kinds of edit, how late they come and
how far they move; all of it is one number.  (3) When the search takes too long it begins again in
haste: the outcome is allowed all the same, and said not to be proven least.
"""

from heapq import heappop, heappush
from typing import Final, NamedTuple, TypeAlias

from segue.events import EventKind
from segue.repairs.candidates import Shapes
from segue.repairs.costs import CROWD, PRICES, REACH, REPEATED, Change
from segue.repairs.editable import Stream
from segue.repairs.heuristic import Bound
from segue.repairs.synthesis import Draft
from segue.repairs.walk import Step, Walk

__all__ = ["Course", "Part", "search", "told"]


class Part(NamedTuple):
    """One event of the repaired stream, or one that is not in it any more."""

    origin: int | None
    """Its position in the stream; None: it is new."""
    kind: EventKind
    agent: str
    changes: tuple[Change, ...] = ()
    at: int = 0
    """The position in the stream that it stands before, when it has been inserted or moved."""

    @property
    def label(self) -> str:
        """The event as people read it: `COLD entry by a-2`."""
        return told(self.kind, self.agent)


def told(kind: EventKind, agent: str) -> str:
    """Return an event as people read it."""
    return f"{kind.value} by {agent}" if agent else kind.value


class Course(NamedTuple):
    """The outcome of a search."""

    parts: tuple[Part, ...]
    """In order; those left out stand where they were."""
    cost: int
    is_least: bool


_Node: TypeAlias = tuple[int, int, tuple[int, ...]]
"""Position, place, and the events on the move: those before the position are held back."""

_Trail: TypeAlias = tuple["_Trail", Part] | None
"""How a node was reached, the latest part first."""

_Entry: TypeAlias = tuple[int, int, int, int, int, _Node, _Trail]
"""Estimate, how far it is from the end, number, level, weight, node, trail."""

_EFFORTS: Final = ((True, 0, 20_000), (False, 0, 10_000), (False, 6, None))
"""Whether the bound is exact, what each event ahead is taken to cost besides, and how many entries
that is tried for.

The first may take long.  The last takes each event to cost more than to leave it out, so that going
on is always best, and it ends.
"""

_LATENESS, _KINDS, _REMARKS, _COST = 0, 40, 60, 84
"""Where the parts of a weight begin, in bits."""
_RANKS: Final = {change: 16 + rank for rank, change in enumerate(Change)}
_REMARK: Final = 1 << _REMARKS
_LEAST: Final = (REPEATED << _COST) + (1 << _KINDS)
"""The weight of leaving out an event that came twice: no other edit of its price is preferred."""

_MOVE, _INSERT, _DELETE = PRICES[Change.MOVE], PRICES[Change.INSERT], PRICES[Change.DELETE]


def search(stream: Stream, draft: Draft, *, strict: bool) -> Course:
    """Return the cheapest course through a stream."""
    search = _Search(stream, draft, strict=strict)
    courses = (
        search.run(effort, is_exact=is_exact, haste=haste) for is_exact, haste, effort in _EFFORTS
    )
    return next(course for course in courses if course is not None)


class _Search:
    def __init__(self, stream: Stream, draft: Draft, *, strict: bool) -> None:
        self._items = stream.items
        self._end = len(stream.items)
        self._is_open = stream.partial in ("end", "both")
        self._shapes = Shapes(stream, draft)
        self._strict = strict
        self._walk = Walk(stream.agents, stream.partial)
        self._bound = Bound(stream, strict=strict)
        self._best: dict[_Node, int] = {}
        self._queue: list[_Entry] = []
        self._haste = self._count = self._number = 0
        self._is_exact = True
        levels = {_MOVE, _INSERT, _DELETE, REPEATED}
        retype, name = PRICES[Change.RETYPE], PRICES[Change.REIDENTIFY]
        for level in (0, retype, name, retype + name):
            levels |= {level, level + _MOVE}
        self._levels = tuple(sorted(levels - {0}))
        self._moves = frozenset({_MOVE, _MOVE + retype, _MOVE + name, _MOVE + retype + name})

    def run(self, effort: int | None, *, is_exact: bool, haste: int) -> Course | None:
        """Search until the end of the stream is reached, or for so many entries (None)."""
        self._is_exact, self._haste = is_exact, haste
        self._best, self._queue, self._count = {}, [], 0
        self._reach((0, self._walk.start, ()), 0, None)
        while effort is None or self._count < effort:
            _, _, _, level, weight, node, trail = heappop(self._queue)
            if weight != self._best[node]:
                continue  # it has been reached for less since
            self._count += 1
            if level:
                self._edit(node, weight, trail, level)
            elif self._is_over(node):
                return Course(_unrolled(trail), weight >> _COST, is_exact)
            else:
                self._open(node, weight, trail)
        return None

    def _is_over(self, node: _Node) -> bool:
        position, place, moving = node
        if position < self._end or moving:
            return False
        return self._is_open or self._walk.has_ended(place)

    def _reach(self, node: _Node, weight: int, trail: _Trail) -> None:
        best = self._best.get(node)
        if best is None or weight < best:
            self._best[node] = weight
            position, _, moving = node
            least = (
                self._bound.cost(position, moving)
                if self._is_exact
                else self._bound.guess(position)
            )
            self._push(least, 0, weight, node, trail)

    def _push(self, least: int, level: int, weight: int, node: _Node, trail: _Trail) -> None:
        self._number += 1
        left = self._end - node[0]
        estimate = weight + (least + self._haste * left << _COST)
        heappush(self._queue, (estimate, left, self._number, level, weight, node, trail))

    def _open(self, node: _Node, weight: int, trail: _Trail) -> None:
        """Take the steps that cost nothing, and make a note of those that do."""
        position, place, moving = node
        if position in moving:  # it has been put in before
            left = _without(moving, position)
            self._reach((position + 1, place, left), weight, trail)
            return
        self._pass(node, weight, trail, 0)
        if position < self._end and self._bound.is_idle(self._items[position]):
            return  # whatever may be done before it may be done after it
        self._put(node, weight, trail, 0)
        for level in self._levels:
            if self._is_exact:
                least = self._bound.cost_after(position, moving, moves=level in self._moves)
            else:
                least = self._bound.guess(position + 1)
            self._push(least + level, level, weight, node, trail)

    def _edit(self, node: _Node, weight: int, trail: _Trail, level: int) -> None:
        """Take the steps that cost so much."""
        self._pass(node, weight, trail, level)
        self._put(node, weight, trail, level)
        if level == _INSERT:
            self._insert(node, weight, trail)
        if level >= _MOVE and len(node[2]) < CROWD:
            self._advance(node, weight, trail, level - _MOVE)

    def _pass(self, node: _Node, weight: int, trail: _Trail, level: int) -> None:
        """Leave the next event behind: as it is, changed, left out or taken along."""
        position, place, moving = node
        if position == self._end or not self._may_pass(position, moving):
            return
        item = self._items[position]
        if item.kind is EventKind.UNPROCESSABLE:
            if not level:
                part = Part(position, item.kind, item.agent)
                self._reach((position + 1, place, moving), weight, (trail, part))
            return
        for shape in self._shapes.of(position, level):
            step = self._walk.step(place, shape.kind, shape.agent, shape.token)
            is_named = Change.REIDENTIFY in shape.changes
            if self._allows(step, before=None if level else item.warning, is_named=is_named):
                part = Part(position, shape.kind, shape.agent, shape.changes)
                price = self._price(shape.changes, position) + self._remark(step)
                self._reach((position + 1, step.place, moving), weight + price, (trail, part))
        if not item.is_fixed:
            self._take_out(node, weight, trail, level)

    def _take_out(self, node: _Node, weight: int, trail: _Trail, level: int) -> None:
        """Leave the next event out, or hold it back to be put in later."""
        position, place, moving = node
        item = self._items[position]
        if level == (REPEATED if item.is_repeat else _DELETE):
            part = Part(position, item.kind, item.agent, (Change.DELETE,))
            price = self._price(part.changes, position) if level == _DELETE else _LEAST
            self._reach((position + 1, place, moving), weight + price, (trail, part))
        if level == _MOVE and len(moving) < CROWD:
            price = self._price((Change.MOVE,), position)
            self._reach((position + 1, place, _with(moving, position)), weight + price, trail)

    def _put(self, node: _Node, weight: int, trail: _Trail, level: int) -> None:
        """Put back one of the events that are held back."""
        position, _, moving = node
        for event in moving:
            if event < position:
                left = _without(moving, event)
                self._place(node, weight, trail, event, level, left, position - event - 1)

    def _advance(self, node: _Node, weight: int, trail: _Trail, level: int) -> None:
        """Put in an event before its turn."""
        position, _, moving = node
        price = self._price((Change.MOVE,), position)
        for event in self._bound.within_reach(position):
            if event not in moving:
                more = price + event - position + 1  # rather later than earlier
                self._place(node, weight, trail, event, level, _with(moving, event), more)

    def _place(  # noqa: PLR0913, PLR0917 - the parts of an entry
        self,
        node: _Node,
        weight: int,
        trail: _Trail,
        event: int,
        level: int,
        moving: tuple[int, ...],
        price: int,
    ) -> None:
        position, place, _ = node
        for shape in self._shapes.of(event, level):
            step = self._walk.step(place, shape.kind, shape.agent, shape.token)
            if self._allows(step, is_named=Change.REIDENTIFY in shape.changes):
                part = Part(event, shape.kind, shape.agent, (Change.MOVE, *shape.changes), position)
                more = price + self._price(shape.changes, position) + self._remark(step)
                self._reach((position, step.place, moving), weight + more, (trail, part))

    def _insert(self, node: _Node, weight: int, trail: _Trail) -> None:
        """Put in an event that was not sent."""
        position, place, moving = node
        price = self._price((Change.INSERT,), position)
        for shape in self._shapes.inserted:
            step = self._walk.step(place, shape.kind, shape.agent, shape.token)
            if self._allows(step, is_named=True):
                part = Part(None, shape.kind, shape.agent, shape.changes, position)
                more = price + self._remark(step)
                self._reach((position, step.place, moving), weight + more, (trail, part))

    def _may_pass(self, position: int, moving: tuple[int, ...]) -> bool:
        """Whether the events held back may be moved past this one, too."""
        if not moving or self._items[position].is_fixed:
            return True
        return all(
            event > position or self._bound.between(event, position) < REACH for event in moving
        )

    def _allows(self, step: Step, *, before: str | None = None, is_named: bool) -> bool:
        """Whether a step may be taken.

        `before` is the warning that the event had, and may keep; `is_named` says that the repair
        has chosen its agent, who must be spelt as the conversation does.
        """
        if self._strict:
            return step.code is None and not step.is_respelt
        return (step.is_noted or step.code == before) and not (step.is_respelt and is_named)

    def _price(self, changes: tuple[Change, ...], position: int) -> int:
        return sum(
            (PRICES[change] << _COST) + (_RANKS[change] << _KINDS) + self._end - position
            for change in changes
        )

    def _remark(self, step: Step) -> int:
        return 0 if step.code is None else _REMARK


def _with(moving: tuple[int, ...], event: int) -> tuple[int, ...]:
    return tuple(sorted((*moving, event)))


def _without(moving: tuple[int, ...], event: int) -> tuple[int, ...]:
    return tuple(each for each in moving if each != event)


def _unrolled(trail: _Trail) -> tuple[Part, ...]:
    parts: list[Part] = []
    while trail is not None:
        trail, part = trail
        parts.append(part)
    return tuple(reversed(parts))
