"""The embedded store: one SQLite file, for one machine.

It decides who talks to the file: one connection writes, in groups, and each thread that reads
borrows one of its own.  House rules: constructing it touches nothing; a process that was forked
opens the file anew; what is wrong with the file is `StoreUnavailable`, until it is right again.
"""

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

from segue.errors import StoreUnavailable
from segue.processor import Commit, Entry, Quarantined, Summary
from segue.stores import queries as transactions
from segue.stores.group_commit import Committer
from segue.stores.relational import ENDLESS, Relational
from segue.stores.schema import Database
from segue.stores.sqlite_file import DatabaseFile, Line, is_trouble

__all__ = ["SqliteStore"]

T = TypeVar("T")
N = TypeVar("N", bound=Entry | Summary | Quarantined)


class SqliteStore(Relational):
    """Keeps everything in one file, with its write-ahead log beside it.

    Several processes of one machine may share the file; not several machines over a network file
    system. `timeout` is how many seconds to wait for another program that holds the file.
    `group` is how many deliveries may share one commit.
    """

    queues = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        timeout: float = 5.0,
        group: int = Committer.LARGEST,
    ) -> None:
        self._file = DatabaseFile(path, timeout)
        self._group = group
        self._closed = False
        self._set_out()

    def __repr__(self) -> str:
        """Show the path."""
        return f"<SqliteStore {self._file.path}>"

    def migrate(self) -> None:
        """Create the schema or bring it up to this version: whoever opens the file does."""
        self._read(lambda _: None)

    def close(self) -> None:
        """Write what is queued, then close all connections."""
        self._closed = True
        if self._process != os.getpid():
            return
        self._committer.close()
        self._hang_up()

    def save(self, commit: Commit) -> Future[None]:
        """Queue a commit; the future says when it is durable, or why it was refused."""
        return self._queue(partial(transactions.save, commit=commit))

    def acknowledge(self, number: int, lease: str) -> Future[bool]:
        """Queue the end of a notice."""
        return self._queue(partial(transactions.acknowledge, number=number, lease=lease))

    def _read(self, work: Callable[[Database], T]) -> T:
        with self._borrowed() as line:
            return work(line)

    def _read_settled(self, work: Callable[[Database, int], Sequence[N]]) -> Sequence[N]:
        return self._read(lambda line: work(line, ENDLESS))  # there is one writer at a time

    def _write(self, work: Callable[[Database], T], guard: str | None = None) -> T:
        del guard  # there is one writer at a time
        return self._queue(work).result()

    def _queue(self, work: Callable[[Database], T]) -> Future[T]:
        self._settle()
        return self._committer.submit(work)

    @contextmanager
    def _borrowed(self) -> Iterator[Line]:
        """Lend a connection for reading; one that met trouble is not lent again."""
        self._settle()
        try:
            line = self._file.current(self._take())
            try:
                yield line
            except BaseException:
                line.close()
                raise
        except sqlite3.Error as error:
            if not is_trouble(error):
                raise
            raise self._file.unavailable(error) from error
        self._idle.append(line)
        if self._closed:
            self._hang_up()

    def _hang_up(self) -> None:
        while (line := self._take()) is not None:
            line.close()

    def _take(self) -> Line | None:
        with suppress(IndexError):
            return self._idle.pop()
        return None

    def _settle(self) -> None:
        """Refuse a closed store, and leave to the parent what a forked process inherited."""
        if self._closed:
            raise StoreUnavailable("the store is closed: make a new one")
        if self._process != os.getpid():
            self._inherited = self._committer, self._idle  # closing them is the parent's
            self._set_out()

    def _set_out(self) -> None:
        self._process = os.getpid()
        self._committer = Committer(self._file, self._group)
        self._idle: deque[Line] = deque()
