"""The schema: created once, and refused when another Segue made it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.server.stores.conftest import StoreMaker
from tests.server.stores.library import commit, done, key
from tests.server.stores.mortal import open_store

from segue import ConfigurationError, SqliteStore
from segue.errors import SchemaTooNew
from segue.server.stores import schema

AN_EARLIER_SEGUE = (
    "CREATE TABLE segue_schema (version BIGINT NOT NULL, probes BIGINT NOT NULL)",
    "INSERT INTO segue_schema VALUES (2, 0)",
    "CREATE TABLE segue_notices (number BIGINT)",
)


def _execute(durable: str, sql: str) -> list[tuple[Any, ...]]:
    if "://" in durable:
        with psycopg.connect(durable, autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []
    with closing(sqlite3.connect(durable, isolation_level=None)) as file:
        return file.execute(sql).fetchall()


def test_migrating_again_changes_nothing(durable: str, open_shared: StoreMaker) -> None:
    done(open_shared().save(commit("c-1")))

    store = open_shared()
    store.migrate()

    assert store.load(key("c-1")).conversation == commit("c-1").conversation
    assert _execute(durable, "SELECT version FROM segue_schema") == [(7,)]


@pytest.mark.parametrize("version", ["x", "4", 4.5, None, b"blob"])
def test_a_version_that_is_no_number_is_damage(tmp_path: Path, version: object) -> None:
    """SQLite keeps any value in any column."""
    path = str(tmp_path / "segue.db")
    _execute(path, "CREATE TABLE segue_schema (version, probes)")
    with sqlite3.connect(path) as file:
        file.execute("INSERT INTO segue_schema VALUES (?, 0)", (version,))
    file.close()

    with (
        closing(SqliteStore(path)) as store,
        pytest.raises(ConfigurationError, match="the store is damaged: its schema version"),
    ):
        store.migrate()


def test_every_name_is_ours(durable: str, open_shared: StoreMaker) -> None:
    open_shared()

    names = [
        name
        for statement in schema.SCHEMA
        for name in re.findall(r"(?:TABLE|INDEX) (\w+)", statement)
    ]

    assert names
    assert [name for name in names if not name.startswith("segue_")] == []
    assert _execute(durable, "SELECT count(*) FROM segue_schema") == [(1,)]


@pytest.mark.parametrize(
    "statements",
    [AN_EARLIER_SEGUE, (AN_EARLIER_SEGUE[0],), (AN_EARLIER_SEGUE[0], AN_EARLIER_SEGUE[2])],
    ids=["two versions ago", "no version", "no version, old tables"],
)
def test_a_store_of_an_earlier_segue_is_refused_and_left_alone(
    durable: str, statements: tuple[str, ...]
) -> None:
    for statement in statements:
        _execute(durable, statement)
    before = _tables(durable)

    with (
        closing(open_store(durable)) as store,
        pytest.raises(ConfigurationError, match=r"earlier Segue.*export its journal.*new store"),
    ):
        store.migrate()

    assert _tables(durable) == before


def test_a_store_of_an_earlier_segue_is_not_written_to(tmp_path: Path) -> None:
    path = str(tmp_path / "segue.db")
    for statement in AN_EARLIER_SEGUE:
        _execute(path, statement)

    with closing(SqliteStore(path)) as store, pytest.raises(ConfigurationError):
        store.save(commit("c-1")).result()


def _tables(durable: str) -> list[tuple[Any, ...]]:
    if "://" in durable:
        return _execute(
            durable,
            "SELECT table_name FROM information_schema.tables"
            " WHERE table_schema = current_schema()",
        )
    return _execute(durable, "SELECT name FROM sqlite_master")


def test_a_newer_schema_is_refused_and_left_alone(durable: str, open_shared: StoreMaker) -> None:
    done(open_shared().save(commit("c-1")))
    _execute(durable, "UPDATE segue_schema SET version = 99")
    before = _tables(durable)

    with closing(open_store(durable)) as store, pytest.raises(SchemaTooNew, match=r"99.*upgrade"):
        store.migrate()

    assert _execute(durable, "SELECT version FROM segue_schema") == [(99,)]
    assert _tables(durable) == before


def test_a_newer_file_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "segue.db"
    with closing(SqliteStore(path)) as store:
        store.migrate()
    _execute(str(path), "UPDATE segue_schema SET version = 99")

    with closing(SqliteStore(path)) as store, pytest.raises(SchemaTooNew):
        store.save(commit("c-1")).result()


def test_the_tables_can_live_beside_a_hosts_own(tmp_path: Path) -> None:
    path = tmp_path / "host.db"
    _execute(str(path), "CREATE TABLE orders (number INTEGER)")

    with closing(SqliteStore(path)) as store:
        store.save(commit("c-1")).result()

    assert _execute(str(path), "SELECT count(*) FROM orders") == [(0,)]
