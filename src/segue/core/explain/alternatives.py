"""Other edits that explain a mistake as well, made when somebody reads them."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

from segue.core.events import EventKind
from segue.core.explain.changes import StreamEdit, applied
from segue.core.explain.costs import WARNING, EditKind
from segue.core.explain.edits import Alternative, Edit
from segue.core.explain.search import single_edits
from segue.core.explain.sentences import Wording
from segue.core.explain.steps import Steps, steps_for
from segue.core.explain.told import (
    ERRORS,
    Checkpoint,
    ToldEvent,
    Verdict,
    agent_of,
    closing,
    judged,
    kind_of,
)
from segue.core.explain.ways import SearchSpace

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
    is_open: bool
    """Whether the conversation may go on after the last event."""


class AlternativeSearch:
    """The alternatives to the edits of one explanation.

    Args:
        told: The conversation.
        changes: All edits of the explanation.
        free: Its edits that cost nothing.
        singles: If one edit explains everything: it and all others that explain as much.
        budget: The maximum number of events that are judged for all alternatives together.

    """

    def __init__(
        self,
        told: ToldConversation,
        changes: tuple[StreamEdit, ...],
        free: tuple[StreamEdit, ...],
        singles: tuple[StreamEdit, ...],
        budget: int,
    ) -> None:
        self._told, self._changes, self._free, self._singles = told, changes, free, singles
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
        if self._left <= 0 or (number and _is_exchangeable(self._changes[number - 1], change)):
            return ()
        if self._cuts is None:
            self._cuts = _Cuts(self._told, self._changes, self._free)
            self._left -= len(self._told.events)
        if len(self._changes) == 1:
            others = (each for each in self._singles if each != change)
            found, spent = self._cuts.right(self._cuts.whole(), others, ())
        else:
            found, spent = self._cuts.around(change, self._left)
        self._left -= spent
        words = Wording(self._told.events, self._told.names)
        return tuple(
            Alternative(words.sentence(each), (edit_of(each, self._told.events, self._told.names),))
            for each in found
        )


def _is_exchangeable(one: StreamEdit, other: StreamEdit) -> bool:
    """Return whether two edits differ only in the agent who enters or leaves at one place."""
    is_lost = one.at is None and other.at is None
    return is_lost and one.to == other.to and kind_of(one.what) is kind_of(other.what)


class _Stretch(NamedTuple):
    """A stretch of a conversation that begins and ends as the explanation says."""

    told: ToldConversation
    low: int
    high: int
    mark: Checkpoint
    """What the check knows before the event at `low`."""
    until: int | None = None
    """The number of the presence before the event at `high`, or None for any legal end."""

    def is_legal(self, edits: Iterable[StreamEdit], steps: Steps) -> bool:
        """Return whether some edits leave no error here."""
        mark, is_open = self.mark, self.told.is_open
        for event in applied(self.told.events[: self.high], edits, self.low):
            mark, code = judged(event, mark)
            if code in ERRORS:
                return False
        if self.until is not None:
            return steps.number(mark.presence) == self.until
        return not closing(mark, is_open=is_open)

    def story(self, stream: Sequence[ToldEvent], steps: Steps) -> SearchSpace:
        """Return the search for edits of the events of this stretch."""
        told, until = self.told, self.until
        return SearchSpace(
            stream,
            self.mark.presence,
            told.verdict,
            steps,
            is_open=told.is_open or until is not None,
            fresh=len(told.names),
            until=until,
        )


class _Cuts:
    """Stretches of a conversation in which one mistake can be looked at by itself."""

    def __init__(
        self, told: ToldConversation, changes: Sequence[StreamEdit], free: Sequence[StreamEdit]
    ) -> None:
        self._told, self._changes, self._free = told, changes, free
        events = told.events
        redialing = (event.agent for event in events if event.kind is EventKind.REDIAL_ENTRY)
        self._steps = steps_for(frozenset(redialing))
        bridged, moved = set[int](), set[int]()
        for change in changes:
            bridged.update(range(change.begin + 1, change.end + 1))
            moved.update(change.run if change.kind is EditKind.MOVED else ())
        self._places = [at for at in range(len(events) + 1) if at not in bridged]
        self._marks: dict[int, Checkpoint] = {}
        """What the check knows before each event that stays, and before what is put there."""
        mark = before = told.verdict.marks[0]
        for event in applied(events, [*changes, *free]):
            mark, _ = judged(event, mark)
            if event.told is not None and event.told not in moved:
                self._marks[event.told], before = before, mark

    def whole(self) -> _Stretch:
        """Return the whole conversation."""
        return _Stretch(self._told, 0, len(self._told.events), self._told.verdict.marks[0])

    def right(
        self, stretch: _Stretch, edits: Iterable[StreamEdit], others: Sequence[StreamEdit]
    ) -> tuple[list[StreamEdit], int]:
        """Return the first edits that leave no error with others, and the number of events judged.

        The search leaves out repeats for free, which is not part of an alternative.
        """
        found, spent = list[StreamEdit](), 0
        free = [each for each in self._free if each.end < stretch.high]
        for edit in edits:
            spent += stretch.high - stretch.low
            if stretch.is_legal([*others, *free, edit], self._steps):
                found.append(edit)
            if len(found) == _MOST:
                break
        return found, spent

    def around(self, change: StreamEdit, budget: int) -> tuple[list[StreamEdit], int]:
        """Return the other single edits that explain as much, and the number of events judged."""
        stretch = self._stretch(change)
        _, low, high, *_ = stretch
        is_last = high == len(self._told.events)
        others = [
            each
            for each in self._changes
            if each is not change and low <= each.begin and (each.end < high or is_last)
        ]
        stream = list(applied(self._told.events[:high], others, low))
        story = stretch.story(stream, self._steps)
        singles = single_edits(story, budget) or []
        alike = (each for each in singles if each.cost // WARNING == singles[0].cost // WARNING)
        edits = (change for each in alike for change in each.script.changes)
        written = (self._as_told(each, change, others, stream, high) for each in edits)
        found, spent = self.right(stretch, filter(None, written), others)
        return found, story.spent + spent

    def _as_told(
        self,
        found: StreamEdit,
        change: StreamEdit,
        others: Sequence[StreamEdit],
        stream: Sequence[ToldEvent],
        high: int,
    ) -> StreamEdit | None:
        """Return an edit of a stream as an edit of the conversation as told.

        Return None if it is `change`, or if the conversation as told has no place for it.
        """
        edited = {at for each in [*others, *self._free] for at in each.run}
        moved = {at for each in others for at in each.run if each.kind is EditKind.MOVED}
        told = _as_told(found, stream, high, moved)
        if told is None or told.at in edited or told._replace(turn=change.turn) == change:
            return None
        turn = self._turn(told, change, others, _put_after(found, stream))
        return None if turn is None else told._replace(turn=turn)

    def _turn(
        self, told: StreamEdit, change: StreamEdit, others: Sequence[StreamEdit], after: int
    ) -> int | None:
        """Return the turn of an alternative among the other edits that put events at its place.

        `after` is the number of events that `others` put there after it. Return None if it comes
        between events of one edit.
        """
        rest = [
            each for each in self._changes if each is not change and _puts_before(each, told.to)
        ]
        rest.sort(key=lambda each: each.turn)
        inside = [each for each in rest if each in others]
        following = [each.turn for each in rest if each not in others]
        while after > 0 and inside:
            last = inside.pop()
            after -= last.size
            following = [last.turn]
        if after:
            return None
        return following[0] - 1 if following else inside[-1].turn + 1 if inside else 0

    def _stretch(self, change: StreamEdit) -> _Stretch:
        """Return a stretch around an edit, over whose ends no other edit reaches."""
        places, marks, count = self._places, self._marks, len(self._told.events)
        at = bisect_left(places, max(change.begin - _LOOK_BACK, 0))
        low = next((each for each in places[at::-1] if each in marks), 0)
        at = bisect_left(places, change.end + _CALM)
        high = next((each for each in places[at:] if each in marks), count)
        mark = marks[low] if low else self._told.verdict.marks[0]
        until = None if high == count else self._steps.number(marks[high].presence)
        return _Stretch(self._told, low, high, mark, until)


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


def _puts_before(change: StreamEdit, index: int) -> bool:
    """Return whether an edit puts events before the event at an index."""
    return change.to == index and (change.at is None or change.kind is EditKind.MOVED)


def _put_after(change: StreamEdit, stream: Sequence[ToldEvent]) -> int:
    """Return the number of events between the new place of an edit and the next event as told.

    Only edits that put an event somewhere have a new place.
    """
    if not _puts_before(change, change.to):
        return 0
    events = iter(stream[change.to :])
    return next(
        (n for n, event in enumerate(events) if event.told is not None), len(stream) - change.to
    )


def edit_of(
    change: StreamEdit,
    events: Sequence[ToldEvent],
    names: Sequence[str],
    kinds: tuple[EventKind, ...] = (),
) -> Edit:
    """Return an edit of indices as an edit of positions.

    `kinds` are the other kinds that an event which is put in may have.
    """
    index = change.at
    agent = _name(agent_of(change.what), names)
    before = events[change.to].position if change.to < len(events) else None
    if index is None:
        kind = kind_of(change.what)
        return Edit(change.kind, None, None, before, kind, agent, change.turn, other_kinds=kinds)
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
