"""Abstract interpretation of the lifecycle, to tell which events cannot follow each other.

A state is projected to the phase and the role of one agent; the others are not told apart.  If no
abstract state has a transition for an event, no concrete state has.  The abstract states and their
transitions are read from the lifecycle by visiting every state of four agents, which are enough:
the table asks for one agent, the primary, and whether two or more consult.
"""

from functools import cache
from typing import Final, TypeAlias

from segue.events import EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle import AGENTLESS_KINDS, MESSAGES, Phase, Roster, advance

__all__ = ["AbstractStates", "StateSet", "abstract_states"]

StateSet: TypeAlias = int
"""A set of abstract states, one bit each."""

_Edge: TypeAlias = tuple[int, str | None, int]

_SELF: Final = "a"
_OTHERS: Final = ("b", "c", "d")
_KINDS: Final = tuple(
    kind for kind in EventKind if kind not in (EventKind.UNPROCESSABLE, EventKind.CLOSE)
)


class AbstractStates:
    """The abstract states, and where each event may lead from them."""

    def __init__(self, *, late: bool) -> None:
        self._numbers: dict[tuple[Phase, int], int] = {}
        self._edges: dict[tuple[EventKind, bool], set[_Edge]] = {}
        self._memo: dict[tuple[StateSet, EventKind, bool, str | None, bool], StateSet] = {}
        self._visit(Roster.midway() if late else Roster())
        self.everywhere: StateSet = (1 << len(self._numbers)) - 1
        self.ended: StateSet = sum(
            1 << number for (phase, _), number in self._numbers.items() if phase is Phase.ENDED
        )

    def step(
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
        key = (states, kind, is_self, allowed, back)
        found = self._memo.get(key)
        if found is None:
            found = states if allowed == "SG601" else 0
            for before, code, after in self._edges[kind, is_self]:
                source, target = (after, before) if back else (before, after)
                if states >> source & 1 and (code == allowed or _is_noted(code)):
                    found |= 1 << target
            self._memo[key] = found
        return found

    def _visit(self, start: Roster) -> None:
        seen = {_canonical(start)}
        queue = [start]
        while queue:
            roster = queue.pop()
            before = self._number(roster)
            for kind in _KINDS:
                for agent in ("",) if kind in AGENTLESS_KINDS else (_SELF, *_OTHERS):
                    there = _twin(roster)
                    code = advance(there, kind, agent).code
                    if code is not None and BY_CODE[code].severity is Severity.ERROR:
                        continue
                    edges = self._edges.setdefault((kind, agent == _SELF), set())
                    edges.add((before, code, self._number(there)))
                    if kind not in MESSAGES and (key := _canonical(there)) not in seen:
                        seen.add(key)
                        queue.append(there)
        for kind in _KINDS:
            for is_self in (False, True):
                self._edges.setdefault((kind, is_self), set())

    def _number(self, roster: Roster) -> int:
        key = (roster.phase, roster.situate(_SELF))
        return self._numbers.setdefault(key, len(self._numbers))


@cache
def abstract_states(*, late: bool) -> AbstractStates:
    """Return the abstract states of conversations, or of those whose log begins late."""
    return AbstractStates(late=late)


@cache
def _is_noted(code: str | None) -> bool:
    return code is None or BY_CODE[code].severity is Severity.NOTE


def _twin(roster: Roster) -> Roster:
    other = Roster()
    for name in Roster.__slots__:
        value = getattr(roster, name)
        setattr(other, name, dict(value) if isinstance(value, dict) else value)
    return other


def _canonical(roster: Roster) -> object:
    """Return all of a roster that matters, whatever the others are called."""
    names: dict[str | None, str | None] = {None: None, "": "", _SELF: _SELF}

    def called(name: str | None) -> str | None:
        return names.setdefault(name, f"{len(names)}")

    return (
        roster.phase,
        called(roster.primary),
        tuple(map(called, roster.consultants)),
        called(roster.last),
        frozenset((called(name), mark) for name, mark in sorted(roster.marks.items())),
        frozenset((called(one), called(two)) for one, two in sorted(roster.reliefs.items())),
        roster.doubted,
        bool(roster.known),
    )
