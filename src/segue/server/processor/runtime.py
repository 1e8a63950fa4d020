"""The objects that the requests of one process share: store, workers, locks and cached states.

Entering the processor starts the store and the worker. Without that, the first use of the store
starts them. Concurrent starts start them once, and the next use retries a failed start. A worker
runs only if there are callbacks or a retention.
"""

import asyncio
import os
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeVar

from segue.core.engine import State, new
from segue.core.engine.snapshot import load_parts
from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.server.processor.callback import HandlerCaller
from segue.server.processor.deadlines import DeadlineWorker
from segue.server.processor.effects import Effect, Unit, Wait
from segue.server.processor.ingest_options import LONGEST_HOLD
from segue.server.processor.outbox import Outbox, OutboxOptions
from segue.server.processor.readers import FeedWatcher, ReaderPool
from segue.server.processor.records import ConversationKey, ConversationRecord
from segue.server.processor.store import Store, StoreDamaged
from segue.server.processor.worker import Retention, Worker

P = ParamSpec("P")
T = TypeVar("T")

_CAPACITY: Final = 2048
LONGEST_QUEUED: Final = 10.0
"""The maximum number of seconds for which a delivery waits for a thread, or for the deliveries
before it of the same conversation."""


@dataclass(slots=True)
class CachedState:
    """The state of a conversation, without its history, and its last stored record."""

    state: State
    record: ConversationRecord | None
    """The record, or None if the conversation was never stored. Its snapshot and its agents are
    empty unless it was just loaded."""

    @classmethod
    def of(cls, conversation_id: str, record: ConversationRecord | None) -> "CachedState":
        """Decode the stored `record`, or create the state of a new conversation if it is None."""
        return cls(new(conversation_id) if record is None else decoded(record), record)


def decoded(record: ConversationRecord) -> State:
    """Decode the state in a `record` that was just loaded. The state has no history.

    Raises `StoreDamaged` if the record cannot be decoded.
    """
    try:
        state = load_parts(record.snapshot, record.agents.values(), record.version)
    except ConfigurationError as error:
        raise StoreDamaged from error
    if state.presence.agents != len(state.agents):
        raise StoreDamaged
    return state


class ConversationLocks(Generic[T]):
    """One lock for each conversation, so that its deliveries are applied one after another.

    A lock is granted in the order of arrival, and no thread is blocked while it waits. The locks
    only cover this process. Between processes, the store compares version numbers on each commit.

    The value that the last holder of a lock left is cached. If it is the state of the conversation,
    most deliveries need not load the conversation. The cached state may be outdated if another
    process changed the conversation. The commit then fails.
    """

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._queues: dict[ConversationKey, deque[Future[T | None]]] = {}
        self._states: OrderedDict[ConversationKey, T] = OrderedDict()

    def __len__(self) -> int:
        return len(self._queues)

    @staticmethod
    def wait(place: "Future[T | None]") -> Unit[T | None]:
        """Wait for a lock that `acquire` has queued for, and return the cached value, or None.

        Raises `StoreUnavailable` if the holders before take too long.
        """
        if not place.done():
            yield Wait(place, LONGEST_QUEUED)
        if place.cancelled() or not place.done():
            raise StoreUnavailable(
                "the store is too slow: the deliveries before this one of its conversation wait"
            )
        return place.result()

    def acquire(self, key: ConversationKey) -> "Future[T | None]":
        """Queue for the lock of a conversation, and return a future.

        The future is done when the lock is held. Its result is the cached value, or None. Pair
        every `acquire` with a `release`, even after a timeout or a cancellation.
        """
        place: Future[T | None] = Future()
        with self._lock:
            queue = self._queues.setdefault(key, deque())
            queue.append(place)
            if len(queue) == 1:
                place.set_result(self._states.pop(key, None))
        return place

    def release(
        self,
        key: ConversationKey,
        place: "Future[T | None]",
        committed: T | None = None,
    ) -> None:
        """Release the lock of a conversation, or stop waiting for it.

        `place` is the future that `acquire` returned. The next waiting future gets the lock. If
        `committed` is given, it is cached for the next holder. If the cache exceeds its capacity,
        the oldest cached value is dropped.
        """
        with self._lock:
            if committed is not None:
                self._states[key] = committed
                if len(self._states) > self._capacity:
                    self._states.popitem(last=False)
            queue = self._queues[key]
            was_first = queue[0] is place
            queue.remove(place)
            if not queue:
                del self._queues[key]
            elif was_first and queue[0].set_running_or_notify_cancel():
                queue[0].set_result(self._states.pop(key, None))


@dataclass(frozen=True, slots=True)
class _StoreCall(Effect[Any]):
    """A request to call one store method, which a driver performs.

    The class name of an effect appears in recordings. Here it is the name of the method, such as
    `Save`.
    """

    name: str
    perform: Callable[[], Any]
    immediate: bool


def _begun_in_time(queued_at: float, call: Callable[[], Any]) -> Any:  # noqa: ANN401 - any method
    """Call a method of the store, unless the call has waited too long for a thread."""
    if monotonic() - queued_at > LONGEST_QUEUED:
        raise StoreUnavailable("the store is too slow: no thread was free to call it in time")
    return call()


class Runtime:
    """A store, and the workers, locks and caches that all requests of this process share.

    The first use of the store creates its schema, and starts the worker threads that are needed.
    """

    def __init__(
        self,
        store: Store,
        options: OutboxOptions,
        retention: timedelta | None,
        patience: timedelta | None,
    ) -> None:
        self.store = store
        self.settle: Callable[[ConversationKey], object] | None = None
        """A function that applies the held deliveries of a conversation whose wait is over, or None
        to leave that to other processes."""
        self.locks = ConversationLocks[CachedState]()
        self.feed_watcher = FeedWatcher(lambda: self.started().latest())
        self._readers: ReaderPool | None = None
        self._options = options
        self._retention = retention
        self._patience = patience
        self._lock = Lock()
        self._worker: Worker | None = None
        self._deadlines: DeadlineWorker | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        """The host's event loop for async handlers, or None to start one in a thread."""
        self._process: int | None = None
        """The id of the process that started the threads. A forked process has no such threads."""

    def call(
        self, method: Callable[Concatenate[Store, P], Any], *args: P.args, **kwargs: P.kwargs
    ) -> Effect[Any]:
        """Return an effect that calls `method` on the store with the given arguments.

        The driver that performs the effect gets the result of the method, or a future of it. The
        first call also starts the store.
        """
        store, name, runs = self.store, method.__name__, self._process == os.getpid()
        immediate = store.immediate or (runs and store.queues and method is Store.save)
        perform: Callable[[], Any] = partial(getattr(store, name), *args, **kwargs)
        if not runs:
            perform = partial(self._start_and, perform)
        if not immediate:
            perform = partial(_begun_in_time, monotonic(), perform)
        return _StoreCall(name.title().replace("_", ""), perform, immediate)

    def _start_and(self, call: Callable[[], Any]) -> Any:  # noqa: ANN401 - any method of the store
        self.started()
        return call()

    def read(self, method: Callable[..., Any], *args: Hashable) -> Effect[Any]:
        """Return an effect that calls `method` on the store in the threads for readers.

        Use it for the feed and for lists, which hundreds of readers may ask for at the same time.
        """
        readers = self._readers
        if readers is None or self.store.immediate or self._process != os.getpid():
            return self.call(method, *args)
        name = method.__name__
        function = partial(getattr(self.store, name), *args)
        perform = partial(readers.submit, (name, *args), function)
        return _StoreCall(name.title().replace("_", ""), perform, immediate=True)

    def started(self) -> Store:
        """Return the store. The first call in a process starts the store and the workers."""
        if self._process != os.getpid():
            with self._lock:
                if self._process != os.getpid():
                    self.store.migrate()
                    self._worker = self._start_worker()
                    self._deadlines = self._start_deadlines()
                    self._readers = ReaderPool()
                    self._process = os.getpid()
        return self.store

    def wake(self) -> None:
        """Make the worker check for due callbacks now, instead of after its poll interval."""
        worker = self._worker
        if worker is not None:
            worker.wake()

    @property
    def is_stalled(self) -> bool:
        """Whether too many calls of handlers hang for callbacks to be delivered."""
        worker = self._worker
        return worker is not None and worker.is_stalled

    def stop(self) -> None:
        """Stop the workers, and then close the store.

        The store is closed last, because running handlers may still use it.
        """
        with self._lock:
            worker, self._worker = self._worker, None
            deadlines, self._deadlines = self._deadlines, None
            readers, self._readers = self._readers, None
        if readers is not None:
            readers.close()
        if deadlines is not None:
            deadlines.stop()
        if worker is not None:
            worker.stop()
        with self._lock:
            self._process = None
            self.store.close()

    def _start_deadlines(self) -> DeadlineWorker | None:
        """Start and return the worker that applies held deliveries at their deadline.

        Return None if it has no task: this process cannot hold deliveries, and the store contains
        none.
        """
        if self.settle is None or (self._patience is None and not self.store.deadlines(1)):
            return None
        poll = min(self._options.retry.poll, self._patience or self._options.retry.poll)
        clock, longest = self._options.clock, self._patience or LONGEST_HOLD
        return DeadlineWorker(self.store, self.settle, clock, longest, poll.total_seconds())

    def _start_worker(self) -> Worker | None:
        if not self._options.handlers and self._retention is None:
            return None
        caller = HandlerCaller(self.loop, self._options.handler_timeout)
        outbox = Outbox(self.store, caller, self._options)
        retention = Retention(self.store, self._options.clock, self._retention)
        return Worker(outbox, caller, retention, self._options.retry.poll.total_seconds())
