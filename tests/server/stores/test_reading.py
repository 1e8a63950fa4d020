"""List, feed and journal: pages of what was committed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest
from tests.server.stores.library import DAY, at, commit, done, key

from segue.server.processor import ConversationSummary, Store

A_FINDING = '[{"code":"SG103"}]'


def _listed(
    store: Store, after: int | None = None, limit: int = 10, bots: Collection[str] | None = None
) -> list[str]:
    return [each.conversation_id for each in store.list(after, limit, bots)]


def _fill(store: Store) -> None:
    """Three conversations of two bots; the first is touched again, last of all."""
    done(store.save(commit("c-1", bot_id="st-1")))
    done(store.save(commit("c-2", bot_id="st-2", findings=A_FINDING)))
    done(store.save(commit("c-3", bot_id="st-1")))
    done(store.save(commit("c-1", 1, bot_id="st-1", when=at(9), phase="ended")))


def test_an_empty_store_has_nothing_to_read(store: Store) -> None:
    assert list(store.list(None, 10, None)) == []
    assert list(store.feed(0, 10, None)) == []
    assert list(store.journal(0, 10, None)) == []
    assert list(store.journal(0, 10, key("c-1"))) == []


def test_the_list_is_newest_first_by_creation(store: Store) -> None:
    _fill(store)

    assert _listed(store) == ["c-3", "c-2", "c-1"]


def test_the_list_says_all_but_the_snapshot(store: Store) -> None:
    _fill(store)

    last = store.list(None, 10, None)[-1]

    assert last == ConversationSummary(
        number=last.number,
        conversation_id="c-1",
        bot_id="st-1",
        phase="ended",
        events=4,
        findings=0,
        errors=2,
        started_at=DAY,
        updated_at=at(9),
    )


def test_the_list_goes_on_below_the_last_number(store: Store) -> None:
    _fill(store)

    newest, second = store.list(None, 2, None)

    assert _listed(store, newest.number) == ["c-2", "c-1"]
    assert _listed(store, second.number, limit=1) == ["c-1"]
    assert _listed(store, store.list(None, 3, None)[2].number) == []


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        (None, ["c-3", "c-2", "c-1"]),
        (["st-1"], ["c-3", "c-1"]),
        ({"st-2"}, ["c-2"]),
        (("st-1", "st-2", "st-3"), ["c-3", "c-2", "c-1"]),
        (["st-3"], []),
        ([], []),
    ],
)
def test_the_list_shows_the_conversations_of_the_bots_asked_for(
    store: Store, bots: Collection[str] | None, expected: list[str]
) -> None:
    _fill(store)

    assert _listed(store, bots=bots) == expected


def test_the_feed_shows_findings_and_changes_of_phase(store: Store) -> None:
    done(store.save(commit("c-1", 0)))  # waiting to active
    done(store.save(commit("c-1", 1)))  # active as before
    done(store.save(commit("c-1", 2, findings=A_FINDING)))
    done(store.save(commit("c-1", 3, phase="ended")))

    first, second, third = store.feed(0, 10, None)

    assert (first.phase_before, first.phase, first.findings) == ("waiting", "active", "[]")
    assert (second.phase_before, second.phase, second.findings) == ("active", "active", A_FINDING)
    assert (third.phase_before, third.phase, third.findings) == ("active", "ended", "[]")


def test_the_feed_goes_on_behind_the_last_number(store: Store) -> None:
    _fill(store)
    numbers = [each.number for each in store.feed(0, 10, None)]
    assert len(numbers) == 4

    assert [each.number for each in store.feed(numbers[1], 1, None)] == numbers[2:3]
    assert [each.number for each in store.feed(numbers[1], 10, None)] == numbers[2:]
    assert list(store.feed(numbers[3], 10, None)) == []


def test_the_end_of_the_feed_is_known_without_reading_it(store: Store) -> None:
    assert store.latest() == 0
    _fill(store)
    end = store.latest()
    done(store.save(commit("c-9", 0)))

    assert end == max(each.number for each in store.journal(0, 10, None)[:-1])
    assert [each.conversation_id for each in store.feed(end, 10, None)] == ["c-9"]


@pytest.mark.parametrize(
    ("bots", "expected"),
    [(["st-1"], ["c-1", "c-3", "c-1"]), (["st-2"], ["c-2"]), (["st-3"], []), ([], [])],
)
def test_the_feed_shows_the_conversations_of_the_bots_asked_for(
    store: Store, bots: Collection[str], expected: list[str]
) -> None:
    _fill(store)

    assert [each.conversation_id for each in store.feed(0, 10, bots)] == expected


def test_the_journal_has_every_delivery_as_it_was_saved(store: Store) -> None:
    _fill(store)

    entries = store.journal(0, 10, None)

    assert [each.body for each in entries] == ['"c-1:1"', '"c-2:1"', '"c-3:1"', '"c-1:2"']
    second = commit("c-2", bot_id="st-2", findings=A_FINDING).entry
    assert second is not None
    assert entries[1] == replace(second, number=entries[1].number)


def test_the_journal_of_one_conversation(store: Store) -> None:
    _fill(store)

    assert [each.body for each in store.journal(0, 10, key("c-1"))] == ['"c-1:1"', '"c-1:2"']
    assert list(store.journal(0, 10, key("c-9"))) == []


def test_the_journal_goes_on_behind_the_last_number(store: Store) -> None:
    _fill(store)
    first, second = store.journal(0, 2, None)

    assert first.number < second.number
    assert [each.body for each in store.journal(second.number, 10, None)] == ['"c-3:1"', '"c-1:2"']
    assert [each.body for each in store.journal(first.number, 10, key("c-1"))] == ['"c-1:2"']
