"""The search for the least edits after which a conversation has no error.

Most conversations with errors have one mistake, which `single_edits` finds: it tries every edit at
each place up to the first error, and the rest must be legal. Otherwise `least` searches the
whole conversation, best hypothesis first, and if that takes too long, window by window: from the
last settled place to a few events after the next error.
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final, NamedTuple

from segue.core.explain.changes import Chain, EditScript, StreamEdit, script
from segue.core.explain.costs import EDIT, NOTE, WARNING, EditKind
from segue.core.explain.ways import HELD, Node, SearchSpace, Way

CALM: Final = 4
"""The number of legal events after an error at which a mistake is settled."""
LOOK_BACK: Final = 32
"""The number of events before an error that a window may edit."""
_SINGLE_BACK: Final = 64
"""The same for a single edit."""
_WINDOW: Final = 120_000
"""The maximum number of steps in a window."""
_WHOLE: Final = 40_000
"""The maximum number of steps in a search of a whole conversation.

It takes at most a quarter of the budget.
"""
_MORE: Final = 100
"""The number of further hypotheses of a window, which a later event may prefer."""
_GUESS: Final = 4
"""An estimate of the implausibility of an edit that is still to come."""


class OutOfBudgetError(Exception):
    """The search has taken all its steps."""


class Found(NamedTuple):
    """A hypothesis that a search has reached."""

    node: Node
    """Just after its last edit, or at the end."""
    cost: int
    chain: Chain
    is_done: bool


class Gap(NamedTuple):
    """A stretch of events that the search did not explain."""

    begin: int
    end: int


class Account(NamedTuple):
    """The edits that explain a conversation."""

    script: EditScript
    cost: int
    gaps: tuple[Gap, ...]
    singles: tuple[StreamEdit, ...]
    """If one edit explains everything: it and the others that cost the same but for their
    implausibility, the likeliest first.
    """


def find(story: SearchSpace, budget: int) -> Account:
    """Return the least edits that explain a conversation with errors.

    `budget` is the maximum of `SearchSpace.spent`. What is not explained until then is a gap.
    """
    singles = single_edits(story, budget)
    if singles is None:
        return Account(EditScript((), ()), 0, (Gap(0, story.count),), ())
    if singles:
        cost, best = singles[0]
        alike = [
            each.script.changes[0]
            for each in singles
            if each.cost // WARNING == cost // WARNING and each.script.changes
        ]
        return Account(best, cost, (), tuple(alike))
    gaps: list[Gap] = []
    found = _whole(story, budget, min(_WHOLE, budget // 4))
    if found is None:
        found, gaps = _windows(story, budget)
    if gaps and (whole := _whole(story, budget, _WINDOW)) is not None:
        found, gaps = whole, []
    return Account(script(found.chain, story.events), found.cost, tuple(gaps), ())


def _whole(story: SearchSpace, budget: int, steps: int) -> Found | None:
    """Return the least edits of the whole conversation, or None if that takes more steps."""
    start = Found(story.start, 0, None, is_done=False)
    try:
        found = least(story, [start], story.count, min(budget, story.spent + steps))
    except OutOfBudgetError:
        return None
    return min((each for each in found if each.is_done), key=lambda each: each.cost, default=None)


# Windows.


def _windows(story: SearchSpace, budget: int) -> tuple[Found, list[Gap]]:
    held = [Found(story.start, 0, None, is_done=False)]
    gaps: list[Gap] = []
    while True:
        stop = max(_walk(story, each.node, story.count)[0].at for each in held)
        goal = _after(story, stop)
        held = [_advanced(story, each, max(stop - LOOK_BACK, 0)) for each in held]
        reached = _reached(story, held, goal, budget)
        if not reached:
            goal = story.count if story.spent >= budget else goal
            gaps.append(Gap(stop, goal))
            reached = [_believed(story, held[0], goal)]
        held = reached
        done = [each for each in held if each.is_done]
        if done:
            return min(done, key=lambda each: each.cost), gaps


def _reached(story: SearchSpace, held: Sequence[Found], goal: int, budget: int) -> list[Found]:
    """Return the hypotheses that reach the end of a window, or none if that takes too long."""
    if story.spent >= budget:
        return []
    try:
        return least(story, _merged(held), goal, min(budget, story.spent + _WINDOW), more=_MORE)
    except OutOfBudgetError:
        return []


def _after(story: SearchSpace, index: int) -> int:
    """Return the index after a few events that are not messages."""
    calm = CALM
    while index < story.count and calm:
        index += 1
        calm -= index < story.count and not story.events[index].is_message
    return index


def _walk(story: SearchSpace, node: Node, until: int) -> tuple[Node, int]:
    """Go on without an edit as far as possible, and return the cost of doing so."""
    cost = 0
    while node.at < until:
        way = next((way for way in story.free(node) if way[2] is None), None)
        if way is None:
            break
        node, cost = way[0], cost + way[1]
    return node, cost


def _advanced(story: SearchSpace, found: Found, until: int) -> Found:
    node, cost = _walk(story, found.node, until)
    if node.moving is not None and node.moving[0] == HELD and node.moving[2] < node.at - LOOK_BACK:
        return found  # it may still be put back
    return found._replace(node=node, cost=found.cost + cost)


def _merged(held: Iterable[Found]) -> list[Found]:
    best: dict[Node, Found] = {}
    for each in held:
        if each.node not in best or each.cost < best[each.node].cost:
            best[each.node] = each
    return list(best.values())


def _believed(story: SearchSpace, found: Found, goal: int) -> Found:
    """Go on as the check does, after events that stay unexplained."""
    place = story.steps.number(story.verdict.marks[goal].presence)
    return Found(Node(goal, place), found.cost, found.chain, is_done=goal == story.count)


# Best first.


class _Hypothesis(NamedTuple):
    """A hypothesis in the queue. The fields before `node` order the queue."""

    rank: int
    """The cost with an estimate of the rest."""
    remaining: int
    tick: int
    node: Node
    cost: int
    chain: Chain
    latest: tuple[Node, int]
    """The hypothesis just after its last edit, and its cost."""
    pays: bool
    """Whether the ways on that make an edit are still to be tried, otherwise all others."""


class _Queue:
    """The hypotheses that a search has still to look at, the best first."""

    def __init__(self, story: SearchSpace) -> None:
        self._story = story
        self._heap: list[_Hypothesis] = []
        self._best: dict[tuple[Node, bool], int] = {}
        self._tick = count()

    def push(
        self, node: Node, cost: int, chain: Chain, latest: tuple[Node, int], *, pays: bool = False
    ) -> None:
        """Add a hypothesis, unless it is known at this cost."""
        known = self._best.get((node, pays))
        if known is not None and known <= cost:
            return
        self._best[node, pays] = cost
        bound = self._story.bound(node)
        rank = cost + EDIT * max(bound, pays) + _GUESS * bound
        made = _Hypothesis(rank, -node.at, next(self._tick), node, cost, chain, latest, pays)
        heappush(self._heap, made)

    def __iter__(self) -> Iterator[_Hypothesis]:
        """Yield and remove the hypotheses, except those that were found at a lower cost later."""
        while self._heap:
            found = heappop(self._heap)
            if self._best[found.node, found.pays] == found.cost:
                yield found


def least(
    story: SearchSpace, starts: Sequence[Found], goal: int, most: int, more: int = 0
) -> list[Found]:
    """Return the hypotheses that reach the event at `goal` with the fewest edits.

    After the first, `more` further hypotheses are looked at. Raise `OutOfBudgetError` if
    `story.spent` exceeds `most` before the first is found.
    """
    queue = _Queue(story)
    for start in starts:
        queue.push(start.node, start.cost, start.chain, (start.node, start.cost))
    found: dict[Node, Found] = {}
    limit = 0
    for each in queue:
        if found and (each.rank // NOTE > limit or more <= 0 or story.spent > most):
            break
        if story.spent > most:
            raise OutOfBudgetError
        more -= bool(found)
        is_done = not each.pays and story.is_done(each.node)
        if is_done or (not each.pays and each.node.at >= goal < story.count):
            reached = (each.node, each.cost) if is_done else each.latest
            found.setdefault(each.latest[0], Found(*reached, each.chain, is_done))
            limit = each.rank // NOTE
        else:
            _expand(story, queue, each)
    return [*found.values()]


def _expand(story: SearchSpace, queue: _Queue, each: _Hypothesis) -> None:
    """Add the hypotheses to which one leads."""
    if not each.pays:
        queue.push(each.node, each.cost, each.chain, each.latest, pays=True)
    for to, price, step in story.paid(each.node) if each.pays else story.free(each.node):
        cost = each.cost + price
        if step is None:
            queue.push(to, cost, each.chain, each.latest)
        else:
            queue.push(to, cost, (step, each.chain), (to, cost))


# Single edits.


class Single(NamedTuple):
    """An edit after which nothing is an error."""

    cost: int
    script: EditScript


def single_edits(story: SearchSpace, budget: int) -> list[Single] | None:
    """Return every single edit after which nothing is an error, the likeliest first.

    Edits are tried at the first error and at the events before it. If what unreadable events may
    have been explains everything, the only result has no edit. Return None if `story.spent`
    exceeds `budget`.
    """
    rest = _Rest(story)
    free = rest.of(story.start)
    if free is not None:
        return [Single(free, script(rest.chain(story.start, None), story.events))]
    if story.bound(story.start) > 1:
        return []
    best: dict[tuple[Any, ...], Single] = {}
    for found in _found_singles(story, rest):
        if story.spent > budget:
            return None
        key = _key(found.script)
        if key not in best or found.cost < best[key].cost:
            best[key] = found
    return sorted(best.values(), key=lambda each: _rank(story, each))


def _found_singles(story: SearchSpace, rest: "_Rest") -> Iterator[Single]:
    for node, cost in _trail(story)[-_SINGLE_BACK:]:
        for to, price, step in story.paid(node):
            if price < 2 * EDIT and not story.bound(to) and (left := rest.of(to)) is not None:
                chain = rest.chain(to, (step, None))
                yield Single(cost + price + left, script(chain, story.events))


def _rank(story: SearchSpace, single: Single) -> tuple[int, bool, int]:
    """Return the order of single edits. At equal cost, that of a reported event comes first."""
    change = single.script.changes[0]
    index = None if change.at is None else story.events[change.at].told
    is_reported = any(said.event == index for said in story.verdict.said)
    return single.cost, not is_reported, change.begin


def _key(found: EditScript) -> tuple[Any, ...]:
    """Return what tells single edits apart. A move is the same wherever the event is put."""
    kind, index, size, to, what, *_ = found.changes[0]
    if kind is EditKind.MOVED:
        return kind, index, size
    return kind, index, to, what, size


def _trail(story: SearchSpace) -> list[tuple[Node, int]]:
    """Return the hypotheses without an edit up to the first error, with the cost of each."""
    node, cost, trail = story.start, 0, list[tuple[Node, int]]()
    while True:
        trail.append((node, cost))
        way = next((way for way in story.free(node) if way[2] is None), None)
        if way is None:
            return trail
        node, cost = way[0], cost + way[1]


class _Rest:
    """The cheapest way to the end from each hypothesis, without a further edit."""

    def __init__(self, story: SearchSpace) -> None:
        self._story = story
        self._known: dict[Node, tuple[int, Way | None] | None] = {}

    def of(self, node: Node) -> int | None:
        """Return the cost of the rest, or None if the rest has an error."""
        known = self._known
        if node not in known:
            self._explore(node)
        found = known[node]
        return None if found is None else found[0]

    def _explore(self, node: Node) -> None:
        """Judge all that can follow a hypothesis, the last first."""
        story, known = self._story, self._known
        stack: list[tuple[Node, list[Way] | None]] = [(node, None)]
        while stack:
            here, ways = stack.pop()
            if ways is None:
                if here in known:
                    continue
                ways = list(story.free(here))
                stack.append((here, ways))
                stack += [(to, None) for to, _, _ in ways if to not in known]
                continue
            best: tuple[int, Way | None] | None = (0, None) if story.is_done(here) else None
            for way in ways:
                rest = known[way[0]]
                if rest is not None and (best is None or way[1] + rest[0] < best[0]):
                    best = way[1] + rest[0], way
            known[here] = best

    def chain(self, node: Node, chain: Chain) -> Chain:
        """Return a chain of edits with those on the way to the end."""
        while True:
            found = self._known[node]
            assert found is not None, "there is a way to the end"
            if found[1] is None:
                return chain
            node, _, step = found[1]
            if step is not None:
                chain = step, chain
