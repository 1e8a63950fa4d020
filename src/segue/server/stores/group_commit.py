"""Group commits: one thread writes, with many units of work in each of its transactions.

A group consists of the units that were submitted while the previous group was committed. Each unit
runs in a savepoint and fails alone. A future is resolved after the commit that contains its unit.
An error of the database fails the whole group, and the next group uses a new connection.
"""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from threading import Condition, Thread
from typing import Any, Final, TypeAlias, TypeVar

from segue.core.errors import StoreUnavailable
from segue.server.stores.sqlite_file import DatabaseFile, FileConnection, is_trouble

T = TypeVar("T")

_Work: TypeAlias = Callable[[FileConnection], Any]
_Result: TypeAlias = tuple[Any, BaseException | None]
"""The result of a unit of work with None, or None with the exception of the unit."""


class GroupCommitter:
    """Runs functions that write to one database file, in one thread and in grouped transactions.

    Each function is called with a connection. The thread starts with the first `submit` and runs
    until `close`.
    """

    LARGEST: Final = 256
    """The maximum number of units in one commit."""

    def __init__(self, file: DatabaseFile, largest: int = LARGEST) -> None:
        self._file = file
        self._largest = largest
        self._changed = Condition()
        self._waiting: list[tuple[_Work, Future[Any]]] = []
        self._closed = False
        self._thread: Thread | None = None
        self._connection: FileConnection | None = None

    def submit(self, work: Callable[[FileConnection], T]) -> Future[T]:
        """Queue the function `work`, and return a future of its result.

        The future is done after the transaction is committed. Raises `StoreUnavailable` if the
        committer is closed or its thread cannot start.
        """
        future: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise StoreUnavailable("the store is closed: make a new one")
            if self._thread is None:
                self._thread = self._started()
            self._waiting.append((work, future))
            self._changed.notify()
        return future

    def close(self) -> None:
        """Run and commit the queued functions, then stop the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _started(self) -> Thread:
        thread = Thread(target=self._run, name="segue-committer", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            raise StoreUnavailable(
                "no thread can be started: this process or its user has too many threads"
            ) from error
        return thread

    def _run(self) -> None:
        for waiting in self._groups():
            group = [unit for unit in waiting if unit[1].set_running_or_notify_cancel()]
            results = self._commit([work for work, _ in group])
            for (_, future), (value, error) in zip(group, results, strict=True):
                if error is None:
                    future.set_result(value)
                else:
                    future.set_exception(error)
        self._disconnect()

    def _groups(self) -> Iterator[list[tuple[_Work, Future[Any]]]]:
        """Yield lists of queued functions with their futures, waiting until some are queued.

        Stop when the committer is closed and the queue is empty.
        """
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                group = self._waiting[: self._largest]
                del self._waiting[: self._largest]
            if not group:
                return
            yield group

    def _commit(self, group: list[_Work]) -> list[_Result]:
        """Run a group of functions in one transaction, and return their results in order.

        If the transaction itself fails, each result is the exception.
        """
        try:
            self._connection = connection = self._file.current(self._connection)
            connection.execute("BEGIN IMMEDIATE")
            results = [self._apply(connection, work) for work in group]
            connection.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001 - the futures get it
            self._disconnect()
            return [(None, self._failure(error)) for _ in group]
        return results

    def _failure(self, error: BaseException) -> BaseException:
        """Return the exception to set on one future of a group whose transaction failed.

        If the database failed, each call returns a new `StoreUnavailable`, so that futures do not
        share an exception object.
        """
        return self._file.unavailable(error) if isinstance(error, sqlite3.Error) else error

    def _apply(self, connection: FileConnection, work: _Work) -> _Result:
        """Call `work` in a savepoint. If it raises, undo its changes and return the exception.

        Raise errors of the database itself, because they affect the whole transaction.
        """
        connection.execute("SAVEPOINT unit")
        try:
            result: _Result = work(connection), None
        except Exception as error:
            if isinstance(error, sqlite3.Error) and is_trouble(error):
                raise
            connection.execute("ROLLBACK TO unit")
            result = None, self._failure(error)
        connection.execute("RELEASE unit")
        return result

    def _disconnect(self) -> None:
        """Close the connection, which rolls back uncommitted changes."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()
