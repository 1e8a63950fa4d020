"""Abstract interpretation of the lifecycle, to tell which events cannot follow each other.

A state is projected to the phase and the role of one agent; the others are not told apart.  If no
abstract state has a transition for an event, no concrete state has.  The abstract states and their
transitions are read from the lifecycle by visiting every state of four agents, which are enough:
the table asks for one agent, the primary, and whether two or more consult.
"""

from functools import cache, lru_cache
from typing import Final, TypeAlias

from segue.core.events import EventKind
from segue.core.findings import BY_CODE, Severity
from segue.core.lifecycle import (
    AGENTLESS_KINDS,
    MESSAGES,
    Phase,
    Presence,
    is_legal,
    situation_of,
    transition,
)

StateSet: TypeAlias = int
"""A set of abstract states, one bit each."""

_Edge: TypeAlias = tuple[int, str | None, int]

_SELF: Final = 0
_AGENTS: Final = (_SELF, 1, 2, 3)
_KINDS: Final = tuple(
    kind for kind in EventKind if kind not in (EventKind.UNPROCESSABLE, EventKind.CLOSE)
)
_EVENTS: Final = tuple(
    (kind, agent) for kind in _KINDS for agent in ((None,) if kind in AGENTLESS_KINDS else _AGENTS)
)


class AbstractStates:
    """The abstract states, and where each event may lead from them."""

    def __init__(self, *, late: bool) -> None:
        self._numbers: dict[tuple[Phase, int], int] = {}
        self._edges: dict[tuple[EventKind, bool], set[_Edge]] = {
            (kind, is_self): set() for kind in _KINDS for is_self in (False, True)
        }
        self.step = lru_cache(maxsize=8_192)(self._step)
        self._visit(Presence.truncated_start() if late else Presence())
        self.everywhere: StateSet = (1 << len(self._numbers)) - 1
        self.ended: StateSet = sum(
            1 << number for (phase, _), number in self._numbers.items() if phase is Phase.ENDED
        )

    def _step(
        self,
        states: StateSet,
        kind: EventKind,
        allowed: str | None,
        *,
        is_self: bool,
        back: bool = False,
    ) -> StateSet:
        """Return the states after an event in any of these states.

        Args:
            states: Where the event may happen.
            kind: What it is.
            allowed: Code of a warning that it may have.
            is_self: Whether it is about the one agent that is looked at.
            back: Return the states before the event instead, and `states` are those after it.

        """
        found = states if allowed == "SG601" else 0
        for before, code, after in self._edges[kind, is_self]:
            source, target = (after, before) if back else (before, after)
            if states >> source & 1 and (code == allowed or is_legal(code)):
                found |= 1 << target
        return found

    def _visit(self, start: Presence) -> None:
        seen = {_canonical(start)}
        queue = [start]
        while queue:
            presence = queue.pop()
            before = self._number(presence)
            for kind, agent in _EVENTS:
                after, decision = transition(presence, kind, agent)
                code = decision.reported_code
                if code is not None and BY_CODE[code].severity is Severity.ERROR:
                    continue
                self._edges[kind, agent == _SELF].add((before, code, self._number(after)))
                if kind not in MESSAGES and (key := _canonical(after)) not in seen:
                    seen.add(key)
                    queue.append(after)

    def _number(self, presence: Presence) -> int:
        key = (presence.phase, situation_of(presence, _SELF))
        return self._numbers.setdefault(key, len(self._numbers))


@cache
def abstract_states(*, late: bool) -> AbstractStates:
    """Return the abstract states of conversations, or of those whose log begins late."""
    return AbstractStates(late=late)


def _canonical(presence: Presence) -> Presence:
    """Return what matters of a presence here, regardless of who the other agents are."""
    return presence.renumbered(_SELF)._replace(
        na_entered=False, early_summary=False, reported_once=(), agents=int(presence.agents > 0)
    )
