"""Removes old conversations, once an hour."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from segue.processor.store import Store

__all__ = ["Retention"]

_HOUR: Final = timedelta(hours=1)


class Retention:
    """Purges a store when it is due."""

    def __init__(
        self, store: Store, clock: Callable[[], datetime], retention: timedelta | None
    ) -> None:
        self._store = store
        self._clock = clock
        self._retention = retention
        self._next: datetime | None = None

    def purge_if_due(self) -> None:
        """Purge, unless it was done within the last hour; may be called as often as you like."""
        if self._retention is None:
            return
        now = self._clock()
        if self._next is None or now >= self._next:
            self._store.purge(now - self._retention)
            self._next = now + _HOUR
