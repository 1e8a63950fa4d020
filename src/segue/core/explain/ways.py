"""The ways on from a hypothesis about what really happened.

A hypothesis has dealt with the first events as told and knows who is present now. It goes on for
free where the next event is legal. Everything else is an edit. An edit that commutes with the next
event waits until it does not, and of edits that commute with each other only one order is tried.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from segue.core.events import EventKind
from segue.core.explain.bound import Bound
from segue.core.explain.changes import Action, Step as Made
from segue.core.explain.costs import (
    CONTRADICTED,
    EARLY,
    EARLY_END,
    EDIT,
    IMPLAUSIBILITY,
    LATE,
    LATE_MESSAGE,
    NOTE,
    NOTED,
    READ,
    RECONNECTED,
    REPEATED,
    SENT_AGAIN,
    UNCONFIRMED,
    WARNING,
    EditKind,
    distance,
)
from segue.core.explain.steps import Step, Steps
from segue.core.explain.told import (
    END,
    NO_AGENT,
    SUMMARY,
    Symbol,
    ToldEvent,
    Verdict,
    agent_of,
    kind_of,
    symbol,
)
from segue.core.lifecycle import UNNAMED, Phase, Presence

_REACH: Final = 24
"""The number of events after which a late event is no longer looked for."""
_SAME: Final = 3
"""The number of equal events that are tried as the late one."""
_NEARBY: Final = 10
"""An agent who acts within this number of events may be the one who entered."""

_ENTRIES: Final = tuple(kind for kind in EventKind if kind.is_entry)
_EXITS: Final = tuple(
    kind for kind in EventKind if kind.is_exit and kind is not EventKind.REDIAL_EXIT
)
_EXITS_OF_CANDIDATES: Final = (EventKind.NA_EXIT, EventKind.WARM_EXIT, EventKind.COLD_EXIT)
"""The same for a consultant who may be the primary. A WARM exit presumes less."""

HELD: Final = "held"
"""Events on the move that came too early and are put back later."""
TAKEN: Final = "taken"
"""Events on the move that came too late and were put in already."""
STAY: Final = "stay"
"""An agent under whose name another one entered, until the exit."""

Moving: TypeAlias = tuple[str, int, int] | None
"""What is on the move: the indices of the first and the last event, or for `STAY` the agent who is
named and the agent who is meant.
"""


class Node(NamedTuple):
    """A hypothesis."""

    at: int
    """The number of events as told that it has dealt with."""
    place: int
    """The number of the presence."""
    moving: Moving = None
    last: Symbol | None = None
    """The event that was put in last before the next event, or None."""
    previous: int = 0
    """`ToldEvent.same` of the last lifecycle event."""


Way: TypeAlias = tuple[Node, int, Made | None]
"""Where a hypothesis goes, the cost, and what it does to the events or None."""


def _can_move(event: ToldEvent) -> bool:
    """Return whether an event can be held alone."""
    return not event.is_message and event.kind is not EventKind.UNPROCESSABLE


class SearchSpace:
    """A conversation as told, with the ways on from each hypothesis about it.

    Args:
        events: The events.
        start: The presence before the first of them.
        verdict: The check of the whole conversation as told.
        steps: The table of steps.
        is_open: Whether the conversation may go on after the last event.
        until: The number of the presence after the last event, or None for any legal end.
        fresh: The number of an agent whom no event names.

    """

    def __init__(
        self,
        events: Sequence[ToldEvent],
        start: Presence,
        verdict: Verdict,
        steps: Steps,
        *,
        is_open: bool,
        fresh: int,
        until: int | None = None,
    ) -> None:
        self.events, self.count = events, len(events)
        self.verdict, self.steps = verdict, steps
        self.is_open, self.until, self.fresh = is_open, until, fresh
        has_ended = start.phase is Phase.ENDED
        is_told = has_ended or any(event.kind is EventKind.END for event in events)
        self.stops = not is_open and not is_told
        self.start = Node(0, steps.number(start))
        self.spent = 0
        """The number of events judged so far, by which the search is bounded."""
        self.repeats = frozenset(
            at for at, event in enumerate(events) if event.told in verdict.repeats
        )
        self._places: dict[Symbol, list[int]] = {}
        for index, event in enumerate(events):
            self._places.setdefault(event.what, []).append(index)
        self._bound = Bound(events, self.repeats, is_open=is_open, stops=self.stops)
        self._known = steps.known
        self._bounds: dict[tuple[int, int], int] = {}
        self._wrote = self._writers()
        self._again = self._sent_again()
        redials = {at for at, event in enumerate(events) if event.kind is EventKind.REDIAL_ENTRY}
        self._near_redials = redials | {at + 1 for at in redials}

    def _writers(self) -> frozenset[int]:
        """Return the indices of entries after which the agent wrote before the next transfer."""
        found, latest = set(), dict[int, int]()
        for index, event in enumerate(self.events):
            if event.is_transfer:
                latest.pop(event.agent, None)
                if event.kind.is_entry:
                    latest[event.agent] = index
            elif event.kind is EventKind.AGENT_MESSAGE and event.agent in latest:
                found.add(latest[event.agent])
        return frozenset(found)

    def _sent_again(self) -> frozenset[int]:
        """Return the indices of exits that are the same as the exit of their agent before."""
        found, latest = set(), dict[int, int]()
        for index, event in enumerate(self.events):
            if event.kind.is_exit:
                if event.same and latest.get(event.agent) == event.same:
                    found.add(index)
                latest[event.agent] = event.same
        return frozenset(found)

    # Legality.

    def step(self, place: int, what: Symbol) -> Step | None:
        """Return the step of an event, or None if the event is an error."""
        self.spent += 1
        try:
            return self._known[place][what]
        except KeyError:
            return self.steps.learn(place, what)

    def presence(self, node: Node) -> Presence:
        """Return the presence of a hypothesis."""
        return self.steps.presences[node.place]

    def is_done(self, node: Node) -> bool:
        """Return whether a hypothesis explains the whole conversation."""
        if node.at < self.count or node.moving is not None:
            return False
        if self.until is not None:
            return node.place == self.until
        return self.is_open or self.presence(node).phase is Phase.ENDED

    def bound(self, node: Node) -> int:
        """Return the minimum number of edits that a hypothesis still needs."""
        key = node.at, node.place
        found = self._bounds.get(key)
        if found is None:
            found = self._bounds[key] = self._bound.of(node.at, self.presence(node))
        if node.moving is None or not found:
            return found
        return max(found - self._may_help(node), 0)

    def _may_help(self, node: Node) -> bool:
        """Return whether what is on the move can save an edit that the bound counts."""
        mode, first, last = node.moving or ("", 0, 0)
        if mode != HELD or first != last or not self.events[first].is_transfer:
            return True
        event = self.events[first]
        acts = self._bound.leaves(event.agent, node.at) is not None
        return acts or (event.kind.is_exit and event.agent in self.presence(node).present)

    def _price(self, step: Step, event: ToldEvent | None = None) -> int:
        """Return the cost of an event that is legal. A note costs more if it is new."""
        if step.note is None:
            return WARNING if step.is_warned else 0
        is_new = event is None or (event.told, step.note) not in self.verdict.notes
        return NOTED + NOTE * is_new

    # Ways that make no edit.

    def free(self, node: Node) -> Iterator[Way]:
        """Yield the ways on that make no edit, or that complete one."""
        index, place, moving, last, previous = node
        if moving is not None and moving[0] == TAKEN and moving[1] == index:
            rest = (TAKEN, index + 1, moving[2]) if moving[2] > index else None
            yield Node(index + 1, place, rest, None, previous), 0, None
            return
        if moving is not None and moving[0] == HELD:
            yield from self._put_back(node)
        elif moving is not None and moving[0] == TAKEN and last is not None:
            yield from self._take_along(node)
        if index == self.count:
            yield from self._give_up(node)
            return
        event = self.events[index]
        if event.kind is EventKind.UNPROCESSABLE:
            yield from self._read(node)
        elif moving is not None and moving[0] == STAY and self._ends_stay(moving, event):
            yield from self._end_stay(node, event)
        else:
            yield from self._go_on(node, event)

    def _read(self, node: Node) -> Iterator[Way]:
        """Yield the ways past an unreadable event, which was any event or none."""
        index, _, moving, _, _ = node
        yield node._replace(at=index + 1, last=None), 0, None
        for what, step in self._candidates(node):
            to = Node(index + 1, step.place, moving)
            yield to, READ + self._price(step), (Action.READ, index, what)

    def _go_on(self, node: Node, event: ToldEvent) -> Iterator[Way]:
        """Yield the ways past the next event as it was told."""
        index, place, moving, last, previous = node
        past = Node(index + 1, place, moving, None, previous)
        step = self.step(place, event.what)
        if self._is_repeat(node, event, step):
            is_repeated = step is None or event.same == previous
            made = None if is_repeated else (Action.LEAVE_OUT_REPEAT, index)
            yield past, NOTED if index in self.repeats else REPEATED, made
        if step is not None:
            if not (step.is_warned and event.is_message and self._is_evidence(event)):
                to = Node(index + 1, step.place, moving, None, self._latest(event, previous))
                yield to, self._price(step, event), None
        elif event.is_message and last is None and self._follows_a_moved_message(node):
            yield past, 0, (Action.MOVE_MORE, index)
        if last is None and moving is not None and moving[0] == HELD:
            yield from self._hold_more(past, moving)

    def _follows_a_moved_message(self, node: Node) -> bool:
        """Return whether the event before a message after END was a message, which was moved."""
        index, _, moving, _, _ = node
        is_held = moving is not None and moving[0] == HELD and moving[2] == index - 1
        return index > 0 and self.events[index - 1].is_message and not is_held

    def _hold_more(self, past: Node, moving: tuple[str, int, int]) -> Iterator[Way]:
        """Yield the way that holds the next event of a delivery as well."""
        index = past.at - 1
        if moving[2] == index - 1 and self._goes_on(moving[2]):
            grown = past._replace(moving=(HELD, moving[1], index))
            yield grown, 0, (Action.HOLD_MORE, index)

    def _is_repeat(self, node: Node, event: ToldEvent, step: Step | None) -> bool:
        """Return whether an event is a repeat, as told or by the edits, which is left out free."""
        if event.kind is EventKind.END or self.presence(node).phase is Phase.ENDED:
            return False
        is_same = event.same != 0 and event.same == node.previous
        return node.at in self.repeats or (is_same and (step is None or step.is_warned))

    def _latest(self, event: ToldEvent, previous: int) -> int:
        return previous if event.is_message else event.same

    def _give_up(self, node: Node) -> Iterator[Way]:
        """Yield the way that leaves out an event that was held back to the end."""
        if node.moving is None:
            return
        mode, first, last = node.moving
        if mode == HELD and first == last:
            more = IMPLAUSIBILITY[EditKind.SURPLUS] - self._held(self.events[first])
            more += CONTRADICTED * (first in self._wrote)
            yield node._replace(moving=None), more, None

    def _held(self, event: ToldEvent) -> int:
        return EARLY_END if event.kind is EventKind.END else EARLY

    def _is_evidence(self, event: ToldEvent) -> bool:
        """Return whether an absent agent's message says that the agent was present.

        It does unless the agent was absent as told as well.
        """
        return event.told not in self.verdict.absent

    def _goes_on(self, index: int) -> bool:
        """Return whether the next event is of the same delivery, and readable."""
        if index + 1 >= self.count:
            return False
        event, following = self.events[index : index + 2]
        is_readable = following.kind is not EventKind.UNPROCESSABLE
        return is_readable and event.delivery == following.delivery

    def _put_back(self, node: Node) -> Iterator[Way]:
        """Yield the way that puts back the events that are held, here."""
        index, place, moving, _, _ = node
        assert moving is not None
        _, first, last = moving
        if index <= last + 1:
            return
        cost, previous = distance(index - last - 1), node.previous
        for event in self.events[first : last + 1]:
            step = self.step(place, event.what)
            if step is None:
                return
            place, cost = step.place, cost + self._price(step, event)
            previous = self._latest(event, previous)
        what = self.events[last].what
        if first == last and self._can_wait(node, what):
            return
        if not self._is_after(last, range(last + 1, index)):
            cost += UNCONFIRMED
        put = what if index < self.count else None
        yield Node(index, place, None, put, previous), cost, (Action.PUT_BACK, first, last, index)

    def _is_after(self, moved: int, passed: range) -> bool:
        """Return whether an event was received after all others that it is moved past."""
        at, times = self.events[moved].at, [self.events[each].at for each in passed]
        return at is not None and all(each is None or at > each for each in times) and any(times)

    def _is_before(self, moved: int, passed: range) -> bool:
        """Return whether an event was received before all others that it is moved past."""
        at, times = self.events[moved].at, [self.events[each].at for each in passed]
        return at is not None and all(each is None or at < each for each in times) and any(times)

    def _take_along(self, node: Node) -> Iterator[Way]:
        """Yield the way that puts in the next event of a late delivery as well, right after it."""
        index, place, moving, last, _ = node
        assert moving is not None
        if last != self.events[moving[2]].what or not self._goes_on(moving[2]):
            return
        following = self.events[moving[2] + 1]
        step = self.step(place, following.what)
        if step is not None:
            grown = TAKEN, moving[1], moving[2] + 1
            to = Node(index, step.place, grown, following.what, following.same)
            yield to, self._price(step, following), (Action.MOVE_MORE, moving[2] + 1)

    def _ends_stay(self, moving: tuple[str, int, int], event: ToldEvent) -> bool:
        return event.kind.is_exit and event.agent == moving[1]

    def _end_stay(self, node: Node, event: ToldEvent) -> Iterator[Way]:
        """Yield the way on in which the exit of a renamed stay is that of the agent meant."""
        assert node.moving is not None
        what = symbol(event.kind, node.moving[2])
        step = self.step(node.place, what)
        if step is not None and step.place != node.place:
            to = Node(node.at + 1, step.place)
            yield to, self._price(step, event), (Action.END_STAY, node.at)

    # Ways that make an edit.

    def paid(self, node: Node) -> Iterator[Way]:
        """Yield the ways on that make an edit."""
        index, place, moving, last, previous = node
        if index == self.count:
            yield from self._finished(node)
            return
        event = self.events[index]
        if moving is None or moving[0] != TAKEN or moving[1] != index:
            if last is None or event.is_message:
                yield from self._left_out(node, event)
            elif moving is None and _can_move(event):
                to = Node(index + 1, place, (HELD, index, index), None, previous)
                yield to, EDIT + self._held(event), (Action.HOLD, index)
            if event.is_transfer:
                yield from self._changed(node, event)
        if event.kind is not EventKind.UNPROCESSABLE:
            yield from self._put_in(node, event)

    def _left_out(self, node: Node, event: ToldEvent) -> Iterator[Way]:
        index, place, moving, _, previous = node
        is_over = self.presence(node).phase is Phase.ENDED
        if event.is_message:
            yield from self._without_message(node, event)
            return
        if event.kind is EventKind.UNPROCESSABLE:
            return
        cost = EDIT + IMPLAUSIBILITY[EditKind.SURPLUS] + CONTRADICTED * (index in self._wrote)
        cost -= SENT_AGAIN * (index in self._again)
        yield Node(index + 1, place, moving, None, previous), cost, (Action.LEAVE_OUT, index)
        if moving is None:
            to = Node(index + 1, place, (HELD, index, index), None, previous)
            yield to, EDIT + self._held(event), (Action.HOLD, index)
        if is_over and event.kind is EventKind.NA_ENTRY:
            yield from self._used_again(node)

    def _without_message(self, node: Node, event: ToldEvent) -> Iterator[Way]:
        """Yield the way that moves a message before the end, or leaves out an absent agent's."""
        index, place, moving, last, previous = node
        to, step = Node(index + 1, place, moving, None, previous), self.step(place, event.what)
        if self.presence(node).phase is Phase.ENDED:
            yield to, EDIT + LATE_MESSAGE, (Action.PUT_BEFORE_END, index)
        elif last is None and step and step.is_warned and self._is_evidence(event):
            yield to, EDIT + IMPLAUSIBILITY[EditKind.SURPLUS], (Action.LEAVE_OUT, index)

    def _used_again(self, node: Node) -> Iterator[Way]:
        """Yield the way that leaves out a whole second conversation after the end."""
        place, index = self.steps.number(Presence()), node.at
        while index < self.count:
            event = self.events[index]
            index += 1
            if event.kind is EventKind.UNPROCESSABLE:
                continue
            step = self.step(place, event.what)
            if step is None:
                return
            place = step.place
            if self.events[index - 1].kind is EventKind.END:
                cost = EDIT + IMPLAUSIBILITY[EditKind.ID_USED_AGAIN]
                to = Node(index, node.place, node.moving, None, node.previous)
                yield to, cost, (Action.USE_AGAIN, node.at, index - node.at)
                return

    def _changed(self, node: Node, event: ToldEvent) -> Iterator[Way]:
        """Yield the ways on that take the next event for another one."""
        is_entry = event.kind.is_entry
        for kind in _ENTRIES if is_entry else _EXITS:
            if kind is not event.kind:
                yield from self._as(node, event, EditKind.RETYPED, symbol(kind, event.agent))
        agents = self._nearby(node) if is_entry else self._present(self.presence(node))
        for agent in agents:
            if agent != event.agent:
                yield from self._as(node, event, EditKind.RENAMED, symbol(event.kind, agent))
        if is_entry and node.moving is None:
            yield from self._taken_over(node, event)
            if self._leaves_soon(node.at, event.agent):
                yield from self._renamed_stays(node, event, agents)

    def _taken_over(self, node: Node, event: ToldEvent) -> Iterator[Way]:
        """Yield the way on that takes an entry for a hand-over, a COLD exit and a COLD entry."""
        left, what = self.presence(node).primary, symbol(EventKind.COLD_ENTRY, event.agent)
        if event.kind is EventKind.COLD_ENTRY or left is None or left in {UNNAMED, event.agent}:
            return
        gone = self.step(node.place, symbol(EventKind.COLD_EXIT, left))
        step = None if gone is None else self.step(gone.place, what)
        if gone is not None and step is not None:
            cost = EDIT + IMPLAUSIBILITY[EditKind.TOOK_OVER]
            cost += RECONNECTED * (node.at in self._near_redials)
            cost += self._price(gone) + self._price(step, event)
            made = Action.CHANGE, node.at, EditKind.TOOK_OVER, what, left
            yield Node(node.at + 1, step.place), cost, made

    def _renamed_stays(self, node: Node, event: ToldEvent, agents: Iterable[int]) -> Iterator[Way]:
        """Yield the ways on that take an entry, and the exit after it, for another agent's."""
        for agent in agents:
            what = symbol(event.kind, agent)
            if agent == event.agent or agent in self.presence(node).present:
                continue
            step = self.step(node.place, what)
            if step is not None and not step.is_warned:
                cost = EDIT + IMPLAUSIBILITY[EditKind.STAY_RENAMED] + self._price(step, event)
                cost += event.kind is not EventKind.WARM_ENTRY  # a consult, more often
                to = Node(node.at + 1, step.place, (STAY, event.agent, agent))
                yield to, cost, (Action.CHANGE, node.at, EditKind.STAY_RENAMED, what)

    def _leaves_soon(self, index: int, agent: int) -> bool:
        """Return whether an exit names an agent within a few events."""
        near = self.events[index + 1 : index + 1 + _REACH]
        return any(event.agent == agent and event.kind.is_exit for event in near)

    def _as(self, node: Node, event: ToldEvent, edit: EditKind, what: Symbol) -> Iterator[Way]:
        step = self.step(node.place, what)
        if step is not None:
            cost = EDIT + IMPLAUSIBILITY[edit] + self._price(step, event)
            if edit is EditKind.RENAMED:
                cost += CONTRADICTED * (node.at in self._wrote)
            to = Node(node.at + 1, step.place, node.moving)
            yield to, cost, (Action.CHANGE, node.at, edit, what)

    def _put_in(self, node: Node, event: ToldEvent) -> Iterator[Way]:
        """Yield the ways on in which an event happened here that was not told, or told later."""
        index, _, moving, last, _ = node
        yield from self._all_leave(node, event)
        for what, step in self._candidates(node):
            if self._can_wait(node, what) or (last and _is_out_of_order(last, what)):
                continue
            cost = EDIT + IMPLAUSIBILITY[EditKind.LOST] + self._price(step)
            yield Node(index, step.place, moving, what), cost, (Action.PUT_IN, index, what)
            if moving is not None:
                continue
            for later in self._later(what, index):
                cost = EDIT + LATE + distance(later - index)
                cost += self._price(step, self.events[later])
                cost += UNCONFIRMED * (not self._is_before(later, range(index, later)))
                to = Node(index, step.place, (TAKEN, later, later), what, self.events[later].same)
                yield to, cost, (Action.PUT_IN_EARLY, index, later)

    def _all_leave(self, node: Node, event: ToldEvent) -> Iterator[Way]:
        """Yield the exits of all consultants at once, before an event that needs them gone."""
        index, place, moving, last, _ = node
        presence = self.presence(node)
        guests = presence.consultants
        if last is not None or len(guests) == 1 or not guests or presence.primary is None:
            return
        needs = event.kind is EventKind.NA_EXIT and event.agent == presence.primary
        if not (needs or event.kind in {EventKind.END, EventKind.SUMMARY}):
            return
        for agent in guests:
            step = self.step(place, symbol(EventKind.WARM_EXIT, agent))
            if step is None:
                return
            place = step.place
        whats = tuple(symbol(EventKind.WARM_EXIT, agent) for agent in guests)
        cost = len(guests) * (EDIT + IMPLAUSIBILITY[EditKind.LOST])
        yield Node(index, place, moving, whats[-1]), cost, (Action.PUT_IN, index, *whats)

    def _finished(self, node: Node) -> Iterator[Way]:
        """Yield the ways on after the last event: what else must have happened."""
        index, place, moving, last, _ = node
        holds = moving is not None and moving[0] == HELD
        if self.until is not None or (holds and not self.is_open):
            for what, step in self._candidates(node):
                if not (last and _is_out_of_order(last, what)):
                    cost = EDIT + IMPLAUSIBILITY[EditKind.LOST] + self._price(step)
                    yield Node(index, step.place, moving, what), cost, (Action.PUT_IN, index, what)
        elif not self.is_open and moving is None and (tail := self.tail(place)) is not None:
            whats, place, price = tail
            edits = 1 if self.stops else len(whats)
            cost = edits * EDIT + len(whats) * IMPLAUSIBILITY[EditKind.LOST] + price
            yield Node(index, place), cost, (Action.PUT_IN, index, *whats)

    def tail(self, place: int) -> tuple[tuple[Symbol, ...], int, int] | None:
        """Return the events that end a conversation from here, where they lead, and their cost."""
        whats: list[Symbol] = []
        price = 0

        def go(what: Symbol) -> bool:
            nonlocal place, price
            step = self.step(place, what)
            if step is None:
                return False
            place, price = step.place, price + self._price(step)
            whats.append(what)
            return True

        here = self.steps.presences[place]
        if here.phase is Phase.ENDED:
            return None
        staying = here.primary is None  # the consultant who took over leaves last
        for agent in reversed(here.consultants[staying:]):
            go(symbol(EventKind.WARM_EXIT, agent))
        here = self.steps.presences[place]
        leaving = [here.primary, *here.consultants, here.last]
        if here.phase not in {Phase.RELEASED, Phase.SUMMARIZED, Phase.WAITING}:
            named = [each for each in leaving if each is not None and each >= 0]
            any(go(symbol(EventKind.NA_EXIT, agent)) for agent in named)
        return (tuple(whats), place, price) if go(END) else None

    # What may have happened without being told.

    def _candidates(self, node: Node) -> list[tuple[Symbol, Step]]:
        """Return the events that may have happened here, with the step of each."""
        presence = self.presence(node)
        whats: list[Symbol] = []
        if presence.phase is not Phase.ENDED:
            leaving = self._present(presence)
            for agent in leaving:
                exits = _EXITS_OF_CANDIDATES if agent in presence.candidates else _EXITS
                whats += [symbol(kind, agent) for kind in exits]
            entering = self._nearby(node)
            whats += [symbol(kind, agent) for agent in entering for kind in _ENTRIES]
        if node.at < self.count and self.events[node.at].kind is EventKind.UNPROCESSABLE:
            whats += [SUMMARY, END]
        found = [(what, self.step(node.place, what)) for what in whats]
        return [(what, step) for what, step in found if step and step.place != node.place]

    def _present(self, presence: Presence) -> list[int]:
        leaving = list(presence.present)
        if presence.phase is Phase.TRANSFERRING and presence.last is not None:
            leaving.append(presence.last)
        return leaving

    def _nearby(self, node: Node) -> list[int]:
        """Return agents who may enter: those who act soon, who left last, and an unnamed one."""
        presence = self.presence(node)
        near = self.events[node.at : node.at + _NEARBY]
        acting = dict.fromkeys(event.agent for event in near if event.agent != NO_AGENT)
        others = [self.fresh] if presence.last is None else [presence.last, self.fresh]
        return [*acting, *(e for e in others if e not in acting and e not in presence.consultants)]

    def _later(self, what: Symbol, index: int) -> list[int]:
        """Return the indices of the next events that are equal to one that may have been late."""
        places = self._places.get(what, [])
        at = bisect_left(places, index + 1)
        return [each for each in places[at : at + _SAME] if each <= index + _REACH]

    def _can_wait(self, node: Node, what: Symbol) -> bool:
        """Return whether the next event and what is put in before it may be exchanged."""
        if node.at == self.count:
            return False
        event = self.events[node.at]
        if event.kind is EventKind.UNPROCESSABLE:
            return False
        if node.moving is not None and node.moving[0] == TAKEN and node.moving[1] == node.at:
            return True
        here = self._both(node.place, what, event.what)
        return here is not None and here == self._both(node.place, event.what, what)

    def _both(self, place: int, one: Symbol, other: Symbol) -> tuple[int, int, int] | None:
        first = self.step(place, one)
        second = None if first is None else self.step(first.place, other)
        if first is None or second is None:
            return None
        notes = (first.note is not None) + (second.note is not None)
        return second.place, first.is_warned + second.is_warned, notes


def _is_out_of_order(last: Symbol, what: Symbol) -> bool:
    """Return whether two exits that commute were put in in the other order than they are tried."""
    is_exit = kind_of(what).is_exit and kind_of(what) is kind_of(last)
    return is_exit and agent_of(what) < agent_of(last)
