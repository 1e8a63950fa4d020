"""Steps through the lifecycle, remembered, so that a search may try any of them.

A place is the number of a state; two states that judge every later event alike are one place.
"""

from collections.abc import Iterable
from operator import eq
from typing import Final, NamedTuple

from segue.engine import Partial
from segue.events import EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle import Phase, Roster, advance

__all__ = ["Walk", "WalkStep"]

_NOTE: Final = Severity.NOTE


class WalkStep(NamedTuple):
    """Where an event leads, and what is reported about it."""

    place: int
    code: str | None
    is_noted: bool
    """Whether it has no code, or that of a note."""
    is_respelt: bool


class Walk:
    """Places and the steps between them, for the agents of one stream."""

    def __init__(self, agents: Iterable[str], partial: Partial) -> None:
        names = tuple(agents)
        folded = [name.casefold() for name in names]
        late = partial in ("start", "both")
        self._watched = frozenset(
            name for name in names if late or folded.count(name.casefold()) > 1
        )
        """Whether these are known makes a difference."""
        self._places: list[tuple[object, ...]] = []
        self._numbers: dict[tuple[object, ...], int] = {}
        self._steps: dict[tuple[int, EventKind, str, int], WalkStep] = {}
        self.start = self._number(Roster.midway() if late else Roster())

    def step(self, place: int, kind: EventKind, agent: str, token: int = 0) -> WalkStep:
        """Take an event; `token` tells equal events from others, 0 those that equal none."""
        key = (place, kind, agent, token)
        step = self._steps.get(key)
        if step is None:
            step = self._steps[key] = self._take(*key)
        return step

    def has_ended(self, place: int) -> bool:
        """Whether END_OF_CONVERSATION has come."""
        return self._places[place][0] is Phase.ENDED

    def _take(self, place: int, kind: EventKind, agent: str, token: int) -> WalkStep:
        roster = self._roster(place)
        move = advance(roster, kind, agent, token or None, same=_same)
        is_noted = move.code is None or BY_CODE[move.code].severity is _NOTE
        return WalkStep(self._number(roster), move.code, is_noted, move.agent != agent)

    def _number(self, roster: Roster) -> int:
        key = (
            roster.phase,
            roster.primary,
            roster.consultants,
            roster.last,
            frozenset(roster.marks.items()),
            frozenset(roster.reliefs.items()),
            roster.doubted,
            roster.early_summary,
            roster.na_entered,
            roster.told,
            self._watched.intersection(roster.known),
            roster.previous,
        )
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._places)
            self._places.append(key)
        return number

    def _roster(self, place: int) -> Roster:
        roster = Roster()
        (
            roster.phase,
            roster.primary,
            roster.consultants,
            roster.last,
            marks,
            reliefs,
            roster.doubted,
            roster.early_summary,
            roster.na_entered,
            roster.told,
            known,
            roster.previous,
        ) = self._places[place]  # type: ignore[assignment]
        roster.marks = dict(marks)  # type: ignore[call-overload]
        roster.reliefs = dict(reliefs)  # type: ignore[call-overload]
        roster.known = {name: number for number, name in enumerate(sorted(known))}  # type: ignore[call-overload]
        return roster


def _same(one: object, other: object) -> bool:
    return one is not None and eq(one, other)
