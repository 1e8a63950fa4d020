"""Threads for the readers of the feed and of lists, so that readers delay no delivery.

The readers that wait for news are woken a few at a time, and only one thread asks the store whether
another process has news. Readers that ask the same share one call of the store.
"""

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition, Lock, Thread
from time import sleep
from typing import Any, Final, TypeVar

from segue.core.errors import StoreUnavailable

T = TypeVar("T")

_THREADS: Final = 2
_RECHECK: Final = 0.5
"""The seconds between two checks of the feed for commits of other processes."""
_AT_ONCE: Final = 8
"""The number of readers that are woken before the next pause."""
_PAUSE: Final = 0.002
"""The seconds of such a pause, in which deliveries proceed."""


class ReaderPool:
    """Calls functions in two threads. Equal calls that have not begun are made once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._queued: dict[Hashable, list[Future[Any]]] = {}
        self._executor = ThreadPoolExecutor(_THREADS, "segue-readers")

    def submit(self, key: Hashable, function: Callable[[], T]) -> Future[T]:
        """Queue a call of `function`, and return a future of its result.

        A queued call with the same key is shared. The call begins after this method, so a reader
        that listens for news before it calls this method misses none.
        """
        future: Future[T] = Future()
        with self._lock:
            sharing = self._queued.setdefault(key, [])
            sharing.append(future)
            if len(sharing) == 1:
                try:
                    self._executor.submit(self._call, key, function)
                except RuntimeError:
                    del self._queued[key]
                    raise StoreUnavailable("the store is closed: make a new one") from None
        return future

    def close(self) -> None:
        """Finish the queued calls, and end the threads."""
        self._executor.shutdown()

    def _call(self, key: Hashable, function: Callable[[], object]) -> None:
        with self._lock:
            sharing = self._queued.pop(key)
        waiting = [each for each in sharing if each.set_running_or_notify_cancel()]
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - the readers get it
            for each in waiting:
                each.set_exception(error)
        else:
            _resolve(waiting, result)


class FeedWatcher:
    """Wakes readers that wait for new feed entries.

    A commit of this process wakes them soon. While readers wait, a thread also looks twice a second
    whether another process has committed something.

    Args:
        latest: A function that returns the number of the newest journal entry.

    """

    def __init__(self, latest: Callable[[], int]) -> None:
        self._latest = latest
        self._changed = Condition()
        self._waiting: dict[Future[None], None] = {}
        self._is_notified = False
        self._thread: Thread | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def listen(self) -> "Future[None]":
        """Return a future that is done after the next commit. Pass it to `forget` afterwards."""
        future: Future[None] = Future()
        with self._changed:
            self._waiting[future] = None
            if self._thread is None or not self._thread.is_alive():  # it does not survive a fork
                self._thread = Thread(target=self._watch, name="segue-feed", daemon=True)
                self._thread.start()
        return future

    def forget(self, future: "Future[None]") -> None:
        """Stop notifying this future, which `listen` returned. It may be completed already."""
        with self._changed:
            self._waiting.pop(future, None)

    def notify(self) -> None:
        """Let the thread wake all waiting readers, after a commit of this process."""
        with self._changed:
            if self._waiting:
                self._is_notified = True
                self._changed.notify()

    def _watch(self) -> None:
        """Wake readers until none has waited for a while."""
        known: int | None = None
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_notified, _RECHECK)
                if not self._waiting:
                    self._thread = None
                    return
                is_new, self._is_notified = self._is_notified, False
            if not is_new:
                before, known = known, self._newest()
                is_new = known is None or known != before
            if is_new:
                self._wake()

    def _newest(self) -> int | None:
        """Return the number of the newest entry, or None if the store does not answer."""
        try:
            return self._latest()
        except Exception:  # noqa: BLE001 - the readers find the reason out themselves
            return None

    def _wake(self) -> None:
        with self._changed:
            waiting, self._waiting = list(self._waiting), {}
        _resolve([each for each in waiting if each.set_running_or_notify_cancel()], None)


def _resolve(futures: Sequence[Future[T]], result: T) -> None:
    """Set the result of running futures, with pauses in which deliveries proceed."""
    for number, future in enumerate(futures):
        if number and number % _AT_ONCE == 0:
            sleep(_PAUSE)
        future.set_result(result)
