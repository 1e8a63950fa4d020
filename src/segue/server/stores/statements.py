"""Functions that build and run SQL statements, and convert rows to records.

Values are always parameters of a statement, never part of its text.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

from segue.server.stores import row_codec as codec
from segue.server.stores.schema import Database, Rows

T = TypeVar("T")

OF_ONE: Final = "t.conversation = (SELECT number FROM segue_conversations WHERE key = ?)"
"""The SQL condition that rows belong to the conversation with a key."""
_PLAIN: Final[Mapping[str, str]] = {}


def select(
    database: Database, columns: str, source: str, values: Sequence[Any]
) -> Sequence[Sequence[Any]]:
    """Return the rows of a SELECT statement.

    `source` is the text after FROM: tables, conditions, order and limit.
    """
    return database.execute(f"SELECT {columns} FROM {source}", values).fetchall()


def insert(database: Database, table: str, row: Mapping[str, Any], tail: str = "") -> Rows:
    """Insert a row, given as a mapping of column names to values.

    `tail` is the end of the statement, such as ` RETURNING number`.
    """
    places = ", ".join("?" * len(row))
    return database.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places}){tail}",
        tuple(row.values()),
    )


def update(database: Database, table: str, changes: str, where: str, values: Sequence[Any]) -> Rows:
    """Change the rows that match an SQL condition. The result has their number.

    `changes` is the text after SET. `values` are the parameters of both texts.
    """
    return database.execute(f"UPDATE {table} SET {changes} WHERE {where}", values)


def delete(database: Database, table: str, where: str, values: Sequence[Any]) -> Rows:
    """Delete the rows that match an SQL condition. The result has their number."""
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
    """Return the selected rows as instances of the record class `kind`.

    `special` replaces columns, as in `columns_of`. `read` creates an instance from a row. The
    default gives damaged columns an empty value.
    """
    rows = select(database, columns_of(kind, special), source, values)
    return [read(kind, row) for row in rows]


def columns_of(kind: type, special: Mapping[str, str]) -> str:
    """Return the columns of a record class as SQL text, such as `t.number, t.body`.

    `special` maps the names of columns to other SQL expressions.
    """
    return ", ".join(special.get(column, f"t.{column}") for column in codec.COLUMNS[kind])


def of_bots(column: str, bots: Collection[str] | None) -> tuple[str, list[Any]]:
    """Return the SQL condition that rows belong to some bots, and its parameters.

    `column` contains the bot ids. If `bots` is None, all rows match.
    """
    if bots is None:
        return "1 = 1", []
    places = ", ".join("?" * len(bots)) or "NULL"
    return f"{column} IN ({places})", list(bots)
