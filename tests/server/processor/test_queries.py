"""Looking up: the account of a conversation, the list, the feed, readiness."""

import asyncio
import threading
from datetime import timedelta
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from tests.builders import Sender
from tests.patience import PATIENCE
from tests.server.processor.story import (
    AT,
    ENDS,
    ENTERS,
    LEAVES,
    AwayStore,
    Clock,
    body,
    message,
    processor,
    transfer,
)

from segue.core.findings import Policy
from segue.errors import ConfigurationError, SchemaTooNew, StoreUnavailable
from segue.server.processor import ConversationView, Page, Processor, Unit, drive
from segue.server.processor.effects import Wait
from segue.server.processor.readers import FeedWatcher, ReaderPool
from segue.server.stores import MemoryStore, SqliteStore


def _enter(it: Processor, *names: str, bot: str = "st-1") -> None:
    for name in names:
        it.receive(bot, body(transfer("NA entry", "a-1"), conversation=name, bot=bot))


def _names(page: Page[Any]) -> list[str]:
    return [item.conversation_id for item in page.items]


# One conversation.


def test_what_is_known_of_a_conversation() -> None:
    it = processor()
    it.receive("st-1", LEAVES)

    known = it.conversation("c-1")

    assert isinstance(known, ConversationView)
    assert [finding.code for finding in known.report.findings] == ["SG101"]
    assert known.bot_id == "st-1"
    assert known.expected == (
        "redial entry by a-1",
        "redial entry by another agent",
        "TRIGGER_SUMMARY_EVENT",
        "END_OF_CONVERSATION",
        "message",
    )
    told = known.to_dict()
    assert told["expected"] == list(known.expected)
    assert (told["phase"], told["valid"]) == ("released", False)


def test_what_was_never_sent_is_not_known() -> None:
    assert processor().conversation("c-1") is None


def test_the_conversation_of_another_bot_is_as_if_it_did_not_exist() -> None:
    it = processor()
    it.receive("st-1", ENTERS)

    assert drive(it.queries.conversation("c-1", allowed_bots={"st-2"})) is None
    assert drive(it.queries.conversation("c-1", allowed_bots=())) is None
    assert drive(it.queries.conversation("c-1", allowed_bots={"st-1"})) is not None


def test_a_report_does_not_change_when_the_conversation_goes_on() -> None:
    it = processor()
    it.receive("st-1", ENTERS)
    known = it.conversation("c-1")
    it.receive("st-1", LEAVES)

    assert known is not None
    assert known.to_dict()["phase"] == "active"


# The list.


def test_the_list_is_newest_first_and_paged() -> None:
    it = processor()
    _enter(it, *"abcde")
    it.receive("st-1", message("USER", "a-1", conversationId="b"))  # b is no newer for that

    first = it.conversations(limit=2)
    second = it.conversations(limit=2, after=first.next)
    third = it.conversations(limit=2, after=second.next)

    assert [_names(page) for page in (first, second, third)] == [["e", "d"], ["c", "b"], ["a"]]
    assert third.next is None


def test_a_page_that_ends_with_the_last_is_the_last() -> None:
    it = processor()
    _enter(it, "a", "b")

    assert it.conversations(limit=2).next is None


def test_a_row_says_what_is_worth_a_row() -> None:
    clock = Clock()
    it = processor(clock=clock)
    it.receive("st-1", LEAVES)
    clock.move(60)
    it.receive("st-1", ENDS)

    (row,) = it.conversations().items

    assert row.to_dict() == {
        "conversation_id": "c-1",
        "bot_id": "st-1",
        "phase": "ended",
        "events": 2,
        "findings": 1,
        "errors": 1,
        "started_at": AT.isoformat(),
        "updated_at": (AT + timedelta(seconds=60)).isoformat(),
    }


@pytest.mark.parametrize(("ignored", "counts"), [((), (3, 2)), (("SG204",), (2, 1))])
def test_the_list_counts_the_reported_errors(
    ignored: tuple[str, ...], counts: tuple[int, int]
) -> None:
    it = processor(policy=Policy(ignore=ignored, severity={"SG205": "warning"}))
    it.receive("st-1", message("AGENT", "z"))  # SG205, a warning
    for kind, agent in [("NA entry", "a"), ("WARM entry", "b"), ("NA exit", "a")]:  # SG204
        it.receive("st-1", body(transfer(kind, agent)))
    it.receive("st-1", body(transfer("NA exit", "c")))  # SG201

    (row,) = it.conversations().items

    assert (row.findings, row.errors) == counts


def test_the_list_counts_the_findings_that_are_reported() -> None:
    it = processor(policy=Policy(ignore=("SG101",)))
    it.receive("st-1", LEAVES)
    it.receive("st-1", body(transfer("WARM exit", "a-9")))

    (row,) = it.conversations().items

    assert (row.events, row.findings) == (2, 1)


def test_the_list_shows_the_askers_own_only() -> None:
    it = processor()
    _enter(it, "a", "b")
    _enter(it, "c", bot="st-2")

    assert _names(drive(it.queries.conversations(allowed_bots={"st-2"}))) == ["c"]
    assert _names(drive(it.queries.conversations(limit=1, allowed_bots={"st-1"}))) == ["b"]
    assert _names(drive(it.queries.conversations(allowed_bots=()))) == []


@pytest.mark.parametrize("limit", [0, -1, 1001, "5", 2.5, None])
def test_a_page_has_a_size(limit: Any) -> None:
    with pytest.raises(ConfigurationError, match="limit"):
        processor().conversations(limit=limit)
    with pytest.raises(ConfigurationError, match="limit"):
        processor().read_feed(limit=limit)


@pytest.mark.parametrize("cursor", ["", "x", "-1", "1.5", "٣", "9" * 19, " 1", 5, b"6"])
def test_a_cursor_is_one_that_was_given(cursor: Any) -> None:
    with pytest.raises(ConfigurationError, match="after"):
        processor().conversations(after=cursor)
    with pytest.raises(ConfigurationError, match="after"):
        processor().read_feed(after=cursor)


# The feed.


def test_the_feed_tells_findings_and_changes_of_phase() -> None:
    it = processor()
    for delivery in (ENTERS, message("USER", "a-1"), message("AGENT", "a-9"), LEAVES):
        it.receive("st-1", delivery)

    page = it.read_feed()

    told = [
        (news.phase_before, news.phase, [finding["code"] for finding in news.findings])
        for news in page.items
    ]
    assert told == [
        ("waiting", "active", []),
        ("active", "active", ["SG205"]),
        ("active", "released", []),
    ]


def test_the_feed_goes_on_where_it_was_left() -> None:
    it = processor()
    _enter(it, "a", "b", "c")

    first = it.read_feed(limit=2)
    rest = it.read_feed(after=first.next)
    nothing = it.read_feed(after=rest.next)

    assert [_names(page) for page in (first, rest, nothing)] == [["a", "b"], ["c"], []]
    assert nothing.next == rest.next
    assert it.read_feed(after=first.items[0].cursor).items[0].conversation_id == "b"


def test_an_empty_feed_begins_at_the_beginning() -> None:
    it = processor()
    empty = it.read_feed()
    _enter(it, "a")

    assert _names(it.read_feed(after=empty.next)) == ["a"]


def test_a_feed_from_now_on_has_only_what_comes() -> None:
    it = processor()
    before = it.read_feed(after="now")
    _enter(it, "a", "b")
    now = it.read_feed(after="now")
    _enter(it, "c")

    assert (before.items, now.items) == ((), ())
    assert _names(it.read_feed(after=now.next)) == ["c"]
    assert _names(it.read_feed(after=before.next)) == ["a", "b", "c"]


def test_news_are_plain_values() -> None:
    it = processor()
    it.receive(None, {**ENTERS, "botId": ""})

    (news,) = it.read_feed().items

    told = news.to_dict()
    assert (told["bot_id"], told["endpoint"], told["received_at"]) == (
        None,
        "hooks",
        AT.isoformat(),
    )
    assert [finding["code"] for finding in told["findings"]] == ["SG502"]


def test_the_feed_shows_the_askers_own_only() -> None:
    it = processor()
    _enter(it, "a")
    _enter(it, "b", bot="st-2")

    assert _names(drive(it.queries.read_feed(allowed_bots={"st-2"}))) == ["b"]


def _until_waiting(unit: Unit[Any]) -> Wait[Any]:
    """Drive a generator until it has to wait."""
    effect = next(unit)
    while not isinstance(effect, Wait):
        effect = unit.send(effect.perform())
    return effect


def test_a_commit_wakes_who_waits_for_the_feed() -> None:
    it = processor()
    unit = it.queries.read_feed(wait=60)
    wait = _until_waiting(unit)
    assert not wait.future.done()

    _enter(it, "a")

    wait.future.result(PATIENCE)
    with pytest.raises(StopIteration) as end:
        unit.send(unit.send(None).perform())
    assert _names(end.value.value) == ["a"]


def test_a_delivery_that_is_no_news_wakes_no_reader() -> None:
    it = processor()
    _enter(it, "c-1")
    reading = it.queries.read_feed(after="now", wait=60)
    wait = _until_waiting(reading)

    it.receive("st-1", message("USER", "a-1"))

    assert not wait.future.done()


def test_who_waits_for_news_hears_them() -> None:
    it = processor()

    async def host() -> Page[Any]:
        waiting = asyncio.create_task(it.aread_feed(wait=60))
        await asyncio.sleep(0)
        await it.areceive("st-1", ENTERS)
        return await asyncio.wait_for(waiting, PATIENCE)

    assert _names(asyncio.run(host())) == ["c-1"]


def test_a_thread_that_waits_for_news_hears_them() -> None:
    it = processor()
    pages: list[Page[Any]] = []
    waiting = threading.Thread(target=lambda: pages.append(it.read_feed(wait=60)))
    waiting.start()
    _enter(it, "a")
    waiting.join(30)

    assert [_names(page) for page in pages] == [["a"]]


def test_news_of_other_processes_wake_who_waits() -> None:
    store = MemoryStore()
    here, there = processor(store), processor(store)
    unit = here.queries.read_feed(wait=60)
    wait = _until_waiting(unit)
    _enter(there, "a")

    wait.future.result(PATIENCE)
    effect = unit.send(None)
    with pytest.raises(StopIteration) as end:
        unit.send(effect.perform())
    assert _names(end.value.value) == ["a"]


def test_waiting_for_nothing_ends() -> None:
    page = processor().read_feed(wait=0.001)

    assert (page.items, page.next) == ((), "0")


def test_who_gave_up_is_not_woken_any_more() -> None:
    it = processor()
    unit = it.queries.read_feed(wait=60)
    wait = _until_waiting(unit)
    unit.close()
    staying = it.queries.read_feed(wait=60)
    other = _until_waiting(staying)

    _enter(it, "a")

    other.future.result(PATIENCE)
    assert not wait.future.done()


def test_who_listens_is_woken_and_who_left_is_not() -> None:
    watcher = FeedWatcher(lambda: 0)
    here, gone, cancelled = watcher.listen(), watcher.listen(), watcher.listen()
    watcher.forget(gone)
    cancelled.cancel()

    watcher.notify()
    watcher.notify()

    here.result(PATIENCE)
    assert not gone.done()
    assert len(watcher) == 0


def test_one_thread_looks_for_all_readers_and_ends_when_none_waits() -> None:
    looks = SimpleQueue[str]()

    def latest() -> int:
        looks.put(threading.current_thread().name)
        return 7

    watcher = FeedWatcher(latest)
    waiting = [watcher.listen() for _ in range(100)]
    for each in waiting:  # what was committed before the first look is not known
        each.result(PATIENCE)
    (thread,) = [each for each in threading.enumerate() if each is watcher._thread]  # noqa: SLF001
    thread.join(PATIENCE)

    assert not thread.is_alive()
    assert [looks.get() for _ in range(looks.qsize())] == ["segue-feed"]


def test_a_store_that_is_away_wakes_readers_who_then_say_so() -> None:
    def latest() -> int:
        raise StoreUnavailable("away")

    watcher = FeedWatcher(latest)
    for _ in range(2):
        watcher.listen().result(PATIENCE)


# Readers and deliveries.


class _SlowReading(SqliteStore):
    """Answers readers of the feed when it is told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.go_on = threading.Event()
        self.asked = SimpleQueue[int]()

    def feed(self, after: int, limit: int, bots: Any) -> Any:
        self.asked.put(after)
        self.go_on.wait(PATIENCE)
        return super().feed(after, limit, bots)


def test_five_hundred_readers_delay_no_delivery(tmp_path: Path) -> None:
    store = _SlowReading(tmp_path / "segue.db")

    async def host() -> list[Page[Any]]:
        async with processor(store) as it:
            reading = [asyncio.create_task(it.aread_feed()) for _ in range(500)]
            await asyncio.to_thread(store.asked.get, timeout=PATIENCE)
            for number in range(3):
                sent = it.areceive(
                    "st-1", body(transfer("NA entry", "a"), conversation=f"{number}")
                )
                await asyncio.wait_for(sent, PATIENCE)
            assert not any(each.done() for each in reading)
            store.go_on.set()
            return await asyncio.gather(*reading)

    pages = asyncio.run(host())

    assert {len(page.items) for page in pages} <= {0, 1, 2, 3}
    assert store.asked.qsize() < 10  # they share what has not begun


def test_a_reader_that_gives_up_takes_nothing_from_those_who_share_its_call() -> None:
    pool, go_on = ReaderPool(), threading.Event()
    busy = [pool.submit(number, lambda: go_on.wait(PATIENCE)) for number in range(2)]
    first, second, third = (pool.submit("feed", object) for _ in range(3))
    assert first.cancel()
    go_on.set()

    assert second.result(PATIENCE) is third.result(PATIENCE)
    assert all(each.result(PATIENCE) for each in busy)
    pool.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        pool.submit("feed", object)


def test_what_a_call_of_readers_raises_reaches_all_of_them() -> None:
    def fail() -> None:
        raise StoreUnavailable("away")

    pool, go_on = ReaderPool(), threading.Event()
    busy = [pool.submit(number, lambda: go_on.wait(PATIENCE)) for number in range(2)]
    failing = [pool.submit("feed", fail) for _ in range(3)]
    go_on.set()

    assert [type(each.exception(PATIENCE)) for each in failing] == [StoreUnavailable] * 3
    assert all(each.result(PATIENCE) for each in busy)
    pool.close()


# Readiness.


def test_a_processor_is_ready_when_its_store_answers() -> None:
    store = AwayStore()
    it = processor(store)

    assert drive(it.queries.is_ready())
    store.away = True
    assert not drive(it.queries.is_ready())
    store.away = False
    assert drive(it.queries.is_ready())


def test_a_store_of_a_newer_segue_is_said_to_be_at_the_start() -> None:
    class Newer(MemoryStore):
        def migrate(self) -> None:
            raise SchemaTooNew("upgrade Segue")

    with pytest.raises(SchemaTooNew), processor(Newer()):
        pass
    with pytest.raises(SchemaTooNew):
        processor(Newer()).receive("st-1", ENTERS)


def test_the_spellings_of_a_uuid_are_one_conversation() -> None:
    """UUIDs are equal without regard to letter case and braces (RFC 9562)."""
    uuid = "7f0f4d6e-0000-4000-8000-0000000000c1"
    spellings = uuid.upper(), uuid, f"{{{uuid}}}"
    sender = Sender()
    with Processor(store=MemoryStore()) as it:
        for label, each in zip(("NA entry", "NA exit", "END"), spellings, strict=True):
            receipt = it.receive("st-1", sender.body(label, conversation=each))
            assert receipt.findings == ()
        it.expect_transfer("st-1", spellings[0])
        late = it.receive_transfer("st-1", {"x": 1}, conversation_id=uuid)
        found = [it.conversation(each) for each in spellings]

    assert late.findings == ()
    assert [row and row.report.events for row in found] == [3, 3, 3]
    assert [row and row.report.conversation_id for row in found] == [uuid] * 3
