"""The outbox: order, retries, leases, dead letters, and the threads that work it off."""

import asyncio
import gc
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from queue import SimpleQueue
from typing import Any, Self

import pytest
from tests.patience import PATIENCE
from tests.server.processor.story import (
    AT,
    ENTERS,
    LEAVES,
    AwayStore,
    Clock,
    body,
    due,
    message,
    processor,
    transfer,
)

from segue.core.events import HOOKS
from segue.errors import ConfigurationError, StoreUnavailable
from segue.server.processor import (
    Callback,
    OutboxMessage,
    Processor,
    Receipt,
    Retry,
    SubmissionContext,
    callback as callback_module,
    drive,
)
from segue.server.processor.callback import (
    BlockedLoopError,
    Handler,
    HandlerCaller,
    HandlerTimeoutError,
    HungHandlerError,
)
from segue.server.processor.outbox import Outbox, OutboxOptions
from segue.server.processor.worker import Retention
from segue.server.stores import MemoryStore

NEVER = timedelta(hours=1)
"""The worker looks when it is woken, not because time has passed."""
QUIET = Retry(poll=NEVER)
OFTEN = Retry(poll=timedelta(milliseconds=10))
RETRY = Retry(tries=3, first=timedelta(seconds=10), longest=timedelta(seconds=15), poll=NEVER)
NO_AGENT = "SECRET-CANARY"


def _finding(conversation: str = "c-1") -> dict[str, Any]:
    """A delivery that gives SG101."""
    return body(transfer("NA exit", "a-1"), conversation=conversation)


class HandWorked:
    """An outbox worked off by hand, on a clock that is moved by hand."""

    def __init__(self, handler: Callable[[Callback], object], **options: Any) -> None:
        self.store = MemoryStore()
        self.clock = Clock()
        self.called: list[tuple[str, int]] = []
        self.handler = handler
        self.retry = options.get("retry", RETRY)
        it = processor(self.store, clock=self.clock, on_finding=print)
        it._runtime._process = os.getpid()  # noqa: SLF001 - no worker: the outbox is worked off by hand
        self.processor: Processor = it

    def send(self, *conversations: str) -> "HandWorked":
        for name in conversations:
            self.processor.receive("st-1", _finding(name))
        return self

    def outbox(self) -> Outbox:
        """Another worker each time, as if in another process."""
        return self.outbox_with({"finding": self._handle})

    def outbox_with(self, handlers: dict[str, Handler]) -> Outbox:
        options = OutboxOptions(handlers, self.retry, self.clock, lambda: 1.0)
        return Outbox(self.store, HandlerCaller(), options)

    def work(self) -> list[tuple[str, int]]:
        """Work off what is due; return what was called, with how many tries had failed."""
        self.called = []
        outbox = self.outbox()
        for run in outbox.claim():
            outbox.deliver(run)
        return self.called

    def _handle(self, callback: Callback) -> object:
        self.called.append((callback.id, callback.tries))
        return self.handler(callback)


def _succeed(_: Callback) -> None:
    """Handle it."""


def _fail(callback: Callback) -> object:
    raise ValueError(f"{NO_AGENT} {callback.data}")


def test_what_succeeded_is_forgotten() -> None:
    worked = HandWorked(_succeed).send("c-1")

    assert worked.work() == [("st-1:c-1:1:finding:0", 0)]
    assert worked.work() == []


def test_a_conversations_callbacks_come_in_order() -> None:
    worked = HandWorked(_succeed)
    for kind in ("COLD exit", "WARM exit", "NA exit"):
        worked.processor.receive("st-1", body(transfer(kind, "a-1"), transfer(kind, "a-2")))

    called = [name for name, _ in worked.work()]

    assert len(called) > 3
    assert called == [
        message
        for version in range(1, 4)
        for message in called
        if message.startswith(f"st-1:c-1:{version}:")
    ]


def test_a_failure_is_tried_again_later_and_later() -> None:
    worked = HandWorked(_fail).send("c-1")

    assert worked.work() == [("st-1:c-1:1:finding:0", 0)]
    worked.clock.move(9.9)
    assert worked.work() == []
    worked.clock.move(0.1)
    assert worked.work() == [("st-1:c-1:1:finding:0", 1)]
    worked.clock.move(14.9)  # doubled, but no more than the longest
    assert worked.work() == []


def test_pauses_double_up_to_the_longest_and_are_spread() -> None:
    retry = Retry(first=timedelta(seconds=1), longest=timedelta(seconds=6))

    pauses = [retry.pause(failures, 1.0).total_seconds() for failures in range(1, 6)]

    assert pauses == [1, 2, 4, 6, 6]
    assert retry.pause(3, 0.0) == timedelta(seconds=2)
    assert Retry().pause(10_000, 1.0) == Retry().longest


def test_what_is_behind_a_failure_waits_and_nothing_else_does() -> None:
    worked = HandWorked(lambda callback: callback.id.startswith("st-1:c-1:") and _fail(callback))
    worked.send("c-1", "c-2")
    worked.processor.receive("st-1", body(transfer("NA exit", "a-9")))

    assert [name for name, _ in worked.work()] == ["st-1:c-1:1:finding:0", "st-1:c-2:1:finding:0"]
    worked.handler = _succeed
    worked.clock.move(10)
    assert [name for name, _ in worked.work()] == ["st-1:c-1:1:finding:0", "st-1:c-1:2:finding:0"]


def test_after_so_many_tries_it_is_a_dead_letter_and_blocks_nothing() -> None:
    worked = HandWorked(_fail).send("c-1", "c-1")
    for _ in range(2):
        worked.work()
        worked.clock.move(15)
    worked.handler = lambda callback: callback.tries and _fail(callback)

    assert worked.work() == [("st-1:c-1:1:finding:0", 2), ("st-1:c-1:2:finding:0", 0)]
    (letter,) = worked.processor.dead_letters()
    assert (letter.id, letter.tries, letter.reason) == ("st-1:c-1:1:finding:0", 3, "ValueError")


def test_a_dead_letter_can_be_revived() -> None:
    worked = HandWorked(_fail, retry=Retry(tries=1)).send("c-1")
    worked.work()
    (letter,) = worked.processor.dead_letters()
    worked.handler = _succeed

    assert worked.processor.revive(letter.number)
    assert worked.work() == [("st-1:c-1:1:finding:0", 0)]
    assert not worked.processor.revive(letter.number)
    assert worked.processor.dead_letters() == []


def test_a_kind_without_a_handler_is_a_failure_and_not_lost() -> None:
    worked = HandWorked(_succeed).send("c-1")
    outbox = worked.outbox_with({"message": _succeed})

    for run in outbox.claim():
        outbox.deliver(run)

    worked.clock.move(10)
    assert worked.work() == [("st-1:c-1:1:finding:0", 1)]


def test_without_any_handler_everything_is_left_to_others() -> None:
    worked = HandWorked(_succeed).send("c-1")
    outbox = worked.outbox_with({})

    assert outbox.claim() == []
    assert worked.work() == [("st-1:c-1:1:finding:0", 0)]


# Two workers.


def test_what_one_worker_holds_no_other_gets() -> None:
    worked = HandWorked(_succeed).send("c-1")
    worked.outbox().claim()

    assert worked.work() == []


def test_what_a_dead_worker_held_another_one_gets() -> None:
    worked = HandWorked(_succeed).send("c-1")
    worked.outbox().claim()
    worked.clock.move(RETRY.lease.total_seconds())

    assert worked.work() == [("st-1:c-1:1:finding:0", 0)]


def test_a_worker_whose_lease_ran_out_calls_nothing_more() -> None:
    worked = HandWorked(lambda _: worked.clock.move(61)).send("c-1", "c-1")

    assert worked.work() == [("st-1:c-1:1:finding:0", 0)]
    worked.handler = _succeed
    assert worked.work() == [("st-1:c-1:2:finding:0", 0)]


def test_a_worker_that_lost_its_lease_stops_at_once() -> None:
    def slow(_: Callback) -> None:
        worked.handler = _succeed
        worked.clock.move(61)
        other = worked.outbox()
        for run in other.claim():
            other.deliver(run)
        worked.clock.move(-61)

    worked = HandWorked(slow).send("c-1", "c-1")

    assert [name for name, _ in worked.work()] == [
        "st-1:c-1:1:finding:0",
        "st-1:c-1:1:finding:0",
        "st-1:c-1:2:finding:0",
    ]


def test_a_worker_cannot_acknowledge_what_another_one_holds() -> None:
    taken: list[Any] = []

    def slow(_: Callback) -> None:
        worked.handler = _succeed
        worked.clock.move(61)
        other = worked.outbox()
        taken.extend((other, run) for run in other.claim())
        worked.clock.move(-61)

    worked = HandWorked(slow).send("c-1", "c-1")

    assert [name for name, _ in worked.work()] == ["st-1:c-1:1:finding:0"]
    worked.called.clear()
    for other, run in taken:
        other.deliver(run)
    assert [name for name, _ in worked.called] == ["st-1:c-1:1:finding:0", "st-1:c-1:2:finding:0"]


# Text.


def test_what_a_handler_raises_is_told_by_its_type_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    worked = HandWorked(_fail, retry=Retry(tries=2)).send("c-1")
    with caplog.at_level(logging.DEBUG):
        worked.work()
        worked.clock.move(600)
        worked.work()

    levels = [record.levelname for record in caplog.records if record.name == "segue.outbox"]
    assert levels == ["WARNING", "ERROR"]
    assert "st-1:c-1:1:finding:0" in caplog.text
    assert "ValueError" in caplog.text
    assert NO_AGENT not in caplog.text


def test_an_id_that_a_sender_chose_makes_no_line_of_its_own_in_the_log(
    logged: list[str],
) -> None:
    worked = HandWorked(_fail, retry=Retry(tries=2)).send("c-1\nERROR\x1b[2J")
    worked.work()
    worked.clock.move(600)
    worked.work()

    assert len(logged) == 2
    for line in logged:
        assert line.startswith(r"callback st-1:c-1\nERROR\x1b[2J:1:finding:0 ")


def test_a_callback_shows_no_data() -> None:
    message = OutboxMessage(
        "st-1:c-1:1:message:0", "st-1", "c-1", "message", f'{{"text": "{NO_AGENT}"}}'
    )

    assert NO_AGENT not in repr(message) + repr(Callback.of(message))
    assert Callback.of(message).data == {"text": NO_AGENT}


# The threads.


@pytest.fixture
def called() -> SimpleQueue[Any]:
    return SimpleQueue()


def test_a_blocking_handler_is_called_after_the_commit(called: SimpleQueue[Any]) -> None:
    with processor(on_finding=called.put, retry=QUIET) as it:
        it.receive("st-1", LEAVES)

        assert called.get(timeout=PATIENCE).data["code"] == "SG101"


def test_leftovers_are_worked_off_at_the_start(called: SimpleQueue[Any]) -> None:
    worked = HandWorked(_succeed).send("c-1", "c-2")

    with processor(worked.store, on_finding=called.put, retry=QUIET):
        ids = {called.get(timeout=PATIENCE).id for _ in range(2)}

    assert ids == {"st-1:c-1:1:finding:0", "st-1:c-2:1:finding:0"}


def test_an_unmanaged_processor_starts_with_its_first_unit(called: SimpleQueue[Any]) -> None:
    it = processor(on_finding=called.put, retry=QUIET)
    it.receive("st-1", LEAVES)

    assert called.get(timeout=PATIENCE).conversation_id == "c-1"
    it.close()


def test_an_async_handler_runs_on_a_loop_of_our_own(called: SimpleQueue[Any]) -> None:
    async def handle(callback: Callback) -> None:
        await asyncio.sleep(0)
        called.put((callback.id, threading.current_thread().name))

    with processor(on_finding=handle, retry=QUIET) as it:
        it.receive("st-1", LEAVES)

        assert called.get(timeout=PATIENCE) == ("st-1:c-1:1:finding:0", "segue-callbacks")
    assert "segue-callbacks" not in {thread.name for thread in threading.enumerate()}


def test_an_async_handler_runs_on_the_hosts_loop_when_there_is_one() -> None:
    async def host() -> bool:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        async def handle(_: Callback) -> None:
            await asyncio.sleep(0)
            done.set_result(asyncio.get_running_loop() is done.get_loop())

        async with processor(on_finding=handle, retry=QUIET) as it:
            await it.areceive("st-1", LEAVES)
            return await asyncio.wait_for(done, 30)

    assert asyncio.run(host())


def test_a_handler_may_use_the_processor(called: SimpleQueue[Any]) -> None:
    def handle(callback: Callback) -> None:
        if callback.data["code"] == "SG101":
            called.put(it.receive("st-1", body(transfer("NA entry", "a-2"))))

    with processor(on_finding=handle, retry=QUIET) as it:
        it.receive("st-1", LEAVES)

        assert called.get(timeout=PATIENCE).outcome == "applied"


def test_a_handler_may_use_the_processor_while_it_is_closed(called: SimpleQueue[Any]) -> None:
    entered, go_on = threading.Event(), threading.Event()

    def handle(_: Callback) -> None:
        if not entered.is_set():
            entered.set()
            go_on.wait(PATIENCE)
            called.put(it.receive("st-1", ENTERS))

    it = processor(on_finding=handle, retry=QUIET)
    it.receive("st-1", LEAVES)
    assert entered.wait(PATIENCE)
    closing = threading.Thread(target=it.close)
    closing.start()
    go_on.set()
    closing.join(30)

    assert called.get(timeout=PATIENCE).outcome == "applied"


def test_a_handler_that_always_fails_delays_no_other_conversation(
    called: SimpleQueue[Any],
) -> None:
    def handle(callback: Callback) -> None:
        if callback.conversation_id == "sick":
            raise ValueError(callback.id)
        called.put(callback.conversation_id)

    with processor(on_finding=handle, retry=QUIET) as it:
        it.receive("st-1", _finding("sick"))
        for number in range(100):
            it.receive("st-1", _finding(f"c-{number}"))

        assert {called.get(timeout=PATIENCE) for _ in range(100)} == {f"c-{n}" for n in range(100)}


def test_a_retry_does_not_wait_for_the_next_poll(called: SimpleQueue[Any]) -> None:
    def handle(callback: Callback) -> None:
        called.put(callback.tries)
        if not callback.tries:
            raise ValueError(callback.id)

    retry = Retry(first=timedelta(milliseconds=10), poll=NEVER)
    with processor(clock=_now, on_finding=handle, retry=retry) as it:
        it.receive("st-1", LEAVES)

        assert [called.get(timeout=PATIENCE) for _ in range(2)] == [0, 1]


def test_the_worker_survives_a_store_that_goes_away(called: SimpleQueue[Any]) -> None:
    class Shaky(MemoryStore):
        failures = 3

        def claim(self, *args: Any, **options: Any) -> Any:
            if self.failures:
                self.failures -= 1
                raise OSError("gone")
            return super().claim(*args, **options)

    store = Shaky()
    with processor(store, on_finding=called.put, retry=OFTEN) as it:
        it.receive("st-1", LEAVES)

        assert called.get(timeout=PATIENCE).id == "st-1:c-1:1:finding:0"
    assert store.failures == 0


@pytest.mark.parametrize("years", [10, -10])
def test_a_clock_that_jumps_while_a_handler_runs_calls_it_in_no_second_thread(years: int) -> None:
    clock, go_on, running = Clock(), threading.Event(), list[str]()
    begun, looked = SimpleQueue[int](), SimpleQueue[int]()

    class Looking(MemoryStore):
        def claim(self, *args: Any, **options: Any) -> Any:
            found = super().claim(*args, **options)
            looked.put(len(found))
            return found

    def handle(callback: Callback) -> None:
        running.append(callback.id)
        begun.put(len(running))
        go_on.wait(PATIENCE)
        running.remove(callback.id)

    def wait_for_claim() -> None:
        while looked.get(timeout=PATIENCE) == 0:
            pass

    with processor(Looking(), clock=clock, retry=OFTEN, on_finding=handle) as it:
        it.receive("st-1", LEAVES)
        assert begun.get(timeout=PATIENCE) == 1
        wait_for_claim()
        clock.move(years * 31_536_000)
        wait_for_claim()
        looked.get(timeout=PATIENCE)  # what it claimed anew was not begun
        go_on.set()
        clock.move(120)
        assert begun.get(timeout=PATIENCE) == 1


def test_a_store_that_is_away_at_the_start_may_come_later() -> None:
    store = AwayStore()
    store.away = True
    with processor(store) as it:
        assert not _ready(it)
        store.away = False

        assert _ready(it)
        assert it.receive("st-1", ENTERS).phase == "active"


def _ready(it: Processor) -> bool:
    return drive(it.queries.is_ready())


def test_old_conversations_are_removed_now_and_then() -> None:
    clock, store = Clock(), MemoryStore()
    processor(store, clock=clock).receive("st-1", ENTERS)
    retention = Retention(store, clock, timedelta(days=1))

    clock.move(86_400)
    retention.purge_if_due()
    assert len(store.list(None, 9, None)) == 1
    clock.move(1)
    retention.purge_if_due()  # not before the hour is over
    assert len(store.list(None, 9, None)) == 1
    clock.move(3600)
    retention.purge_if_due()
    assert store.list(None, 9, None) == []


def test_a_clock_that_jumps_by_years_removes_nothing_early() -> None:
    clock, store, seconds = Clock(), MemoryStore(), 0.0
    processor(store, clock=clock).receive("st-1", ENTERS)
    retention = Retention(store, clock, timedelta(days=1), lambda: seconds)

    retention.purge_if_due()
    for years in (20, -40, 20):
        clock.move(years * 31_536_000)
        retention.purge_if_due()
        assert len(store.list(None, 9, None)) == 1
    seconds = 90_000
    clock.move(90_000)
    retention.purge_if_due()
    assert store.list(None, 9, None) == []


@pytest.mark.parametrize("name", ["longest", "lease", "poll"])
def test_no_pause_is_longer_than_a_store_remembers(name: str) -> None:
    assert Retry(**{name: timedelta(days=1)}) is not None  # type: ignore[arg-type]
    with pytest.raises(
        ConfigurationError, match=f"^`{name}` must be .* 1 day, 0:00:00, got 1 day, 0:00:01$"
    ):
        Retry(**{name: timedelta(days=1, seconds=1)})  # type: ignore[arg-type]


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_worker_rests_between_two_looks(seconds: int) -> None:
    with pytest.raises(
        ConfigurationError, match=r"^`poll` must be positive and at most 1 day.*, got"
    ):
        Retry(poll=timedelta(seconds=seconds))


def test_a_retention_of_thousands_of_years_keeps_everything() -> None:
    clock, store = Clock(), MemoryStore()
    processor(store, clock=clock).receive("st-1", ENTERS)
    clock.move(10**9)

    Retention(store, clock, timedelta.max).purge_if_due()

    assert len(store.list(None, 9, None)) == 1


def test_what_is_due_is_called_also_while_nothing_can_be_removed(
    called: SimpleQueue[Any],
) -> None:
    class Unpurgeable(MemoryStore):
        def purge(self, _before: Any) -> int:
            raise StoreUnavailable("purging takes a disk")

    with processor(Unpurgeable(), retention=timedelta(days=7), on_finding=called.put) as it:
        it.receive("st-1", _finding())
        assert called.get(timeout=PATIENCE).kind == "finding"


def test_without_retention_everything_stays() -> None:
    clock, store = Clock(), MemoryStore()
    processor(store, clock=clock).receive("st-1", ENTERS)
    clock.move(10**9)

    Retention(store, clock, None).purge_if_due()

    assert len(store.list(None, 9, None)) == 1


def test_retention_needs_no_handler() -> None:
    purged = threading.Event()

    class Purged(MemoryStore):
        def purge(self, before: Any) -> int:
            assert before == AT - timedelta(days=7)
            purged.set()
            return 0

    with processor(Purged(), retention=timedelta(days=7)):
        assert purged.wait(PATIENCE)


def test_a_retention_that_keeps_nothing_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError, match="retention"):
        processor(retention=timedelta(0))


def test_starting_twice_is_starting_once(called: SimpleQueue[Any]) -> None:
    it = processor(on_finding=called.put, retry=QUIET)
    before = threading.active_count()
    both = [
        it.ingest.submit(HOOKS, sent, SubmissionContext("st-1"), Receipt.of)
        for sent in (_finding("c-1"), _finding("c-2"))
    ]
    for effect in [next(unit) for unit in both]:
        effect.perform()

    assert [t.name for t in threading.enumerate()].count("segue-worker") == 1
    it.close()
    assert threading.active_count() <= before


def test_a_busy_worker_stops_when_its_handlers_return(called: SimpleQueue[Any]) -> None:
    go_on = threading.Event()

    def handle(callback: Callback) -> None:
        called.put(callback.conversation_id)
        go_on.wait(PATIENCE)

    worked = HandWorked(_succeed).send(*(f"c-{number}" for number in range(20)))
    it = processor(worked.store, clock=worked.clock, on_finding=handle, retry=QUIET)
    with it:
        busy = [called.get(timeout=PATIENCE) for _ in range(8)]
        closing = threading.Thread(target=it.close)
        closing.start()
        go_on.set()
        closing.join(30)

    assert not closing.is_alive()
    worked.clock.move(61)
    left = [name for name, _ in worked.work()]
    assert len(left) + len(busy) + called.qsize() == 20


def test_what_could_not_be_acknowledged_is_called_again(called: SimpleQueue[Any]) -> None:
    class Forgetful(MemoryStore):
        failed = threading.Event()

        def acknowledge(self, number: int, lease: str) -> Future[bool] | bool:
            if self.failed.is_set():
                return super().acknowledge(number, lease)
            self.failed.set()
            raise OSError("gone")

    clock = Clock()
    store = Forgetful()
    with processor(store, clock=clock, on_finding=called.put, retry=QUIET) as it:
        it.receive("st-1", LEAVES)
        first = called.get(timeout=PATIENCE)
        assert store.failed.wait(PATIENCE)
        clock.move(61)
        it.receive("st-1", body(transfer("NA exit", "a-9")))  # and the worker looks again

        assert called.get(timeout=PATIENCE).id == first.id


def test_a_worker_looks_now_and_then_for_what_others_left(called: SimpleQueue[Any]) -> None:
    worked = HandWorked(_succeed)

    with processor(worked.store, on_finding=called.put, retry=OFTEN):
        worked.send("c-1")

        assert called.get(timeout=PATIENCE).id == "st-1:c-1:1:finding:0"


def test_what_an_async_handler_raises_is_its_failure() -> None:
    async def handle(callback: Callback) -> None:
        await asyncio.sleep(0)
        raise ValueError(callback.id)

    call = HandlerCaller()
    with pytest.raises(ValueError, match="c-1:1:message:0"):
        call(handle, Callback("c-1:1:message:0", "c-1", "message", 0, {}))
    call.close()
    call.close()


def test_leaving_a_processor_closes_its_store() -> None:
    class Closing(MemoryStore):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    store = Closing()
    with processor(store) as it:
        it.receive("st-1", ENTERS)
        assert store.closed == 0

    assert store.closed == 1


def test_a_revived_callback_is_called_at_once(called: SimpleQueue[Any]) -> None:
    class Burying(MemoryStore):
        buried, idle = threading.Event(), threading.Event()

        def claim(self, *args: Any, **options: Any) -> Any:
            buried = self.buried.is_set()
            claimed = super().claim(*args, **options)
            if buried and not claimed:
                self.idle.set()
            return claimed

        def bury(self, number: int, lease: str, reason: str) -> bool:
            done = super().bury(number, lease, reason)
            self.buried.set()
            return done

    def handle(callback: Callback) -> None:
        if not store.buried.is_set():
            raise ValueError(callback.id)
        called.put(callback.tries)

    store = Burying()
    with processor(store, retry=Retry(tries=1, poll=NEVER), on_finding=handle) as it:
        it.receive("st-1", LEAVES)
        assert store.idle.wait(PATIENCE)
        (letter,) = it.dead_letters()
        assert it.revive(letter.number)

        assert called.get(timeout=PATIENCE) == 0


# Handlers that end or hang.


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """What the outbox logs, whatever other tests have made of the loggers above it."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    logger, handler = logging.getLogger("segue.outbox"), Lines()
    level = logger.level
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    yield lines
    logger.removeHandler(handler)
    logger.setLevel(level)


@pytest.mark.parametrize(
    "error", [SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration, asyncio.CancelledError]
)
@pytest.mark.parametrize("is_async", [False, True])
def test_whatever_a_handler_raises_is_a_failure_and_ends_nothing(
    called: SimpleQueue[Any],
    logged: list[str],
    error: type[BaseException],
    *,
    is_async: bool,
) -> None:
    def handle(callback: Callback) -> None:
        called.put((callback.conversation_id, callback.tries))
        if callback.conversation_id == "c-1" and callback.tries == 0:
            raise error(NO_AGENT)

    async def ahandle(callback: Callback) -> None:
        handle(callback)

    fast = Retry(first=timedelta(milliseconds=20), poll=timedelta(milliseconds=10))
    handler: Handler = ahandle if is_async else handle
    with processor(on_finding=handler, retry=fast, clock=_now) as it:
        it.receive("st-1", _finding("c-1"))
        assert called.get(timeout=PATIENCE) == ("c-1", 0)
        it.receive("st-1", _finding("c-2"))

        assert {called.get(timeout=PATIENCE) for _ in range(2)} == {("c-1", 1), ("c-2", 0)}
    failure = "st-1:c-1:1:finding:0 failed, try 1"
    place = f" at test_outbox.py:{handle.__code__.co_firstlineno + 3}"
    if is_async and error is StopIteration:
        place = ": RuntimeError at callback.py:"  # Python's own, where the coroutine is awaited
    assert any(failure in each and place in each for each in logged)
    assert NO_AGENT not in "".join(logged)


def test_an_interrupt_of_an_async_handler_leaves_the_hosts_loop_running() -> None:
    async def handle(_: Callback) -> None:
        raise KeyboardInterrupt

    async def main() -> object:
        async with processor(on_finding=handle, retry=QUIET) as it:
            await it.areceive("st-1", LEAVES)
            await asyncio.sleep(0.2)
            return await it.areceive("st-1", ENTERS)

    assert asyncio.run(main())


def hanging(is_async: Callable[[], bool]) -> tuple[Handler, threading.Event]:
    """Return a handler that waits for the event, but for those of conversation c-fine."""
    go_on = threading.Event()

    async def ahandle(_: Callback) -> None:
        while not go_on.is_set():
            with suppress(asyncio.CancelledError):  # it does not end when it is told to
                await asyncio.sleep(0.01)

    def handle(callback: Callback) -> object:
        if callback.conversation_id == "c-fine":
            return None
        return ahandle(callback) if is_async() else go_on.wait(PATIENCE)

    return handle, go_on


@pytest.mark.thorough
@pytest.mark.parametrize("is_async", [False, True])
def test_a_handler_that_hangs_delays_no_other_and_not_the_end(
    called: SimpleQueue[Any], logged: list[str], *, is_async: bool
) -> None:
    handler, go_on = hanging(lambda: is_async)
    options: dict[str, Any] = {"retry": QUIET, "handler_timeout": timedelta(milliseconds=300)}
    it = processor(on_finding=handler, on_segment_closed=called.put, **options)
    with it:
        for number in range(20):
            it.receive("st-1", _finding(f"c-{number}"))
        stay = (transfer("NA entry", "a-1"), transfer("NA exit", "a-1"))
        it.receive("st-1", body(*stay, conversation="c-stay"))
        assert called.get(timeout=PATIENCE).kind == "segment_closed"
        it.receive("st-1", _finding("c-fine"))
    has_hung_to_the_end = any(each.is_alive() for each in _handler_threads()) or is_async
    go_on.set()

    gc.collect()  # asyncio logs tasks that did not end: here, not in the middle of another test
    assert has_hung_to_the_end
    name = f"{__name__}.{hanging.__qualname__}.<locals>.handle"
    assert any(f"failed, try 1: HandlerTimeoutError: {name} " in each for each in logged)


def test_a_coroutine_that_is_cancelled_cleans_up_before_its_loop_stops() -> None:
    began, cleaned = threading.Event(), threading.Event()

    async def handle(_: Callback) -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            for _step in range(20):  # more than one round of the loop
                await asyncio.sleep(0)
            cleaned.set()

    caller = HandlerCaller(None, timedelta(seconds=1))
    with pytest.raises(HandlerTimeoutError):
        caller(handle, Callback("c-1:1:message:0", "c-1", "message", 0, {}))
    caller.close()

    assert began.is_set()
    assert cleaned.is_set()


def _handler_threads() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name == "segue-handler"}


def test_no_more_than_64_calls_are_left_hanging() -> None:
    handler, go_on = hanging(lambda: False)
    call = HandlerCaller(None, timedelta(milliseconds=5))
    before = _handler_threads()
    callbacks = [Callback(f"c-{n}:1:finding:0", f"c-{n}", "finding", 0, {}) for n in range(70)]
    raised = list[type[Exception]]()
    for callback in callbacks:
        assert call.is_stalled is (len(raised) >= 64)
        try:
            call(handler, callback)
        except (HandlerTimeoutError, HungHandlerError) as error:
            raised.append(type(error))

    assert raised == [HandlerTimeoutError] * 64 + [HungHandlerError] * 6
    assert len(_handler_threads() - before) == 64
    call(_succeed, replace(callbacks[0], kind="message"))  # this one never hung
    go_on.set()
    until = time.monotonic() + PATIENCE
    while call.is_stalled and time.monotonic() < until:
        time.sleep(0.01)
    call(_succeed, callbacks[0])  # they have returned


def test_eight_calls_that_hang_do_not_end_a_handler(called: SimpleQueue[Any]) -> None:
    go_on = threading.Event()

    def handle(callback: Callback) -> None:
        if callback.conversation_id != "c-fine":
            go_on.wait(PATIENCE)
        called.put(callback.conversation_id)

    options: dict[str, Any] = {"retry": QUIET, "handler_timeout": timedelta(milliseconds=20)}
    with processor(on_finding=handle, **options) as it:
        for number in range(20):
            it.receive("st-1", _finding(f"c-{number}"))
        it.receive("st-1", _finding("c-fine"))

        assert called.get(timeout=PATIENCE) == "c-fine"
        assert not it.is_stalled
        go_on.set()


# A share of the claims.

MANY = 400
"""More conversations than a worker claims at once."""
THREADS = 8
"""As many calls of one handler run at once."""


class Gate:
    """A handler that waits until the gate is open, and says which of its calls have begun."""

    def __init__(self) -> None:
        self.opened, self.begun = threading.Event(), SimpleQueue[str]()

    def __call__(self, callback: Callback) -> None:
        self.begun.put(callback.conversation_id)
        self.opened.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.set()

    def wait_for_calls(self, number: int) -> list[str]:
        return [self.begun.get(timeout=PATIENCE) for _ in range(number)]


def _talk(author: str, conversation: str) -> dict[str, Any]:
    """A message. If an agent writes it, who never entered, it gives SG205 as well."""
    return message(author, "a-1") | {"conversationId": conversation}


@pytest.mark.parametrize("is_slow_first", [True, False])
def test_a_slow_handler_takes_no_claims_from_another(
    called: SimpleQueue[Any], *, is_slow_first: bool
) -> None:
    slow, quick = [f"s-{n}" for n in range(MANY)], [f"q-{n}" for n in range(MANY)]
    worked = HandWorked(_succeed)
    names = [*slow, *quick] if is_slow_first else [*chain(*zip(slow, quick, strict=True))]
    filling = processor(worked.store, clock=worked.clock, callbacks=("finding", "message"))
    for name in names:
        filling.receive("st-1", _finding(name) if name in slow else _talk("USER", name))

    handlers: dict[str, Any] = {"on_message": called.put}
    with Gate() as gate, processor(worked.store, on_finding=gate, retry=QUIET, **handlers):
        got = [called.get(timeout=PATIENCE).conversation_id for _ in quick]

        assert sorted(got) == sorted(quick)
        assert set(gate.wait_for_calls(THREADS)) <= {*slow}
        assert gate.begun.empty()
        gate.opened.set()
        assert len({*gate.wait_for_calls(MANY - THREADS)}) == MANY - THREADS


def test_callbacks_before_those_of_a_slow_handler_do_not_wait_for_it(
    called: SimpleQueue[Any],
) -> None:
    """Each conversation has one for the quick handler, and then one for the slow one."""
    names = [f"c-{number}" for number in range(MANY)]
    with Gate() as gate, processor(on_finding=gate, on_message=called.put, retry=QUIET) as it:
        for name in names:
            it.receive("st-1", _talk("AGENT", name))

        got = [called.get(timeout=PATIENCE).conversation_id for _ in names]
        assert sorted(got) == sorted(names)
        for name in names:
            it.receive("st-1", _talk("AGENT", name))
        assert set(gate.wait_for_calls(THREADS)) <= {*names}
        gate.opened.set()
        assert len({*gate.wait_for_calls(MANY - THREADS)}) == MANY - THREADS
        again = [called.get(timeout=PATIENCE).conversation_id for _ in names]
        assert sorted(again) == sorted(names)


def test_what_waits_for_a_slow_handler_is_left_to_other_processes() -> None:
    worked = HandWorked(_succeed).send(*(f"c-{number}" for number in range(MANY)))

    gate = Gate()
    with processor(worked.store, on_finding=gate, retry=QUIET), gate:
        gate.wait_for_calls(THREADS)

        taken = list[tuple[str, int]]()
        while some := worked.work():
            taken += some
        assert len(taken) > MANY - 64


def test_handlers_that_hang_take_no_claims_from_another(called: SimpleQueue[Any]) -> None:
    options: dict[str, Any] = {"retry": QUIET, "handler_timeout": timedelta(milliseconds=20)}
    worked = HandWorked(_succeed)
    with (
        Gate() as gate,
        processor(worked.store, on_finding=gate, on_message=called.put, **options) as it,
    ):
        for number in range(MANY):
            it.receive("st-1", _finding(f"hangs-{number}"))
        gate.wait_for_calls(64)
        until = time.monotonic() + PATIENCE
        while not it.is_stalled and time.monotonic() < until:
            time.sleep(0.01)
        it.receive("st-1", _finding("late"))
        for number in range(MANY):
            it.receive("st-1", _talk("USER", f"c-{number}"))

        got = {called.get(timeout=PATIENCE).conversation_id for _ in range(MANY)}
        assert got == {f"c-{number}" for number in range(MANY)}
        assert "late" in {each.conversation_id for each in due(worked.store)}
        assert gate.begun.qsize() < THREADS


def test_a_call_that_is_not_made_because_others_hang_is_no_try(
    logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callback_module, "MOST_HUNG", 1)
    handler, go_on = hanging(lambda: False)
    worked = HandWorked(print).send("c-1", "c-2")
    caller = HandlerCaller(None, timedelta(milliseconds=5))
    outbox = Outbox(
        worked.store, caller, OutboxOptions({"finding": handler}, RETRY, worked.clock, lambda: 1.0)
    )
    for run in outbox.claim():
        outbox.deliver(run)
    go_on.set()

    assert "st-1:c-1:1:finding:0 failed, try 1: HandlerTimeoutError" in logged[0]
    assert "st-1:c-2:1:finding:0 waits: 1 calls of handlers have not returned" in logged[1]
    worked.clock.move(RETRY.lease.total_seconds())
    assert sorted(worked.work()) == [("st-1:c-1:1:finding:0", 1), ("st-1:c-2:1:finding:0", 0)]


def test_a_loop_that_a_handler_blocks_is_replaced_and_ends_with_it() -> None:
    begun, go_on, loops = threading.Event(), threading.Event(), list[asyncio.AbstractEventLoop]()

    async def handle(callback: Callback) -> None:
        loops.append(asyncio.get_running_loop())
        if callback.conversation_id == "c-1":
            begun.set()
            go_on.wait(PATIENCE)

    caller = HandlerCaller(None, timedelta(seconds=PATIENCE))
    first, *others = [Callback(f"{n}", f"c-{n}", "finding", 0, {}) for n in (1, 2, 3)]
    with ThreadPoolExecutor(1) as pool:
        blocking = pool.submit(caller, handle, first)
        assert begun.wait(PATIENCE)
        blocked = caller._thread  # noqa: SLF001
        assert blocked is not None
        caller._timeout = 0.02  # noqa: SLF001 - however long it is, the loop stays blocked
        with pytest.raises(BlockedLoopError):
            caller(handle, others[0])
        caller._timeout = PATIENCE  # noqa: SLF001
        caller(handle, others[1])

        assert loops[0] is not loops[-1]
        go_on.set()
        blocking.result(PATIENCE)
    blocked.join(PATIENCE)
    assert not blocked.is_alive()
    caller.close()


def test_a_handler_that_hangs_becomes_a_dead_letter() -> None:
    handler, go_on = hanging(lambda: False)
    fast = Retry(tries=3, first=timedelta(milliseconds=5), poll=timedelta(milliseconds=10))
    options: dict[str, Any] = {
        "retry": fast,
        "clock": _now,
        "handler_timeout": timedelta(milliseconds=30),
    }
    with processor(on_finding=handler, **options) as it:
        it.receive("st-1", _finding("c-1"))
        until = time.monotonic() + PATIENCE
        while not it.dead_letters() and time.monotonic() < until:
            time.sleep(0.01)
        [letter] = it.dead_letters()
        go_on.set()

    assert (letter.conversation_id, letter.tries) == ("c-1", 3)


@pytest.mark.parametrize("seconds", [0, -1, 60, 3600])
def test_a_call_may_not_take_longer_than_its_lease(seconds: int) -> None:
    with pytest.raises(ConfigurationError, match="`handler_timeout` must be "):
        processor(handler_timeout=timedelta(seconds=seconds))


def test_the_callbacks_of_one_conversation_come_in_order_whoever_handles_them(
    called: SimpleQueue[Any],
) -> None:
    handlers: dict[str, Any] = {
        f"on_{kind}": called.put for kind in ("finding", "segment_closed", "message")
    }
    with processor(retry=QUIET, **handlers) as it:
        for _ in range(10):
            it.receive("st-1", body(transfer("NA entry", "a-1"), transfer("NA exit", "a-1")))
        ids = [called.get(timeout=PATIENCE).id for _ in range(19)]

    assert ids == sorted(ids, key=lambda name: int(name.split(":")[2]))


def _now() -> datetime:
    return datetime.now(tz=UTC)


def test_a_handler_that_was_removed_is_named(logged: list[str]) -> None:
    worked = HandWorked(print).send("c-1")
    outbox = worked.outbox_with({"message": print})
    [run] = outbox.claim()

    outbox.deliver(run)
    [message] = logged
    assert message.endswith(" failed, try 1: MissingHandlerError: this process has no on_finding")


def test_a_call_that_does_not_fit_names_the_handler(logged: list[str]) -> None:
    def handle() -> None:
        """Take nothing."""

    worked = HandWorked(handle).send("c-1")  # type: ignore[arg-type]
    outbox = worked.outbox_with({"finding": handle})  # type: ignore[dict-item]
    [run] = outbox.claim()

    outbox.deliver(run)
    [message] = logged
    assert message.endswith(f", in the call of {__name__}.{handle.__qualname__}")
    assert "TypeError at callback.py:" in message


def test_a_call_that_a_blocked_loop_never_began_is_no_try(
    logged: list[str], recwarn: pytest.WarningsRecorder
) -> None:
    """It waits for the end of the lease, and its coroutine is closed."""
    begun: list[str] = []

    async def handle(callback: Callback) -> None:
        begun.append(callback.id)

    loop = asyncio.new_event_loop()  # it does not run yet: that is as if something blocked it
    caller = HandlerCaller(loop, timedelta(milliseconds=20))
    worked = HandWorked(print).send("c-1")
    outbox = Outbox(
        worked.store, caller, OutboxOptions({"finding": handle}, RETRY, worked.clock, lambda: 1.0)
    )
    [run] = outbox.claim()
    outbox.deliver(run)
    loop.run_until_complete(asyncio.sleep(0.01))
    loop.close()

    [message] = logged
    assert message.startswith("callback st-1:c-1:1:finding:0 waits: ")
    assert ".handle could not begin within handler_timeout=0:00:00.020000: " in message
    assert begun == []
    assert not list(recwarn)
    worked.clock.move(RETRY.lease.total_seconds())
    assert worked.work() == [("st-1:c-1:1:finding:0", 0)]


@pytest.mark.parametrize(
    ("is_stopped", "reason"),
    [
        (False, "took longer than handler_timeout=0:00:00.020000"),
        (True, "was still running when the processor was closed"),
    ],
)
def test_a_call_that_does_not_end_names_the_handler_and_the_limit(
    reason: str, *, is_stopped: bool
) -> None:
    handler, go_on = hanging(lambda: False)
    caller = HandlerCaller(None, timedelta(milliseconds=20))
    if is_stopped:
        caller.stop()
    with pytest.raises(HandlerTimeoutError, match=rf"\.<locals>\.handle {reason}$"):
        caller(handler, Callback("i", "c-1", "finding", 0, {}))
    go_on.set()
