"""Statements of the SQL stores that read records from rows and change rows.

Values are always parameters of a statement, never part of its text.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

from segue.server.stores import row_codec as codec
from segue.server.stores.schema import Database, Rows

T = TypeVar("T")

OF_ONE: Final = "t.conversation = (SELECT number FROM segue_conversations WHERE key = ?)"
"""The condition that rows belong to the conversation of a key."""
_PLAIN: Final[Mapping[str, str]] = {}


def select(
    database: Database, columns: str, source: str, values: Sequence[Any]
) -> Sequence[Sequence[Any]]:
    """Return rows of a source, which consists of tables, conditions, order and limit."""
    return database.execute(f"SELECT {columns} FROM {source}", values).fetchall()


def insert(database: Database, table: str, row: Mapping[str, Any], tail: str = "") -> Rows:
    """Add a row, given as a dict of its columns."""
    places = ", ".join("?" * len(row))
    return database.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places}){tail}",
        tuple(row.values()),
    )


def update(database: Database, table: str, changes: str, where: str, values: Sequence[Any]) -> Rows:
    """Change rows."""
    return database.execute(f"UPDATE {table} SET {changes} WHERE {where}", values)


def delete(database: Database, table: str, where: str, values: Sequence[Any]) -> Rows:
    """Remove rows."""
    return database.execute(f"DELETE FROM {table} WHERE {where}", values)


def records(
    database: Database,
    kind: type[T],
    source: str,
    values: Sequence[Any],
    special: Mapping[str, str] = _PLAIN,
    *,
    read: Callable[[type[T], Sequence[Any]], T] = codec.read_leniently,
) -> list[T]:
    """Return records. `read` handles rows that are damaged."""
    rows = select(database, columns_of(kind, special), source, values)
    return [read(kind, row) for row in rows]


def columns_of(kind: type, special: Mapping[str, str]) -> str:
    """Return the columns of a record. `special` maps those from another place."""
    return ", ".join(special.get(column, f"t.{column}") for column in codec.COLUMNS[kind])


def of_bots(column: str, bots: Collection[str] | None) -> tuple[str, list[Any]]:
    """Return the condition that rows belong to some bots, with its values. None means all bots."""
    if bots is None:
        return "1 = 1", []
    places = ", ".join("?" * len(bots)) or "NULL"
    return f"{column} IN ({places})", list(bots)
