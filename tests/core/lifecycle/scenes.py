"""Scenes: how every cell of the table comes to be asked.

A scene is a stream of events and one more event, of which the table has to judge.  Scenes are found
by a breadth-first search over everything that up to four agents can do, which comes to an end:
places that differ in nothing that can matter later are one and the same.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cache
from typing import Final, NamedTuple

from tests.core.lifecycle.walker import Walker
from tests.oracle.by_hand import log
from tests.oracle.oracle import Ev
from tests.streams import KINDS

from segue.analysis.simulate.bodies import TRANSFERS
from segue.core.events import EventKind
from segue.core.lifecycle import AgentRole, Phase, Situation, Uncertainty, situations

__all__ = ["ASKED", "Key", "Scene", "complete", "essence", "places", "played", "scenes"]

Key = tuple[Phase, EventKind, int]
"""A cell of the table."""


class Scene(NamedTuple):
    """A beginning, and the event that is judged after it; it never repeats the one before."""

    stream: tuple[Ev, ...]
    event: Ev | None
    """None: the log is closed."""


ASKED: Final[dict[EventKind, tuple[AgentRole, ...]]] = {
    kind: (AgentRole.ABSENT,)
    if kind in (EventKind.SUMMARY, EventKind.END, EventKind.CLOSE)
    else tuple(AgentRole)
    for kind in KINDS.values()
    if kind is not EventKind.UNPROCESSABLE
}
"""Which roles the check ever asks the table for: a summary and an END are nobody's."""

_OPEN: Final = (Phase.ACTIVE, Phase.CONSULTING, Phase.TRANSFERRING)

_BESIDES: Final = (
    "u:a",
    "N+a N+b W+c W+d W+e C-b N-a",
    "N+a N+b N+c W+d W+e C-c N-a",
    "N+a N+b C+c W+d W+e C-c N-a",
)
"""The search knows no messages; and in a transfer, it takes five agents to be in doubt beside many.
"""


def complete(phase: Phase) -> list[Situation]:
    """Return the situations of a phase that come about in a log that has its beginning.

    Long random streams of logs that begin late are compared with the oracle instead.
    """
    late = Uncertainty.UNNAMED
    return [
        each
        for each in situations(phase)
        if each.role is not AgentRole.UNSEEN
        and not (each.role is AgentRole.CONSULTED and late in each.uncertainty)
    ]


def essence(walker: Walker) -> tuple[object, ...]:
    """Return what of a walker can still matter.

    After the end it is nothing but what was said already.  Who left last matters in a transfer and
    after the release only, and before that is set anew.  That nobody may be there matters while
    somebody should be, but a primary nobody named, alone, may have left in any case.  So does that
    a summary came too early.  Whom a primary replaced matters while that agent's exit is awaited.
    Who left the consultants may reconnect at any time.
    """
    if walker.phase is Phase.ENDED:
        return (walker.phase, "SG110" in walker.presence.reported_once)
    return (
        walker.phase,
        walker.primary,
        walker.consultants,
        walker.presence.candidates,
        walker.last if walker.phase in (Phase.TRANSFERRING, Phase.RELEASED) else None,
        tuple(_relieved(walker)),
        tuple(sorted(walker.pending_exits.items())),
        walker.consulted,
        *_flags(walker),
    )


def _flags(walker: Walker) -> tuple[bool, bool, bool]:
    is_open = walker.phase in _OPEN
    is_anybody = walker.phase is Phase.ACTIVE and walker.primary == ""
    return (
        walker.presence.in_doubt and is_open and not is_anybody,
        walker.presence.early_summary and is_open,
        "SG101" in walker.presence.reported_once and not walker.presence.na_entered,
    )


def _relieved(walker: Walker) -> Iterator[str]:
    """Whom the primary would give the place back to, and so on."""
    agent = walker.primary
    while agent and walker.replaced.get(agent) in walker.pending_exits:
        agent = walker.replaced[agent]
        yield agent


@cache
def places(agents: str = "abcd") -> tuple[tuple[tuple[Ev, ...], Walker], ...]:
    """Return a shortest stream to every walker of these agents that differs in essence or names."""
    first: tuple[tuple[Ev, ...], Walker] = ((), Walker())
    found = [first]
    seen = {_anonymous(first[1])}
    queue = deque(found)
    while queue:
        stream, walker = queue.popleft()
        for event in _events(walker, agents):
            there = copy(walker)
            there.take(KINDS[event.kind], event.agent)
            key = _anonymous(there)
            if key not in seen:
                seen.add(key)
                found.append(((*stream, event), there))
                queue.append(found[-1])
    found += [(tuple(log(text)), played(log(text))) for text in _BESIDES]
    return tuple(found)


def played(stream: Iterable[Ev]) -> Walker:
    """Return the walker after a stream."""
    walker = Walker()
    for event in stream:
        walker.take(KINDS[event.kind], event.agent, event)
    return walker


def _anonymous(walker: Walker) -> object:
    """Return what a walker is, whatever the names: agents are numbered as they turn up in it."""
    people = [walker.primary, *walker.consultants, *_relieved(walker), walker.last]
    numbers: dict[str, int] = {}
    turned_up = [numbers.setdefault(agent, len(numbers)) if agent else agent for agent in people]
    marks = sorted((numbers.get(agent, -1), mark) for agent, mark in walker.pending_exits.items())
    consulted = sorted(numbers.get(agent, -1) for agent in walker.consulted)
    flags = (walker.presence.in_doubt, *_flags(walker), "SG101" in walker.presence.reported_once)
    candidates = sorted(walker.presence.consultants.index(n) for n in walker.presence.candidates)
    who = (len(walker.consultants), tuple(candidates))
    return (walker.phase, *who, *turned_up, *marks, *consulted, *flags)


def _events(walker: Walker, agents: str) -> list[Ev]:
    named = agents[: len(walker.names) + 1]
    transfers = [Ev(kind, agent) for kind in TRANSFERS for agent in named]
    return [*transfers, Ev("summary"), Ev("end")]


@cache
def scenes() -> dict[Key, list[Scene]]:
    """Return the scenes of every cell the check can ask for, the shortest first."""
    found: dict[Key, list[Scene]] = {
        (phase, kind, situation.number): []
        for phase in Phase
        for kind, roles in ASKED.items()
        for situation in complete(phase)
        if situation.role in roles and (phase, kind) != (Phase.ENDED, EventKind.CLOSE)
    }
    for stream, walker in places():
        for kind, roles in ASKED.items():
            if kind is EventKind.CLOSE and not stream:
                continue  # a conversation without events has no close
            for agent in (*walker.names, "x") if len(roles) > 1 else ("",):
                scene = found.get((walker.phase, kind, walker.situation(agent)))
                if scene is not None:
                    event = None if kind is EventKind.CLOSE else Ev(_NAMES[kind], agent, "another")
                    scene.append(Scene(stream, event))
    return found


_NAMES: Final = {kind: name for name, kind in KINDS.items()}
"""What the oracle calls each kind of event."""
