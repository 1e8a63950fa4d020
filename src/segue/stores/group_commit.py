"""Group commit: one thread that writes, and many units of work in each of its transactions.

It decides what shares a commit: whatever waited while the last one was made durable.  House rules:
a unit is applied whole or not at all, within a savepoint of its own, and fails alone; no future is
resolved before the commit that holds its unit; trouble with the database fails the whole group,
and the next one begins on a fresh connection.

It refuses to know what the units do.
"""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from threading import Condition, Thread
from typing import Any, Final, TypeVar

from segue.errors import StoreUnavailable
from segue.stores.sqlite_file import DatabaseFile, Line, is_trouble

__all__ = ["Committer"]

T = TypeVar("T")

_Result = tuple[Any, BaseException | None]
"""What a unit of work returned, or raised."""


class _Unit:
    """What waits to be written, and whom to tell."""

    __slots__ = ("future", "work")

    def __init__(self, work: Callable[[Line], Any]) -> None:
        self.work = work
        self.future: Future[Any] = Future()

    def tell(self, value: object, error: BaseException | None) -> None:
        if error is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(error)


class Committer:
    """Writes to one file, in one thread, from the first unit until it is closed."""

    LARGEST: Final = 256
    """Units in one commit, at most."""

    def __init__(self, file: DatabaseFile, largest: int = LARGEST) -> None:
        self._file = file
        self._largest = largest
        self._changed = Condition()
        self._waiting: list[_Unit] = []
        self._closed = False
        self._thread: Thread | None = None
        self._line: Line | None = None

    def submit(self, work: Callable[[Line], T]) -> Future[T]:
        """Have a unit of work written, and return the future of what it returns."""
        unit = _Unit(work)
        with self._changed:
            if self._closed:
                raise StoreUnavailable("the store is closed: make a new one")
            if self._thread is None:
                self._thread = Thread(target=self._run, name="segue-committer", daemon=True)
                self._thread.start()
            self._waiting.append(unit)
            self._changed.notify()
        return unit.future

    def close(self) -> None:
        """Write what waits, then stop."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        for waiting in self._groups():
            group = [unit for unit in waiting if unit.future.set_running_or_notify_cancel()]
            for unit, outcome in zip(group, self._commit(group), strict=True):
                unit.tell(*outcome)
        self._hang_up()

    def _groups(self) -> Iterator[list[_Unit]]:
        """Yield what waits, until the committer is closed and nothing waits."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                group = self._waiting[: self._largest]
                del self._waiting[: self._largest]
            if not group:
                return
            yield group

    def _commit(self, group: list[_Unit]) -> list[_Result]:
        """Write a group in one transaction."""
        try:
            self._line = line = self._file.current(self._line)
            line.execute("BEGIN IMMEDIATE")
            outcomes = [_apply(line, unit.work) for unit in group]
            line.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001 - whoever waits is told
            self._hang_up()
            return [(None, self._told(error)) for _ in group]
        return outcomes

    def _told(self, error: BaseException) -> BaseException:
        """Return what one of those that wait is told; each raises an exception of its own."""
        return self._file.unavailable(error) if isinstance(error, sqlite3.Error) else error

    def _hang_up(self) -> None:
        """Let go of the connection; what it had not committed is undone by that."""
        line, self._line = self._line, None
        if line is not None:
            with suppress(sqlite3.Error):
                line.close()


def _apply(line: Line, work: Callable[[Line], Any]) -> _Result:
    """Do one unit of work, or nothing of it."""
    line.execute("SAVEPOINT unit")
    try:
        outcome: _Result = work(line), None
    except Exception as error:
        if isinstance(error, sqlite3.Error) and is_trouble(error):
            raise
        line.execute("ROLLBACK TO unit")
        outcome = None, error
    line.execute("RELEASE unit")
    return outcome
