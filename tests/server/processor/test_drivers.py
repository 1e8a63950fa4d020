"""The two drivers: the same unit of work, blocking and on an event loop."""

import asyncio
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import pytest
from tests.patience import PATIENCE
from tests.server.processor.story import (
    ENTERS,
    LEAVES,
    AwayStore,
    Clock,
    QueueingStore,
    message,
    processor,
)
from tests.server.stores.library import commit, key

from segue.errors import StoreConflict
from segue.server.processor import (
    DeliveryOutcome,
    Effect,
    Retry,
    Store,
    adrive,
    aperform,
    drive,
    perform,
)
from segue.server.processor.outbox import OutboxOptions
from segue.server.processor.runtime import Runtime
from segue.server.processor.submission import Body
from segue.server.stores import MemoryStore

COMMIT = commit("c-1")


@dataclass(frozen=True)
class Answer(Effect[Any]):
    """Answers with what it holds, or raises it."""

    answer: Any
    immediate: bool = False
    timeout: float | None = None

    def perform(self) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Thread(Effect[int]):
    """Answers in which thread it was performed."""

    def __init__(self, *, immediate: bool) -> None:
        self._immediate = immediate

    @property
    def immediate(self) -> bool:
        return self._immediate

    def perform(self) -> int:
        return threading.get_ident()


def _failed(error: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


def _done(value: object) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(value)
    return future


def _both(unit: Any) -> tuple[Any, Any]:
    return drive(unit()), asyncio.run(adrive(unit()))


@pytest.mark.parametrize("immediate", [False, True])
@pytest.mark.parametrize("answer", [7, None, _done(7)], ids=["value", "none", "future"])
def test_a_unit_is_sent_the_answers(answer: Any, *, immediate: bool) -> None:
    def unit() -> Generator[Effect[Any], Any, list[Any]]:
        first = yield Answer(answer, immediate=immediate)
        return [first, (yield Answer(answer, immediate=immediate))]

    told = 7 if answer is not None else None
    assert _both(unit) == ([told, told], [told, told])


@pytest.mark.parametrize("immediate", [False, True])
@pytest.mark.parametrize("inside", [False, True], ids=["raised", "in a future"])
def test_a_unit_is_thrown_the_errors_and_may_mend_them(*, immediate: bool, inside: bool) -> None:
    def unit() -> Generator[Effect[Any], Any, str]:
        error = StoreConflict("lost")
        try:
            yield Answer(_failed(error) if inside else error, immediate=immediate)
        except StoreConflict as caught:
            return f"mended {caught}"
        return "nothing to mend"

    assert _both(unit) == ("mended lost", "mended lost")


def test_an_error_that_is_not_handled_comes_out() -> None:
    def unit() -> Generator[Effect[Any], Any, None]:
        yield Answer(StoreConflict("lost"))

    with pytest.raises(StoreConflict):
        drive(unit())
    with pytest.raises(StoreConflict):
        asyncio.run(adrive(unit()))


def test_a_timeout_ends_with_none() -> None:
    assert perform(Answer(Future(), timeout=0.0)) is None
    assert asyncio.run(aperform(Answer(Future(), timeout=0.0))) is None


def test_a_timeout_error_of_the_work_itself_is_raised() -> None:
    with pytest.raises(TimeoutError):
        perform(Answer(_failed(TimeoutError()), timeout=1.0))
    with pytest.raises(TimeoutError):
        asyncio.run(aperform(Answer(_failed(TimeoutError()), timeout=1.0)))


def test_what_may_block_is_kept_off_the_event_loop() -> None:
    def unit() -> Generator[Effect[Any], Any, list[int]]:
        at_once, aside = Thread(immediate=True), Thread(immediate=False)
        return [(yield at_once), (yield aside)]

    here, there = asyncio.run(adrive(unit()))

    assert here == threading.get_ident()
    assert there != threading.get_ident()
    assert drive(unit()) == [here, here]


def test_both_ways_through_a_processor_answer_the_same() -> None:
    blocking, waiting = processor(AwayStore()), processor(AwayStore())
    deliveries: list[Body] = [ENTERS, ENTERS, LEAVES, b"{", message("USER", "a-1")]

    async def send() -> list[Any]:
        receipts = [await waiting.areceive("st-1", sent) for sent in deliveries]
        rest = [
            await waiting.acontrol("st-1", "c-1", {"action": "start", "agentId": "a-1"}),
            await waiting.aconversations(),
            await waiting.aread_feed(),
        ]
        known = await waiting.aconversation("c-1")
        assert known is not None
        return [*receipts, *rest, known.to_dict()]

    known_here = [blocking.receive("st-1", sent) for sent in deliveries]
    rest_here = [
        blocking.control("st-1", "c-1", {"action": "start", "agentId": "a-1"}),
        blocking.conversations(),
        blocking.read_feed(),
    ]
    known = blocking.conversation("c-1")
    assert known is not None

    assert asyncio.run(send()) == [*known_here, *rest_here, known.to_dict()]


def test_a_queued_save_is_awaited_without_a_thread() -> None:
    store = QueueingStore()
    it = processor(store)

    async def send() -> list[Any]:
        tasks = [
            asyncio.create_task(it.areceive("st-1", {**ENTERS, "conversationId": f"c-{number}"}))
            for number in range(50)
        ]
        await _until(lambda: len(store.queued) == len(tasks))  # none of them can finish before
        assert not any(task.done() for task in tasks)
        store.commit()
        return await asyncio.gather(*tasks)

    receipts = asyncio.run(send())

    assert {receipt.outcome for receipt in receipts} == {DeliveryOutcome.APPLIED}


async def _until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110 - it happens in other threads
            await asyncio.sleep(0)


def test_a_request_that_is_cancelled_passes_its_lock_to_the_next() -> None:
    store = QueueingStore()
    it = processor(store)

    async def send() -> Any:
        gone = asyncio.create_task(it.areceive("st-1", ENTERS))
        await _until(lambda: len(store.queued) == 1)
        waits = asyncio.create_task(it.areceive("st-1", ENTERS))
        leaves = asyncio.create_task(it.areceive("st-1", ENTERS))
        await asyncio.sleep(0)
        leaves.cancel()
        gone.cancel()
        await _until(lambda: len(store.queued) == 2)
        store.queued.pop(0)  # a cancelled commit: whether it is made is the store's to say
        store.commit()
        return await waits

    assert asyncio.run(send()).outcome is DeliveryOutcome.APPLIED


def test_an_effect_without_perform_is_refused() -> None:
    effect: Effect[None] = Effect()

    assert not effect.immediate
    with pytest.raises(NotImplementedError):
        effect.perform()


def test_what_a_store_answers_at_once_needs_no_thread() -> None:
    class Plain(MemoryStore):
        immediate = False

    runtimes = [_runtime(store) for store in (MemoryStore(), QueueingStore(), Plain())]
    for runtime in runtimes:
        runtime.started()

    assert [runtime.call(Store.load, key("c-1")).immediate for runtime in runtimes] == [
        True,
        False,
        False,
    ]
    saves = [runtime.call(Store.save, COMMIT).immediate for runtime in runtimes]
    assert saves == [True, True, False]


def test_a_save_that_would_have_to_start_the_store_first_is_not_immediate() -> None:
    assert _runtime(MemoryStore()).call(Store.save, COMMIT).immediate
    assert not _runtime(QueueingStore()).call(Store.save, COMMIT).immediate


def _runtime(store: Store) -> Runtime:
    return Runtime(store, OutboxOptions({}, Retry(), Clock(), lambda: 1.0), None, None)
