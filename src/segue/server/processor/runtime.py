"""What the requests of one process share: the store and the worker, locks, states, readers.

Entering the processor starts the store and the worker, or else the first use of the store. Starting
twice, or from many threads concurrently, starts them once; after a failed start the next use tries
again. There is a worker only if there are callbacks or a retention.
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
    """A conversation's state without its history, and the record it was last stored as."""

    state: State
    record: ConversationRecord | None
    """None if it was never stored; without its bytes unless it was just loaded."""

    @classmethod
    def of(cls, conversation_id: str, record: ConversationRecord | None) -> "CachedState":
        """Decode a stored conversation, or begin a new one."""
        return cls(new(conversation_id) if record is None else decoded(record), record)


def decoded(record: ConversationRecord) -> State:
    """Return the state of a conversation that was just loaded, without its history.

    Raises `StoreDamaged` for one that cannot be read.
    """
    try:
        state = load_parts(record.snapshot, record.agents.values())
    except ConfigurationError as error:
        raise StoreDamaged from error
    if state.presence.agents != len(state.agents):
        raise StoreDamaged
    return state


class ConversationLocks:
    """One lock per conversation, each with the state that its holder left.

    It is granted in the order of arrival, and waiting holds no thread. It orders the deliveries of
    one conversation within this process; between processes the version check of the store does. So
    a state is a guess, which spares most deliveries the load, and which the commit proves.
    """

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._queues: dict[ConversationKey, deque[Future[CachedState | None]]] = {}
        self._states: OrderedDict[ConversationKey, CachedState] = OrderedDict()

    def __len__(self) -> int:
        return len(self._queues)

    def acquire(self, key: ConversationKey) -> "Future[CachedState | None]":
        """Queue up and return a future that is done when the lock is held: with the state, if any.

        Every `acquire` is paired with a `release`, even after a timeout or a cancellation.
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
        """Leave the queue of a key and grant the lock to the next, unless one before holds it.

        A committed state is kept as the newest; beyond the capacity the oldest is dropped.
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
    """Wakes feed readers after a commit in this process.

    Commits of other processes wake no reader here, so a reader also looks again by itself.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: set[Future[None]] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    def listen(self) -> "Future[None]":
        """Return a future that the next `notify` completes; pass it to `forget` afterwards."""
        future: Future[None] = Future()
        with self._lock:
            self._waiting.add(future)
        return future

    def forget(self, future: "Future[None]") -> None:
        """Remove a reader, whether or not it was woken."""
        with self._lock:
            self._waiting.discard(future)

    def notify(self) -> None:
        """Wake all readers that wait now."""
        with self._lock:
            waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_result(None)


@dataclass(frozen=True, slots=True)
class _StoreCall(Effect[Any]):
    """The call of a method of the store; its name in records is `Load`, `Save`, …."""

    name: str
    perform: Callable[[], Any]
    immediate: bool


class Runtime:
    """A store that is started when it is used first, and what is shared by those who use it."""

    def __init__(
        self,
        store: Store,
        options: OutboxOptions,
        retention: timedelta | None,
        patience: timedelta | None,
    ) -> None:
        self.store = store
        self.settle: Callable[[ConversationKey], object] | None = None
        """Applies what a conversation need not hold any longer; None leaves it to others."""
        self.locks = ConversationLocks()
        self.notifier = Notifier()
        self._options = options
        self._retention = retention
        self._patience = patience
        self._lock = Lock()
        self._worker: Worker | None = None
        self._deadlines: DeadlineWorker | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        """The host's event loop, for async handlers; None gives them a loop of our own."""
        self._process: int | None = None
        """The process it runs in: threads of a parent do not run in its fork."""

    def call(
        self, method: Callable[Concatenate[Store, P], Any], *args: P.args, **kwargs: P.kwargs
    ) -> Effect[Any]:
        """Return the effect of calling a method of the store, which starts it if it is the first.

        Performing it returns what the method returns: a result, or a future of it.
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
        """Return the store, and start before unless it runs in this process."""
        if self._process != os.getpid():
            with self._lock:
                if self._process != os.getpid():
                    self.store.migrate()
                    self._worker = self._start_worker()
                    self._deadlines = self._start_deadlines()
                    self._process = os.getpid()
        return self.store

    def wake(self) -> None:
        """Make the worker look for callbacks that are due."""
        worker = self._worker
        if worker is not None:
            worker.wake()

    def stop(self) -> None:
        """Stop the workers, then close the store, which running handlers may still use."""
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
        """Start a worker if deliveries may be held, or if an earlier process left some."""
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
