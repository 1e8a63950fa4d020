"""Limits on the size, the depth and the number of events of request bodies."""

from dataclasses import dataclass
from typing import Final

from segue.core.reprs import shows


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """The largest sizes that a reader accepts.

    A body beyond a limit is reported as unreadable (SG501). It never raises an exception. None as a
    size means that there is no limit. The size of a Python mapping is the total size of its values.
    """

    max_bytes: int | None = 256 * 1024
    """The maximum size of one request body in bytes."""
    max_line_bytes: int | None = 16 * 1024 * 1024
    """The maximum size of one line of a log in bytes, including the envelope."""
    max_depth: int = 64
    """The maximum nesting of objects and arrays. The body itself is the first level."""
    max_events: int | None = None
    """The maximum number of events in one body. Logs have no such limit, because their bodies were
    accepted before.
    """

    __repr__ = shows()

    @property
    def too_many(self) -> str:
        """The reason that a finding gives for too many events, such as `more than 100 events`."""
        return f"more than {self.max_events} events"


LIMITS: Final = BodyLimits()
"""The limits that readers use by default."""
