"""The cheapest way through a conversation that the lifecycle allows, with edits where needed.

A* over positions in the conversation, states of the lifecycle, and the events on the move: taken
out and not put back yet, or put in before their turn and not passed yet.  A step is allowed if the
check would report no error about it and no warning that the event did not have before.  Equal costs
are settled by the notes that are left, then by the number of edits, their kinds, how late they come
and how far they move.  If the search takes too long it begins again in haste; the result is allowed
all the same, but not proven to be the cheapest.
"""

from heapq import heappop, heappush
from typing import Final, NamedTuple, TypeAlias

from segue.core.edits.candidates import Candidate, Candidates
from segue.core.edits.costs import MAX_MOVING, PRICES, REACH, REPEATED, EditKind
from segue.core.edits.heuristic import Heuristic
from segue.core.edits.stream import EventStream, ValueOf
from segue.core.edits.walk import Walk, WalkStep
from segue.core.events import EventKind, quoted


class EditedEvent(NamedTuple):
    """One event of the repaired conversation, or one that has been left out."""

    origin: int | None
    """Its position in the conversation; `None` if it is new."""
    kind: EventKind
    """As it is in the repaired conversation."""
    agent: str
    """Identity of the agent; empty if the event names none."""
    edits: tuple[EditKind, ...] = ()
    """What was done to it; empty if it is unchanged."""
    at: int = 0
    """The position in the conversation that it stands before, if it has been inserted or moved."""
    is_along: bool = False
    """It is moved with the event before it, which came with the same delivery, for one price."""

    @property
    def label(self) -> str:
        """The event as people read it: `COLD entry by a-2`."""
        return event_label(self.kind, self.agent)


def event_label(kind: EventKind, agent: str) -> str:
    """Return an event as people read it: `COLD entry by a-2`."""
    return f"{kind.value} by {quoted(agent)}" if agent else kind.value


class Solution(NamedTuple):
    """What a search has found."""

    events: tuple[EditedEvent, ...]
    """In order; those left out stand where they were."""
    is_least: bool


_Trail: TypeAlias = tuple["_Trail", EditedEvent] | None
"""How a node was reached, the latest event first."""


class _Node(NamedTuple):
    position: int
    place: int
    moving: tuple[int, ...]
    """The events on the move: those before the position are held back."""
    weight: int
    trail: _Trail


_Entry: TypeAlias = tuple[int, int, int, int, _Node]
"""Estimate, distance from the end, number, cost of the edits to try, node."""

_EFFORTS: Final = ((True, 0, 20_000), (False, 0, 10_000), (False, 7, None))
"""Whether the heuristic is exact, what each event ahead is assumed to cost besides, and after how
many entries the search gives up. The last assumes more than the cost of leaving an event out, so
that going on is always best, and it ends."""

_BRIEF: Final = 1_000
"""After how many entries a brief search gives up."""

_KINDS, _NOTES, _COST = 40, 60, 84
"""Where the parts of a weight begin, in bits, above the lateness of the edits."""
_RANKS: Final = {edit: 16 + rank for rank, edit in enumerate(EditKind)}
_NOTE: Final = 1 << _NOTES
_DELETE_REPEATED: Final = (REPEATED << _COST) + (1 << _KINDS)
"""The weight of leaving out an event that came twice: no other edit of its price is preferred."""

_MOVE, _INSERT, _DELETE = (
    PRICES[edit] for edit in (EditKind.MOVE, EditKind.INSERT, EditKind.DELETE)
)
_CHANGES: Final = {
    0,
    PRICES[EditKind.RETYPE],
    PRICES[EditKind.REIDENTIFY],
    PRICES[EditKind.RETYPE] + PRICES[EditKind.REIDENTIFY],
}
"""The costs of changing an event where it stands."""
_MOVES: Final = frozenset(_MOVE + cost for cost in _CHANGES)
_COSTS: Final = tuple(sorted((_CHANGES | _MOVES | {_INSERT, _DELETE, REPEATED}) - {0}))


def search(stream: EventStream, value_of: ValueOf, *, strict: bool) -> Solution:
    """Return the cheapest way through a conversation."""
    search = _Search(stream, value_of, strict=strict)
    solutions = (
        search.run(effort, is_exact=is_exact, haste=haste) for is_exact, haste, effort in _EFFORTS
    )
    return next(solution for solution in solutions if solution is not None)


def search_briefly(stream: EventStream, value_of: ValueOf) -> Solution | None:
    """Return the cheapest way through a conversation, or None if it takes long to find it."""
    return _Search(stream, value_of, strict=False).run(_BRIEF, is_exact=True, haste=0)


class _Search:
    def __init__(self, stream: EventStream, value_of: ValueOf, *, strict: bool) -> None:
        self._events = stream.events
        self._end = len(stream.events)
        self._is_open = stream.partial in ("end", "both")
        self._candidates = Candidates(stream, value_of)
        self._strict = strict
        self._walk = Walk(stream.agents, stream.partial)
        self._heuristic = Heuristic(stream, strict=strict)
        self._best: dict[tuple[int, int, tuple[int, ...]], int] = {}
        self._queue: list[_Entry] = []
        self._haste = self._pushed = 0

    def run(self, effort: int | None, *, is_exact: bool, haste: int) -> Solution | None:
        """Search until the end of the conversation, or give up after `effort` entries."""
        self._heuristic.is_exact, self._haste = is_exact, haste
        self._best, self._queue = {}, []
        count = 0
        self._reach(_Node(0, self._walk.start, (), 0, None))
        while effort is None or count < effort:
            _, _, _, cost, node = heappop(self._queue)
            if node.weight != self._best[node[:3]]:
                continue  # it has been reached for less since
            count += 1
            if cost:
                self._edit(node, cost)
            elif self._is_over(node):
                return Solution(_events_of(node.trail), is_exact)
            else:
                self._open(node)
        return None

    def _is_over(self, node: _Node) -> bool:
        if node.position < self._end or node.moving:
            return False
        if node.place == self._walk.start and _is_empty(node.trail):
            return False  # a conversation is never left out as a whole
        return self._is_open or self._walk.has_ended(node.place)

    def _reach(self, node: _Node) -> None:
        best = self._best.get(node[:3])
        if best is None or node.weight < best:
            self._best[node[:3]] = node.weight
            self._push(self._heuristic.cost(node.position, node.moving), 0, node)

    def _push(self, least: int, cost: int, node: _Node) -> None:
        self._pushed += 1
        left = self._end - node.position
        estimate = node.weight + (least + self._haste * left << _COST)
        heappush(self._queue, (estimate, left, self._pushed, cost, node))

    def _open(self, node: _Node) -> None:
        """Take the steps that cost nothing, and queue those that cost something."""
        position, place, moving, weight, trail = node
        if position in moving:  # it has been put in before
            self._reach(_Node(position + 1, place, _without(moving, position), weight, trail))
            return
        self._pass(node, 0)
        if position < self._end and self._heuristic.is_idle(self._events[position]):
            return  # what may be done before it may be done after it
        self._put(node, 0)
        for cost in _COSTS:
            least = self._heuristic.cost_after(position, moving, is_move=cost in _MOVES)
            self._push(least + cost, cost, node)

    def _edit(self, node: _Node, cost: int) -> None:
        """Take the steps of this cost."""
        self._pass(node, cost)
        self._put(node, cost)
        if cost == _INSERT:
            self._insert(node)
        if cost >= _MOVE and len(node.moving) < MAX_MOVING:
            self._advance(node, cost - _MOVE)

    def _pass(self, node: _Node, cost: int) -> None:
        """Go past the next event: as it is, changed, left out or taken along."""
        position, place, moving, weight, trail = node
        if position == self._end or not self._may_pass(position, moving):
            return
        event = self._events[position]
        if event.kind is EventKind.UNPROCESSABLE:
            if not cost:
                same = EditedEvent(position, event.kind, event.agent)
                self._reach(_Node(position + 1, place, moving, weight, (trail, same)))
            return
        for candidate in self._candidates.of(position, cost):
            step = self._step(place, candidate, None if cost else event.warning)
            if step is not None:
                edited = EditedEvent(position, candidate.kind, candidate.agent, candidate.edits)
                total = weight + self._price(candidate.edits, position) + _note(step)
                self._reach(_Node(position + 1, step.place, moving, total, (trail, edited)))
        if not event.is_fixed:
            self._take_out(node, cost)

    def _take_out(self, node: _Node, cost: int) -> None:
        """Leave the next event out, or hold it back to be put in later."""
        position, place, moving, weight, trail = node
        event = self._events[position]
        if cost == (REPEATED if event.is_repeat else _DELETE):
            edited = EditedEvent(position, event.kind, event.agent, (EditKind.DELETE,))
            price = self._price(edited.edits, position) if cost == _DELETE else _DELETE_REPEATED
            self._reach(_Node(position + 1, place, moving, weight + price, (trail, edited)))
        if cost == _MOVE and len(moving) < MAX_MOVING:
            price = self._price((EditKind.MOVE,), position)
            held = tuple(sorted((*moving, position)))
            self._reach(_Node(position + 1, place, held, weight + price, trail))

    def _put(self, node: _Node, cost: int) -> None:
        """Put back one of the events that are held back."""
        for event in node.moving:
            if event < node.position:
                left = _without(node.moving, event)
                weight = node.weight + node.position - event - 1
                self._place(node._replace(moving=left, weight=weight), event, cost)

    def _advance(self, node: _Node, cost: int) -> None:
        """Put in an event before its turn."""
        position, moving = node.position, node.moving
        price = self._price((EditKind.MOVE,), position)
        for event in self._heuristic.within_reach(position):
            if event not in moving:
                weight = node.weight + price + event - position + 1  # rather later than earlier
                taken = tuple(sorted((*moving, event)))
                self._place(node._replace(moving=taken, weight=weight), event, cost)

    def _place(self, node: _Node, event: int, cost: int) -> None:
        """Put a moved event in at this position, changed at this cost."""
        for candidate in self._candidates.of(event, cost):
            edits = (EditKind.MOVE, *candidate.edits)
            self._put_in(node, event, candidate._replace(edits=edits), candidate.edits)

    def _insert(self, node: _Node) -> None:
        """Put in an event that was not sent."""
        for candidate in self._candidates.inserted:
            self._put_in(node, None, candidate, candidate.edits)

    def _put_in(
        self, node: _Node, origin: int | None, candidate: Candidate, paid: tuple[EditKind, ...]
    ) -> None:
        """Put in a candidate here; `paid` are the edits that are not in the weight yet."""
        step = self._step(node.place, candidate, None)
        if step is not None:
            _, kind, agent, _, edits = candidate
            edited = EditedEvent(origin, kind, agent, edits, node.position)
            weight = node.weight + self._price(paid, node.position) + _note(step)
            after = node._replace(place=step.place, weight=weight, trail=(node.trail, edited))
            self._reach(after)

    def _may_pass(self, position: int, moving: tuple[int, ...]) -> bool:
        """Whether the events held back may be moved past this one, too."""
        if not moving or self._events[position].is_fixed:
            return True
        return all(
            event > position or self._heuristic.between(event, position) < REACH for event in moving
        )

    def _step(self, place: int, candidate: Candidate, warning: str | None) -> WalkStep | None:
        """Return the step that a candidate takes, or `None` if it is not allowed.

        `warning` is the warning that the event had, and may keep. An agent chosen by the repair
        must be spelt as in the conversation.
        """
        step = self._walk.step(place, candidate.kind, candidate.agent, candidate.token)
        is_chosen = EditKind.REIDENTIFY in candidate.edits or EditKind.INSERT in candidate.edits
        if self._strict:
            is_allowed = step.code is None and not step.is_respelt
        else:
            is_allowed = step.is_noted or step.code == warning
            is_allowed = is_allowed and not (step.is_respelt and is_chosen)
        return step if is_allowed else None

    def _price(self, edits: tuple[EditKind, ...], position: int) -> int:
        return sum(
            (PRICES[edit] << _COST) + (_RANKS[edit] << _KINDS) + self._end - position
            for edit in edits
        )


def _note(step: WalkStep) -> int:
    return 0 if step.code is None else _NOTE


def _without(moving: tuple[int, ...], event: int) -> tuple[int, ...]:
    return tuple(each for each in moving if each != event)


def _is_empty(trail: _Trail) -> bool:
    return all(EditKind.DELETE in event.edits for event in _events_of(trail))


def _events_of(trail: _Trail) -> tuple[EditedEvent, ...]:
    events: list[EditedEvent] = []
    while trail is not None:
        trail, event = trail
        events.append(event)
    return tuple(reversed(events))
