"""The least edits of a conversation, found by trying all of them.

This is written from the definition alone, in another form than the search of the package: every
script is applied, and the result is walked through by the tests' own `Walker`. An alignment is the
shortest path through the lifecycle with events left out and put in.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from tests.core.explain.edited import UNKNOWN, Item
from tests.core.lifecycle.walker import Walker
from tests.oracle.oracle import Ev
from tests.streams import KINDS

from segue.analysis.simulate.bodies import TRANSFERS
from segue.core.findings import BY_CODE, Severity
from segue.core.lifecycle import Phase

__all__ = ["Cost", "alignment", "cost_of", "least"]

ENTRIES = tuple(kind for kind in TRANSFERS if kind.endswith("entry"))
EXITS = tuple(kind for kind in TRANSFERS if kind.endswith("exit"))
SPECIAL = (Ev("summary"), Ev("end"))


class Cost(NamedTuple):
    """The first two parts of what an explanation costs."""

    points: int
    """Two for each edit and one for each note that the conversation as told does not have."""
    warnings: int


class Walked(NamedTuple):
    notes: frozenset[tuple[int, str]]
    """Pairs of a position as told, or a number of its own, and a code."""
    warnings: int
    failed: int | None
    """The number of the first event that is an error, or None."""
    ended: bool


def walked(items: Sequence[Item]) -> Walked:
    """Walk through events as far as they are legal."""
    walker, notes, warnings = Walker(), set[tuple[int, str]](), 0
    for number, (at, event) in enumerate(items):
        for code in walker.take(KINDS[event.kind], event.agent, event):
            rule = BY_CODE[code]
            if rule.severity is Severity.ERROR:
                return Walked(frozenset(notes), warnings, number, ended=False)
            if code == "SG601":  # a repeat as told, or by the edits
                continue
            if rule.severity is Severity.WARNING:
                warnings += 1
            else:
                notes.add((at if at is not None else -1 - number, code))
    return Walked(frozenset(notes), warnings, None, ended=walker.phase is Phase.ENDED)


class _Told:
    """A conversation as told, and what its check says whatever comes first."""

    def __init__(self, events: Sequence[Ev]) -> None:
        self.events = events
        self.items: list[Item] = list(enumerate(events))
        walker, self.notes, self.repeats = Walker(), set[tuple[int, str]](), set[int]()
        self.absent: set[int] = set()
        """The messages of agents who were absent as told."""
        for number, event in enumerate(events):
            walker.absences = frozenset()
            for code in walker.take(KINDS[event.kind], event.agent, event):
                if code == "SG601":
                    self.repeats.add(number)
                elif code == "SG205":
                    self.absent.add(number)
                elif BY_CODE[code].severity is Severity.NOTE:
                    self.notes.add((number, code))
        self.stops = not any(event.kind == "end" for event in events)


def cost_of(events: Sequence[Ev], items: Sequence[Item], edits: int) -> Cost | None:
    """Return the cost of edits that make these items of the events, or None if an error is left.

    Of a conversation that stops, `edits` includes the one that ends it.
    """
    found = walked(items)
    if found.failed is not None or not found.ended:
        return None
    return Cost(2 * edits + len(found.notes - _Told(events).notes), found.warnings)


def least(events: Sequence[Ev], most: int) -> Cost | None:
    """Return the cost of the cheapest script of at most `most` edits, or None if there is none.

    Repeats as told may be left out for free. If no END was told, all that is missing at the end is
    one edit.
    """
    told = _Told(events)
    firsts = [told.items]
    if told.repeats:
        firsts.append([item for item in told.items if item[0] not in told.repeats])
    found: Cost | None = None
    seen: set[tuple[Item, ...]] = set()
    for first in firsts:
        for cost in _scripts(told, _Script(first), most, seen):
            found = cost if found is None else min(found, cost)
    return found


class _Script(NamedTuple):
    """Events after some edits."""

    items: list[Item]
    edits: int = 0
    moved: frozenset[int] = frozenset()
    """The places that a move has passed. No other move passes one of them, because at most one
    event is on the move at a time.
    """


def _scripts(
    told: _Told, script: _Script, most: int, seen: set[tuple[Item, ...]]
) -> Iterator[Cost]:
    """Yield the costs of all scripts that leave no error."""
    items, edits, _ = script
    result = walked(items)
    ends = result.failed is None and not result.ended
    if result.failed is None and (not ends or (told.stops and edits < most)):
        yield Cost(2 * (edits + ends) + len(result.notes - told.notes), result.warnings)
    if edits == most:
        return
    reach = len(items) if result.failed is None else result.failed
    for changed in _changed(told, script, reach):
        key = tuple(changed.items)
        if changed.edits == most or changed.moved or key not in seen:
            seen.add(key)
            yield from _scripts(told, changed, most, seen)


def _changed(told: _Told, script: _Script, reach: int) -> Iterator[_Script]:
    """Yield the scripts with one edit more."""
    items, edits, moved = script
    for changed in _edits(told, items, reach):
        yield _Script(changed, edits + 1, moved)
    for place, to in _moves(items, reach):
        span = range(min(place, to), max(place, to) + 1)
        if moved.isdisjoint(span):
            yield _Script(_moved(items, place, to), edits + 1, moved.union(span))


def _moves(items: list[Item], reach: int) -> Iterator[tuple[int, int]]:
    """Yield the places from which and to which one event may be moved."""
    for place in range(len(items)):
        for to in range(len(items)):
            if to != place and min(to, place) <= reach:
                yield place, to


def _moved(items: list[Item], place: int, to: int) -> list[Item]:
    rest = [*items[:place], *items[place + 1 :]]
    return [*rest[:to], items[place], *rest[to:]]


def _edits(told: _Told, items: list[Item], reach: int) -> Iterator[list[Item]]:
    """Yield the items after each edit but a move that touches something up to `reach`."""
    agents = [*dict.fromkeys(event.agent for event in told.events if event.agent), UNKNOWN]
    for place in range(min(reach + 1, len(items))):
        at, event = items[place]
        before, after = items[:place], items[place + 1 :]
        yield [*before, *after]
        for other in _others(event, agents):
            yield [*before, (at, other), *after]
    for place in range(min(reach + 1, len(items) + 1)):
        for event in (*(Ev(k, a) for k in TRANSFERS for a in agents), *SPECIAL):
            yield [*items[:place], (None, event), *items[place:]]


def _others(event: Ev, agents: Iterable[str]) -> Iterator[Ev]:
    """Yield a transfer with each other type, and with each other agent."""
    if event.kind in TRANSFERS:
        kinds = ENTRIES if event.kind in ENTRIES else EXITS
        yield from (Ev(kind, event.agent) for kind in kinds if kind != event.kind)
        yield from (Ev(event.kind, agent) for agent in agents if agent != event.agent)


def alignment(events: Sequence[Ev]) -> int:
    """Return the least number of events to leave out and put in that leaves no error.

    Repeats as told may be left out for free. A message of an agent who was present as told, and is
    not any more, has to be left out.
    """
    told = _Told(events)
    agents = [*dict.fromkeys(event.agent for event in events if event.agent), UNKNOWN]
    possible = [*(Ev(kind, agent) for kind in TRANSFERS for agent in agents), *SPECIAL]
    heap = [(0, 0, 0, Walker(names=tuple(agents)))]
    seen: set[tuple[object, ...]] = set()
    tick = count(1)
    while True:
        cost, negative, _, walker = heappop(heap)
        at = -negative
        key = at, walker.presence, walker.previous
        if key in seen:
            continue
        seen.add(key)
        if at == len(events) and walker.phase is Phase.ENDED:
            return cost
        if at < len(events):
            left_out = 0 if at in told.repeats or events[at].kind == "user message" else 1
            heappush(heap, (cost + left_out, negative - 1, next(tick), walker))
            there = _after(walker, events[at], must_be_present=at not in told.absent)
            if there is not None:
                heappush(heap, (cost, negative - 1, next(tick), there))
        for event in possible:
            there = _after(walker, event, must_be_present=True)
            if there is not None and there.presence != walker.presence:
                heappush(heap, (cost + 1, negative, next(tick), there))


def _after(walker: Walker, event: Ev, *, must_be_present: bool) -> Walker | None:
    """Return a conversation after an event, or None if the event is an error."""
    there = copy(walker)
    there.absences = frozenset()
    codes = there.take(KINDS[event.kind], event.agent, event)
    is_error = any(BY_CODE[code].severity is Severity.ERROR for code in codes)
    return None if is_error or (must_be_present and codes == ("SG205",)) else there
