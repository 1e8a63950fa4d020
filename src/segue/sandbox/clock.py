"""The clock of a sandbox: it stands still until it is advanced, or follows the real one."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from typing import Final

__all__ = ["START", "SandboxClock"]

START: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
"""When a clock that stands still begins: a Monday."""


class SandboxClock:
    """Knows what is due, and does it when time has come.

    Args:
        source: Returns the real time; None for a clock that only `advance` moves.

    """

    def __init__(self, source: Callable[[], datetime] | None = None) -> None:
        self._source = source
        self._time = START if source is None else source()
        self._due: list[tuple[datetime, int, Callable[[], object]]] = []
        self._numbers = count()

    @property
    def now(self) -> datetime:
        """The time of what happens now."""
        return self._time

    def after(self, delay: timedelta, action: Callable[[], object]) -> None:
        """Have an action done after a time; actions of one time are done in this order."""
        heappush(self._due, (self._time + delay, next(self._numbers), action))

    def follow(self) -> None:
        """Do what is due by the real time; nothing if the clock stands still."""
        if self._source is not None:
            self._go_to(self._source())

    def advance(self, duration: timedelta) -> None:
        """Let time pass, and do what becomes due, in order."""
        if duration < timedelta(0):
            raise ValueError(f"time does not run backwards, got {duration}")
        self._go_to(self._time + duration)

    def finish(self) -> None:
        """Let time pass until nothing is due any more."""
        while self._due:
            self._go_to(max(self._time, self._due[0][0]))

    def _go_to(self, moment: datetime) -> None:
        while self._due and self._due[0][0] <= moment:
            due, _, action = heappop(self._due)
            self._time = max(self._time, due)
            action()
        self._time = max(self._time, moment)
