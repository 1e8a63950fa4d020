"""Chores: what has to be done now and then whether or not anything happens.

It decides how often: removing what is older than it may be, once an hour.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from segue.processor.store import Store

__all__ = ["Chores"]

_HOUR: Final = timedelta(hours=1)


class Chores:
    """Call it as often as you like."""

    def __init__(
        self, store: Store, clock: Callable[[], datetime], retention: timedelta | None
    ) -> None:
        self._store = store
        self._clock = clock
        self._retention = retention
        self._next: datetime | None = None

    def __call__(self) -> None:
        """Do what is due."""
        if self._retention is None:
            return
        now = self._clock()
        if self._next is None or now >= self._next:
            self._store.purge(now - self._retention)
            self._next = now + _HOUR
