"""How large and how deep a body may be."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """What a reader accepts; anything beyond makes a body unreadable (SG501), never an error.

    A size of None sets no limit. A Python mapping is measured by the values in it.
    """

    max_bytes: int | None = 256 * 1024
    """Of one body, as it was sent."""
    max_line_bytes: int | None = 16 * 1024 * 1024
    """Of one line of a log, envelope included."""
    max_depth: int = 64
    """Objects and arrays within each other; the body itself is the first."""
    max_events: int | None = None
    """Of one body. None in a log, whose bodies were accepted by their receiver."""

    @property
    def too_many(self) -> str:
        """The reason that is given for a body with more events."""
        return f"more than {self.max_events} events"


LIMITS: Final = BodyLimits()
"""The limits that hold where none are given."""
