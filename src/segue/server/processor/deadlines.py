"""The thread of a processor that applies held deliveries at their deadlines.

Deadlines are stored, so the thread also handles those that another process left, or that passed
while no process ran. After an error, such as an unavailable store, it tries again.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Final

from segue.server.processor.misdated import latest_end
from segue.server.processor.records import ConversationKey
from segue.server.processor.store import Store
from segue.server.processor.worker import errors_logged

_THREADS: Final = 4
_BATCH: Final = 64


class DeadlineWorker:
    """A thread that applies held deliveries when their deadlines have passed.

    Args:
        store: The store that contains the held deliveries.
        settle: A function that applies the held deliveries of one conversation whose wait is over.
        clock: A function that returns the current time, with a time zone.
        longest: The maximum time for which a delivery is held. A deadline that is further away was
            written by a wrong clock, and counts as passed.
        poll: The interval in seconds at which the store is searched for deadlines. It must not be
            longer than the time for which deliveries are held.

    """

    def __init__(
        self,
        store: Store,
        settle: Callable[[ConversationKey], object],
        clock: Callable[[], datetime],
        longest: timedelta,
        poll: float,
    ) -> None:
        self._store, self._settle, self._clock, self._poll = store, settle, clock, poll
        self._longest = longest
        self._stopping = Event()
        self._tried: set[ConversationKey] = set()
        """The conversations tried since the last pause. Each of them is tried only once."""
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="segue-deadlines")
        self._thread = Thread(target=self._work, name="segue-deadlines", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Wait for running work to finish, and stop the threads."""
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
        """Apply a batch of held deliveries whose deadlines have passed.

        Return the number of seconds to wait before the next batch.
        """
        now, most = self._clock(), _BATCH + len(self._tried)
        latest = latest_end(now, self._longest)
        rows = [*self._store.deadlines(most), *self._store.deadlines(most, latest)]
        left = [(key, deadline) for key, deadline in rows if key not in self._tried]
        due = [key for key, deadline in left if deadline <= now or deadline > latest]
        if due:
            self._tried.update(due)
            list(self._pool.map(self._keep, due))
            return 0
        until = (left[0][1] - now).total_seconds() if left else self._poll
        return min(self._poll, until)

    def _keep(self, key: ConversationKey) -> None:
        with errors_logged("applying held deliveries"):  # the other conversations go on
            self._settle(key)
