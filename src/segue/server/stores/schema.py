"""The tables of the SQL stores, as data.

All names begin with `segue_`, so that the tables can be part of a host's own database. Columns that
a sender may make long are indexed by their digest only. Times are microseconds since 1970.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from segue.core.errors import ConfigurationError, SchemaTooNew


class Rows(Protocol):
    """The interface of the result of an SQL statement."""

    @property
    def rowcount(self) -> int:
        """The number of changed rows."""

    def fetchall(self) -> Sequence[Sequence[Any]]:
        """Return all rows, each as a sequence of column values."""


class Database(Protocol):
    """The interface of a database connection. While it writes, it is in a transaction."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Run one statement, whose parameters are marked by `?`, and return its result."""


VERSION: Final = 7

SCHEMA: Final = (
    "CREATE TABLE segue_schema (version BIGINT NOT NULL, probes BIGINT NOT NULL)",
    """
    CREATE TABLE segue_conversations (
        number {number},
        key {bytes} NOT NULL UNIQUE,
        ids_key {bytes} NOT NULL,
        conversation_id TEXT NOT NULL,
        bot_id TEXT NOT NULL,
        version BIGINT NOT NULL,
        phase TEXT NOT NULL,
        events BIGINT NOT NULL,
        findings BIGINT NOT NULL,
        errors BIGINT NOT NULL,
        started_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        updated_day BIGINT NOT NULL,
        deadline BIGINT,
        snapshot {bytes} NOT NULL
    )
    """,
    "CREATE INDEX segue_conversations_ids ON segue_conversations (ids_key)",
    "CREATE INDEX segue_conversations_day ON segue_conversations (updated_day)",
    """
    CREATE INDEX segue_conversations_bot ON segue_conversations (substr(bot_id, 1, 100), number)
    """,
    "CREATE INDEX segue_conversations_open ON segue_conversations (number) WHERE phase <> 'ended'",
    """
    CREATE TABLE segue_agents (
        conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
        number BIGINT NOT NULL,
        data {bytes} NOT NULL,
        PRIMARY KEY (conversation, number)
    )
    """,
    """
    CREATE TABLE segue_entries (
        conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
        number BIGINT NOT NULL,
        version BIGINT NOT NULL,
        kind TEXT NOT NULL,
        agent TEXT NOT NULL,
        position BIGINT NOT NULL,
        events BIGINT NOT NULL,
        delivery BIGINT NOT NULL,
        received_at BIGINT,
        last_at BIGINT,
        marks TEXT NOT NULL,
        queue TEXT NOT NULL,
        details TEXT NOT NULL,
        checksum BIGINT NOT NULL,
        PRIMARY KEY (conversation, number)
    )
    """,
    """
    CREATE TABLE segue_history (
        conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
        version BIGINT NOT NULL,
        findings BIGINT NOT NULL,
        data {bytes} NOT NULL,
        PRIMARY KEY (conversation, version)
    )
    """,
    """
    CREATE INDEX segue_history_findings ON segue_history (conversation, version)
    WHERE findings > 0
    """,
    """
    CREATE INDEX segue_conversations_deadline ON segue_conversations (deadline)
    WHERE deadline IS NOT NULL
    """,
    """
    CREATE TABLE segue_held (
        conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
        arrival BIGINT NOT NULL,
        endpoint TEXT NOT NULL,
        bot_id TEXT NOT NULL,
        delivery_id TEXT,
        received_at BIGINT NOT NULL,
        deadline BIGINT NOT NULL,
        codes TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (conversation, arrival)
    )
    """,
    """
    CREATE TABLE segue_deliveries (
        identity {bytes} PRIMARY KEY,
        conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
        fingerprint TEXT NOT NULL
    )
    """,
    "CREATE INDEX segue_deliveries_of ON segue_deliveries (conversation)",
    """
    CREATE TABLE segue_journal (
        number {number},
        conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
        bot_id TEXT NOT NULL,
        owner TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        delivery_id TEXT,
        received_at BIGINT NOT NULL,
        body TEXT NOT NULL,
        phase_before TEXT NOT NULL,
        phase TEXT NOT NULL,
        findings TEXT NOT NULL,
        arrival BIGINT NOT NULL,
        healed TEXT NOT NULL,
        address_id TEXT NOT NULL,
        asked_at TEXT
    )
    """,
    "CREATE INDEX segue_journal_healed ON segue_journal (number) WHERE healed <> ''",
    "CREATE INDEX segue_journal_of ON segue_journal (conversation, number)",
    """
    CREATE INDEX segue_journal_news ON segue_journal (number)
    WHERE findings <> '[]' OR phase <> phase_before
    """,
    """
    CREATE INDEX segue_journal_news_of_bot ON segue_journal (substr(owner, 1, 100), number)
    WHERE findings <> '[]' OR phase <> phase_before
    """,
    """
    CREATE TABLE segue_outbox (
        number {number},
        conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
        since BIGINT NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        tries BIGINT NOT NULL DEFAULT 0,
        lease TEXT NOT NULL DEFAULT '',
        dead BIGINT NOT NULL DEFAULT 0,
        reason TEXT NOT NULL DEFAULT ''
    )
    """,
    "CREATE INDEX segue_outbox_of ON segue_outbox (conversation, dead, number)",
    "CREATE INDEX segue_outbox_waiting ON segue_outbox (number) WHERE dead = 0",
    "CREATE INDEX segue_outbox_dead ON segue_outbox (number) WHERE dead = 1",
    "CREATE INDEX segue_outbox_leased ON segue_outbox (conversation, lease) WHERE lease <> ''",
    """
    CREATE TABLE segue_queues (
        conversation BIGINT PRIMARY KEY REFERENCES segue_conversations ON DELETE CASCADE,
        first BIGINT NOT NULL,
        kind TEXT NOT NULL,
        lease TEXT NOT NULL DEFAULT '',
        until BIGINT NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX segue_queues_due ON segue_queues (kind, until, first)",
    "CREATE INDEX segue_queues_until ON segue_queues (until) WHERE until <> 0",
    "CREATE INDEX segue_queues_leased ON segue_queues (kind, until) WHERE lease <> ''",
    """
    CREATE TABLE segue_quarantine (
        number {number},
        endpoint TEXT NOT NULL,
        bot_id TEXT NOT NULL,
        conversation_id TEXT,
        delivery_id TEXT,
        received_at BIGINT NOT NULL,
        reason TEXT NOT NULL,
        codes TEXT NOT NULL,
        body {bytes} NOT NULL,
        size BIGINT NOT NULL,
        request_id TEXT
    )
    """,
    """
    CREATE TABLE segue_requests (
        bot {bytes} NOT NULL,
        conversation {bytes} NOT NULL,
        request {bytes} NOT NULL,
        asked_at BIGINT NOT NULL,
        PRIMARY KEY (bot, conversation, request)
    )
    """,
    "CREATE INDEX segue_requests_of ON segue_requests (bot, conversation, asked_at)",
    "CREATE INDEX segue_requests_time ON segue_requests (asked_at)",
)
"""The SQL statements that create the tables of version `VERSION`."""

_OF_AN_EARLIER_SEGUE: Final = "segue_notices"
"""A table that only databases of an earlier Segue have, whose version numbers mean something
else."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The SQL fragments that differ between SQLite and PostgreSQL."""

    number: str
    """The type of a column that numbers the rows of its table."""
    bytes: str
    """The type of a column that contains bytes."""
    table_exists: str
    """The SQL statement that returns a row if a table with the given name exists."""


def create(database: Database, dialect: Dialect) -> None:
    """Create the tables if they do not exist, within the current transaction.

    Raises `SchemaTooNew` for a database of a newer Segue and `ConfigurationError` for one of an
    older Segue. Both leave the database unchanged.
    """
    if is_current(database, dialect):
        return
    for statement in SCHEMA:
        database.execute(statement.format(number=dialect.number, bytes=dialect.bytes))
    database.execute("INSERT INTO segue_schema VALUES (?, 0)", (VERSION,))


def is_current(database: Database, dialect: Dialect) -> bool:
    """Return True if the tables exist in version `VERSION`, or False if they do not exist.

    Raises the exceptions of `create` for tables of another version.
    """

    def exists(table: str) -> bool:
        return bool(database.execute(dialect.table_exists, (table,)).fetchall())

    if not exists("segue_schema"):
        return False
    rows = database.execute("SELECT version FROM segue_schema").fetchall()
    version = rows[0][0] if rows else 0
    if not isinstance(version, int):
        raise ConfigurationError(
            f"the store is damaged: its schema version must be a number, got {version!r:.40}: "
            "restore a backup, or use another store"
        )
    if version < VERSION or exists(_OF_AN_EARLIER_SEGUE):
        raise ConfigurationError(
            "the store was written by an earlier Segue: export its journal with the Segue that "
            "wrote it (`segue journal`), and load it into a new store"
        )
    if version > VERSION:
        raise SchemaTooNew(
            f"the database has schema version {version}, this Segue supports at most {VERSION}: "
            "upgrade Segue, or use another database"
        )
    return True
