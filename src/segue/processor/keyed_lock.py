"""One lock per key, granted in the order of arrival; waiting holds no thread.

It orders the deliveries of one conversation within this process; between processes the version
check of the store does.
"""

from collections import deque
from concurrent.futures import Future
from threading import Lock

__all__ = ["KeyedLock"]


class KeyedLock:
    """The queues of all keys that are in use."""

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
