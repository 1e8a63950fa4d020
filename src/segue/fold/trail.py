"""The trail: every lifecycle event of a conversation, in as little memory as it takes.

Findings point back into it (`because`) and reports draw it.  Messages are left out; the positions
tell how many there were in between.
"""

from array import array
from collections.abc import Iterator
from typing import Final, NamedTuple

from segue.events import EventKind
from segue.findings import Cause, Place

__all__ = ["Moment", "Trail"]

_KINDS: Final = tuple(EventKind)
_NUMBER: Final = {kind: number for number, kind in enumerate(_KINDS)}
_STRIDE: Final = 4
_LOOK_BACK: Final = 1_000
"""How many moments a finding looks back; bounds the work on endless conversations."""


class Moment(NamedTuple):
    """One lifecycle event: where it was and what it was."""

    position: int
    kind: EventKind
    agent: str
    line: int | None

    @property
    def cause(self) -> Cause:
        """Return this moment as evidence of a finding."""
        text = f"{self.kind.value} of {self.agent}" if self.agent else self.kind.value
        return Cause(Place(event=self.position, line=self.line), text)


class Trail:
    """An append-only sequence of moments."""

    __slots__ = ("_agents", "_numbers")

    def __init__(self) -> None:
        self._agents: list[str] = [""]
        self._numbers = array("q")

    def __len__(self) -> int:
        return len(self._numbers) // _STRIDE

    def __iter__(self) -> Iterator[Moment]:
        return (self._moment(index) for index in range(0, len(self._numbers), _STRIDE))

    def append(self, position: int, kind: EventKind, agent: str, line: int | None) -> None:
        """Add a moment behind all others."""
        try:
            number = self._agents.index(agent)
        except ValueError:
            number = len(self._agents)
            self._agents.append(agent)
        self._numbers.extend((position, _NUMBER[kind], number, -1 if line is None else line))

    def latest(self, *agents: str | None) -> list[Moment]:
        """Return the latest moment of each of these agents that has one, in order of position."""
        wanted = {agent for agent in agents if agent}
        found: list[Moment] = []
        size = len(self._numbers)
        for index in range(size - _STRIDE, max(-1, size - _LOOK_BACK * _STRIDE), -_STRIDE):
            if not wanted:
                break
            moment = self._moment(index)
            if moment.agent in wanted:
                wanted.discard(moment.agent)
                found.append(moment)
        return found[::-1]

    def last(self) -> Moment | None:
        """Return the latest moment of all."""
        return self._moment(len(self._numbers) - _STRIDE) if self._numbers else None

    def _moment(self, index: int) -> Moment:
        position, kind, agent, line = self._numbers[index : index + _STRIDE]
        return Moment(position, _KINDS[kind], self._agents[agent], None if line < 0 else line)

    def to_json(self) -> list[list[object]]:
        """Return the trail as plain JSON: the agents' names, then the numbers."""
        numbers: list[object] = []
        for moment in self:
            numbers += [
                moment.position,
                moment.kind.value,
                self._agents.index(moment.agent),
                moment.line,
            ]
        return [list(self._agents[1:]), numbers]

    @classmethod
    def from_json(cls, value: list[list[object]]) -> "Trail":
        """Rebuild a trail from `to_json`."""
        trail = cls()
        names, numbers = value
        agents = ["", *(str(name) for name in names)]
        steps = iter(numbers)
        for position, kind, agent, line in zip(steps, steps, steps, steps, strict=True):
            trail.append(
                int(str(position)),
                EventKind(str(kind)),
                agents[int(str(agent))],
                None if line is None else int(str(line)),
            )
        return trail
