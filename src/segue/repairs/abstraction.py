"""The shadow of a conversation: all that can be said of it when only one agent is looked at.

Of a roster the shadow keeps the phase and what the one agent is to it; the others are anybody.  So
one shadow stands for many rosters, there are few of them, and what no shadow can take no roster can
take either.  That is all it is for: to tell, without searching, that some events cannot follow each
other whatever came before them.

The shadows and where events lead them are read from the lifecycle: every roster of four agents that
it allows is visited once.  Four are enough, for the table asks for one agent, the primary, and
whether two or more consult beside them.
"""

from functools import cache
from typing import Final, TypeAlias

from segue.events import EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle import AGENTLESS_KINDS, MESSAGES, Phase, Roster, advance

__all__ = ["Mask", "Shadows", "shadows"]

Mask: TypeAlias = int
"""A set of shadows, one bit each."""

_Edge: TypeAlias = tuple[int, str | None, int]

_SELF: Final = "a"
_OTHERS: Final = ("b", "c", "d")
_KINDS: Final = tuple(
    kind for kind in EventKind if kind not in (EventKind.UNPROCESSABLE, EventKind.CLOSE)
)


class Shadows:
    """The shadows there are, and where each event may lead them."""

    def __init__(self, *, late: bool) -> None:
        self._numbers: dict[tuple[Phase, int], int] = {}
        self._edges: dict[tuple[EventKind, bool], set[_Edge]] = {}
        self._memo: dict[tuple[Mask, EventKind, bool, str | None, bool], Mask] = {}
        self._visit(Roster.midway() if late else Roster())
        self.everywhere: Mask = (1 << len(self._numbers)) - 1
        self.ended: Mask = sum(
            1 << number for (phase, _), number in self._numbers.items() if phase is Phase.ENDED
        )

    def step(
        self,
        mask: Mask,
        kind: EventKind,
        allowed: str | None,
        *,
        is_self: bool,
        back: bool = False,
    ) -> Mask:
        """Return where an event leads from any of these shadows, or may have come from (`back`).

        `allowed` is a warning that it may have.
        """
        key = (mask, kind, is_self, allowed, back)
        found = self._memo.get(key)
        if found is None:
            found = mask if allowed == "SG601" else 0
            for before, code, after in self._edges[kind, is_self]:
                source, target = (after, before) if back else (before, after)
                if mask >> source & 1 and (code == allowed or _is_noted(code)):
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
def shadows(*, late: bool) -> Shadows:
    """Return the shadows of conversations, or of those whose beginning nobody has seen."""
    return Shadows(late=late)


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
