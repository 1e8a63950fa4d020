"""Scenes: how every cell of the table comes to be asked.

A scene is a stream of events and one more event, of which the table has to judge.  Scenes are found
by a breadth-first search over everything that up to four agents can do, which comes to an end:
rosters that differ in nothing that can matter later are one and the same.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from tests.oracle.by_hand import log
from tests.oracle.oracle import Ev
from tests.streams import KINDS, clone

from segue.events import EventKind
from segue.lifecycle import UNNAMED, AgentRole, Phase, Roster, advance, situations
from segue.simulate.bodies import TRANSFERS

__all__ = ["ASKED", "Key", "Scene", "essence", "played", "rosters", "scenes"]

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


def essence(roster: Roster) -> tuple[object, ...]:
    """Return what of a roster can still matter.

    After the end it is nothing but what was said already.  Who left last matters in a transfer and
    after the release only, and before that is set anew.  That nobody may be there matters while
    somebody should be, but a primary nobody named, alone, may have left in any case.  So does that
    a summary came too early.  Whom a primary replaced matters while that agent's exit is awaited.
    """
    if roster.phase is Phase.ENDED:
        return (roster.phase, "SG110" in roster.told)
    return (
        roster.phase,
        roster.primary,
        roster.consultants,
        roster.last if roster.phase in (Phase.TRANSFERRING, Phase.RELEASED) else None,
        tuple(_relieved(roster)),
        tuple(sorted(roster.marks.items())),
        *_flags(roster),
    )


def _flags(roster: Roster) -> tuple[bool, bool, bool]:
    is_open = roster.phase in _OPEN
    is_anybody = roster.phase is Phase.ACTIVE and roster.primary == UNNAMED
    return (
        roster.doubted and is_open and not is_anybody,
        roster.early_summary and is_open,
        "SG101" in roster.told and not roster.na_entered,
    )


def _relieved(roster: Roster) -> Iterator[str]:
    """Whom the primary would give the place back to, and so on."""
    agent = roster.primary
    while agent and roster.reliefs.get(agent) in roster.marks:
        agent = roster.reliefs[agent]
        yield agent


@cache
def rosters() -> tuple[tuple[tuple[Ev, ...], Roster], ...]:
    """Return a shortest stream to every roster of four agents that differs in essence or names."""
    first: tuple[tuple[Ev, ...], Roster] = ((), Roster())
    found = [first]
    seen = {_anonymous(first[1])}
    queue = deque(found)
    while queue:
        stream, roster = queue.popleft()
        for event in _events(roster, "abcd"):
            twin = clone(roster)
            advance(twin, KINDS[event.kind], event.agent)
            key = _anonymous(twin)
            if key not in seen:
                seen.add(key)
                found.append(((*stream, event), twin))
                queue.append(found[-1])
    found += [(tuple(log(text)), played(log(text))) for text in _BESIDES]
    return tuple(found)


def played(stream: Iterable[Ev]) -> Roster:
    """Return the roster after a stream."""
    roster = Roster()
    for event in stream:
        advance(roster, KINDS[event.kind], event.agent, event)
    return roster


def _anonymous(roster: Roster) -> object:
    """Return what a roster is, whatever the names: agents are numbered as they turn up in it."""
    people = [roster.primary, *roster.consultants, *_relieved(roster), roster.last]
    numbers: dict[str, int] = {}
    turned_up = [numbers.setdefault(agent, len(numbers)) if agent else agent for agent in people]
    marks = sorted((numbers.get(agent, -1), mark) for agent, mark in roster.marks.items())
    flags = (roster.doubted, *_flags(roster), "SG101" in roster.told)
    return (roster.phase, len(roster.consultants), *turned_up, *marks, *flags)


def _events(roster: Roster, agents: str) -> list[Ev]:
    named = agents[: len(roster.known) + 1]
    transfers = [Ev(kind, agent) for kind in TRANSFERS for agent in named]
    return [*transfers, Ev("summary"), Ev("end")]


@cache
def scenes() -> dict[Key, list[Scene]]:
    """Return the scenes of every cell the check can ask for, the shortest first."""
    found: dict[Key, list[Scene]] = {
        (phase, kind, situation.number): []
        for phase in Phase
        for kind, roles in ASKED.items()
        for situation in situations(phase)
        if situation.role in roles and (phase, kind) != (Phase.ENDED, EventKind.CLOSE)
    }
    for stream, roster in rosters():
        for kind, roles in ASKED.items():
            if kind is EventKind.CLOSE and not stream:
                continue  # a conversation without events has no close
            for agent in (*roster.known, "x") if len(roles) > 1 else ("",):
                scene = found.get((roster.phase, kind, roster.situate(agent)))
                if scene is not None:
                    event = None if kind is EventKind.CLOSE else Ev(_NAMES[kind], agent, "another")
                    scene.append(Scene(stream, event))
    return found


_NAMES: Final = {kind: name for name, kind in KINDS.items()}
"""What the oracle calls each kind of event."""
