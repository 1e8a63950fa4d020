"""Races for a commit and for a lock, and what a cached state must not decide."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.server.processor.story import (
    AT,
    ENTERS,
    LEAVES,
    SUMMARY,
    AwayStore,
    QueueingStore,
    RacingStore,
    body,
    message,
    processor,
    transfer,
)
from tests.server.stores.library import key

from segue.core.events import HOOKS
from segue.core.findings import Policy
from segue.errors import StoreUnavailable
from segue.server.processor import (
    ConversationKey,
    DeliveryOutcome,
    Processor,
    Receipt,
    SubmissionContext,
    runtime,
)
from segue.server.processor.runtime import CachedState, ConversationLocks
from segue.server.stores import MemoryStore

C_1 = key("c-1")


def _beside(store: MemoryStore) -> Processor:
    """Another process that shares the store, and nothing else."""
    twin = MemoryStore.__new__(MemoryStore)
    twin.__dict__ = store.__dict__
    return processor(twin)


def _events(it: Processor, conversation_id: str = "c-1") -> int:
    known = it.conversation(conversation_id)
    return 0 if known is None else known.report.events


# Between processes.


@pytest.mark.parametrize("known", [False, True], ids=["new", "known"])
def test_the_loser_of_a_race_begins_again(*, known: bool) -> None:
    store = RacingStore(lambda base: _beside(base).receive("st-1", message("USER", "a-1")))
    it = processor(store)
    if known:
        _beside(store).receive("st-1", ENTERS)

    receipt = it.receive("st-1", message("AGENT", "a-1") if known else ENTERS)

    assert receipt.outcome is DeliveryOutcome.APPLIED
    assert _events(it) == (3 if known else 2)


def test_the_loser_of_all_races_gives_up() -> None:
    store = RacingStore(lambda base: _beside(base).receive("st-1", message("USER", "a")), times=-1)

    with pytest.raises(StoreUnavailable, match="send it again"):
        processor(store).receive("st-1", ENTERS)


def test_a_delivery_that_another_process_applied_meanwhile_is_a_duplicate() -> None:
    store = RacingStore(
        lambda base: _beside(base).receive("st-1", ENTERS, delivery_id="d-1"), times=1
    )
    it = processor(store)

    receipt = it.receive("st-1", ENTERS, delivery_id="d-1")

    assert receipt.outcome is DeliveryOutcome.DUPLICATE
    assert _events(it) == 1


def test_a_cached_state_is_only_a_guess() -> None:
    """Here A2 has been in since another process said so; this process does not know it yet."""
    store = MemoryStore()
    it, other = processor(store, policy=Policy(reject=("SG201",))), _beside(store)
    it.receive("st-1", ENTERS)
    other.receive("st-1", body(transfer("WARM entry", "a-2")))

    receipt = it.receive("st-1", body(transfer("WARM exit", "a-2")))

    assert (receipt.outcome, receipt.findings) == (DeliveryOutcome.APPLIED, ())


def test_an_action_is_not_refused_for_what_another_process_has_changed() -> None:
    store = MemoryStore()
    it, other = processor(store), _beside(store)
    it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})
    other.control("st-1", "c-1", {"action": "end", "agentId": "a-1"})

    receipt = it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})

    assert (receipt.outcome, receipt.generation) == (DeliveryOutcome.APPLIED, 2)


def test_a_conversation_that_was_purged_begins_anew() -> None:
    store = MemoryStore()
    it = processor(store)
    it.receive("st-1", ENTERS)
    store.purge(AT.replace(year=2030))

    assert it.receive("st-1", ENTERS).findings == ()
    assert _events(it) == 1


def test_what_was_not_saved_does_not_stay_cached() -> None:
    store = MemoryStore()
    it = processor(store)
    it.receive("st-1", ENTERS)
    save = store.save

    def fail(commit: Any) -> None:
        raise StoreUnavailable(f"no {commit.expected}")

    store.save = fail  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        it.receive("st-1", LEAVES)
    store.save = save  # type: ignore[method-assign]

    assert it.receive("st-1", SUMMARY).phase == "active"


# Within one process.


def test_many_threads_on_one_conversation_lose_nothing() -> None:
    it = processor()
    it.receive("st-1", ENTERS)

    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(lambda _: it.receive("st-1", message("USER", "a-1")), range(200)))

    assert {receipt.outcome for receipt in receipts} == {DeliveryOutcome.APPLIED}
    assert _events(it) == 201


def test_many_processes_on_one_conversation_lose_nothing() -> None:
    store = MemoryStore()
    processors = [_beside(store) for _ in range(8)]
    start = threading.Barrier(8)

    def send(it: Processor) -> None:
        start.wait()
        for _ in range(25):
            it.receive("st-1", message("USER", "a-1"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, processors))

    entries = store.journal(0, 1000, None)
    assert _events(processors[0]) == len(entries) == 200


def test_a_conversation_does_not_wait_for_another() -> None:
    store = QueueingStore()
    it = processor(store)
    other = body(transfer("NA entry", "a-1"), conversation="c-2")
    context = SubmissionContext("st-1")
    units = [it.ingest.submit(HOOKS, sent, context, Receipt.of) for sent in (ENTERS, ENTERS, other)]
    for unit in units:
        _until_save(unit)

    conversations = [commit.conversation.summary.conversation_id for commit, _ in store.queued]

    assert conversations == ["c-1", "c-2"]


def _until_save(unit: Any) -> None:
    """Drive a unit of work until it has to wait."""
    effect = next(unit)
    while True:
        result = effect.perform()
        if hasattr(result, "result"):
            return
        effect = unit.send(result)


def test_a_lock_is_granted_in_order_and_who_left_is_passed_over() -> None:
    locks = ConversationLocks[CachedState]()
    first, second, third = (locks.acquire(C_1) for _ in range(3))

    assert [place.done() for place in (first, second, third)] == [True, False, False]
    locks.release(C_1, second)
    assert not third.done()
    locks.release(C_1, first)

    assert third.done()
    locks.release(C_1, third)
    assert len(locks) == 0


def test_a_delivery_does_not_wait_forever_for_those_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runtime, "LONGEST_QUEUED", 0.01)
    it = processor()
    locks, conversation = it._runtime.locks, ConversationKey("st-1", "c-1")  # noqa: SLF001
    before = locks.acquire(conversation)

    with pytest.raises(StoreUnavailable, match="too slow"):
        it.receive("st-1", ENTERS)
    with pytest.raises(StoreUnavailable, match="too slow"):
        asyncio.run(it.areceive("st-1", ENTERS))
    locks.release(conversation, before)

    assert it.receive("st-1", ENTERS).phase == "active"
    assert len(locks) == 0


def test_a_call_that_waited_too_long_for_a_thread_is_not_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    it = processor(AwayStore())
    it.receive("st-1", ENTERS)
    it._runtime.locks._states.clear()  # noqa: SLF001
    times = iter([0.0, 10.1])
    monkeypatch.setattr(runtime, "monotonic", lambda: next(times))

    with pytest.raises(StoreUnavailable, match="no thread"):
        it.receive("st-1", LEAVES)
    monkeypatch.undo()
    assert it.receive("st-1", LEAVES).phase == "released"


def test_a_place_that_was_cancelled_is_passed_on() -> None:
    locks = ConversationLocks[CachedState]()
    first, second, third = (locks.acquire(C_1) for _ in range(3))
    assert second.cancel()

    locks.release(C_1, first)
    locks.release(C_1, second)

    assert third.done()


def test_a_lock_comes_with_the_state_that_was_committed_last() -> None:
    locks, state = ConversationLocks[CachedState](), CachedState.of("c-1", None)
    first, second, third = (locks.acquire(C_1) for _ in range(3))

    locks.release(C_1, first, state)
    locks.release(C_1, second)

    assert [place.result() for place in (first, second, third)] == [None, state, None]


def test_states_are_kept_of_the_conversations_used_last() -> None:
    locks = ConversationLocks[CachedState](capacity=2)
    keys = [key(name) for name in "abc"]
    states = [CachedState.of(each.conversation_id, None) for each in keys]
    for each, state in zip(keys, states, strict=True):
        locks.release(each, locks.acquire(each), state)

    assert [locks.acquire(each).result() for each in keys] == [None, *states[1:]]


def test_conversations_of_two_bots_wait_for_nobody_of_the_other() -> None:
    locks = ConversationLocks[CachedState]()

    assert [locks.acquire(key("c-1", bot)).done() for bot in ("st-1", "st-2")] == [True, True]
