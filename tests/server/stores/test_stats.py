"""What an operator watches: how much is open, waiting, given up and put aside."""

from __future__ import annotations

from tests.server.stores.library import ALWAYS, at, commit, done, quarantined

from segue.server.processor import Store, StoreStats


def test_an_empty_store_has_nothing_to_watch(store: Store) -> None:
    assert store.stats() == StoreStats(0, 0, None, 0, 0)


def test_stats_count_what_is_there(store: Store) -> None:
    done(store.save(commit("c-1", when=at(1), messages=2)))
    done(store.save(commit("c-2", when=at(2), messages=1)))
    done(store.save(commit("c-3", when=at(3))))
    done(store.save(commit("c-3", 1, when=at(4), phase="ended")))
    store.quarantine(quarantined())

    assert store.stats() == StoreStats(2, 3, at(1), 0, 1)


def test_a_callback_waits_until_it_is_delivered_or_given_up(store: Store) -> None:
    done(store.save(commit("c-1", when=at(1), messages=1)))
    done(store.save(commit("c-2", when=at(2), messages=1)))
    first, second = store.claim("me", at(3), ALWAYS, 10)
    assert store.stats().waiting_since == at(1)  # leased, but not delivered

    store.bury(first.number, "me", "ValueError")
    assert store.stats() == StoreStats(2, 1, at(2), 1, 0)

    done(store.acknowledge(second.number, "me"))
    assert store.stats() == StoreStats(2, 0, None, 1, 0)

    store.revive(first.number)
    assert store.stats() == StoreStats(2, 1, at(1), 0, 0)
