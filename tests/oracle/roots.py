"""A second opinion on what follows from what, written from section 4a of the page alone.

Words in double quotes are those of the page. It is a search for shortest paths over everything the
events can have been meant as, event by event and without layers: each place is a conversation of
the other oracle that has seen no error, with what is on the move, and the least number of edits
that lead there.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from tests.oracle.oracle import TRANSFERS, Ev, _Conversation, judge, severity

UNREADABLE = Ev("NA entry")
"""Without an agent: an event that cannot be read."""
UNREADABLE_CODE = "SG502"
DEEPEST = 3
PUT_IN = Ev("put in", tag="put in")

Found = tuple[int | None, str]
"""Position and code of a finding."""


def explained(events: Sequence[Ev], partial: str = "") -> list[tuple[Found, Found | None]]:
    """Give every error of families 1 and 2 with the one it "follows", None for a root.

    The list stops where more than `DEEPEST` edits would have to be looked at.
    """
    verdict = judge(events, partial)
    repeats = frozenset(where or 0 for where, code in verdict.findings if code == "SG601")
    costs = Costs(tuple(events), partial, repeats)
    kinds = [ev.kind for ev in events if ev.agent or ev.kind not in TRANSFERS]
    end = events.index(next(ev for ev in events if ev.kind == "end")) if "end" in kinds else None
    found: list[tuple[Found, Found | None]] = []
    latest: Found | None = None
    before = 0
    unreadable = [where for where, ev in enumerate(events) if ev == UNREADABLE]
    for error in [each for each in verdict.findings if severity(each[1]) == "error"]:
        where = len(events) if error[0] is None else error[0]
        while unreadable and unreadable[0] < where and (end is None or unreadable[0] < end):
            # "otherwise it follows the latest root (or the latest ... error of family 5, when that
            # is later and made an event unreadable)"
            told = (unreadable.pop(0), UNREADABLE_CODE)
            latest = told if latest is None or told > latest else latest
        is_deep = before >= DEEPEST
        late = [each for (each, _), _ in found if end is not None and (each or 0) >= end]
        one_place = [each for each, _ in found if each[0] == error[0]]
        is_judged = not one_place and not late
        if is_judged and not costs.reaches(None if error[0] is None else where + 1, before):
            found.append((error, None))
            latest = error
            before = before + 1 if error[0] is None else costs.least(where + 1)
        else:
            # "After END only the first error is judged by cost (it follows END's own SG107 if
            # there is one); later ones follow it."
            found.append((error, latest))
        if is_deep:
            break
    return found


Place: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...]]
"""What the events so far may have been meant as: the number of the conversation, see `_Stands`;
numbers of events taken out, which may still be put in for nothing; and numbers of events put in,
which may still come, and then have been moved."""


class _Stands:
    """All places where conversations stand, numbered, and what events do to them."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.all: list[_Conversation] = []
        self.after: dict[tuple[int, Ev], int | None] = {}
        self.whats: dict[tuple[str, str], int] = {}

    def what(self, kind: str, agent: str) -> int:
        """Number an event that is on the move."""
        return self.whats.setdefault((kind, agent), len(self.whats))

    def number(self, conversation: _Conversation) -> int:
        about = {k: v for k, v in vars(conversation).items() if k != "position"}
        about["status"] = [each for each in about["status"].items() if each[1] != "gone"]
        key = repr(sorted(about.items()))
        if key not in self.numbers:
            self.numbers[key] = len(self.all)
            self.all.append(conversation)
        return self.numbers[key]

    def see(self, at: int, ev: Ev) -> int | None:
        """Number the conversation after an event; None when the event is an error there."""
        if (at, ev) not in self.after:
            conversation = self.all[at].copy()
            codes = conversation.see(0, ev)
            if ev.tag == PUT_IN.tag:
                conversation.previous = PUT_IN  # nothing equals what was put in
            is_error = any(severity(code) == "error" for code in codes)
            self.after[at, ev] = None if is_error else self.number(conversation)
        return self.after[at, ev]

    @cache  # noqa: B019 - one instance
    def put_in(self, at: int, agents: tuple[str, ...]) -> list[tuple[int, int]]:
        """Give everything that can be put in, and the number of the conversation after it."""
        whats = [(kind, agent) for kind in sorted(TRANSFERS) for agent in agents]
        whats += [("summary", ""), ("end", "")]
        seen = ((self.what(*what), self.see(at, Ev(*what, PUT_IN.tag))) for what in whats)
        return [(what, after) for what, after in seen if after is not None]

    @cache  # noqa: B019 - one instance
    def changed(self, ev: Ev, agents: tuple[str, ...]) -> Callable[[int], set[int]]:
        """Give a function from a conversation to those after the event with a change of it."""
        way = ev.kind.split()[-1]  # "an entry stays an entry"
        others = [Ev(kind, ev.agent, ev.tag) for kind in TRANSFERS if kind.endswith(way)]
        others += [Ev(ev.kind, agent, ev.tag) for agent in agents]
        others = others if ev.kind in TRANSFERS else []

        @cache
        def after(at: int) -> set[int]:
            seen = (self.see(at, other) for other in others)
            return {number for number in seen if number is not None}

        return after


class Costs:
    """ "cost(n): the least number of edits after which the first n events ... are the beginning of
    some stream without errors".

    `repeats` are the positions that were reported as SG601. The bounds of the page: "all places
    within one edit of the least cost, at most two events on the move".
    """

    def __init__(
        self, events: tuple[Ev, ...], partial: str = "", repeats: frozenset[int] = frozenset()
    ) -> None:
        agents = {ev.agent for ev in events if ev.kind in TRANSFERS} | {"a", "b"}
        # "changes its agent": to any of the conversation's, or to others.
        self.agents = (*sorted(agents), "someone", "someone else")[:5]
        self.events, self.repeats = events, repeats
        self.partial = partial
        self.stands, self.moving = _stands(), 2

    def least(self, number: int) -> int:
        """Give the cost of the first events."""
        return min(self.places(number).values())

    def reaches(self, number: int | None, cost: int) -> bool:
        """Tell whether at most so many edits do for the first events, or (None) for the close.

        At the close it is "the least number for a stream that reaches ended".
        """
        where = len(self.events) if number is None else number
        places = self.with_no_more(where, cost)
        if number is not None:
            return bool(places)
        ended = self.opened(places, 0) if places else {}
        return any(self.stands.all[at].stage == "ended" for at, _, _ in ended)

    def with_no_more(self, number: int, cost: int) -> dict[Place, int]:
        """Give the places after the first events that take at most so many edits."""
        if not number:
            return self.places(0)
        before = self.places(number - 1)
        if min(before.values()) == cost:  # then this event takes no edit
            cheapest = {place: known for place, known in before.items() if known == cost}
            found = self.take(self.opened(cheapest, 0), number - 1, self.events[number - 1], cost)
        elif min(before.values()) > cost:
            return {}
        else:
            found = self.places(number)
        return {place: known for place, known in found.items() if known <= cost}

    def places(self, number: int) -> dict[Place, int]:
        """Give the places after the first events, each with its cost."""
        repeats = frozenset(each for each in self.repeats if each < number)
        return _places(self.events[:number], repeats, self.agents, self.partial)

    def after(self, places: dict[Place, int], position: int, ev: Ev) -> dict[Place, int]:
        """Give the places after an event, which takes one edit at most: it can be left out."""
        least = min(places.values())
        found = self.take(self.opened(places, 1), position, ev, least + 1)
        if min(found.values()) == least:
            return found
        return self.take(self.opened(places, 2), position, ev, least + 2)

    def bounded(self, places: dict[Place, int]) -> dict[Place, int]:
        most = min(places.values()) + 1
        return {place: cost for place, cost in places.items() if cost <= most}

    def opened(self, places: dict[Place, int], insertions: int) -> dict[Place, int]:
        """Put in whatever was missing before the next event: by cost, cheapest first."""
        least = min(places.values())
        most = least + insertions
        found = dict(places)
        for cost in range(least, most + 1):
            waiting = [place for place, known in found.items() if known == cost]
            while waiting:
                place = waiting.pop()
                for other, more in self.put_in(place, most - cost):
                    if cost + more < found.get(other, most + 1):
                        found[other] = cost + more
                        if not more:
                            waiting.append(other)
        return found

    def put_in(self, place: Place, most: int) -> Iterator[tuple[Place, int]]:
        """Give what one event put in leads to, and whether that is an edit: `most` are left."""
        here, taken, early = place
        if not (taken or most):
            return
        has_room = len(taken) + len(early) < self.moving
        for what, at in self.stands.put_in(here, self.agents):
            if what in taken:
                yield (at, _less(taken, what), early), 0
            elif most:
                yield (at, taken, early), 1
                if has_room:
                    yield (at, taken, _more(early, what)), 1

    def take(self, places: dict[Place, int], position: int, ev: Ev, most: int) -> dict[Place, int]:
        """Give the places after an event that take at most so many edits."""
        found: dict[Place, int] = {}
        for place, cost in places.items():
            if cost <= most:
                for other in self.readings(place, position, ev):
                    if cost < found.get(other, most + 1):
                        found[other] = cost
            if cost < most and ev != UNREADABLE:
                for other in self.edits(place, ev):
                    if cost + 1 < found.get(other, most + 1):
                        found[other] = cost + 1
        return found

    def readings(self, place: Place, position: int, ev: Ev) -> Iterator[Place]:
        """Give what an event may be that takes no edit."""
        here, taken, early = place
        if ev == UNREADABLE:
            # "may have been any event, or none, for free"
            yield place
            for _, at in self.stands.put_in(here, self.agents):
                yield at, taken, early
            return
        kept = self.stands.see(here, ev)
        if kept is not None:
            yield kept, taken, early
        if position in self.repeats:  # "An event reported as SG601 may be left out for free"
            yield place
        if early and (what := self.stands.what(ev.kind, ev.agent)) in early:
            yield here, taken, _less(early, what)

    def edits(self, place: Place, ev: Ev) -> Iterator[Place]:
        """Give what one edit of an event leads to: it is taken out, or changed."""
        here, taken, early = place
        yield place
        if len(taken) + len(early) < self.moving:
            yield here, _more(taken, self.stands.what(ev.kind, ev.agent)), early
        for at in self.stands.changed(ev, self.agents)(here):
            yield at, taken, early


@lru_cache(maxsize=256)
def _places(
    events: tuple[Ev, ...], repeats: frozenset[int], agents: tuple[str, ...], partial: str
) -> dict[Place, int]:
    """Give the places after all these events."""
    costs = Costs(events, partial, repeats)
    costs.agents = agents
    if not events:
        begins_late = partial in ("start", "both")
        return {(_stands().number(_Conversation(begins_late=begins_late)), (), ()): 0}
    return costs.bounded(costs.after(costs.places(len(events) - 1), len(events) - 1, events[-1]))


@cache
def _stands() -> _Stands:
    return _Stands()


def _more(events: tuple[int, ...], what: int) -> tuple[int, ...]:
    return tuple(sorted((*events, what)))


def _less(events: tuple[int, ...], what: int) -> tuple[int, ...]:
    where = events.index(what)
    return events[:where] + events[where + 1 :]
