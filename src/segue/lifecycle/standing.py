"""Where a conversation stands, its agents by number: the table compiled to linked rows.

The same few situations come back in every log, whoever the agents are.  A standing is all that a
roster says about ordering, with the agents numbered in order of appearance instead of named.  Each
exists once, and links to where legal events lead; a link is found out by `advance` the first time,
and followed for the price of a look-up ever after.

House rules.  (1) A link is what `advance` does, or there is none: whatever has a code of its own in
the table, or needs more than the numbers to be judged, is left to `advance`.  (2) Memory is
bounded: conversations of more than `_AGENTS` agents have no standing, and nobody has one that is
not among the first `_MOST`.
"""

from typing import Final, NamedTuple, TypeAlias

from segue.events import EventKind
from segue.lifecycle.phase import AgentRole, Phase
from segue.lifecycle.presence import UNNAMED, Roster
from segue.lifecycle.table import TABLE
from segue.lifecycle.transitions import MESSAGES, advance

__all__ = ["AGENTLESS_KINDS", "Link", "Standing", "standing_of"]

AGENTLESS_KINDS: Final = frozenset({EventKind.SUMMARY, EventKind.END})
"""Events that are no agent's: whose participant they tell along changes nothing."""

_OF_STRANGERS: Final = AGENTLESS_KINDS | MESSAGES

_AGENTS: Final = 16
_MOST: Final = 4_096
_UNNAMED: Final = -1
_NEWCOMER: Final = "?"

_Number: TypeAlias = int | None


class _Parts(NamedTuple):
    """A roster without names, as far as ordering depends on it."""

    phase: Phase
    primary: _Number
    consultants: tuple[int, ...]
    last: _Number
    marks: frozenset[tuple[int, AgentRole]]
    reliefs: frozenset[tuple[int, int]]
    doubted: bool
    na_entered: bool
    early_summary: bool
    agents: int
    """How many there have been."""


class Link(NamedTuple):
    """Where a legal event leads, and what the table decided on it."""

    to: "Standing"
    stamp: int


class _Links(dict[tuple[EventKind, _Number], Link | None]):
    """Links that have been found out, by kind and number of the agent."""

    __slots__ = ("_here",)

    def __init__(self, here: _Parts) -> None:
        self._here = here

    def __missing__(self, key: tuple[EventKind, _Number]) -> Link | None:
        found = self[key] = _find(self._here, *key)
        return found


class Standing:
    """A place in the lifecycle. Immutable but for the links found out so far."""

    __slots__ = ("_parts", "links", "phase", "primary")

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts
        self.phase = parts.phase
        self.primary = parts.primary
        """Number of the primary; None: nobody, -1: somebody no event named."""
        self.links = _Links(parts)
        """By kind and number of the agent: a legal event, or None.  The number of somebody new is
        that of the next agent for an entry, else None; so is that of nobody."""

    def settle(self, roster: Roster) -> None:
        """Make a roster that knows the same agents stand here."""
        _settle(self._parts, roster, tuple(roster.known))


def standing_of(roster: Roster) -> Standing | None:
    """Return where a roster stands; None: nowhere that is worth remembering."""
    known = roster.known
    if len(known) > _AGENTS:
        return None
    primary, last = roster.primary, roster.last
    parts = _Parts(
        roster.phase,
        known.get(primary, _UNNAMED) if primary is not None else None,
        tuple([known[agent] for agent in roster.consultants]),
        known.get(last, _UNNAMED) if last is not None else None,
        frozenset([(known[agent], mark) for agent, mark in roster.marks.items()]),
        frozenset([(known[agent], known[other]) for agent, other in roster.reliefs.items()]),
        roster.doubted,
        roster.na_entered,
        roster.early_summary,
        len(known),
    )
    standing = _STANDINGS.get(parts)
    if standing is None and len(_STANDINGS) < _MOST:
        standing = _STANDINGS[parts] = Standing(parts)
    return standing


_STANDINGS: Final[dict[_Parts, Standing]] = {}


def _settle(parts: _Parts, roster: Roster, names: tuple[str, ...]) -> None:
    name = (*names, UNNAMED)  # -1 is the last
    roster.phase = parts.phase
    roster.primary = None if parts.primary is None else name[parts.primary]
    roster.consultants = tuple([name[number] for number in parts.consultants])
    roster.last = None if parts.last is None else name[parts.last]
    roster.marks = {name[number]: mark for number, mark in parts.marks}
    roster.reliefs = {name[number]: name[other] for number, other in parts.reliefs}
    roster.doubted = parts.doubted
    roster.na_entered = parts.na_entered
    roster.early_summary = parts.early_summary


def _find(here: _Parts, kind: EventKind, number: _Number) -> Link | None:
    """Try an event on a roster whose agents are called by their numbers."""
    if kind is EventKind.UNPROCESSABLE or (number is None and kind not in _OF_STRANGERS):
        return None
    roster = Roster()
    names = tuple(str(agent) for agent in range(here.agents))
    roster.known = {name: agent for agent, name in enumerate(names)}
    _settle(here, roster, names)
    agent = "" if kind in AGENTLESS_KINDS else _NEWCOMER if number is None else str(number)
    cell = TABLE[here.phase][kind][roster.situate(agent)]
    if cell is None or cell.code is not None:
        return None
    advance(roster, kind, agent)
    to = standing_of(roster)
    return None if to is None else Link(to, cell.stamp)
