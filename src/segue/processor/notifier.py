"""Wakes feed readers after a commit in this process.

Commits of other processes wake no reader here, so a reader also looks again by itself.
"""

from concurrent.futures import Future
from threading import Lock

__all__ = ["Notifier"]


class Notifier:
    """Futures of the readers that wait now."""

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
