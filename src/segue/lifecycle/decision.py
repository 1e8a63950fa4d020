"""What the table decided on one event, as a number that a state keeps of every lifecycle event.

House rule: a number says all that is needed to tell later who was present, without the table, so
that an account of the past stays the same when the table changes.
"""

from functools import cache
from typing import Final, NamedTuple

from segue.events import EventKind
from segue.lifecycle.phase import Effect, Phase

__all__ = ["Decision"]

_PHASES: Final = tuple(Phase)
_KINDS: Final = tuple(EventKind)
_EFFECTS: Final = tuple(Effect)
_BITS: Final = (3, 4, 3, 5, 10, 1)
"""Phase, kind, next phase, effect, number of the rule (0: none), whether it connects."""


class Decision(NamedTuple):
    """An event in a phase, and what the table makes of it."""

    phase: Phase
    kind: EventKind
    to: Phase
    effect: Effect
    code: str | None
    connects: bool
    """Whether a connection of the event's agent begins."""

    @property
    def stamp(self) -> int:
        """The decision as a number of 26 bits, part of the encoding of a state."""
        number = 0
        parts = (
            _PHASES.index(self.phase),
            _KINDS.index(self.kind),
            _PHASES.index(self.to),
            _EFFECTS.index(self.effect),
            0 if self.code is None else int(self.code.removeprefix("SG")),
            int(self.connects),
        )
        for part, bits in zip(parts, _BITS, strict=True):
            number = number << bits | part
        return number

    @classmethod
    def of(cls, stamp: int) -> "Decision":
        """Return the decision with this stamp."""
        return _read(stamp)


@cache
def _read(stamp: int) -> Decision:
    parts: list[int] = []
    for bits in reversed(_BITS):
        stamp, part = divmod(stamp, 1 << bits)
        parts.append(part)
    connects, code, effect, to, kind, phase = parts
    return Decision(
        _PHASES[phase],
        _KINDS[kind],
        _PHASES[to],
        _EFFECTS[effect],
        f"SG{code}" if code else None,
        connects=bool(connects),
    )
