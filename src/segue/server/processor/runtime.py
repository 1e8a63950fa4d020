"""The objects that the requests of one process share: store, workers, locks and cached states.

Entering the processor starts the store and the worker. Without that, the first use of the store
starts them. Concurrent starts start them once, and the next use retries a failed start. A worker
runs only if there are callbacks or a retention.
"""

import asyncio
import os
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from threading import Lock
from typing import Any, Concatenate, Final, ParamSpec

from segue.core.engine import State, new
from segue.core.engine.snapshot import load_parts
from segue.core.errors import ConfigurationError
from segue.server.processor.callback import HandlerCaller
from segue.server.processor.deadlines import DeadlineWorker
from segue.server.processor.effects import Effect
from segue.server.processor.outbox import Outbox, OutboxOptions
from segue.server.processor.records import ConversationKey, ConversationRecord
from segue.server.processor.store import Store, StoreDamaged
from segue.server.processor.worker import Retention, Worker

P = ParamSpec("P")

_CAPACITY: Final = 2048


@dataclass(slots=True)
class CachedState:
    """The state of a conversation without its history, and the record last stored for it."""

    state: State
    record: ConversationRecord | None
    """The record, or None if the conversation was never stored. Its snapshot and its agents are
    empty unless it was just loaded."""

    @classmethod
    def of(cls, conversation_id: str, record: ConversationRecord | None) -> "CachedState":
        """Decode a stored conversation, or create a new one if `record` is None."""
        return cls(new(conversation_id) if record is None else decoded(record), record)


def decoded(record: ConversationRecord) -> State:
    """Return the state of a conversation that was just loaded, without its history.

    Raises `StoreDamaged` if the record cannot be read.
    """
    try:
        state = load_parts(record.snapshot, record.agents.values())
    except ConfigurationError as error:
        raise StoreDamaged from error
    if state.presence.agents != len(state.agents):
        raise StoreDamaged
    return state


class ConversationLocks:
    """One lock for each conversation, each with the state that its last holder left.

    Locks are granted in the order of arrival, and waiting needs no thread. They order the
    deliveries of one conversation within this process. Between processes the version check of the
    store does that. A cached state may therefore be outdated. It saves most deliveries from loading
    the conversation, and the commit verifies it.
    """

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._queues: dict[ConversationKey, deque[Future[CachedState | None]]] = {}
        self._states: OrderedDict[ConversationKey, CachedState] = OrderedDict()

    def __len__(self) -> int:
        return len(self._queues)

    def acquire(self, key: ConversationKey) -> "Future[CachedState | None]":
        """Queue for the lock of a conversation, and return a future.

        The future is done when the lock is held. Its result is the cached state, or None. Pair
        every `acquire` with a `release`, even after a timeout or a cancellation.
        """
        place: Future[CachedState | None] = Future()
        with self._lock:
            queue = self._queues.setdefault(key, deque())
            queue.append(place)
            if len(queue) == 1:
                place.set_result(self._states.pop(key, None))
        return place

    def release(
        self,
        key: ConversationKey,
        place: "Future[CachedState | None]",
        committed: CachedState | None = None,
    ) -> None:
        """Release the lock of a conversation, or stop waiting for it.

        `place` is the future that `acquire` returned. The next in the queue gets the lock. A
        committed state is cached as the newest, and the oldest beyond the capacity is dropped.
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


class Notifier:
    """Wakes the waiting readers of the feed after a commit in this process.

    Commits of other processes wake no reader, so readers also look again on their own.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: set[Future[None]] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    def listen(self) -> "Future[None]":
        """Return a future that the next `notify` completes. Pass it to `forget` afterwards."""
        future: Future[None] = Future()
        with self._lock:
            self._waiting.add(future)
        return future

    def forget(self, future: "Future[None]") -> None:
        """Remove the future of a reader, whether or not the reader was woken."""
        with self._lock:
            self._waiting.discard(future)

    def notify(self) -> None:
        """Wake all waiting readers."""
        with self._lock:
            waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_result(None)


@dataclass(frozen=True, slots=True)
class _StoreCall(Effect[Any]):
    """An effect that calls a store method. Records name it after the method, such as `Save`."""

    name: str
    perform: Callable[[], Any]
    immediate: bool


class Runtime:
    """A store with the objects that the requests of this process share.

    The first use of the store starts it, and the workers that are needed.
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
        self.locks = ConversationLocks()
        self.notifier = Notifier()
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
        """Return the effect of calling a store method. The first call starts the store.

        The result of the effect is the result of the method, or a future of it.
        """
        store, name, runs = self.store, method.__name__, self._process == os.getpid()
        immediate = store.immediate or (runs and store.queues and method is Store.save)
        return _StoreCall(
            name.title().replace("_", ""),
            partial(getattr(store, name), *args, **kwargs)
            if runs
            else lambda: getattr(self.started(), name)(*args, **kwargs),
            immediate,
        )

    def started(self) -> Store:
        """Return the store. Start it first, unless it was started in this process."""
        if self._process != os.getpid():
            with self._lock:
                if self._process != os.getpid():
                    self.store.migrate()
                    self._worker = self._start_worker()
                    self._deadlines = self._start_deadlines()
                    self._process = os.getpid()
        return self.store

    def wake(self) -> None:
        """Make the worker look for due callbacks now."""
        worker = self._worker
        if worker is not None:
            worker.wake()

    def stop(self) -> None:
        """Stop the workers, and then close the store.

        The store is closed last, because running handlers may still use it.
        """
        with self._lock:
            worker, self._worker = self._worker, None
            deadlines, self._deadlines = self._deadlines, None
        if deadlines is not None:
            deadlines.stop()
        if worker is not None:
            worker.stop()
        with self._lock:
            self._process = None
            self.store.close()

    def _start_deadlines(self) -> DeadlineWorker | None:
        """Start and return a worker for deadlines.

        Return None if deliveries cannot be held here, and no earlier process has left some.
        """
        if self.settle is None or (self._patience is None and not self.store.deadlines(1)):
            return None
        poll = min(self._options.retry.poll, self._patience or self._options.retry.poll)
        clock = self._options.clock
        return DeadlineWorker(self.store, self.settle, clock, poll.total_seconds())

    def _start_worker(self) -> Worker | None:
        if not self._options.handlers and self._retention is None:
            return None
        caller = HandlerCaller(self.loop, self._options.handler_timeout)
        outbox = Outbox(self.store, caller, self._options)
        retention = Retention(self.store, self._options.clock, self._retention)
        return Worker(outbox, caller, retention, self._options.retry.poll.total_seconds())
