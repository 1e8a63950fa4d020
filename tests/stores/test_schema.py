"""The schema: made once, brought up to date, and never taken back."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.stores.conftest import StoreMaker
from tests.stores.library import ALWAYS, DAY, commit, done, identity, quarantined
from tests.stores.mortal import open_store

from segue import SchemaTooNew, SqliteStore
from segue.processor import Loaded, Store
from segue.stores import schema

GOLDEN = Path(__file__).parent / "golden"
"""Databases as each version of the schema made them; see `_fill`. Never edited, only added to."""

VERSION = len(schema.MIGRATIONS)
A_NEXT_ONE = (
    "CREATE TABLE segue_more (number {number}, what {bytes})",
    "ALTER TABLE segue_conversations ADD COLUMN more BIGINT",
)


def _execute(durable: str, sql: str) -> list[tuple[Any, ...]]:
    if "://" in durable:
        with psycopg.connect(durable, autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []
    with closing(sqlite3.connect(durable, isolation_level=None)) as file:
        return file.execute(sql).fetchall()


def _add_migration(monkeypatch: pytest.MonkeyPatch, migration: tuple[str, ...]) -> None:
    longer = (*schema.MIGRATIONS, migration)
    for module in ("schema", "file", "postgres"):
        monkeypatch.setattr(f"segue.stores.{module}.MIGRATIONS", longer)


def _fill(store: Store) -> None:
    """Put one of everything into a store."""
    done(store.save(commit("c-1", delivery_id="d-1", notices=3)))
    done(store.save(commit("c-1", 1, phase="ended", findings="[1]")))
    done(store.save(commit("c-2", bot_id="st-2")))
    first, _, _ = store.claim("me", DAY, ALWAYS, 10)
    store.bury(first.number, "me", "ValueError")
    store.quarantine(quarantined(body=b"\xff"))


def test_migrating_again_changes_nothing(durable: str, open_shared: StoreMaker) -> None:
    done(open_shared().save(commit("c-1")))

    store = open_shared()
    store.migrate()

    assert store.load("c-1").conversation == commit("c-1").conversation
    assert _execute(durable, "SELECT version FROM segue_schema") == [(len(schema.MIGRATIONS),)]


def test_every_name_is_ours(durable: str, open_shared: StoreMaker) -> None:
    open_shared()

    names = [
        name
        for migration in schema.MIGRATIONS
        for statement in migration
        for name in re.findall(r"(?:TABLE|INDEX) (\w+)", statement)
    ]

    assert names
    assert [name for name in names if not name.startswith("segue_")] == []
    assert _execute(durable, "SELECT count(*) FROM segue_schema") == [(1,)]


def test_an_older_schema_is_brought_up_to_date(
    durable: str, open_shared: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(open_shared().save(commit("c-1")))
    _add_migration(monkeypatch, A_NEXT_ONE)

    store = open_shared()

    assert store.load("c-1").conversation == commit("c-1").conversation
    assert _execute(durable, "SELECT version FROM segue_schema") == [(VERSION + 1,)]
    assert _execute(durable, "SELECT more FROM segue_conversations") == [(None,)]
    assert _execute(durable, "SELECT count(*) FROM segue_more") == [(0,)]


def test_a_migration_that_fails_leaves_the_old_schema(
    durable: str, open_shared: StoreMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(open_shared().save(commit("c-1")))
    _add_migration(monkeypatch, (A_NEXT_ONE[0], "ALTER TABLE segue_nonsense ADD COLUMN n BIGINT"))

    with (
        closing(open_store(durable)) as store,
        pytest.raises(Exception, match=r"segue_nonsense|Undefined"),
    ):
        store.migrate()

    monkeypatch.undo()
    assert _execute(durable, "SELECT version FROM segue_schema") == [(VERSION,)]
    assert open_shared().load("c-1").conversation == commit("c-1").conversation
    assert "segue_more" not in str(_tables(durable))


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


@pytest.mark.parametrize("script", sorted(GOLDEN.glob("*.sql")), ids=lambda path: path.stem)
def test_a_database_of_every_version_is_read(script: Path, tmp_path: Path) -> None:
    """What an earlier Segue kept is there, whatever has changed since."""
    path = tmp_path / "segue.db"
    with closing(sqlite3.connect(path)) as file:
        file.executescript(script.read_text(encoding="utf-8"))

    with closing(SqliteStore(path)) as store:
        second = commit("c-1", 1, phase="ended", findings="[1]").conversation
        assert store.load("c-1", identity("d-1")) == Loaded(second, "print of c-1:1")
        assert [each.conversation_id for each in store.list(None, 10, None)] == ["c-2", "c-1"]
        assert [each.body for each in store.journal(0, 10, None)] == [
            '"c-1:1"',
            '"c-1:2"',
            '"c-2:1"',
        ]
        assert [each.reason for each in store.dead(0, 10)] == ["ValueError"]
        assert [each.tries for each in store.claim("you", ALWAYS, ALWAYS, 10)] == [0, 0]
        assert [each.body for each in store.quarantined(0, 10)] == [b"\xff"]


def test_there_is_a_database_of_every_version() -> None:
    versions = range(1, len(schema.MIGRATIONS) + 1)

    assert [path.stem for path in sorted(GOLDEN.glob("*.sql"))] == [f"v{n}" for n in versions]
