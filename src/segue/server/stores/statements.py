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

    `tail` is SQL text at the end of the statement, such as ` RETURNING number`.
    """
    places = ", ".join("?" * len(row))
    return database.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places}){tail}",
        tuple(row.values()),
    )


def update(database: Database, table: str, changes: str, where: str, values: Sequence[Any]) -> Rows:
    """Run `UPDATE table SET changes WHERE where`, and return its result.

    The `rowcount` of the result is the number of changed rows. `values` are the parameters of
    `changes`, followed by those of `where`.
    """
    return database.execute(f"UPDATE {table} SET {changes} WHERE {where}", values)


def delete(database: Database, table: str, where: str, values: Sequence[Any]) -> Rows:
    """Run `DELETE FROM table WHERE where`, and return its result.

    The `rowcount` of the result is the number of deleted rows.
    """
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
    """Run a SELECT statement, and return its rows as instances of the record class `kind`.

    `source` is the text after FROM. `special` replaces columns by other SQL expressions, as in
    `columns_of`. `read` creates an instance from a row. By default, the fields of damaged columns
    are empty.
    """
    rows = select(database, columns_of(kind, special), source, values)
    return [read(kind, row) for row in rows]


def columns_of(kind: type, special: Mapping[str, str]) -> str:
    """Return the columns for the fields of a record class as SQL text, such as `t.number, t.body`.

    `special` maps column names to SQL expressions to use instead.
    """
    return ", ".join(special.get(column, f"t.{column}") for column in codec.COLUMNS[kind])


def of_each_bot(column: str, bots: Collection[str] | None) -> Sequence[tuple[str, tuple[str, ...]]]:
    """Return an SQL condition with its parameters for each of the bots, or one for all bots.

    `column` is the name of the column with the bot id. The conditions use the index on the start of
    the column. In older versions of SQLite, `{column} = ?` instead would prevent that, because
    SQLite would replace the column in the other condition by its value.
    """
    if bots is None:
        return [("1 = 1", ())]
    where = f"substr({column}, 1, 100) = ? AND {column} || '' = ?"
    return [(where, (bot[:100], bot)) for bot in bots]


def of_bots(column: str, bots: Collection[str] | None) -> tuple[str, list[Any]]:
    """Return an SQL condition for the rows of the bots in `bots`, and its parameters.

    `column` is the name of the column with the bot id. If `bots` is None, all rows match.
    """
    if bots is None:
        return "1 = 1", []
    places = ", ".join("?" * len(bots)) or "NULL"
    return f"{column} IN ({places})", list(bots)
