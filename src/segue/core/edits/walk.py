"""Steps through the lifecycle, remembered, so that a search may try any of them.

Every step is a `transition` the first time and a look-up ever after.  A place is a presence by
number; two places that judge every later event alike are one.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from segue.core.engine import Partial
from segue.core.events import EventKind
from segue.core.lifecycle import (
    MESSAGES,
    Phase,
    Presence,
    can_repeat,
    is_legal,
    resolve,
    transition,
)


class WalkStep(NamedTuple):
    """Where an event leads, and what is said of it."""

    place: int
    code: str | None
    is_noted: bool
    """It has no code, or that of a note."""
    is_respelt: bool


class _Place(NamedTuple):
    """Everything that the verdict on later events depends on."""

    presence: Presence
    known: frozenset[str]
    """Of the agents that differ from another in letter case only, those named so far."""
    previous: int | None
    """Token of the last lifecycle event; None for an event that equals no other."""


class Walk:
    """Places and the steps between them, for the agents of one stream."""

    def __init__(self, agents: Iterable[str], partial: Partial) -> None:
        names = tuple(agents)
        folded = [name.casefold() for name in names]
        self._agents = {name: number for number, name in enumerate(names)}
        self._lookalikes = frozenset(name for name in names if folded.count(name.casefold()) > 1)
        self._places: list[_Place] = []
        self._numbers: dict[_Place, int] = {}
        self.step = cache(self._step)
        is_late = partial in {"start", "both"}
        start = Presence.truncated_start() if is_late else Presence(agents=len(names))
        self.start = self._number(_Place(start, frozenset(), None))

    def has_ended(self, place: int) -> bool:
        """Return whether END_OF_CONVERSATION has come."""
        return self._places[place].presence.phase is Phase.ENDED

    def _step(self, place: int, kind: EventKind, agent: str, token: int = 0) -> WalkStep:
        """Take an event; `token` tells equal events from others, 0 those that equal none."""
        here = self._places[place]
        meant = resolve(dict.fromkeys(here.known, 0), kind, agent)
        after, decision = transition(here.presence, kind, self._agents.get(meant))
        if can_repeat(decision) and token and token == here.previous:
            return WalkStep(place, "SG601", is_noted=False, is_respelt=meant != agent)
        if kind not in MESSAGES and here.presence.phase is not Phase.ENDED:
            known = here.known | ({meant} & self._lookalikes)
            here = _Place(after, known, token or None)
        else:
            here = here._replace(presence=after)
        code = decision.reported_code
        return WalkStep(self._number(here), code, is_legal(code), is_respelt=meant != agent)

    def _number(self, place: _Place) -> int:
        # Numbers are those of the stream, so all that counts is whether any agent was named.
        agents = len(self._agents) if place.presence.agents else 0
        place = place._replace(presence=place.presence._replace(agents=agents))
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self._places)
            self._places.append(place)
        return number
