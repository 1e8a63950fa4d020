"""Presences joined by the events that are not an error there: the graph that the search walks.

A node is a presence whose agents are numbered in the order in which it mentions them, so that
conversations of other agents pass the same nodes.  Who they are stands beside the node.  A node is
made when it is first reached and shared by all searches; when there are many, all are forgotten
before the next search begins.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.events import EventKind
from segue.core.findings import BY_CODE, Severity
from segue.core.lifecycle import UNNAMED, Presence, can_repeat, transition, without_error

FRESH: Final = 1 << 40
"""The number of the first agent that an edit makes up; others follow it."""

_KINDS: Final = tuple(EventKind)
_NUMBERS: Final = {kind: number for number, kind in enumerate(_KINDS)}
_BITS: Final = 4
_MASK: Final = (1 << _BITS) - 1
_REMEMBERED: Final = 4
"""So many agents are remembered who consulted, and so many who may still leave."""
_MOST: Final = 1_000
"""So many nodes may be known when a search begins."""
_PER_STAND: Final = 16
_PER_EDGE: Final = 12
"""So many steps it takes to visit a stand, and an edge, for the first time."""

_ENTRIES: Final = tuple(_NUMBERS[kind] for kind in _KINDS if kind.is_entry)
_EXITS: Final = tuple(_NUMBERS[kind] for kind in _KINDS if kind.is_exit)
_TRANSFERS: Final = tuple(kind for kind in _KINDS if kind.is_entry or kind.is_exit)
_FAMILIES: Final = dict.fromkeys(_ENTRIES, _ENTRIES) | dict.fromkeys(_EXITS, _EXITS)
_NOBODY: Final = -1
_transition: Final = transition.__wrapped__  # a node is its own memo

Agents: TypeAlias = tuple[int, ...]
"""The agents of a conversation whom a node knows by their places here."""


@lru_cache(maxsize=1000)
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


class _Edge(NamedTuple):
    """What an event does at a node."""

    to: "_Node | None"
    """The node behind it; None for an error."""
    order: tuple[int, ...]
    """Which agents that node knows, by their places here; the last place is the event's agent."""
    can_repeat: bool
    """Whether a repeat is SG601."""


class _Node:
    """A presence, and where events lead from it."""

    __slots__ = ("_edges", "_moves", "presence", "size")

    def __init__(self, presence: Presence, size: int) -> None:
        self.presence = presence
        self.size = size
        """How many agents ordering still depends on."""
        self._edges: dict[tuple[int, int], _Edge] = {}
        self._moves: dict[int, tuple[int, ...]] = {}

    def edge(self, kind: int, place: int) -> _Edge:
        """Return what an event does; `place` is that of its agent, `size` for all others."""
        found = self._edges.get((kind, place))
        if found is None:
            agent = None if place == _NOBODY else place
            after, decision = _transition(self.presence, _KINDS[kind], agent)
            rule = decision.reported_code
            is_error = rule is not None and BY_CODE[rule].severity is Severity.ERROR
            to, order = (None, ()) if is_error else _node_of(after)
            found = self._edges[kind, place] = _Edge(to, order, can_repeat(decision))
        return found

    def moves(self, place: int) -> tuple[int, ...]:
        """Return the kinds of entries and exits of an agent that lead elsewhere."""
        found = self._moves.get(place)
        if found is None:
            same = tuple(range(self.size))
            kinds = [_NUMBERS[each] for each in without_error(self.presence, _TRANSFERS, place)]
            edges = [(kind, self.edge(kind, place)) for kind in kinds]
            found = self._moves[place] = tuple(
                [kind for kind, edge in edges if edge.to is not self or edge.order != same]
            )
        return found


Barred: TypeAlias = tuple[tuple[int, int], ...]
"""Agents that edits made up, each with one who left while it was there."""


class _Known(dict[tuple[_Node, Agents, Barred], "Stand"]):
    """All stands of a search, and what of the graph it has looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.edges: set[tuple[_Node, int, int]] = set()
        """The edges it has visited: node, kind, place of the agent."""


class Stand:
    """Where a conversation stands: a node, and who its agents are. Each search has its own."""

    __slots__ = ("_all", "_moves", "_node", "_steps", "agents", "barred", "fresh")

    def __init__(self, node: _Node, agents: Agents, barred: Barred, known: _Known) -> None:
        self._node = node
        self.agents = agents
        """The agents that ordering still depends on."""
        self.fresh = tuple([agent for agent in agents if agent >= FRESH])
        """Those of them that edits made up."""
        self.barred = barred
        """Each of these with those who left while it was there: it is none of them."""
        self._all = known
        self._steps: dict[int, tuple[Stand | None, bool]] = {}
        self._moves: dict[int, tuple[tuple[int, Stand], ...]] | None = None

    @property
    def presence(self) -> Presence:
        """The presence, with its agents by their places."""
        return self._node.presence

    def step(self, code: int) -> "tuple[Stand | None, bool]":
        """Return where an event leads, None for an error; and whether a repeat is SG601."""
        found = self._steps.get(code)
        if found is None:
            agent, agents = (code >> _BITS) - 1, self.agents
            place = _NOBODY
            if agent >= 0:
                place = agents.index(agent) if agent in agents else len(agents)
            self._all.edges.add((self._node, code & _MASK, place))
            to, order, is_repeatable = self._node.edge(code & _MASK, place)
            stand = None
            if to is not None:
                known = (*agents, agent)
                after = tuple([known[each] for each in order])
                stand = self._at(to, after, self._barred_then(known, after))
            found = self._steps[code] = stand, is_repeatable
        return found

    def moves_of(self, agent: int) -> "tuple[tuple[int, Stand], ...]":
        """Return the entries and exits of an agent that lead elsewhere, with where they lead."""
        if self._moves is None:
            self._moves = {}
        found = self._moves.get(agent)
        if found is None:
            place = self.agents.index(agent) if agent in self.agents else len(self.agents)
            self._all.edges.add((self._node, _NOBODY, place))
            codes = [agent + 1 << _BITS | kind for kind in self._node.moves(place)]
            steps = [(code, self.step(code)[0]) for code in codes]
            found = self._moves[agent] = tuple([(code, to) for code, to in steps if to is not None])
        return found

    def renamed(self, old: int, new: int) -> "Stand":
        """Return the same with another agent in the place of one."""
        if old not in self.agents:
            return self
        agents = tuple([new if each == old else each for each in self.agents])
        pairs = [(one, new if gone == old else gone) for one, gone in self.barred if one != old]
        return self._at(self._node, agents, tuple(sorted(pairs)))

    @property
    def visits(self) -> int:
        """How many steps it has taken to visit what its search has visited of the graph."""
        return _PER_STAND * len(self._all) + _PER_EDGE * len(self._all.edges)

    def forget_all(self) -> None:
        """Part all of its search, which refer to each other and would wait for the collector."""
        for stand in self._all.values():
            stand.forget_steps()
        self._all.clear()

    def forget_steps(self) -> None:
        """Forget where events lead."""
        self._steps.clear()
        self._moves = None

    def _barred_then(self, before: Agents, after: Agents) -> Barred:
        """Return who the agents that edits made up cannot be, when others have left."""
        fresh = [agent for agent in after if agent >= FRESH]
        if not fresh:
            return ()
        pairs = {(each, gone) for gone in {*before}.difference(after, (-1,)) for each in fresh}
        pairs |= {pair for pair in self.barred if pair[0] in fresh}
        return tuple(sorted(pairs))

    def _at(self, node: _Node, agents: Agents, barred: Barred) -> "Stand":
        found = self._all.get((node, agents, barred))
        if found is None:
            found = self._all[node, agents, barred] = Stand(node, agents, barred, self._all)
        return found


def stand_of(presence: Presence) -> Stand:
    """Return where a conversation of this presence stands."""
    return Stand(*_node_of(presence), (), _Known())


_NODES: Final[dict[Presence, _Node]] = {}


def _node_of(presence: Presence) -> tuple[_Node, Agents]:
    """Return the node of a presence, and its agents.

    It is the same for all presences that ordering cannot tell apart.
    """
    consulted = presence.consulted[:_REMEMBERED]
    pending = presence.pending_exits[:_REMEMBERED]
    mentioned = [presence.primary, presence.last, *presence.consultants, *consulted]
    known = dict.fromkeys([*mentioned, *[agent for agent, _ in pending]])
    agents = tuple([each for each in known if each is not None and each != UNNAMED])
    places: dict[Any, Any] = {agent: place for place, agent in enumerate(agents)}
    places |= {None: None, UNNAMED: UNNAMED}
    replaced = [each for each in presence.replaced if each[0] in places and each[1] in places]
    numbered = Presence(
        presence.phase,
        places[presence.primary],
        tuple([places[agent] for agent in presence.consultants]),
        places[presence.last],
        tuple(sorted([(places[agent], role) for agent, role in pending])),
        tuple(sorted([(places[one], places[two]) for one, two in replaced])),
        tuple(sorted([places[agent] for agent in consulted])),
        in_doubt=presence.in_doubt,
        na_entered=presence.na_entered and "SG101" in presence.reported_once,
        early_summary=presence.early_summary,
        reported_once=presence.reported_once,
        agents=min(presence.agents, 1),
    )
    found = _NODES.get(numbered)
    if found is None:
        found = _NODES[numbered] = _Node(numbered, len(agents))
    return found, agents


def forget_nodes() -> None:
    """Forget all nodes if there are many."""
    if len(_NODES) > _MOST:
        _NODES.clear()
