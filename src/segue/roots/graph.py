"""Presences joined by the events that are no error there: the graph that the search walks.

A node is made when it is first reached and shared by all searches.  Nodes hold integers only; when
there are many, all are forgotten before the next search begins.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from segue.events import EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle import UNNAMED, Presence, can_repeat, transition

__all__ = [
    "FRESH",
    "Node",
    "agent_of",
    "coded",
    "forget_nodes",
    "kind_of",
    "node_of",
    "other_agents",
    "other_types",
    "renamed",
]

FRESH: Final = 1 << 40
"""The number of the first agent that an edit makes up; others follow it."""

_KINDS: Final = tuple(EventKind)
_NUMBERS: Final = {kind: number for number, kind in enumerate(_KINDS)}
_BITS: Final = 4
_MASK: Final = (1 << _BITS) - 1
_CANDIDATES: Final = 6
_MOST: Final = 20_000
"""So many nodes may be known when a search begins."""

_ENTRIES: Final = tuple(_NUMBERS[kind] for kind in _KINDS if kind.is_entry)
_EXITS: Final = tuple(_NUMBERS[kind] for kind in _KINDS if kind.is_exit)
_FAMILIES: Final = dict.fromkeys(_ENTRIES, _ENTRIES) | dict.fromkeys(_EXITS, _EXITS)


def coded(kind: EventKind, agent: int | None) -> int:
    """Return an event as a number."""
    return (0 if agent is None else agent + 1) << _BITS | _NUMBERS[kind]


def kind_of(code: int) -> EventKind:
    """Return the kind of an event."""
    return _KINDS[code & _MASK]


def agent_of(code: int) -> int | None:
    """Return the agent of an event."""
    return (code >> _BITS) - 1 if code >> _BITS else None


def other_types(code: int) -> tuple[int, ...]:
    """Return an entry or exit with each other transfer type."""
    kind, agent = code & _MASK, code & ~_MASK
    return tuple([agent | other for other in _FAMILIES.get(kind, ()) if other != kind])


def other_agents(code: int, agents: Iterable[int]) -> Iterator[int]:
    """Yield an entry or exit with each other agent."""
    kind = code & _MASK
    if kind in _FAMILIES:
        for agent in agents:
            if (other := agent + 1 << _BITS | kind) != code:
                yield other


def renamed(code: int, old: int, new: int) -> int:
    """Return an event with another number for one agent; a complement stays one."""
    if code < 0:
        return ~renamed(~code, old, new)
    return new + 1 << _BITS | code & _MASK if code >> _BITS == old + 1 else code


class Node:
    """A presence, and where events lead from it."""

    __slots__ = ("_moves", "_steps", "agents", "candidates", "fresh", "presence")

    def __init__(self, presence: Presence) -> None:
        self.presence = presence
        self.agents = _mentioned(presence)
        """The agents that ordering still depends on."""
        self.candidates = self.agents[:_CANDIDATES]
        """Those of them that an edit may name."""
        self.fresh = tuple([agent for agent in self.agents if agent >= FRESH])
        """Those of them that edits made up."""
        self._steps: dict[int, tuple[Node | None, bool]] = {}
        self._moves: dict[int, tuple[tuple[int, Node], ...]] = {}

    def step(self, code: int) -> "tuple[Node | None, bool]":
        """Return the node behind an event, None for an error; and whether a repeat is SG601."""
        found = self._steps.get(code)
        if found is None:
            after, decision = transition(self.presence, kind_of(code), agent_of(code))
            rule = decision.reported_code
            is_error = rule is not None and BY_CODE[rule].severity is Severity.ERROR
            found = None if is_error else node_of(after), can_repeat(decision)
            self._steps[code] = found
        return found

    def moves_of(self, agent: int) -> "tuple[tuple[int, Node], ...]":
        """Return the entries and exits of an agent that lead elsewhere, with where they lead."""
        found = self._moves.get(agent)
        if found is None:
            codes = [agent + 1 << _BITS | kind for kind in _FAMILIES]
            steps = [(code, self.step(code)[0]) for code in codes]
            found = tuple([(code, to) for code, to in steps if to is not None and to is not self])
            self._moves[agent] = found
        return found

    def renamed(self, old: int, new: int) -> "Node":
        """Return the node where one agent has another number."""
        presence = self.presence

        def swap(agent: int | None) -> int | None:
            return new if agent == old else agent

        def swapped(agents: Iterable[int]) -> Iterator[int]:
            return (new if agent == old else agent for agent in agents)

        return node_of(
            presence._replace(
                primary=swap(presence.primary),
                consultants=tuple(swapped(presence.consultants)),
                last=swap(presence.last),
                consulted=tuple(sorted(swapped(presence.consulted))),
            )
        )


_NODES: Final[dict[Presence, Node]] = {}


def node_of(presence: Presence) -> Node:
    """Return the node of a presence, which is the same for all that ordering cannot tell apart."""
    is_said = "SG101" in presence.reported_once
    presence = presence._replace(
        agents=min(presence.agents, 1), na_entered=is_said and presence.na_entered
    )
    found = _NODES.get(presence)
    return _NODES.setdefault(presence, Node(presence)) if found is None else found


def forget_nodes() -> None:
    """Forget all nodes if there are many."""
    if len(_NODES) > _MOST:
        _NODES.clear()


def _mentioned(presence: Presence) -> tuple[int, ...]:
    agents = [presence.primary, presence.last, *presence.consultants, *presence.consulted]
    agents += [agent for agent, _ in presence.pending_exits]
    return tuple([each for each in dict.fromkeys(agents) if each is not None and each != UNNAMED])
