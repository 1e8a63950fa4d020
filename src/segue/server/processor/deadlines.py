"""The thread behind a processor that applies held deliveries when their deadlines have come.

Deadlines are in the store, so those that another process left, or that passed while none ran, are
kept too.  One that cannot be kept, since the store is away, is tried again.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Event, Thread
from typing import Final

from segue.server.processor.records import ConversationKey
from segue.server.processor.store import Store
from segue.server.processor.worker import errors_logged

_THREADS: Final = 4
_BATCH: Final = 64


class DeadlineWorker:
    """Keeps the deadlines of a store until it is stopped.

    Args:
        store: what holds the deliveries.
        settle: applies what a conversation need not hold any longer.
        clock: returns the time now, aware.
        poll: seconds until it looks again; no new deadline may be nearer than that.

    """

    def __init__(
        self,
        store: Store,
        settle: Callable[[ConversationKey], object],
        clock: Callable[[], datetime],
        poll: float,
    ) -> None:
        self._store, self._settle, self._clock, self._poll = store, settle, clock, poll
        self._stopping = Event()
        self._tried: set[ConversationKey] = set()
        """Conversations that were looked at since the last pause: none is twice."""
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="segue-deadlines")
        self._thread = Thread(target=self._work, name="segue-deadlines", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Finish what is under way, and end."""
        self._stopping.set()
        self._thread.join()
        self._pool.shutdown()

    def _work(self) -> None:
        while not self._stopping.is_set():
            pause = self._poll
            with errors_logged("looking for deadlines"):
                pause = self._look()
            if pause > 0:
                self._tried.clear()
            self._stopping.wait(pause)

    def _look(self) -> float:
        """Keep the deadlines that have come; return how many seconds to wait."""
        rows = self._store.deadlines(_BATCH + len(self._tried))
        now = self._clock()
        left = [(key, deadline) for key, deadline in rows if key not in self._tried]
        due = [key for key, deadline in left if deadline <= now]
        if due:
            self._tried.update(due)
            list(self._pool.map(self._keep, due))
            return 0
        until = (left[0][1] - now).total_seconds() if left else self._poll
        return min(self._poll, until)

    def _keep(self, key: ConversationKey) -> None:
        with errors_logged("applying what was held"):  # of one conversation; the others go on
            self._settle(key)
