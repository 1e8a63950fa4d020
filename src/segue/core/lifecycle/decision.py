"""The class `Decision`, the result of judging one event."""

from functools import lru_cache
from typing import NamedTuple

from segue.core.events import EventKind
from segue.core.lifecycle.phase import Phase, PresenceEffect
from segue.core.lifecycle.table import Cell


class Decision(NamedTuple):
    """The result of looking up one event in the lifecycle table: a verdict and an effect."""

    phase: Phase
    """The phase before the event."""
    kind: EventKind
    to: Phase
    """The phase after the event."""
    effect: PresenceEffect
    """The effect of the event on the agents present."""
    code: str | None
    """The rule that the event breaks, such as `SG103`, or None if the event is legal."""
    connects: bool
    """Whether the event begins a connection of its agent."""
    is_reported: bool = True
    """Whether the broken rule is reported. It is False if an earlier finding already said the same.
    """

    @property
    def reported_code(self) -> str | None:
        """The rule that is reported, such as `SG103`, or None if no rule is."""
        return self.code if self.is_reported else None

    @classmethod
    @lru_cache(maxsize=4_096)
    def make(cls, phase: Phase, kind: EventKind, cell: Cell, *, is_reported: bool) -> "Decision":
        """Return the decision for an event of this kind in this phase, with the values of `cell`.

        `cell` is the entry that the lifecycle table has for the event.
        """
        return cls(phase, kind, cell.to, cell.effect, cell.code, cell.connects, is_reported)
