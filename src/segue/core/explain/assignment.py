"""Which finding belongs to which edit.

The edits are applied one after the other from the front. A finding belongs to the edit after which
it is gone for good: the same event as told gives no finding of its rule after that edit, nor after
any later one.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from segue.core.explain.changes import StreamEdit, applied
from segue.core.explain.costs import EditKind
from segue.core.explain.told import (
    ERRORS,
    WARNINGS,
    Checkpoint,
    Said,
    ToldEvent,
    Verdict,
    closing,
    judged,
)

_NOTHING: Final[frozenset[str]] = frozenset()


class Assigner:
    """The findings about a conversation, while edits are applied to it.

    Args:
        events: The conversation as told.
        verdict: The check of it.
        free: Edits that cost nothing, which are applied first.
        is_open: Whether the conversation may go on after its last event.

    """

    def __init__(
        self,
        events: Sequence[ToldEvent],
        verdict: Verdict,
        free: Sequence[StreamEdit],
        *,
        is_open: bool,
    ) -> None:
        self.spent = 0
        self._events, self._is_open = events, is_open
        self._marks = dict(enumerate(verdict.marks[1:]))
        self._first = verdict.marks[0]
        self._wanted = [each for each in verdict.said if each.code in ERRORS | WARNINGS]
        self._at: dict[int | None, list[Said]] = {}
        for said in self._wanted:
            self._at.setdefault(said.event, []).append(said)
        self._gone: dict[Said, int] = {}
        self._latest = {event.agent: at for at, event in enumerate(events)}
        self._free = list(free)
        self._left_out: set[int] = set()
        self._moved: set[int] = set()
        for change in self._free:
            self._apply(change, self._free, 0)

    def assign(
        self, changes: Sequence[StreamEdit], tail: Sequence[StreamEdit]
    ) -> list[tuple[Said, ...]]:
        """Return the findings of each edit, after those that the free edits remove.

        The edits of `tail` put in what is missing after the last event, and count as one.
        """
        for number, change in enumerate(changes, start=1):
            if change.kind is EditKind.MOVED:
                self._moved.update(change.run)
            self._apply(change, [*self._free, *changes[:number]], number)
        if tail:
            self._apply(tail[-1], [*self._free, *changes, *tail], len(changes) + 1)
        found: list[list[Said]] = [[] for _ in range(len(changes) + 2)]
        for said in self._wanted:
            if said in self._gone:
                found[self._gone[said]].append(said)
        return [tuple(each) for each in found]

    @property
    def left(self) -> tuple[Said, ...]:
        """The findings that no edit has removed."""
        return tuple(each for each in self._wanted if each not in self._gone)

    def _apply(self, change: StreamEdit, changes: Sequence[StreamEdit], number: int) -> None:
        """Check again from the place of an edit until the check goes on as before."""
        low = change.begin
        while low - 1 in self._left_out or low - 1 in self._moved:
            low -= 1
        now = self._checked_again(change, changes, low)
        for place, codes in now.items():
            for said in self._at.get(place, ()):
                if said.code in codes:
                    self._gone.pop(said, None)
                else:
                    self._gone.setdefault(said, number)

    def _checked_again(
        self, change: StreamEdit, changes: Sequence[StreamEdit], low: int
    ) -> dict[int | None, frozenset[str]]:
        """Return the findings after an edit, by the index of the event, where they may change."""
        active = [each for each in changes if each.end >= low]
        mark = self._marks[low - 1] if low else self._first
        now: dict[int | None, frozenset[str]] = {}
        end = len(self._events) - 1
        for event in applied(self._events, active, low):
            self.spent += 1
            mark, code = judged(event, mark)
            index = event.told
            if index is None:
                continue
            now[index] = _NOTHING if code is None else frozenset({code})
            is_after = index > change.end and index not in self._moved
            if is_after and self._goes_on_alike(self._marks[index], mark, index):
                end = index
                break
            self._marks[index] = mark
        else:
            now[None] = frozenset(closing(mark, is_open=self._is_open))
        gone = {index for index in range(low, end + 1) if index not in now}
        self._left_out |= gone
        return now | dict.fromkeys(gone, _NOTHING)

    def _goes_on_alike(self, one: Checkpoint, other: Checkpoint, at: int) -> bool:
        """Return whether all later events are judged alike from both marks."""
        if one == other:
            return True
        if one.presence.phase is not other.presence.phase or one.previous != other.previous:
            return False
        return _acting(one, at, self._latest) == _acting(other, at, self._latest)


def _acting(mark: Checkpoint, at: int, latest: Mapping[int, int]) -> Checkpoint:
    """Return a mark without what concerns only agents who do not act after the event at `at`."""
    presence = mark.presence

    def acts(agent: int) -> bool:
        return latest.get(agent, -1) > at

    relieved = {agent for reliever, agent in presence.replaced if acts(reliever)}
    pending = tuple(e for e in presence.pending_exits if acts(e[0]) or e[0] in relieved)
    named = {agent for agent, _ in pending}
    return mark._replace(
        presence=presence._replace(
            pending_exits=pending,
            replaced=tuple(e for e in presence.replaced if e[1] in named or acts(e[0])),
            last=None if presence.primary is not None else presence.last,
            consulted=tuple(filter(acts, presence.consulted)),
        )
    )
