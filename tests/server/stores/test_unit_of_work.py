"""Load and save: one delivery is one commit, compared and swapped."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.server.stores.library import ALWAYS, DAY, at, commit, done, entry, identity, key, piece

from segue.errors import StoreConflict
from segue.server.processor import Commit, Identity, Loaded, Store


def _numbers(store: Store) -> list[int]:
    return [entry.number for entry in store.journal(0, 1000, None)]


def _save_refused(store: Store, wrong: Commit) -> str:
    with pytest.raises(StoreConflict) as caught:
        done(store.save(wrong))
    return str(caught.value)


def test_nothing_is_known_of_a_conversation_that_never_came(store: Store) -> None:
    assert store.load(key("c-1"), identity("d-1")) == Loaded(None, None)


def test_what_was_saved_is_loaded_again(store: Store) -> None:
    first = commit("c-1", delivery_id="d-1", when=at(0.000001))
    done(store.save(first))

    assert store.load(key("c-1")) == Loaded(first.conversation, None)
    assert store.load(key("c-1"), identity("d-1")) == Loaded(first.conversation, "print of c-1:1")


def test_the_newest_version_is_loaded(store: Store) -> None:
    done(store.save(commit("c-1", 0)))
    second = commit("c-1", 1, when=at(5), phase="ended")
    done(store.save(second))

    known = {0: b"agent 0 of c-1:2", 1: b"agent 1 of c-1:1"}
    assert store.load(key("c-1")).conversation == replace(second.conversation, agents=known)


def test_an_id_is_known_whatever_conversation_it_came_with(store: Store) -> None:
    done(store.save(commit("c-1", delivery_id="d-1")))

    assert store.load(key("c-2"), identity("d-1")) == Loaded(None, "print of c-1:1")


@pytest.mark.parametrize(
    "other",
    [
        Identity("transcription", "st-1", "d-1"),
        Identity("hooks", "st-2", "d-1"),
        Identity("hooks", "st-1", "D-1"),
        Identity("hooks", "st-1d", "-1"),
    ],
)
def test_an_id_is_scoped_by_endpoint_and_bot(store: Store, other: Identity) -> None:
    done(store.save(commit("c-1", delivery_id="d-1")))

    assert store.load(key("c-1"), other).fingerprint is None


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_a_commit_from_another_version_is_refused(store: Store, expected: int) -> None:
    done(store.save(commit("c-1", 0)))
    done(store.save(commit("c-1", 1)))

    assert "another version" in _save_refused(store, commit("c-1", expected))


def test_a_commit_to_a_conversation_that_is_not_there_is_refused(store: Store) -> None:
    assert "another version" in _save_refused(store, commit("c-1", 1))
    assert store.load(key("c-1")).conversation is None


def test_a_known_id_is_refused_for_any_conversation(store: Store) -> None:
    done(store.save(commit("c-1", delivery_id="d-1")))

    assert "delivery id" in _save_refused(store, commit("c-1", 1, delivery_id="d-1"))
    assert "delivery id" in _save_refused(store, commit("c-2", 0, delivery_id="d-1"))


def test_nothing_of_a_refused_commit_is_applied(store: Store) -> None:
    first = commit("c-1", delivery_id="d-1")
    done(store.save(first))

    _save_refused(store, commit("c-1", 0, delivery_id="d-2", messages=2))
    _save_refused(store, commit("c-1", 1, delivery_id="d-1", messages=2))
    _save_refused(store, commit("c-2", 0, delivery_id="d-1", messages=2))

    assert store.load(key("c-1"), identity("d-2")) == Loaded(first.conversation, None)
    assert store.load(key("c-2")).conversation is None
    assert len(store.journal(0, 10, None)) == 1
    assert store.claim("me", DAY, ALWAYS, 10) == []


def test_a_refused_commit_fails_alone(store: Store) -> None:
    """Whatever it was grouped with: every second one of these is refused, all at once."""
    done(store.save(commit("c-0")))
    wrong = [commit("c-0", 0, messages=1) for _ in range(40)]
    right = [commit(f"c-{n}", messages=1) for n in range(1, 41)]
    mixed = [each for pair in zip(wrong, right, strict=True) for each in pair]

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda each: _outcome(store, each), mixed))

    assert answers == ["StoreConflict", "saved"] * 40
    assert len(store.journal(0, 1000, None)) == 41
    assert len(store.claim("me", DAY, ALWAYS, 1000)) == 40


def _outcome(store: Store, each: Commit) -> str:
    try:
        done(store.save(each))
    except StoreConflict as error:
        return type(error).__name__
    return "saved"


def test_one_of_many_wins_each_version(store: Store) -> None:
    def push(_: int) -> int:
        for version in range(10):
            _outcome(store, commit("c-1", version))
        return 0

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(push, range(8)))

    bodies = [entry.body for entry in store.journal(0, 1000, key("c-1"))]
    assert bodies == [f'"c-1:{version}"' for version in range(1, len(bodies) + 1)]
    found = store.load(key("c-1")).conversation
    assert found is not None
    assert found.version == len(bodies)


def test_numbers_grow(store: Store) -> None:
    for version in range(5):
        done(store.save(commit("c-1", version)))
        done(store.save(commit(f"c-2{version}", 0)))

    numbers = _numbers(store)
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 10


@pytest.mark.parametrize(
    "name",
    ["Ünïcode ☎️ \U0001f4de", "'; DROP TABLE segue_journal; --", "%s ? $1", " ", "x" * 100_000],
)
def test_ids_are_only_ids(store: Store, name: str) -> None:
    done(store.save(commit(name, delivery_id=name, bot_id=name, messages=1)))
    done(store.save(commit(name, 1, bot_id=name)))

    found = store.load(key(name, name), identity(name, name))
    assert store.owners(name, 5, [name]) == [name]
    assert found.fingerprint == f"print of {name}:1"
    assert found.conversation is not None
    assert found.conversation.summary == commit(name, 1, bot_id=name).conversation.summary
    assert sorted(found.conversation.agents) == [0, 1]
    assert store.history(key(name, name), 0, 2, 5) == [piece(name, 1), piece(name, 2)]
    assert [each.agent for each in store.entries(key(name, name), -1, 5, 5)] == [
        f"agent of {name}"
    ] * 2
    assert [each.conversation_id for each in store.list(None, 5, [name])] == [name]
    assert [each.body for each in store.journal(0, 5, key(name, name))] == [
        f'"{name}:1"',
        f'"{name}:2"',
    ]
    assert [each.conversation_id for each in store.claim("me", DAY, ALWAYS, 5)] == [name]


def test_the_history_is_read_by_version(store: Store) -> None:
    for version in range(9):
        done(store.save(commit("c-1", version)))
        done(store.save(commit("c-2", version)))

    def versions(after: int, until: int, limit: int, *, with_findings: bool = False) -> list[int]:
        found = store.history(key("c-1"), after, until, limit, with_findings=with_findings)
        assert list(found) == [piece("c-1", each.version) for each in found]
        return [each.version for each in found]

    assert versions(0, 9, 10) == [1, 2, 4, 5, 7, 8]
    assert versions(1, 7, 10) == [2, 4, 5, 7]
    assert versions(2, 9, 2) == [4, 5]
    assert versions(0, 9, 10, with_findings=True) == [2, 4, 8]
    assert versions(2, 4, 1, with_findings=True) == [4]
    assert store.history(key("c-3"), 0, 9, 10) == []


def test_entries_are_read_by_number(store: Store) -> None:
    for version in range(5):
        done(store.save(commit("c-1", version)))
        done(store.save(commit("c-2", version)))

    def entries(after: int, until: int, limit: int) -> list[tuple[int, int, int]]:
        found = store.entries(key("c-1"), after, until, limit)
        for each in found:
            assert each == replace(entry("c-1", each.number, each.events), version=each.version)
        return [(each.number, each.version, each.events) for each in found]

    # Each but the last was changed by the commit after the one that added it.
    assert entries(-1, 9, 9) == [(0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 5)]
    assert entries(1, 4, 9) == [(2, 3, 4), (3, 4, 5)]
    assert entries(-1, 9, 2) == [(0, 1, 2), (1, 2, 3)]
    assert store.entries(key("c-3"), -1, 9, 9) == []


def test_the_history_goes_with_its_conversation(store: Store) -> None:
    done(store.save(commit("c-1", when=at(0))))
    done(store.save(commit("c-2", when=at(9))))

    assert store.purge(at(5)) == 1

    assert store.history(key("c-1"), 0, 9, 10) == []
    assert store.history(key("c-2"), 0, 9, 10) == [piece("c-2", 1)]
    assert store.entries(key("c-1"), -1, 9, 10) == []
    assert len(store.entries(key("c-2"), -1, 9, 10)) == 1
    done(store.save(replace(commit("c-1"), history=None)))
    assert store.history(key("c-1"), 0, 9, 10) == []


def test_nothing_of_a_customer_shows_in_a_repr(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))

    shown = repr(
        (
            store,
            store.load(key("c-1")),
            store.history(key("c-1"), 0, 9, 9),
            store.entries(key("c-1"), -1, 9, 9),
            store.journal(0, 5, None),
            store.claim("", DAY, ALWAYS, 5),
        )
    )

    assert "snapshot c-1" not in shown
    assert "history c-1" not in shown
    assert "details c-1" not in shown
    assert "agent 0" not in shown
    assert '"c-1:1"' not in shown
    assert '{"n":0}' not in shown
