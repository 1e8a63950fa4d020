"""The tables of the SQL stores, as data, and how a database gets from one version to the next.

It decides what is indexed.  House rules: a migration, once released, is never edited; every name
begins with `segue_`, so that the tables can live in a host's own database; nothing that a sender
may make long is in an index, only its digest; times are microseconds since 1970.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from segue.errors import SchemaTooNew

__all__ = ["MIGRATIONS", "Database", "Rows", "migrate"]


class Rows(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""

    def fetchall(self) -> Sequence[Sequence[Any]]:
        """Return all rows."""


class Database(Protocol):
    """A connection, in a transaction when something is written."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Run one statement, its places marked by `?`."""


MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """
        CREATE TABLE segue_conversations (
            number {number},
            key {bytes} NOT NULL UNIQUE,
            conversation_id TEXT NOT NULL,
            bot_id TEXT NOT NULL,
            version BIGINT NOT NULL,
            phase TEXT NOT NULL,
            events BIGINT NOT NULL,
            findings BIGINT NOT NULL,
            started_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            snapshot {bytes} NOT NULL
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
            findings TEXT NOT NULL
        )
        """,
        "CREATE INDEX segue_journal_of ON segue_journal (conversation, number)",
        """
        CREATE INDEX segue_journal_news ON segue_journal (number)
        WHERE findings <> '[]' OR phase <> phase_before
        """,
        """
        CREATE TABLE segue_notices (
            number {number},
            conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            data TEXT NOT NULL,
            tries BIGINT NOT NULL DEFAULT 0,
            lease TEXT NOT NULL DEFAULT '',
            until BIGINT NOT NULL DEFAULT 0,
            dead BIGINT NOT NULL DEFAULT 0,
            reason TEXT NOT NULL DEFAULT ''
        )
        """,
        "CREATE INDEX segue_notices_of ON segue_notices (conversation, number)",
        "CREATE INDEX segue_notices_due ON segue_notices (number) WHERE dead = 0",
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
            size BIGINT NOT NULL
        )
        """,
    ),
    (
        "ALTER TABLE segue_notices ADD COLUMN since BIGINT",
        """
        CREATE INDEX segue_conversations_open ON segue_conversations (number)
        WHERE phase <> 'ended'
        """,
    ),
)
"""What each version of the schema adds to the one before; a database says which it has."""


def migrate(database: Database, types: Mapping[str, str]) -> None:
    """Bring a database up to date, within the transaction it is in.

    `types` fills in what databases spell differently. Raises `SchemaTooNew`, having changed
    nothing that matters, when a newer Segue was here.
    """
    newest = len(MIGRATIONS)
    database.execute(
        "CREATE TABLE IF NOT EXISTS segue_schema (version BIGINT NOT NULL, probes BIGINT NOT NULL)"
    )
    found = database.execute("SELECT version FROM segue_schema").fetchall()
    version = int(found[0][0]) if found else 0
    if version > newest:
        raise SchemaTooNew(
            f"the database has schema version {version}, this Segue knows up to {newest}: "
            "upgrade Segue, or give it another database"
        )
    for migration in MIGRATIONS[version:]:
        for statement in migration:
            database.execute(statement.format_map(types))
    if found:
        database.execute("UPDATE segue_schema SET version = ?", (newest,))
    else:
        database.execute("INSERT INTO segue_schema VALUES (?, 0)", (newest,))
