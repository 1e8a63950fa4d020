"""A conversation walked through event by event with `transition`, agents by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Final

from segue.core.engine.checks import REMEMBERED
from segue.core.events import EventKind
from segue.core.lifecycle import (
    AGENTLESS_KINDS,
    MESSAGES,
    UNNAMED,
    AgentRole,
    Phase,
    Presence,
    can_repeat,
    expected,
    resolve,
    situation_of,
    transition,
)

__all__ = ["CHANGED", "Walker"]

CHANGED: Final[set[tuple[Phase, EventKind, int]]] = set()
"""The cells of the table that a test has changed: what they decide is not remembered."""

_anew: Final = transition.__wrapped__
_remembered: Final = cache(_anew)


@dataclass
class Walker:
    """Where a conversation stands. Mutable; a copy (`copy.copy`) goes its own way."""

    presence: Presence = field(default_factory=Presence)
    names: tuple[str, ...] = ()
    spellings: frozenset[str] = frozenset()
    absences: frozenset[str] = frozenset()
    previous: object = None

    @classmethod
    def truncated_start(cls) -> Walker:
        """Return a conversation whose log begins late."""
        return cls(Presence.truncated_start())

    @property
    def phase(self) -> Phase:
        return self.presence.phase

    @property
    def primary(self) -> str | None:
        """The name; empty for a primary whom no event named."""
        return self._name(self.presence.primary)

    @property
    def consultants(self) -> tuple[str, ...]:
        return tuple(self.names[number] for number in self.presence.consultants)

    @property
    def last(self) -> str | None:
        return self._name(self.presence.last)

    @property
    def present(self) -> tuple[str, ...]:
        """Everyone present who has been named, the primary first."""
        return tuple(self.names[number] for number in self.presence.present)

    @property
    def pending_exits(self) -> dict[str, AgentRole]:
        return {self.names[number]: role for number, role in self.presence.pending_exits}

    @property
    def consulted(self) -> frozenset[str]:
        """The absent agents who left the consultants by their latest exit."""
        return frozenset(self.names[number] for number in self.presence.consulted)

    @property
    def replaced(self) -> dict[str, str]:
        return {self.names[one]: self.names[other] for one, other in self.presence.replaced}

    def situation(self, agent: str) -> int:
        return situation_of(self.presence, self.number(agent))

    def number(self, agent: str) -> int | None:
        if not agent:
            return None
        return self.names.index(agent) if agent in self.names else len(self.names)

    def take(self, kind: EventKind, agent: str = "", value: object = None) -> tuple[str, ...]:
        """Take an event; return the codes of what is found at it, the table's own first.

        Events repeat each other when their values are equal and not None.
        """
        is_agentless = kind in AGENTLESS_KINDS
        meant = "" if is_agentless else self.resolve(kind, agent)
        number = self.number(meant)
        after, code, is_repeatable = self.decided(kind, number)
        if is_repeatable and value is not None and value == self.previous:
            return ("SG601",)
        codes = () if code is None else (code,)
        if codes == ("SG205",):
            if meant in self.absences or len(self.absences) >= REMEMBERED:
                codes = ()
            else:
                self.absences |= {meant}
        if self.phase is not Phase.ENDED:
            is_known = agent in self.spellings or len(self.spellings) >= REMEMBERED
            if not is_agentless and meant != agent and not is_known:
                codes = (*codes, "SG206")
                self.spellings |= {agent}
            if kind not in MESSAGES:
                self.names = (*self.names, meant) if number == len(self.names) else self.names
                self.previous = value
                self.absences -= {meant} if kind.is_entry else set()
        self.presence = after
        return codes

    def decided(self, kind: EventKind, number: int | None) -> tuple[Presence, str | None, bool]:
        """Return all that `take` reads of the table's decision on an event of this agent.

        This is the presence after it, the code that is reported, and whether it may be a repeat.
        """
        key = (self.phase, kind, situation_of(self.presence, number)) if CHANGED else None
        decide = _anew if key in CHANGED else _remembered
        after, decision = decide(self.presence, kind, number)
        return after, decision.reported_code, can_repeat(decision)

    def resolve(self, kind: EventKind, agent: str) -> str:
        """Return the agent meant, in the spelling it is known by."""
        return resolve(dict.fromkeys(self.names, 0), kind, agent)

    def expected(self) -> tuple[str, ...]:
        """Return the labels of the legal events."""
        return expected(self.presence, self.names)

    def _name(self, number: int | None) -> str | None:
        if number is None:
            return None
        return "" if number == UNNAMED else self.names[number]
