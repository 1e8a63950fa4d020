"""The clock of a sandbox, which is advanced by hand or follows the real time.

Scheduled tasks are plain data, so that a sandbox can be stored in a file and continued.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Final, TypeAlias

START: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
"""The initial time of a clock that is advanced by hand: 8:00 UTC on a Monday."""
_END: Final = datetime.max.replace(tzinfo=UTC)

DueTask: TypeAlias = tuple[str, ...]
"""A task as a tuple of its name, the kind and id of its object, and further arguments.

An example is `("training", "trainings", "fjg-1", "running")`.
"""


class SandboxClock:
    """A clock that performs scheduled tasks when they are due.

    Args:
        source: A function that returns the real time. Without one, only `advance` moves the clock.

    """

    def __init__(self, source: Callable[[], datetime] | None = None) -> None:
        self._source = source
        self._time = START if source is None else source()
        self._due: list[tuple[datetime, int, DueTask]] = []
        self._numbers = count()
        self.perform: Callable[[DueTask], object] = lambda _: None
        """The function that performs a due task, set by the sandbox."""

    @property
    def now(self) -> datetime:
        """The current time of this clock, as an aware datetime."""
        return self._time

    @property
    def is_real(self) -> bool:
        """Whether the clock follows the real time instead of being advanced by hand."""
        return self._source is not None

    @property
    def due(self) -> list[tuple[datetime, DueTask]]:
        """The scheduled tasks as `(time, task)` pairs, in the order they will be performed."""
        return [(when, task) for when, _, task in sorted(self._due)]

    def restore(self, now: datetime, due: Iterable[tuple[datetime, DueTask]]) -> None:
        """Replace the time and the tasks with those of an earlier clock.

        The time of a clock that follows the real time never decreases.
        """
        self._time = now if self._source is None else max(now, self._time)
        self._due = [(when, next(self._numbers), task) for when, task in due]
        heapify(self._due)

    def after(self, delay: timedelta, *task: str) -> None:
        """Schedule a task, given as the items of a `DueTask`, to be performed after a delay.

        Tasks that are due at the same time are performed in the order they were scheduled.
        """
        heappush(self._due, (self._time + delay, next(self._numbers), task))

    def hasten(self, kind: str, key: str) -> bool:
        """Perform the next task of an object now, without moving the clock.

        Return whether the object had a scheduled task.
        """
        of_object = [each for each in self._due if each[2][1:3] == (kind, key)]
        if not of_object:
            return False
        first = min(of_object)
        self._due.remove(first)
        heapify(self._due)
        self.perform(first[2])
        return True

    def follow(self) -> None:
        """Move the clock to the real time, and perform the tasks that are due.

        A clock that is advanced by hand does nothing.
        """
        if self._source is not None:
            self._go_to(self._source())

    def advance(self, duration: timedelta) -> None:
        """Move the clock forward, and perform the tasks that become due, in order.

        Raises:
            ValueError: The duration is negative, or exceeds the year 9999.

        """
        for _ in self.steps(duration):
            pass

    def steps(self, duration: timedelta) -> Iterator[bool]:
        """Move the clock forward like `advance`, and yield True after each task performed.

        The caller can thereby act between two tasks.

        Raises:
            ValueError: The duration is negative, or exceeds the year 9999.

        """
        if duration < timedelta(0):
            raise ValueError(f"a duration must not be negative, got {duration}")
        if duration > _END - self._time:
            raise ValueError(f"a duration must end before the year 10000, got {duration}")
        yield from self._steps_to(self._time + duration)

    def finish(self) -> None:
        """Move the clock forward until no scheduled task is left."""
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
