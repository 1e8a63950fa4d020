"""What the requests of one process share: locks, recently used states, and readers that wait."""

from collections import OrderedDict, deque
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock
from typing import Final

from segue.engine import State, load, new
from segue.processor.records import ConversationRecord

__all__ = ["CachedState", "KeyedLock", "Notifier", "StateCache"]

_CAPACITY: Final = 2048


class KeyedLock:
    """One lock per key, granted in the order of arrival; waiting holds no thread.

    It orders the deliveries of one conversation within this process; between processes the version
    check of the store does.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._queues: dict[str, deque[Future[None]]] = {}

    def __len__(self) -> int:
        return len(self._queues)

    def acquire(self, key: str) -> "Future[None]":
        """Queue up and return a future that is done when the lock is held.

        Every `acquire` is paired with a `release`, even after a timeout or a cancellation.
        """
        place: Future[None] = Future()
        with self._lock:
            queue = self._queues.setdefault(key, deque())
            queue.append(place)
            if len(queue) == 1:
                place.set_result(None)
        return place

    def release(self, key: str, place: "Future[None]") -> None:
        """Leave the queue of a key and grant the lock to the next, unless one before holds it."""
        with self._lock:
            queue = self._queues[key]
            was_first = queue[0] is place
            queue.remove(place)
            if not queue:
                del self._queues[key]
            elif was_first and queue[0].set_running_or_notify_cancel():
                queue[0].set_result(None)


@dataclass(slots=True)
class CachedState:
    """A conversation's state, and the record it was last stored as."""

    state: State
    record: ConversationRecord | None
    """None if it was never stored."""

    @classmethod
    def of(cls, conversation_id: str, record: ConversationRecord | None) -> "CachedState":
        """Decode a stored conversation, or begin a new one."""
        return cls(new(conversation_id) if record is None else load(record.snapshot), record)


class StateCache:
    """The states of recently used conversations, so that most deliveries load nothing.

    A cached state is a guess, because another process may have changed the conversation; the
    version check of the commit proves it. A state is removed while it is worked on and returned
    when committed.
    """

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._states: OrderedDict[str, CachedState] = OrderedDict()

    def take(self, conversation_id: str) -> CachedState | None:
        """Remove a state and return it, or None if it is not cached."""
        with self._lock:
            return self._states.pop(conversation_id, None)

    def put(self, conversation_id: str, cached: CachedState) -> None:
        """Store a committed state as the newest; beyond the capacity the oldest is dropped."""
        with self._lock:
            self._states[conversation_id] = cached
            if len(self._states) > self._capacity:
                self._states.popitem(last=False)


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
