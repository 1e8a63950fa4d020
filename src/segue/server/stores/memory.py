"""A store in memory: SQLite without a file, for tests, trials and hosts without durability.

Stored data is lost with the process. One lock is held during every call and while the process
forks, because a thread within SQLite would otherwise leave it locked in the child forever.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final, TypeVar

from segue.server.stores.relational import RelationalStore
from segue.server.stores.schema import Database, create
from segue.server.stores.sqlite_file import DIALECT, check_version, text, unavailable

T = TypeVar("T")

_LOCK: Final = Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )


class _MemoryConnection(sqlite3.Connection):
    def __del__(self) -> None:
        self.close()


@contextmanager
def _errors_converted() -> Iterator[None]:
    """Convert errors of SQLite in the body of a `with` statement to `StoreUnavailable`."""
    try:
        yield
    except sqlite3.Error as error:
        raise unavailable("the store in memory", error) from None


class MemoryStore(RelationalStore):
    """A store in the memory of this process, which is lost with the process."""

    immediate = True
    """True, because no method ever waits. Drivers then need no thread."""
    queues = False
    """False, because `save` and `acknowledge` do not return a `Future`."""

    def __init__(self) -> None:
        check_version()
        self._connection = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False, factory=_MemoryConnection
        )
        self._connection.text_factory = text
        self._connection.execute("PRAGMA foreign_keys = ON")
        create(self._connection, DIALECT)

    def __repr__(self) -> str:
        """Return a text with the number of stored conversations."""
        sql = "SELECT count(*) FROM segue_conversations"
        ((number,),) = self._read(lambda database: database.execute(sql).fetchall())
        return f"<MemoryStore conversations={number}>"

    def migrate(self) -> None:
        """Do nothing, because the schema was created with the store."""

    def close(self) -> None:
        """Do nothing, because stored data stays readable."""

    def _read(self, work: Callable[[Database], T]) -> T:
        with _LOCK, _errors_converted():
            return work(self._connection)

    def _write(self, work: Callable[[Database], T], guard: str | None = None) -> T:
        del guard  # there is one lock
        with _LOCK, _errors_converted(), self._connection as connection:  # commits or rolls back
            connection.execute("BEGIN")
            return work(connection)
