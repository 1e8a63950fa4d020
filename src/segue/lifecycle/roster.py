"""The roster: who is present as what, and which exits are still awaited.

Resolves an agent into a `Situation`, and carries out the effects of the table.  It knows agents by
id only, decides nothing about legality, and has no idea of time or of positions.
"""

from collections.abc import Callable
from typing import Final

from segue.events import EventKind
from segue.lifecycle.phase import Circumstance, Effect, Phase, Stance
from segue.lifecycle.table import Situation

__all__ = ["UNNAMED", "Roster"]

UNNAMED: Final = ""
"""The primary whom no event named. An identity is never empty, so it can be nobody else."""


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
        self.marks: dict[str, Stance] = {}
        """Absent agents whose exit may still come: `EXCUSED` or `OWED`."""
        self.reliefs: dict[str, str] = {}
        """Agent to the primary it replaced, when its last entry was an offence."""
        self.doubted = False
        """The last lifecycle event hints that everybody has left."""
        self.known: dict[str, None] = {}
        """Every agent a transfer named, in order of appearance."""
        self.spellings: frozenset[str] = frozenset()
        """Spellings reported already as differing in letter case."""
        self.told: frozenset[str] = frozenset()
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

    def situate(self, agent: str) -> Situation:
        """Resolve an agent (empty: an event without one) into what the table asks for."""
        beside = len(self.consultants)
        stance = Stance.ABSENT
        if agent:
            if agent == self.primary:
                stance = (
                    Stance.RELIEVER if self.reliefs.get(agent) in self.marks else Stance.PRIMARY
                )
            elif agent in self.consultants:
                stance = Stance.CONSULTANT
                beside -= 1
            elif agent in self.marks:
                stance = self.marks[agent]
            elif agent == self.last:
                stance = Stance.LAST
        circumstance = Circumstance.NONE
        if self.phase in _OPEN:
            if self.primary == UNNAMED:
                circumstance |= Circumstance.UNNAMED
            if self.doubted:
                circumstance |= Circumstance.DOUBTED
        return Situation(stance, circumstance, min(beside, 2))

    def resolve(self, kind: EventKind, spelling: str) -> str:
        """Return the known agent that a spelling means, which differs in letter case at most.

        Identity is exact for whoever enters; who leaves, redials or writes must be somebody known,
        if exactly one known agent is spelled like that when letter case is ignored.
        """
        if spelling in self.known or not spelling or kind in _NAMING:
            return spelling
        folded = spelling.casefold()
        alike = [agent for agent in self.known if agent.casefold() == folded]
        return alike[0] if len(alike) == 1 else spelling

    def carry_out(self, effect: Effect, agent: str, *, offence: bool) -> None:
        """Do to the roster what the table says; `offence`: the event had a code of its own."""
        _EFFECTS[effect](self, agent, offence)

    def _excuse(self, *agents: str | None) -> None:
        self.marks |= {agent: Stance.EXCUSED for agent in agents if agent}

    def _without(self, agent: str) -> tuple[str, ...]:
        return tuple(consultant for consultant in self.consultants if consultant != agent)

    def _enter(self, agent: str) -> None:
        self.marks.pop(agent, None)
        if self.reliefs:
            self.reliefs = {
                reliever: old for reliever, old in self.reliefs.items() if agent not in (reliever, old)
            }

    def _nothing(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        """Change nothing."""

    def _take(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self._enter(agent)
        self.primary = agent
        self.consultants = self._without(agent)

    def _take_excusing(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self._replace(agent, Stance.EXCUSED, offence)

    def _take_owing(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self._replace(agent, Stance.OWED, offence)

    def _replace(self, agent: str, mark: Stance, offence: bool) -> None:  # noqa: FBT001
        old = self.primary
        self._take(agent, offence)
        if old:
            self.marks[old] = mark
            if offence:
                self.reliefs[agent] = old

    def _join(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self._enter(agent)
        self.consultants = (*self.consultants, agent)

    def _join_unnamed(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self._join(agent, offence)
        self.primary = UNNAMED

    def _leave(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self.consultants = self._without(agent)

    def _unname(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self.primary = UNNAMED

    def _promote(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self.primary, *others = self.consultants
        self.consultants = tuple(others)

    def _restore(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self.primary = self.reliefs.pop(agent)
        self.marks.pop(self.primary)

    def _transfer(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        if self.primary != agent:
            self._excuse(self.primary)
        self.primary, self.last = None, agent
        self.consultants = self._without(agent)

    def _release(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self._excuse(*(other for other in self.present if other != agent))
        self.primary, self.last, self.consultants = None, agent, ()

    def _depart(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self._excuse(*self.present)
        self.last = self.primary or self.last
        self.primary, self.consultants = None, ()

    def _dismiss(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self._excuse(*self.consultants)
        self.consultants = ()

    def _consume(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        del self.marks[agent]

    def _finish(self, agent: str, offence: bool) -> None:  # noqa: FBT001
        self.last = self.primary or self.last
        self.primary, self.consultants = None, ()


_OPEN: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING, Phase.TRANSFERRING})
_NAMING: Final = frozenset({EventKind.NA_ENTRY, EventKind.COLD_ENTRY, EventKind.WARM_ENTRY})

_EFFECTS: Final[dict[Effect, Callable[[Roster, str, bool], None]]] = {
    Effect.NONE: Roster._nothing,
    Effect.TAKE: Roster._take,
    Effect.TAKE_EXCUSING: Roster._take_excusing,
    Effect.TAKE_OWING: Roster._take_owing,
    Effect.JOIN: Roster._join,
    Effect.JOIN_UNNAMED: Roster._join_unnamed,
    Effect.LEAVE: Roster._leave,
    Effect.UNNAME: Roster._unname,
    Effect.PROMOTE: Roster._promote,
    Effect.RESTORE: Roster._restore,
    Effect.TRANSFER: Roster._transfer,
    Effect.RELEASE: Roster._release,
    Effect.DEPART: Roster._depart,
    Effect.DISMISS: Roster._dismiss,
    Effect.RECONNECT: Roster._nothing,
    Effect.CONSUME: Roster._consume,
    Effect.FINISH: Roster._finish,
}
