"""The causes of what a server received of late."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from tests.analysis.causes.test_causes import conversation

import segue
from segue.server.inspector.recent_causes import JournalCauses
from segue.server.processor import JournalEntry, Processor, drive

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Clock:
    """Says what time it is."""

    def __init__(self) -> None:
        self.now = NINE

    def __call__(self) -> datetime:
        return self.now


def received(numbers: int = 120, begin: int = 40, bot: str = "st-1") -> Processor:
    """Conversations by two agents in turn, of whom one is wrong from one of them on."""
    clock = Clock()
    it = Processor(store=segue.MemoryStore(), clock=clock)
    for number in range(numbers):
        is_wrong = number >= begin and number % 2 == 1
        for line in conversation(number, bot, f"a-{number % 2}", is_wrong=is_wrong):
            clock.now = NINE + timedelta(minutes=number)
            it.receive(bot, json.dumps(json.loads(line)["body"]))
    return it


def followed(it: Processor, causes: JournalCauses, most: int = 20_000) -> list[str]:
    drive(it.queries.read_journal(causes.place, most, causes.add))
    return causes.sentences()


def test_the_sentence_is_that_of_the_log() -> None:
    it = received()

    found = "SG203: 40 of 40 findings where agent = a-1 since 09:41"

    assert followed(it, JournalCauses()) == [f"{found}; 33 % of its transfers, 0 % elsewhere."]
    assert followed(it, JournalCauses()) == segue.causes(list(it.export())).sentences()


def test_what_came_since_is_added_once() -> None:
    it, causes = received(), JournalCauses()
    first = followed(it, causes)
    entries: list[JournalEntry] = []
    drive(it.queries.read_journal(0, 10, entries.extend))
    causes.add(entries)

    assert followed(it, causes) == first
    assert [entry.number for entry in entries] == list(range(causes.place - 9, causes.place + 1))


def test_causes_are_searched_for_every_ten_seconds_at_most() -> None:
    seconds = [0.0]
    it, causes = received(), JournalCauses(clock=lambda: seconds[0])
    nothing = causes.sentences()
    first = followed(it, causes), causes.sentences(["st-1"])
    seconds[0] = 11.0

    assert (nothing, first[0], len(first[1]), len(causes.sentences())) == ([], [], 1, 1)


def test_what_was_said_to_many_readers_is_forgotten() -> None:
    causes = JournalCauses(clock=lambda: 0.0)
    before = [causes.sentences([str(number)]) for number in range(100)]
    it = received()

    assert followed(it, causes)
    assert causes.sentences(["1"]) is not before[1]


def test_of_a_long_journal_the_newest_entries_are_read() -> None:
    pages: list[int] = []
    it = received(400, 400)
    drive(it.queries.read_journal(0, 1000, lambda page: pages.append(len(page))))

    assert pages == [500, 500]


def test_a_reader_sees_causes_of_the_own_bots_only() -> None:
    causes = JournalCauses()
    followed(received(), causes)

    assert causes.sentences(["st-1"]) == causes.sentences()
    assert causes.sentences(["st-9"]) == causes.sentences([]) == []


def test_the_window_ends_with_the_newest_delivery() -> None:
    causes = JournalCauses(timedelta(minutes=60))

    assert followed(received(120, 0), causes) == [
        "SG203: 31 of 31 findings where agent = a-1; 33 % of its transfers, 0 % elsewhere."
    ]
