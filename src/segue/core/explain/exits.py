"""Exits that nobody told, of which the conversation does not say of which type they were."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from segue.core.events import EventKind
from segue.core.explain.changes import StreamEdit, applied
from segue.core.explain.costs import NOTE, WARNING
from segue.core.explain.edits import EXITS
from segue.core.explain.steps import Steps
from segue.core.explain.told import (
    ERRORS,
    WARNINGS,
    Checkpoint,
    ToldEvent,
    Verdict,
    closing,
    judged,
    kind_of,
    symbol,
)


class _Judged(NamedTuple):
    """One event after the edits, and what the check knows before it."""

    event: ToldEvent
    mark: Checkpoint


class OpenExits:
    """The exits that an explanation puts in, with the other kinds that explain as much.

    An exit of one of several consultants whom the primary left is WARM if the agent consulted, and
    COLD if the agent led. If it is lost and another one leads after it, nothing tells which.

    Args:
        events: The conversation as told.
        changes: All edits of the explanation, including those that cost nothing.
        verdict: The check of the conversation as told.
        steps: The table of steps.
        is_open: Whether the conversation may go on after the last event.

    """

    def __init__(
        self,
        events: Sequence[ToldEvent],
        changes: Sequence[StreamEdit],
        verdict: Verdict,
        steps: Steps,
        *,
        is_open: bool,
    ) -> None:
        self._verdict, self._steps, self._is_open = verdict, steps, is_open
        self._past: list[_Judged] = []
        self._end = verdict.marks[0]
        self.spent = 0
        """The number of events judged."""
        if any(_is_lost_exit(each) for each in changes):
            for event in applied(events, changes):
                self._past.append(_Judged(event, self._end))
                self._end = self._judged(event, self._end)[0]

    def kinds(self) -> Mapping[int, tuple[EventKind, ...]]:
        """Return the other kinds of each exit that has some, by the turn of its edit.

        Agents who leave one after the other may have left in another order. Each may then have had
        the kinds of all.
        """
        found: dict[int, tuple[EventKind, ...]] = {}
        for group in self._groups():
            possible = {kind for index in group for kind in self._kinds(index)}
            for index in group:
                event = self._past[index].event
                kinds = tuple([each for each in EXITS if each in possible - {event.kind}])
                found |= {event.turn: kinds} if kinds and event.turn is not None else {}
        return found

    def _groups(self) -> Iterator[list[int]]:
        """Yield lists of the places of lost exits next to each other that can be exchanged."""
        group: list[int] = []
        for index, (event, _) in enumerate(self._past):
            if event.turn is None or not event.kind.is_exit:
                continue
            if not (group and group[-1] == index - 1 and self._are_exchangeable(index - 1)):
                yield group
                group = []
            group.append(index)
        yield group

    def _are_exchangeable(self, index: int) -> bool:
        """Return whether the agents of an exit and of the next one may have left the other way."""
        (one, _), (other, _) = self._past[index : index + 2]
        return one.kind is other.kind or self._is_as_good(
            index, _as(one.kind, other), _as(other.kind, one)
        )

    def _kinds(self, index: int) -> list[EventKind]:
        """Return the kinds that the lost exit at a place may have had."""
        event = self._past[index].event
        return [
            kind
            for kind in EXITS
            if kind is event.kind or self._is_as_good(index, _as(kind, event))
        ]

    def _is_as_good(self, index: int, *instead: ToldEvent) -> bool:
        """Return whether other events in the place of some leave no error and cost as much."""
        more, here = 0, self._past[index].mark
        others = {index + number: event for number, event in enumerate(instead)}
        for at in range(index, len(self._past)):
            event, mark = self._past[at]
            if at >= index + len(instead) and self._is_same(here, mark):
                return more == 0
            here, price = self._judged(others.get(at, event), here)
            if price is None:
                return False
            more += price - (self._judged(event, mark)[1] or 0)
        return more == 0 and not closing(here, is_open=self._is_open)

    def _is_same(self, one: Checkpoint, other: Checkpoint) -> bool:
        """Return whether two marks judge all later events alike."""
        (here, *rest), (there, *others) = one, other
        is_near = here.phase is there.phase and here.primary == there.primary
        number = self._steps.number
        return is_near and rest == others and number(here) == number(there)

    def _judged(self, event: ToldEvent, mark: Checkpoint) -> tuple[Checkpoint, int | None]:
        """Return what the check knows after an event, and its cost or None for an error."""
        self.spent += 1
        after, code = judged(event, mark)
        if code is None:
            return after, 0
        if code in ERRORS:
            return after, None
        is_new = (event.told, code) not in self._verdict.notes
        return after, WARNING if code in WARNINGS else NOTE * is_new


def _as(kind: EventKind, event: ToldEvent) -> ToldEvent:
    """Return an exit of the agent of an event, of a kind."""
    return event._replace(kind=kind, what=symbol(kind, event.agent))


def _is_lost_exit(change: StreamEdit) -> bool:
    return change.at is None and kind_of(change.what).is_exit
