"""The roster: who is present as what, and which exits are still awaited.

Resolves an agent into a `Situation`, and carries out the effects of the table.  It knows agents by
id only, decides nothing about legality, and has no idea of time or of positions.
"""

from collections.abc import Callable
from typing import Final

from segue.events import EventKind
from segue.lifecycle.phase import (
    PER_ROLE,
    PER_UNCERTAINTY,
    AgentRole,
    Effect,
    Phase,
    Uncertainty,
)

__all__ = ["INTRODUCING_KINDS", "UNNAMED", "Roster"]

UNNAMED: Final = ""
"""The primary whom no event named. An identity is never empty, so it can be nobody else."""

_NOTHING: Final[frozenset[str]] = frozenset()


class Roster:
    """The agents of one conversation, as far as ordering depends on them. Mutable."""

    __slots__ = (
        "consultants",
        "doubted",
        "early_summary",
        "known",
        "last",
        "marks",
        "na_entered",
        "phase",
        "previous",
        "primary",
        "reliefs",
        "spellings",
        "told",
    )

    def __init__(self) -> None:
        self.phase = Phase.WAITING
        self.primary: str | None = None
        """None: nobody; `UNNAMED`: somebody no event named."""
        self.consultants: tuple[str, ...] = ()
        """In order of entry."""
        self.last: str | None = None
        """Who last left the primary place."""
        self.marks: dict[str, AgentRole] = {}
        """Absent agents whose exit may still come: `EXCUSED` or `OWED`."""
        self.reliefs: dict[str, str] = {}
        """Agent to the primary it replaced, when its last entry was an offence."""
        self.doubted = False
        """The last lifecycle event hints that everybody has left."""
        self.known: dict[str, int] = {}
        """Every agent a transfer named, numbered in order of appearance."""
        self.spellings = _NOTHING
        """Spellings reported already as differing in letter case."""
        self.told = _NOTHING
        """Rules that are reported once per conversation and have been."""
        self.na_entered = False
        """Whether an NA entry has come."""
        self.early_summary = False
        """The last lifecycle event was a summary that came too early, and was reported."""
        self.previous: object = None
        """The last lifecycle event as a JSON value (or what a snapshot kept of it)."""

    @classmethod
    def midway(cls) -> "Roster":
        """Return the roster of a conversation whose beginning nobody has seen.

        Somebody must be there whom no event named, so the first lifecycle event is true whatever
        it says.
        """
        roster = cls()
        roster.phase = Phase.ACTIVE
        roster.primary = UNNAMED
        return roster

    @property
    def present(self) -> tuple[str, ...]:
        """Ids of everyone present who has been named, the primary first."""
        return (self.primary, *self.consultants) if self.primary else self.consultants

    def situate(self, agent: str) -> int:
        """Resolve an agent (empty: an event without one) into the number of its `Situation`."""
        beside = len(self.consultants)
        role = AgentRole.ABSENT
        if agent:
            if agent == self.primary:
                role = (
                    AgentRole.RELIEVER
                    if self.reliefs.get(agent) in self.marks
                    else AgentRole.PRIMARY
                )
            elif agent in self.consultants:
                role = AgentRole.CONSULTANT
                beside -= 1
            elif agent in self.marks:
                role = self.marks[agent]
            elif agent == self.last:
                role = AgentRole.LAST
        return role * PER_ROLE + self.uncertainty * PER_UNCERTAINTY + min(beside, 2)

    @property
    def uncertainty(self) -> Uncertainty:
        """What is uncertain about the primary, while there should be one."""
        if self.phase not in _OPEN:
            return Uncertainty.NONE
        if self.primary == UNNAMED:
            return _UNNAMED_AND_DOUBTED if self.doubted else Uncertainty.UNNAMED
        return Uncertainty.DOUBTED if self.doubted else Uncertainty.NONE

    def resolve(self, kind: EventKind, spelling: str) -> str:
        """Return the known agent that a spelling means, which differs in letter case at most.

        Identity is exact for whoever enters; who leaves, redials or writes must be somebody known,
        if exactly one known agent is spelled like that when letter case is ignored.
        """
        if spelling in self.known or not spelling or kind in INTRODUCING_KINDS:
            return spelling
        folded = spelling.casefold()
        alike = [agent for agent in self.known if agent.casefold() == folded]
        return alike[0] if len(alike) == 1 else spelling

    def carry_out(self, effect: Effect, agent: str, *, offence: bool) -> None:
        """Do to the roster what the table says; `offence`: the event had a code of its own."""
        replaced = self.primary
        _EFFECTS[effect](self, agent)
        if offence and replaced and effect in _REPLACING:
            self.reliefs[agent] = replaced


# What the effects do. Each takes the roster and the event's agent.


def _nothing(_roster: Roster, _agent: str) -> None:
    """Change nothing."""


def _take(roster: Roster, agent: str) -> None:
    _enter(roster, agent)
    roster.primary = agent
    _leave(roster, agent)


def _take_excusing(roster: Roster, agent: str) -> None:
    _excuse(roster, roster.primary)
    _take(roster, agent)


def _take_owing(roster: Roster, agent: str) -> None:
    assert roster.primary, "only a primary with a name can owe an exit"  # noqa: S101
    roster.marks[roster.primary] = AgentRole.OWED
    _take(roster, agent)


def _join(roster: Roster, agent: str) -> None:
    _enter(roster, agent)
    roster.consultants = (*roster.consultants, agent)


def _join_unnamed(roster: Roster, agent: str) -> None:
    _join(roster, agent)
    roster.primary = UNNAMED


def _leave(roster: Roster, agent: str) -> None:
    if agent in roster.consultants:
        roster.consultants = tuple(other for other in roster.consultants if other != agent)


def _unname(roster: Roster, _agent: str) -> None:
    roster.primary = UNNAMED


def _promote(roster: Roster, _agent: str) -> None:
    roster.primary, *others = roster.consultants
    roster.consultants = tuple(others)


def _restore(roster: Roster, agent: str) -> None:
    roster.primary = roster.reliefs.pop(agent)
    del roster.marks[roster.primary]


def _transfer(roster: Roster, agent: str) -> None:
    if roster.primary != agent:
        _excuse(roster, roster.primary)
    roster.primary, roster.last = None, agent
    _leave(roster, agent)


def _release(roster: Roster, agent: str) -> None:
    if roster.consultants or roster.primary != agent:
        _excuse(roster, *(other for other in roster.present if other != agent))
    roster.primary, roster.last, roster.consultants = None, agent, ()


def _depart(roster: Roster, agent: str) -> None:
    _excuse(roster, *roster.present)
    _finish(roster, agent)


def _dismiss(roster: Roster, _agent: str) -> None:
    _excuse(roster, *roster.consultants)
    roster.consultants = ()


def _consume(roster: Roster, agent: str) -> None:
    del roster.marks[agent]


def _finish(roster: Roster, _agent: str) -> None:
    roster.last = roster.primary or roster.last
    roster.primary, roster.consultants = None, ()


# What several effects have in common.


def _enter(roster: Roster, agent: str) -> None:
    roster.marks.pop(agent, None)
    if roster.reliefs:
        roster.reliefs = {
            reliever: relieved
            for reliever, relieved in roster.reliefs.items()
            if agent not in (reliever, relieved)
        }


def _excuse(roster: Roster, *agents: str | None) -> None:
    roster.marks |= {agent: AgentRole.EXCUSED for agent in agents if agent}


_OPEN: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING, Phase.TRANSFERRING})
_UNNAMED_AND_DOUBTED: Final = Uncertainty.UNNAMED | Uncertainty.DOUBTED
INTRODUCING_KINDS: Final = frozenset(
    {EventKind.NA_ENTRY, EventKind.COLD_ENTRY, EventKind.WARM_ENTRY}
)
"""Events by which an agent becomes known, as it is spelled there."""
_REPLACING: Final = frozenset({Effect.TAKE_EXCUSING, Effect.TAKE_OWING})

_EFFECTS: Final[dict[Effect, Callable[[Roster, str], None]]] = {
    Effect.NONE: _nothing,
    Effect.TAKE: _take,
    Effect.TAKE_EXCUSING: _take_excusing,
    Effect.TAKE_OWING: _take_owing,
    Effect.JOIN: _join,
    Effect.JOIN_UNNAMED: _join_unnamed,
    Effect.LEAVE: _leave,
    Effect.UNNAME: _unname,
    Effect.PROMOTE: _promote,
    Effect.RESTORE: _restore,
    Effect.TRANSFER: _transfer,
    Effect.RELEASE: _release,
    Effect.DEPART: _depart,
    Effect.DISMISS: _dismiss,
    Effect.RECONNECT: _nothing,
    Effect.CONSUME: _consume,
    Effect.FINISH: _finish,
}
