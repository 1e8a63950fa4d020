"""A file that is full, read-only, locked, gone, or no database: 503 until it is right again."""

from __future__ import annotations

import os
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread
from traceback import format_exception
from typing import Any

import pytest
from tests.patience import PATIENCE
from tests.server.stores.library import commit, done, key, quarantined

from segue import ConfigurationError, MemoryStore, SqliteStore
from segue.errors import StoreConflict, StoreUnavailable
from segue.server.processor import Commit
from segue.server.stores import group_commit
from segue.server.stores.group_commit import GroupCommitter
from segue.server.stores.schema import Database
from segue.server.stores.sqlite_file import DatabaseFile

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "segue.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store that is not patient."""
    store = SqliteStore(path, timeout=0.05)
    store.migrate()
    _save(store, commit("c-1"))
    yield store
    store.close()


@pytest.fixture
def small_disk(store: SqliteStore) -> Iterator[None]:
    """Let no file of this process grow."""
    store.ping()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _save(store: SqliteStore, one: Commit) -> None:
    store.save(one).result(timeout=PATIENCE)


def _is_away(store: SqliteStore) -> None:
    """Everything that writes says so, and nothing of it is applied."""
    writes = (
        lambda: _save(store, commit("c-1", 1, messages=1)),
        lambda: _save(store, commit("c-2")),
        lambda: store.quarantine(quarantined()),
        store.ping,
    )
    for write in writes:
        with pytest.raises(StoreUnavailable, match=r"segue\.db"):
            write()


def _is_back(store: SqliteStore) -> None:
    """Without a restart, and as if nothing had happened."""
    assert [each.body for each in store.journal(0, 10, None)] == ['"c-1:1"']
    _save(store, commit("c-1", 1))
    assert [each.body for each in store.journal(0, 10, None)] == ['"c-1:1"', '"c-1:2"']
    assert list(store.quarantined(0, 10)) == []
    store.ping()


@pytest.mark.parametrize("name", ["own.db", "link"])
def test_only_the_owner_may_read_the_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to("own.db")
    before = os.umask(0)
    try:
        with closing(SqliteStore(tmp_path / name)) as store:
            store.save(commit("c-1")).result()
            modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.glob("own.db*")}
    finally:
        os.umask(before)

    assert modes == dict.fromkeys(("own.db", "own.db-wal", "own.db-shm"), 0o600)


def test_a_locked_file(store: SqliteStore, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        _is_away(store)
        assert store.load(key("c-1")).conversation is not None, "reading goes on"

    _is_back(store)


def test_a_disk_that_takes_no_more(store: SqliteStore, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("small_disk")
    _is_away(store)
    assert store.load(key("c-1")).conversation is not None, "reading goes on"

    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    _is_back(store)


def test_a_database_that_is_full(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As SQLite says it: SQLITE_FULL, in the middle of a group."""
    connect = sqlite3.connect
    store = SqliteStore(path)
    store.migrate()
    _save(store, commit("c-1"))
    store.close()

    def connect_small(*args: object, **options: object) -> sqlite3.Connection:
        line: sqlite3.Connection = connect(*args, **options)  # type: ignore[call-overload]
        line.execute("PRAGMA max_page_count = 1")  # as large as it is
        return line

    monkeypatch.setattr(sqlite3, "connect", connect_small)
    with closing(SqliteStore(path)) as store:
        for version in range(1, 100):
            try:
                _save(store, commit("c-1", version, messages=20))
            except StoreUnavailable as error:
                assert "free some space" in str(error)  # noqa: PT017 - it may be any of them
                break
        else:
            raise AssertionError("it never was full")
        assert len(store.journal(0, 1000, None)) == version
        monkeypatch.undo()
        _save(store, commit("c-1", version))


@pytest.fixture
def unprivileged() -> Iterator[None]:
    """Permissions mean nothing to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)


def test_a_read_only_file(
    store: SqliteStore, path: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store.close()
    for parent in tmp_path.parents:
        if parent.stat().st_uid == os.geteuid():
            parent.chmod(parent.stat().st_mode | 0o011)
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    request.getfixturevalue("unprivileged")
    with closing(SqliteStore(path)) as other:
        _is_away(other)
        if os.getuid() == 0:
            os.seteuid(0)
        tmp_path.chmod(0o755)
        path.chmod(0o644)
        _is_back(other)


def test_a_directory_that_is_away(store: SqliteStore, tmp_path: Path) -> None:
    elsewhere = tmp_path.with_name("elsewhere")
    tmp_path.rename(elsewhere)
    _is_away(store)
    with pytest.raises(StoreUnavailable, match=r"segue\.db"):
        store.load(key("c-1"))

    elsewhere.rename(tmp_path)
    _is_back(store)


def test_a_file_that_was_removed_is_not_written_to_any_more(store: SqliteStore, path: Path) -> None:
    """What would be written there would be lost: a new one is begun at the same place."""
    for file in path.parent.iterdir():
        file.unlink()

    assert store.load(key("c-1")).conversation is None
    _save(store, commit("c-3"))

    with closing(SqliteStore(path)) as other:
        assert [each.conversation_id for each in other.list(None, 10, None)] == ["c-3"]


def test_a_file_that_was_replaced_is_read_anew(store: SqliteStore, path: Path) -> None:
    """As when a backup is restored under a running server."""
    backup = path.with_name("backup.db")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(backup)) as target:
        source.backup(target)
    _save(store, commit("c-2"))
    for name in ("segue.db-wal", "segue.db-shm"):
        path.with_name(name).unlink()
    backup.replace(path)

    assert [each.conversation_id for each in store.list(None, 10, None)] == ["c-1"]
    _save(store, commit("c-2"))


@pytest.mark.parametrize("is_new", [False, True])
def test_nothing_is_stored_in_a_log_that_was_removed(
    store: SqliteStore, path: Path, *, is_new: bool
) -> None:
    """As when somebody cleans up, or copies a backup into the file of a running server."""
    store.load(key("c-1"))
    for name in ("segue.db-wal", "segue.db-shm"):
        path.with_name(name).unlink()
    if is_new:
        path.with_name("segue.db-wal").touch()

    for conversation in ("c-2", "c-3"):
        with pytest.raises(StoreUnavailable, match=r"segue\.db-wal was removed .*: restart"):
            _save(store, commit(conversation))
        with pytest.raises(StoreUnavailable, match=r"segue\.db-wal was removed .*: restart"):
            store.load(key("c-1"))
    store.close()

    with closing(SqliteStore(path)) as other:  # what was stored before has been kept
        assert [each.conversation_id for each in other.list(None, 10, None)] == ["c-1"]
        _save(other, commit("c-2"))


def test_a_link_that_leads_to_itself(path: Path) -> None:
    path.symlink_to(path)

    with pytest.raises(StoreUnavailable, match="cannot be used"):
        SqliteStore(path).migrate()


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_bytes(b"minutes of the meeting\n" * 500)

    with closing(SqliteStore(path)) as store:
        with pytest.raises(StoreUnavailable, match="give another path"):
            store.migrate()
        with pytest.raises(StoreUnavailable, match="give another path"):
            _save(store, commit("c-1"))
    assert path.read_bytes() == b"minutes of the meeting\n" * 500


@pytest.mark.parametrize("path", ["", ":memory:"])
def test_a_path_that_names_no_file(path: str) -> None:
    with pytest.raises(ConfigurationError, match="MemoryStore"):
        SqliteStore(path)


def test_what_is_queued_at_the_close_is_written(path: Path) -> None:
    store = SqliteStore(path)
    futures = [store.save(commit(f"c-{number}")) for number in range(50)]
    store.close()
    store.close()

    assert [future.result(timeout=0) for future in futures] == [None] * 50
    with closing(SqliteStore(path)) as other:
        assert len(other.list(None, 100, None)) == 50


def test_a_closed_store_says_so(path: Path) -> None:
    store = SqliteStore(path)
    store.close()

    with pytest.raises(StoreUnavailable, match="closed"):
        store.load(key("c-1"))
    with pytest.raises(StoreUnavailable, match="closed"):
        store.save(commit("c-1"))
    with pytest.raises(StoreUnavailable, match="closed"):
        store.migrate()
    assert not path.exists()


def test_the_log_is_gone_when_everybody_has_closed(path: Path) -> None:
    """One file is left, that can be copied."""
    with closing(SqliteStore(path)) as store:
        _save(store, commit("c-1"))

    assert [file.name for file in path.parent.iterdir()] == ["segue.db"]


def test_a_commit_is_on_the_disk_before_it_is_answered(store: SqliteStore) -> None:
    """What a loss of power would show, and no test can: the settings that make it so."""

    def settings(line: Database) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [line.execute(f"PRAGMA {name}").fetchall()[0][0] for name in names]

    assert store._write(settings) == ["wal", 2, 1]  # noqa: SLF001


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_file_that_another_program_makes_at_this_moment(path: Path, lock: str) -> None:
    """SQLite does not always wait for the lock that the switch to a log takes; the store does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE orders (number INTEGER)")
        other.execute(f"BEGIN {lock}")
        with closing(SqliteStore(path, timeout=0.05)) as store:
            with pytest.raises(StoreUnavailable, match="another program holds it"):
                store.migrate()
            other.execute("COMMIT")
            store.migrate()


def test_an_old_sqlite_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))

    with pytest.raises(ConfigurationError, match="too old"):
        SqliteStore(path)


def test_the_repr_names_the_file(store: SqliteStore, path: Path) -> None:
    assert repr(store) == f"<SqliteStore {path}>"


def test_a_store_that_is_closed_while_it_is_read(store: SqliteStore, path: Path) -> None:
    """The connection that is in use is let go of when it comes back."""
    store._read(lambda _: store.close())  # noqa: SLF001

    assert [file.name for file in path.parent.iterdir()] == ["segue.db"]


def test_a_machine_that_has_no_thread_left_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Scarce(Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    store = SqliteStore(path)
    with monkeypatch.context() as machine:
        machine.setattr(group_commit, "Thread", Scarce)
        with pytest.raises(StoreUnavailable, match="no thread can be started"):
            store.save(commit("c-1"))

    _save(store, commit("c-1"))
    store.close()


def test_a_committer_that_was_closed_takes_nothing(path: Path) -> None:
    committer = GroupCommitter(DatabaseFile(path, 1))
    committer.close()

    with pytest.raises(StoreUnavailable, match="closed"):
        committer.submit(lambda _: None)


def test_a_mistake_of_ours_when_reading_is_not_the_files(store: SqliteStore) -> None:
    nonsense: Any = object()
    with pytest.raises(StoreUnavailable, match="ProgrammingError"):
        store._read(lambda line: line.execute("SELECT ?", (nonsense,)))  # noqa: SLF001

    assert store.load(key("c-1")).conversation is not None


def test_a_mistake_of_ours_fails_alone(store: SqliteStore) -> None:
    """It is not the file's: the connection stays, and so does what shared the group."""
    nonsense: Any = object()
    wrong = replace(commit("c-1", 1, delivery_id="d-1"), fingerprint=nonsense)
    futures = [store.save(each) for each in (commit("c-2"), wrong, commit("c-3"))]

    assert [type(future.exception()) for future in futures] == [
        type(None),
        StoreUnavailable,
        type(None),
    ]


ERRORS = [each for each in vars(sqlite3).values() if isinstance(each, type)
          and issubclass(each, sqlite3.Error)]  # fmt: skip


@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize("name", ["SqliteStore", "MemoryStore"])
def test_every_error_of_the_driver_is_an_unavailable_store(
    path: Path, name: str, kind: type[sqlite3.Error]
) -> None:
    def fail(_: object) -> None:
        raise kind("a customer's words")

    with closing(SqliteStore(path) if name == "SqliteStore" else MemoryStore()) as store:
        for run in (store._read, store._write):  # noqa: SLF001
            with pytest.raises(StoreUnavailable, match=kind.__name__) as caught:
                run(fail)
            assert "words" not in "".join(format_exception(caught.value))
        done(store.save(commit("c-9")))


def test_a_cancelled_commit_that_still_waits_is_not_written(store: SqliteStore, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        first = store.save(commit("c-2"))
        while not first.running():
            pass
        second = store.save(commit("c-3"))
        assert second.cancel()

    _save(store, commit("c-4"))
    assert "c-3" not in {each.conversation_id for each in store.list(None, 10, None)}


def test_a_refused_commit_leaves_the_line_open(store: SqliteStore) -> None:
    with pytest.raises(StoreConflict):
        _save(store, commit("c-1", 0))
    _save(store, commit("c-1", 1))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_opens_the_file_anew(store: SqliteStore) -> None:
    """What it inherited is its parent's; both go on."""
    store.load(key("c-1"))
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            _save(store, commit("c-2"))
            store.close()
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0

    _save(store, commit("c-3"))
    assert len(store.list(None, 10, None)) == 3
