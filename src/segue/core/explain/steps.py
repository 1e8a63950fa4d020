"""Presences by number, and the steps between them, remembered across conversations.

Only streams without errors are walked, so a presence is reduced to the facts that decide about
those. Presences that judge all later events alike thus have one number.
"""

from typing import Final, NamedTuple

from segue.core.explain.told import ERRORS, WARNINGS, Symbol, agent_of, kind_of
from segue.core.lifecycle import Phase, Presence, transition

_HELD: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING})
_MOST_STEPS: Final = 50_000
"""The number of remembered steps at which a new table is begun."""

_MOST_TABLES: Final = 64

_judge: Final = transition.__wrapped__


class Step(NamedTuple):
    """An event without an error: where it leads, and what is said of it."""

    place: int
    is_warned: bool
    note: str | None


class Steps:
    """The numbered presences of conversations in which the same agents redial."""

    def __init__(self, redialing: frozenset[int]) -> None:
        self._redialing = redialing
        self.presences: list[Presence] = []
        self.known: list[dict[Symbol, Step | None]] = []
        """The steps from each presence by their symbol. None stands for an error."""
        self._numbers: dict[Presence, int] = {}
        self.size = 0

    def number(self, presence: Presence) -> int:
        """Return the number of a presence."""
        plain = self._plain(presence)
        number = self._numbers.get(plain)
        if number is None:
            number = self._numbers[plain] = len(self.presences)
            self.presences.append(plain)
            self.known.append({})
        return number

    def learn(self, place: int, what: Symbol) -> Step | None:
        """Judge an event at a place, and remember the result."""
        kind, agent = kind_of(what), agent_of(what)
        after, decision = _judge(self.presences[place], kind, None if agent < 0 else agent)
        code = decision.reported_code
        step = None
        if code not in ERRORS:
            is_warned = code in WARNINGS
            step = Step(self.number(after), is_warned, None if is_warned else code)
        self.known[place][what] = step
        self.size += 1
        return step

    def _plain(self, presence: Presence) -> Presence:
        return presence._replace(
            last=None if presence.phase in _HELD else presence.last,
            consulted=tuple([each for each in presence.consulted if each in self._redialing]),
            na_entered=False,
            pending_exits=(),
            replaced=(),
            in_doubt=False,
            early_summary=False,
            agents=min(presence.agents, 1),
        )


_tables: dict[frozenset[int], Steps] = {}


def steps_for(redialing: frozenset[int]) -> Steps:
    """Return the table for conversations in which these agents redial.

    All tables together remember a bounded number of steps.
    """
    found = _tables.get(redialing)
    if found is None or found.size > _MOST_STEPS:
        if sum(each.size for each in _tables.values()) > _MOST_STEPS or len(_tables) > _MOST_TABLES:
            _tables.clear()
        found = _tables[redialing] = Steps(redialing)
    return found
