"""A store in one SQLite file, for one machine.

One connection writes, in groups, and each reading thread borrows its own connection. Constructing a
store does not access the file. A forked process opens the file again.
"""

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

from segue.core.errors import StoreUnavailable
from segue.core.options import Bounds, check_option
from segue.server.processor import Commit
from segue.server.stores import conversation_rows, outbox_rows
from segue.server.stores.group_commit import GroupCommitter
from segue.server.stores.relational import RelationalStore
from segue.server.stores.schema import Database
from segue.server.stores.sqlite_file import DatabaseFile, FileConnection

T = TypeVar("T")


class SqliteStore(RelationalStore):
    """A store in one file, with its write-ahead log next to it.

    Several processes of one machine may share the file, but not several machines over a network
    file system.

    Args:
        path: The path of the file. Its directory must exist.
        timeout: The maximum wait for another program that holds the file, in seconds.
        group: The maximum number of deliveries in one commit.

    """

    queues = True
    """True, because `save` and `acknowledge` return a `Future` at once, without waiting."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        timeout: float = 5.0,
        group: int = GroupCommitter.LARGEST,
    ) -> None:
        self._file = DatabaseFile(path, timeout)
        check_option("group", group, int, bounds=Bounds(least=1))
        self._group = group
        self._closed = False
        self._begin()

    def __repr__(self) -> str:
        """Return a text with the path of the file."""
        return f"<SqliteStore {self._file.path}>"

    def migrate(self) -> None:
        """Create the tables if they do not exist. Every new connection does this as well."""
        self._read(lambda _: None)

    def close(self) -> None:
        """Write queued commits, then close all connections."""
        self._closed = True
        if self._process != os.getpid():
            return
        self._committer.close()
        self._close_idle()

    def save(self, commit: Commit) -> Future[None]:
        """Queue a commit. The returned future is done when the commit is durable or was refused."""
        if self._process != os.getpid():
            self._check()
        return self._committer.submit(partial(conversation_rows.save, commit=commit))

    def acknowledge(self, number: int, lease: str) -> Future[bool]:
        """Queue the deletion of a message whose handler has returned.

        The result of the future is False if the lease no longer holds the message.
        """
        self._check()
        return self._committer.submit(partial(outbox_rows.acknowledge, number=number, lease=lease))

    def _read(self, work: Callable[[Database], T]) -> T:
        with self._borrowed() as connection:
            return work(connection)

    def _write(self, work: Callable[[Database], T], guard: str | None = None) -> T:
        del guard  # there is one writer
        self._check()
        return self._committer.submit(work).result()

    @contextmanager
    def _borrowed(self) -> Iterator[FileConnection]:
        """Lend a connection for reading in the body of a `with` statement.

        A connection is closed if the body raises, and is reused otherwise. Raise `StoreUnavailable`
        if the file cannot be used.
        """
        self._check()
        try:
            connection = self._file.current(self._take())
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            raise self._file.unavailable(error) from None
        self._idle.append(connection)
        if self._closed:
            self._close_idle()

    def _close_idle(self) -> None:
        while (connection := self._take()) is not None:
            connection.close()

    def _take(self) -> FileConnection | None:
        with suppress(IndexError):
            return self._idle.pop()
        return None

    def _check(self) -> None:
        """Raise `StoreUnavailable` if the store is closed.

        In a forked process, replace the connections inherited from the parent with new ones.
        """
        if self._closed:
            raise StoreUnavailable("the store is closed: make a new one")
        if self._process != os.getpid():
            self._inherited = self._committer, self._idle  # closing them is the parent's task
            self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._committer = GroupCommitter(self._file, self._group)
        self._idle: deque[FileConnection] = deque()
