"""Many processes on one store: each delivery is applied once, and positions have no gaps."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.server.stores.audit import check_callbacks, check_deliveries, journal
from tests.server.stores.conftest import StoreMaker
from tests.server.stores.host import Host
from tests.server.stores.library import at, commit, done, key

from segue.server.processor import Store


def _all_send(address: str, callbacks: Path, lives: int, send: list[tuple[str, int, int]]) -> Host:
    with Host(address, callbacks) as host:
        assert host.live(send, lives=lives) == [0] * lives
        return host


def _outcomes(host: Host) -> Counter[str]:
    return Counter(outcome for _, _, outcome in host.answers)


@pytest.mark.thorough
def test_sixteen_processes_that_send_the_same_sixty_deliveries(
    durable: str, open_shared: StoreMaker, tmp_path: Path
) -> None:
    """They are of five conversations, and have ids: each is applied once."""
    store, callbacks = open_shared(), tmp_path / "callbacks"

    host = _all_send(durable, callbacks, 16, [(f"c-{number}", 0, 12) for number in range(5)])

    assert _outcomes(host) == {"applied": 60, "duplicate": 15 * 60}
    check_deliveries(store, host.answers)
    check_callbacks(store, callbacks)


@pytest.mark.thorough
def test_eight_processes_on_one_conversation_leave_no_gap(
    durable: str, open_shared: StoreMaker, tmp_path: Path
) -> None:
    """Each sends deliveries of its own, without ids: they are all applied, in some order."""
    store = open_shared()

    host = _all_send(durable, tmp_path / "callbacks", 8, [("c-1", -15, 0)])

    assert _outcomes(host) == {"applied": 8 * 15}
    entries = journal(store)["c-1"]
    assert len(entries) == 8 * 15
    found = store.load(key("c-1")).conversation
    assert found is not None
    assert found.version == found.summary.events == len(entries)


def test_processes_that_start_at_once_make_one_schema(durable: str, tmp_path: Path) -> None:
    with Host(durable, tmp_path / "callbacks") as host:
        assert host.live([("c-1", 0, 1)], lives=8) == [0] * 8

    assert _outcomes(host) == {"applied": 1, "duplicate": 7}


def test_a_reader_cannot_outrun_a_writer(open_shared: StoreMaker) -> None:
    """Who follows the feed by number while others write sees every entry, and each once."""
    store, follower = open_shared(), open_shared()
    many = 40

    def write(name: int) -> None:
        for version in range(many):
            done(store.save(commit(f"c-{name}", version, when=at(version), findings="[1]")))

    seen: list[int] = []
    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, name) for name in range(4)]
        while len(seen) < 4 * many and not all(writer.done() for writer in writers):
            seen += [each.number for each in follower.feed(seen[-1] if seen else 0, 10, None)]
    while some := follower.feed(seen[-1] if seen else 0, 10, None):
        seen += [each.number for each in some]

    assert seen == [each.number for each in store.journal(0, 1000, None)]
    assert len(seen) == 4 * many


LAPS = 25


def test_what_is_done_concurrently_is_never_refused(open_shared: StoreMaker) -> None:
    """No two calls wait for each other for ever, and no lock makes one of them fail."""
    one, other = open_shared(), open_shared()

    with ThreadPoolExecutor(6) as pool:
        at_once = [
            *(pool.submit(_save, one, f"c-{name}") for name in range(3)),
            pool.submit(_work_off, one, "one"),
            pool.submit(_work_off, other, "other"),
            pool.submit(_tidy, other),
        ]
        for each in at_once:
            each.result(timeout=PATIENCE)

    assert len(one.journal(0, 1000, None)) == 3 * LAPS


def _save(store: Store, name: str) -> None:
    for version in range(LAPS):
        done(store.save(commit(name, version, when=at(version), messages=2)))


def _work_off(store: Store, name: str) -> None:
    for lap in range(LAPS):
        for message in store.claim(f"{name} {lap}", at(lap), at(lap + 1), 5):
            match message.number % 4:
                case 0:
                    store.bury(message.number, message.lease, "E")
                    store.revive(message.number)
                case 1:
                    store.postpone(message.number, message.lease, at(lap + 2))
                case _:
                    done(store.acknowledge(message.number, message.lease))


def _tidy(store: Store) -> None:
    for lap in range(LAPS):
        done(store.save(commit(f"old-{lap}", when=at(-10))))
        store.purge(at(-5))
        store.feed(0, 10, None)
        store.list(None, 10, None)
        store.journal(0, 10, key("c-1"))
