"""Recognizes stored times that a wrong clock has written.

A process stores until when a delivery is held, or a message is leased. If its clock was ahead and
is set right, that time seems to be far away, and nothing would happen until then.
"""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

LONGEST_POSTPONEMENT: Final = timedelta(days=1)
"""The maximum time for which callbacks may be leased or postponed."""
_LAST: Final = datetime.max.replace(tzinfo=UTC)


def latest_end(now: datetime, length: timedelta) -> datetime:
    """Return the latest time at which a wait of a given length can end.

    A later end was written by a wrong clock, so such a wait counts as over. The result is twice the
    length from now, because the clocks of several machines differ slightly.
    """
    return now + min(length, (_LAST - now) / 2) * 2


class LongestWaits(NamedTuple):
    """The maximum times for which a worker leases and postpones callbacks."""

    lease: timedelta
    """The maximum time that a worker may hold a callback."""
    postponement: timedelta
    """The maximum time until a callback is tried again."""


LONGEST_WAITS: Final = LongestWaits(LONGEST_POSTPONEMENT, LONGEST_POSTPONEMENT)
"""The limits of the options."""
