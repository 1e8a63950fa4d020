"""The clock of a sandbox: it stands still until it is advanced, or follows the real one.

What is due is data, so that a sandbox can be kept in a file and go on.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final, TypeAlias

START: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
"""When a clock that stands still begins: a Monday."""
_END: Final = datetime.max.replace(tzinfo=UTC)

DueTask: TypeAlias = tuple[str, ...]
"""What is to be done: its name, the kind and the id of the object, and more."""


class SandboxClock:
    """Knows what is due, and has it done when time has come.

    Args:
        source: Returns the real time; None for a clock that only `advance` moves.

    """

    def __init__(self, source: Callable[[], datetime] | None = None) -> None:
        self._source = source
        self._time = START if source is None else source()
        self._due: list[tuple[datetime, int, DueTask]] = []
        self._numbers = count()
        self.perform: Callable[[DueTask], object] = lambda _: None
        """Does what is due; the sandbox sets it."""

    @property
    def now(self) -> datetime:
        """The time of what happens now."""
        return self._time

    @property
    def is_real(self) -> bool:
        """Whether it follows the real time."""
        return self._source is not None

    @property
    def due(self) -> list[tuple[datetime, DueTask]]:
        """What will happen, and when, in order."""
        return [(when, task) for when, _, task in sorted(self._due)]

    def restore(self, now: datetime, due: Iterable[tuple[datetime, DueTask]]) -> None:
        """Go on where another clock was: at its time, unless this one follows the real one."""
        self._time = now if self._source is None else max(now, self._time)
        self._due = [(when, next(self._numbers), task) for when, task in due]
        heapify(self._due)

    def after(self, delay: timedelta, *task: str) -> None:
        """Have a task done after a time; tasks of one time are done in this order."""
        heappush(self._due, (self._time + delay, next(self._numbers), task))

    def hasten(self, kind: str, key: str) -> bool:
        """Do now what is due next of an object; return whether there was anything."""
        of_object = [each for each in self._due if each[2][1:3] == (kind, key)]
        if not of_object:
            return False
        first = min(of_object)
        self._due.remove(first)
        heapify(self._due)
        self.perform(first[2])
        return True

    def follow(self) -> None:
        """Do what is due by the real time; nothing if the clock stands still."""
        if self._source is not None:
            self._go_to(self._source())

    def advance(self, duration: timedelta) -> None:
        """Let time pass, and do what becomes due, in order."""
        for _ in self.steps(duration):
            pass

    def steps(self, duration: timedelta) -> Iterator[bool]:
        """Let time pass as `advance` does; yield True after each thing, at its time."""
        if duration < timedelta(0):
            raise ValueError(f"time does not run backwards, got {duration}")
        if duration > _END - self._time:
            raise ValueError(f"time ends with the year 9999, got {duration}")
        yield from self._steps_to(self._time + duration)

    def finish(self) -> None:
        """Let time pass until nothing is due any more."""
        while self._due:
            self._go_to(max(self._time, self._due[0][0]))

    def _go_to(self, moment: datetime) -> None:
        for _ in self._steps_to(moment):
            pass

    def _steps_to(self, moment: datetime) -> Iterator[bool]:
        while self._due and self._due[0][0] <= moment:
            due, _, task = heappop(self._due)
            self._time = max(self._time, due)
            self.perform(task)
            yield True
        self._time = max(self._time, moment)
