"""Opens connections to the file of a SQLite store, and explains why it cannot be used.

A connection is opened only if it has the current schema. A connection whose file was removed or
replaced is not used again, so that no data goes to a file without a name. If only the log next to
the file (`-wal`) was removed or replaced, this process must be restarted to write again: SQLite
would continue with the log without a name, and mix it with a new one within a process.
"""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final, NamedTuple

from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.core.options import Bounds, check_option
from segue.server.stores.schema import Dialect, create, is_current

DIALECT: Final = Dialect(
    number="INTEGER PRIMARY KEY AUTOINCREMENT",
    bytes="BLOB",
    table_exists="SELECT 1 FROM sqlite_master WHERE name = ?",
)

_OLDEST: Final = (3, 35)
"""The first version of SQLite with RETURNING."""

_AGAIN: Final = 0.02
"""The number of seconds between two attempts to get a lock that SQLite does not wait for."""

_REMEDIES: Final[Mapping[int, str]] = {
    sqlite3.SQLITE_BUSY: "another program holds it; it is tried again with the next delivery",
    sqlite3.SQLITE_FULL: "free some space on its disk",
    sqlite3.SQLITE_READONLY: "let this user write to the file and to its directory",
    sqlite3.SQLITE_CANTOPEN: "let its directory exist, and this user write there",
    sqlite3.SQLITE_CORRUPT: "restore it from a backup",
    sqlite3.SQLITE_NOTADB: "give another path; this file is not a SQLite database",
}


def check_version() -> None:
    """Raise `ConfigurationError` if the SQLite library of this Python is older than 3.35."""
    if sqlite3.sqlite_version_info < _OLDEST:
        raise ConfigurationError(
            f"SQLite {sqlite3.sqlite_version} is too old: a store needs 3.35 or newer"
        )


def is_trouble(error: sqlite3.Error) -> bool:
    """Return whether an error means that the database cannot be used.

    Return False for errors that are caused by the statement or its values. Such an error does not
    affect other statements of the transaction.
    """
    return isinstance(error, sqlite3.OperationalError | sqlite3.InternalError) or (
        type(error) is sqlite3.DatabaseError
    )


def unavailable(database: str, error: sqlite3.Error) -> StoreUnavailable:
    """Convert an error of SQLite to a `StoreUnavailable`.

    The message contains the name of the database and of the error, such as SQLITE_BUSY, and advice
    for the user. It does not contain the text of the error, which may quote data.
    """
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    remedy = _REMEDIES.get(code & 0xFF, "it is tried again with the next delivery")
    return StoreUnavailable(f"{database} cannot be used ({name}): {remedy}")


def text(data: bytes) -> str:
    """Decode a text value of the database. Invalid UTF-8 bytes become lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


class _Identity(NamedTuple):
    """The device and inode numbers of a database file, and of its write-ahead log."""

    file: tuple[int, int]
    log: tuple[int, int] | None


class FileConnection(sqlite3.Connection):
    """A SQLite connection that remembers which file it has open."""

    identity: _Identity | None


class DatabaseFile:
    """Opens connections to a database file, and notices when the file has been replaced."""

    def __init__(self, path: str | os.PathLike[str], timeout: float) -> None:
        check_version()
        check_option("path", path, str | os.PathLike[str], example='"segue.db"')
        check_option("timeout", timeout, float, bounds=Bounds(least=0))
        name = os.fspath(path)
        if not name or name.startswith(":memory:"):
            raise ConfigurationError(
                "`path` must be the path of a file: use MemoryStore for a store without a file"
            )
        self.path = Path(name).absolute()
        self._log = self.path.with_name(f"{self.path.name}-wal")
        self._timeout = timeout
        self._without_log: tuple[int, int] | None = None
        """The identity of the file whose log was removed or replaced, or None."""

    def current(self, connection: FileConnection | None) -> FileConnection:
        """Return a connection to the file that is at the path now.

        Return `connection` if it has this file open. Otherwise close it and return a new
        connection. Raises `StoreUnavailable` if the file is the same, but its write-ahead log was
        removed or replaced.
        """
        found = self._identity()
        if connection is not None:
            if found and connection.identity == found:
                return connection
            if found and connection.identity and connection.identity.file == found.file:
                self._without_log = found.file
            with suppress(sqlite3.Error):
                connection.close()
        if found and found.file == self._without_log:
            raise StoreUnavailable(
                f"{self._log} was removed or replaced while it was written to: restart this process"
            )
        return self._open()

    def unavailable(self, error: sqlite3.Error) -> StoreUnavailable:
        """Convert an error of SQLite to a `StoreUnavailable` that names the file."""
        return unavailable(str(self.path), error)

    def _identity(self) -> _Identity | None:
        found: list[tuple[int, int] | None] = []
        for path in (self.path, self._log):
            try:
                status = path.stat()
            except OSError:
                found.append(None)
            else:
                found.append((status.st_dev, status.st_ino))
        file, log = found
        return None if file is None else _Identity(file, log)

    def _open(self) -> FileConnection:
        # SQLite gives the files next to it the permissions of this one.
        with suppress(OSError, RuntimeError):  # RuntimeError: a link that leads to itself
            target = self.path.resolve()  # O_EXCL creates no file at the end of a link
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection = sqlite3.connect(
            self.path,
            timeout=self._timeout,
            isolation_level=None,
            check_same_thread=False,
            factory=FileConnection,
        )
        connection.text_factory = text
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: FileConnection) -> None:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if not is_current(connection, DIALECT):
            self._enter_wal(connection)
            connection.execute("BEGIN IMMEDIATE")
            create(connection, DIALECT)
            connection.execute("COMMIT")
        connection.identity = self._identity()

    def _enter_wal(self, connection: FileConnection) -> None:
        """Switch the database to a write-ahead log permanently.

        The switch needs a lock, for which SQLite does not always wait. So retry it until the
        timeout.
        """
        deadline = monotonic() + self._timeout
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchall()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                    raise
                sleep(_AGAIN)
            else:
                return
