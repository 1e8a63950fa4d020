"""Record every statement that runs on a database, with the rows or steps that it takes.

The recorders take the place of the cursors of the drivers, so no statement escapes them.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from segue.server.stores.schema import SCHEMA
from segue.server.stores.sqlite_file import FileConnection

__all__ = ["GROWING", "INDEXES", "Statements", "recorded_postgres", "recorded_sqlite"]

BOUNDED = {"segue_schema", "segue_quarantine"}
"""Tables with one row, and with at most 2,000."""
GROWING = {name for sql in SCHEMA for name in re.findall(r"CREATE TABLE (\w+)", sql)} - BOUNDED
INDEXES = [name for sql in SCHEMA for name in re.findall(r"CREATE INDEX (\w+)", sql)]
_READ_OR_WRITE = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
_SCANNED = re.compile(r"^SCAN (?:TABLE )?(\w+)(?! USING)\b")


@dataclass
class Statements:
    """The statements that ran, and what the most expensive execution of each took."""

    costs: dict[str, int] = field(default_factory=dict)
    """The steps of the virtual machine of SQLite, or the rows that a node of a plan looks at."""
    counted: set[str] = field(default_factory=set)
    """The statements that count rows, which may look at all entries of an index."""
    scans: list[str] = field(default_factory=list)
    """Descriptions of the scans of a whole table that grows."""
    is_counting: bool = False

    def add(self, sql: str, cost: int) -> None:
        self.costs[sql] = max(cost, self.costs.get(sql, 0))
        if self.is_counting:
            self.counted.add(sql)

    def costly(self, rows: int) -> list[str]:
        """Return the statements that cost too much if each table has a number of rows.

        A statement that looks at each row takes at least that many steps.
        """
        found = [f"{cost} {sql}" for sql, cost in self.costs.items() if cost >= rows]
        return [each for each in found if each.split(" ", 1)[1] not in self.counted] + self.scans


class _SqliteCursor(sqlite3.Cursor):
    """A cursor that counts the steps of each statement until its last row."""

    statements: Statements
    rows: list[Any]

    def execute(self, sql: str, values: Any = (), /) -> Any:
        steps = 0

        def step() -> None:
            nonlocal steps
            steps += 1

        self.connection.set_progress_handler(step, 1)
        try:
            super().execute(sql, values)
            self.rows = super().fetchall() if self.description else []
        finally:
            self.connection.set_progress_handler(None, 0)
        self.statements.add(sql, steps)
        return self

    def fetchall(self) -> list[Any]:
        return self.rows


@contextmanager
def recorded_sqlite(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Statements]:
    """Record the statements of all stores, and look at their plans in the file at the end."""
    found = Statements()
    cursor = type("_Cursor", (_SqliteCursor,), {"statements": found})
    with monkeypatch.context() as patch:
        patch.setattr(
            FileConnection,
            "execute",
            lambda it, *args: sqlite3.Connection.cursor(it, cursor).execute(*args),
        )
        for name in ("cursor", "executemany", "executescript"):
            patch.setattr(FileConnection, name, _unseen)
        yield found
    with closing(sqlite3.connect(path)) as connection:
        for sql in found.costs:
            found.scans += _sqlite_scans(connection, sql)


def _sqlite_scans(connection: sqlite3.Connection, sql: str) -> Iterable[str]:
    if not sql.lstrip().startswith(_READ_OR_WRITE):
        return
    tables = dict(re.findall(r"\b(segue_\w+) AS (\w+)", sql))
    names = {alias: table for table, alias in tables.items()}
    plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", [None] * sql.count("?"))
    for *_, detail in plan:
        scanned = _SCANNED.match(detail)
        if scanned and "USING" not in detail and names.get(scanned[1], scanned[1]) in GROWING:
            yield f"{detail}: {sql}"


@contextmanager
def recorded_postgres(monkeypatch: pytest.MonkeyPatch) -> Iterator[Statements]:
    """Record the statements of all stores, after running each of them once to look at its plan."""
    found = Statements()
    execute = psycopg.Cursor.execute

    def recorded(self: Any, query: Any, values: Any = None, **options: Any) -> Any:
        if isinstance(query, str) and query.lstrip().startswith(_READ_OR_WRITE):
            with self.connection.transaction(force_rollback=True):
                execute(self, f"EXPLAIN (ANALYZE, FORMAT JSON) {query}", values)
                ((plan,),) = self.fetchall()
            found.add(query, max(map(_rows, _nodes(plan[0]["Plan"]))))
        return execute(self, query, values, **options)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", recorded)
        for name in ("executemany", "stream", "copy"):
            patch.setattr(psycopg.Cursor, name, _unseen)
        yield found


def _unseen(*_: Any, **__: Any) -> Any:
    raise AssertionError("use execute, so that the plan of the statement is looked at")


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from _nodes(child)


def _rows(node: dict[str, Any]) -> int:
    """Return the number of rows that a node of a plan looks at."""
    seen = sum(value for name, value in node.items() if name.startswith("Rows Removed"))
    return int((node["Actual Rows"] + seen) * node["Actual Loops"])
