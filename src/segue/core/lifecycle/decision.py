"""The class `Decision`, the result of judging one event, and its encoding as a number.

The number is stored for every lifecycle event. Restoring a snapshot compares it with what the table
decides now.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from segue.core.events import EventKind
from segue.core.lifecycle.phase import Phase, PresenceEffect
from segue.core.lifecycle.table import Cell

_PHASES: Final = tuple(Phase)
_KINDS: Final = tuple(EventKind)
_EFFECTS: Final = tuple(PresenceEffect)
_BITS: Final = (3, 4, 3, 5, 10, 1)
"""The numbers of bits for the phase, kind, next phase, effect, rule number (0 without a rule), and
whether the event connects its agent.
"""


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
    stamp: int
    """The fields above as a number of 26 bits, which is stored in the history."""
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
        parts = (
            _PHASES.index(phase),
            _KINDS.index(kind),
            _PHASES.index(cell.to),
            _EFFECTS.index(cell.effect),
            0 if cell.code is None else int(cell.code.removeprefix("SG")),
            int(cell.connects),
        )
        stamp = 0
        for part, bits in zip(parts, _BITS, strict=True):
            stamp = stamp << bits | part
        return cls(phase, kind, cell.to, cell.effect, cell.code, cell.connects, stamp, is_reported)

    @staticmethod
    @lru_cache(maxsize=4_096)
    def of(stamp: int) -> "Decision":
        """Return the decision that was stored as the number `stamp`.

        Only `is_reported` is not part of the number. It is True in the result.
        """
        parts: list[int] = []
        rest = stamp
        for bits in reversed(_BITS):
            rest, part = divmod(rest, 1 << bits)
            parts.append(part)
        connects, code, effect, to, kind, phase = parts
        return Decision(
            _PHASES[phase],
            _KINDS[kind],
            _PHASES[to],
            _EFFECTS[effect],
            f"SG{code}" if code else None,
            bool(connects),
            stamp,
        )
