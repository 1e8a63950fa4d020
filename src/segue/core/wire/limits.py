"""Limits on the size and depth of bodies."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """The limits of a reader.

    A body beyond them is unreadable (SG501), but never an exception. A size of None sets no limit.
    The size of a Python mapping is that of its values.
    """

    max_bytes: int | None = 256 * 1024
    """The largest size of one body, as it was sent."""
    max_line_bytes: int | None = 16 * 1024 * 1024
    """The largest size of one line of a log, including the envelope."""
    max_depth: int = 64
    """The deepest nesting of objects and arrays. The body itself is the first level."""
    max_events: int | None = None
    """The largest number of events in one body. None in a log, whose bodies were already accepted.
    """

    @property
    def too_many(self) -> str:
        """The reason reported for a body with more events."""
        return f"more than {self.max_events} events"


LIMITS: Final = BodyLimits()
"""The default limits."""
