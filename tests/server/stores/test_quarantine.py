"""The quarantine, and how long anything is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.stores.library import ALWAYS, DAY, at, commit, done, identity, key, quarantined

from segue.errors import StoreConflict
from segue.server.processor import BodyGoneError, Loaded, Store


def test_what_is_put_aside_is_found_again(store: Store) -> None:
    item = quarantined(body=b"\x00\xff{", when=at(0.25))

    number = store.quarantine(item)

    assert list(store.quarantined(0, 10)) == [replace(item, number=number)]


def test_what_a_commit_puts_aside_is_there_only_if_the_commit_is(store: Store) -> None:
    item = quarantined("rejected")
    done(store.save(commit("c-1")))
    aside = replace(commit("c-1", 1), entry=None, history=None, quarantined=item)

    done(store.save(aside))
    with pytest.raises(StoreConflict):
        done(store.save(aside))

    assert [replace(each, number=0) for each in store.quarantined(0, 10)] == [item]


def test_everything_that_is_known_of_it_is_kept(store: Store) -> None:
    item = replace(
        quarantined("reused"), conversation_id="c-1", delivery_id="d-1", codes=(), size=999_999
    )

    number = store.quarantine(item)

    assert list(store.quarantined(0, 10)) == [replace(item, number=number)]


def test_the_quarantine_is_paged(store: Store) -> None:
    numbers = [store.quarantine(quarantined(f"reason-{n}")) for n in range(3)]

    assert numbers == sorted(set(numbers))
    assert [each.reason for each in store.quarantined(0, 2)] == ["reason-0", "reason-1"]
    assert [each.reason for each in store.quarantined(numbers[1], 2)] == ["reason-2"]


def test_the_newest_are_read_first_and_without_their_bodies(store: Store) -> None:
    first, *others = (
        store.quarantine(replace(quarantined(f"reason-{n}"), bot_id=f"st-{n % 2}"))
        for n in range(4)
    )

    found = store.newest_quarantined(None, 2, None)
    assert [(each.reason, each.body) for each in found] == [("reason-3", b""), ("reason-2", b"")]
    assert [each.size for each in found] == [quarantined().size] * 2
    assert [each.number for each in store.newest_quarantined(others[0], 9, None)] == [first]
    of_bot = store.newest_quarantined(None, 9, ["st-0"])
    assert [each.reason for each in of_bot] == ["reason-2", "reason-0"]
    assert list(store.newest_quarantined(None, 9, [])) == []


def test_bodies_are_counted_by_conversation_and_reason(store: Store) -> None:
    for reason in ("rejected", "reused", "damaged"):
        store.quarantine(replace(quarantined(reason), conversation_id="c-1"))
    for bot, name in [("st-2", "c-1"), ("st-1", "c-2"), ("st-1", None)]:
        store.quarantine(replace(quarantined("rejected"), bot_id=bot, conversation_id=name))

    assert store.count_quarantined(key("c-1"), ["rejected", "reused"]) == 2
    assert store.count_quarantined(key("c-1"), ["rejected"]) == 1
    assert store.count_quarantined(key("c-3"), ["rejected"]) == 0


def test_what_is_released_is_gone(store: Store) -> None:
    first = store.quarantine(quarantined("unfiled"))
    second = store.quarantine(quarantined("reused"))

    assert store.release(first) == replace(quarantined("unfiled"), number=first)
    assert store.release(first) is None
    assert [each.number for each in store.quarantined(0, 10)] == [second]


def test_what_a_commit_replays_is_gone_with_it_and_no_other_commit_replays_it(
    store: Store,
) -> None:
    number = store.quarantine(quarantined())
    with pytest.raises(StoreConflict):
        done(store.save(replace(commit("c-1", expected=1), replays=number)))
    assert len(store.quarantined(0, 9)) == 1

    done(store.save(replace(commit("c-1"), replays=number)))

    assert list(store.quarantined(0, 9)) == []
    with pytest.raises(BodyGoneError, match=f"quarantined body {number} is gone"):
        done(store.save(replace(commit("c-2"), replays=number)))
    assert store.load(key("c-2")).conversation is None


def test_the_oldest_bodies_make_room_for_new_ones(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("segue.server.stores.quarantine_rows._AT_MOST", 3)
    numbers = [store.quarantine(quarantined(body=bytes([n]))) for n in range(5)]

    assert [each.number for each in store.quarantined(0, 9)] == numbers[2:]


def test_a_purge_of_nothing_removes_nothing(store: Store) -> None:
    done(store.save(commit("c-1", when=DAY)))

    assert store.purge(DAY) == 0
    assert store.load(key("c-1")).conversation is not None


def test_a_purged_conversation_is_gone_with_all_that_belongs_to_it(store: Store) -> None:
    done(store.save(commit("old", delivery_id="d-1", messages=2)))
    done(store.save(commit("new", delivery_id="d-2", when=at(10))))
    first, second = store.claim("me", DAY, ALWAYS, 10)
    store.bury(first.number, "me", "E")
    assert done(store.acknowledge(second.number, "me"))

    assert store.purge(at(10)) == 1

    assert store.load(key("old"), identity("d-1")) == Loaded(None, None)
    assert store.load(key("new"), identity("d-2")).fingerprint == "print of new:1"
    assert [each.body for each in store.journal(0, 10, None)] == ['"new:1"']
    assert [each.conversation_id for each in store.list(None, 10, None)] == ["new"]
    assert store.dead(0, 10) == []
    done(store.save(commit("old", 0, delivery_id="d-1")))


def test_a_conversation_counts_by_its_last_delivery(store: Store) -> None:
    done(store.save(commit("c-1", 0, when=at(0))))
    done(store.save(commit("c-1", 1, when=at(10))))

    assert store.purge(at(5)) == 0
    assert len(store.journal(0, 10, key("c-1"))) == 2


def test_a_conversation_stays_while_a_message_of_it_is_due(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))

    assert store.purge(at(10)) == 0
    (message,) = store.claim("me", DAY, at(60), 10)
    assert store.purge(at(10)) == 0
    assert done(store.acknowledge(message.number, "me"))
    assert store.purge(at(10)) == 1


def test_quarantined_bodies_go_by_their_own_time(store: Store) -> None:
    store.quarantine(quarantined("old", when=at(1)))
    store.quarantine(quarantined("new", when=at(2)))

    assert store.purge(at(2)) == 0

    assert [each.reason for each in store.quarantined(0, 10)] == ["new"]


def test_numbers_are_not_given_twice_after_a_purge(store: Store) -> None:
    """A cursor that a follower kept would otherwise skip what comes after it."""
    done(store.save(commit("c-1")))
    (last,) = store.journal(0, 10, None)
    item = store.quarantine(quarantined())
    store.purge(at(10))

    done(store.save(commit("c-2", when=at(20))))

    assert [each.conversation_id for each in store.feed(last.number, 10, None)] == ["c-2"]
    assert store.quarantine(quarantined()) > item


@pytest.mark.parametrize("many", [450])
def test_many_conversations_are_purged(store: Store, many: int) -> None:
    answers = [store.save(commit(f"c-{number}", when=at(number % 2))) for number in range(many)]
    for answer in answers:
        done(answer)

    assert store.purge(at(1)) == many // 2
    assert len(store.list(None, many, None)) == many // 2
