"""Other edits that explain a mistake as well, made when somebody reads them."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from segue.core.events import EventKind
from segue.core.explain.changes import StreamEdit, applied
from segue.core.explain.costs import WARNING, EditKind
from segue.core.explain.edits import Alternative, Edit
from segue.core.explain.search import single_edits
from segue.core.explain.sentences import Wording
from segue.core.explain.steps import steps_for
from segue.core.explain.told import ToldEvent, Verdict, agent_of, judged, kind_of
from segue.core.explain.ways import SearchSpace
from segue.core.lifecycle import Presence

_MOST: Final = 8
"""The maximum number of alternatives that are kept for figures."""
_CALM: Final = 8
"""The number of events after an edit that its alternatives may touch."""
_LOOK_BACK: Final = 32
"""The number of events before an edit that its alternatives may touch."""


class ToldConversation(NamedTuple):
    """A conversation as told."""

    events: Sequence[ToldEvent]
    names: Sequence[str]
    """The identities of the agents by number."""
    verdict: Verdict
    start: Presence
    """The presence before the first event."""
    is_open: bool
    """Whether the conversation may go on after the last event."""


class AlternativeSearch:
    """The alternatives to the edits of one explanation.

    Args:
        told: The conversation.
        changes: All edits of the explanation.
        singles: If one edit explains everything: it and all others that explain as much.
        budget: The maximum number of events that are judged for all alternatives together.

    """

    def __init__(
        self,
        told: ToldConversation,
        changes: tuple[StreamEdit, ...],
        singles: tuple[StreamEdit, ...],
        budget: int,
    ) -> None:
        self._told, self._changes, self._singles = told, changes, singles
        self._left = budget
        self._cuts: _Cuts | None = None
        self._found: dict[int, tuple[Alternative, ...]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without what can be computed again."""
        return self.__dict__ | {"_cuts": None}

    def of(self, number: int) -> tuple[Alternative, ...]:
        """Return the alternatives to the edit with this number, the likeliest first.

        Of edits that differ only in the agent who enters or leaves at one place, only the first has
        alternatives. Edits for which the budget does not last have none.
        """
        if number not in self._found:
            self._found[number] = self._searched(number)
        return self._found[number]

    def _searched(self, number: int) -> tuple[Alternative, ...]:
        change = self._changes[number]
        if len(self._changes) == 1:
            found = [each for each in self._singles if each != change]
        elif self._left <= 0 or (number and _is_exchangeable(self._changes[number - 1], change)):
            found = []
        else:
            if self._cuts is None:
                self._cuts = _Cuts(self._told, self._changes)
                self._left -= len(self._told.events)
            found, spent = self._cuts.around(change, self._left)
            self._left -= spent
        words = Wording(self._told.events, self._told.names)
        return tuple(
            Alternative(words.sentence(each), (edit_of(each, self._told.events, self._told.names),))
            for each in found[:_MOST]
        )


def _is_exchangeable(one: StreamEdit, other: StreamEdit) -> bool:
    """Return whether two edits differ only in the agent who enters or leaves at one place."""
    is_lost = one.at is None and other.at is None
    return is_lost and one.to == other.to and kind_of(one.what) is kind_of(other.what)


class _Cuts:
    """Stretches of a conversation in which one mistake can be looked at by itself."""

    def __init__(self, told: ToldConversation, changes: Sequence[StreamEdit]) -> None:
        self._told, self._changes = told, changes
        events = told.events
        redialing = (event.agent for event in events if event.kind is EventKind.REDIAL_ENTRY)
        self._steps = steps_for(frozenset(redialing))
        bridged: set[int] = set()
        for change in changes:
            bridged.update(range(change.begin + 1, change.end + 1))
        self._free = [at for at in range(len(events) + 1) if at not in bridged]
        self._before: dict[int, Presence] = {}
        mark = told.verdict.marks[0]
        for event in applied(events, changes):
            if event.told is not None:
                self._before.setdefault(event.told, mark.presence)
            mark, _ = judged(event, mark)

    def around(self, change: StreamEdit, budget: int) -> tuple[list[StreamEdit], int]:
        """Return the other single edits that explain as much, and the number of events judged."""
        low, high = self._stretch(change)
        events, count = self._told.events, len(self._told.events)
        others = [
            each
            for each in self._changes
            if each is not change
            and low <= each.end <= high
            and (each.at is None or each.at < high)
        ]
        moved, edited = set[int](), set[int]()
        for each in others:
            if each.at is not None:
                run = {*range(each.at, each.at + each.size)}
                edited |= run
                moved |= run if each.kind is EditKind.MOVED else set()
        stream = list(applied(events[:high], others, low))
        story = self._story(stream, low, high if high < count else None)
        singles = single_edits(story, budget) or []
        found = []
        for single in singles:
            if single.cost // WARNING != singles[0].cost // WARNING:
                break
            edits = single.script.changes
            told = _as_told(edits[0], stream, high, moved) if edits else None
            is_edited = told is None or told.at in edited
            if told is not None and not is_edited and told._replace(turn=change.turn) != change:
                found.append(told)
        return found, story.spent

    def _stretch(self, change: StreamEdit) -> tuple[int, int]:
        """Return the indices between which no other edit reaches over an end."""
        free, before = self._free, self._before
        at = bisect_left(free, max(change.begin - _LOOK_BACK, 0))
        low = next((each for each in free[at::-1] if each in before), 0)
        at = bisect_left(free, change.end + _CALM)
        high = next((each for each in free[at:] if each in before), len(self._told.events))
        return low, high

    def _story(self, stream: Sequence[ToldEvent], low: int, high: int | None) -> SearchSpace:
        """Return a stretch that begins and ends with the presences of the explanation."""
        told = self._told
        until = None if high is None else self._steps.number(self._before[high])
        return SearchSpace(
            stream,
            self._before[low] if low else told.start,
            told.verdict,
            self._steps,
            is_open=told.is_open or high is not None,
            fresh=len(told.names),
            until=until,
        )


def _as_told(
    change: StreamEdit, stream: Sequence[ToldEvent], high: int, moved: Collection[int]
) -> StreamEdit | None:
    """Return an edit of an edited stream as an edit of the conversation as told.

    `moved` are the events that other edits move. An edit that puts something before one of them is
    left out, because no place as told means that.
    """
    following = [event.told for event in stream[change.to :] if event.told is not None]
    to = following[0] if following else high
    if to in moved and (change.at is None or change.kind is EditKind.MOVED):
        return None
    if change.at is None:
        return change._replace(to=to)
    run = [event.told for event in stream[change.at : change.at + change.size]]
    index = run[0]
    if index is None or run != [*range(index, index + len(run))]:
        return None
    is_moved = change.kind is EditKind.MOVED
    other = change.other
    if change.kind is EditKind.STAY_RENAMED and other is not None:
        other = stream[other].told
        if other is None:
            return None
    return change._replace(at=index, to=to if is_moved else index, other=other)


def edit_of(change: StreamEdit, events: Sequence[ToldEvent], names: Sequence[str]) -> Edit:
    """Return an edit of indices as an edit of positions."""
    index = change.at
    agent = _name(agent_of(change.what), names)
    before = events[change.to].position if change.to < len(events) else None
    if index is None:
        kind = kind_of(change.what)
        return Edit(change.kind, None, None, before, kind, agent, change.turn)
    last = events[index + change.size - 1]
    size = last.position + last.size - events[index].position
    if change.kind is EditKind.STAY_RENAMED and change.other is not None:
        size = events[change.other].position + 1 - events[index].position
    if change.kind in {EditKind.SURPLUS, EditKind.ID_USED_AGAIN}:
        return Edit(change.kind, events[index].position, size, None, None, None)
    is_moved = change.kind is EditKind.MOVED
    is_hand_over = change.kind is EditKind.TOOK_OVER and change.other is not None
    return Edit(
        change.kind,
        events[index].position,
        size,
        before if is_moved else None,
        kind_of(change.what),
        agent,
        change.turn,
        _name(change.other, names) if is_hand_over else None,
    )


def _name(agent: int | None, names: Sequence[str]) -> str | None:
    """Return the identity of an agent, or None for one whom no event names."""
    return names[agent] if agent is not None and 0 <= agent < len(names) else None
