"""A lower bound on the number of edits that the rest of a conversation needs."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from segue.core.events import EventKind
from segue.core.explain.told import ToldEvent
from segue.core.lifecycle import UNNAMED, Phase, Presence


class Bound:
    """The offences that no legal stream has, counted from each event to the end.

    These are agents who stay for ever, agents who leave without having come, and each
    END_OF_CONVERSATION but one. An edit removes at most one of each kind.
    """

    def __init__(
        self, events: Sequence[ToldEvent], repeats: frozenset[int], *, is_open: bool, stops: bool
    ) -> None:
        self._is_open, self._stops, self._count = is_open, stops, len(events)
        own: dict[int, list[tuple[int, ToldEvent, bool]]] = {}
        for index, event in enumerate(events):
            if event.is_transfer:
                is_exit = event.kind.is_exit and index not in repeats
                own.setdefault(event.agent, []).append((index, event, is_exit))
        self._indices = {agent: [each[0] for each in acts] for agent, acts in own.items()}
        self._exits = {agent: [each[2] for each in acts] for agent, acts in own.items()}
        count = len(events) + 2
        self._stays, self._gaps, self._begins = [0] * count, [0] * count, [0] * count
        for acts in own.values():
            self._count_agent(acts)
        self._ends = [int(event.kind is EventKind.END) for event in events] + [0]
        self._unread = [int(event.kind is EventKind.UNPROCESSABLE) for event in events] + [0]
        for index in range(len(events)):
            self._begins[index + 1] += self._begins[index]
        for numbers in (self._stays, self._gaps, self._ends, self._unread):
            for index in range(len(events) - 1, -1, -1):
                numbers[index] += numbers[index + 1]

    def _count_agent(self, acts: Sequence[tuple[int, ToldEvent, bool]]) -> None:
        """Count the offences of one agent.

        `acts` has the index of each own event, the event, and whether it is an exit.
        """
        first, _, begins_with_exit = acts[0]
        self._stays[acts[-1][0]] += acts[-1][1].kind.is_entry
        self._begins[0] += begins_with_exit
        self._begins[first + 1] -= begins_with_exit
        for (at, event, is_exit), (to, other, is_next) in pairwise(acts):
            is_legal = event.kind is EventKind.COLD_EXIT and other.kind is EventKind.NA_EXIT
            is_same = event.same != 0 and event.same == other.same
            self._gaps[at] += is_exit and is_next and not is_legal and not is_same
            self._begins[at + 1] += is_next
            self._begins[to + 1] -= is_next

    def of(self, index: int, presence: Presence) -> int:
        """Return the minimum number of edits from the event at `index` on."""
        stays, lacking = self._stays[index], self._gaps[index] + self._begins[index]
        phase = presence.phase
        for agent in presence.present:
            leaves = self.leaves(agent, index)
            stays += leaves is None
            lacking -= leaves is True
        if presence.primary == UNNAMED:
            lacking -= 1
        elif phase is Phase.TRANSFERRING and presence.last is not None:
            lacking -= self.leaves(presence.last, index) is True
        surplus = self._ends[index] + (phase is Phase.ENDED) - 1
        if self._is_open:
            edits = max(surplus, 0) + max(lacking, 0)
        elif self._stops:  # everything that is missing after the last event is one mistake
            edits = max(lacking, 0) + abs(surplus)
        else:
            edits = max(stays, lacking, 0) + abs(surplus)
        return max(edits - self._unread[index], 0)

    def leaves(self, agent: int, index: int) -> bool | None:
        """Return whether the next own event of an agent is an exit, or None if there is none."""
        indices = self._indices.get(agent)
        if indices is None:
            return None
        number = bisect_left(indices, index)
        return self._exits[agent][number] if number < len(indices) else None
