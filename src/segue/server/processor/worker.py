"""Threads of a processor that call handlers and purge old conversations.

Each handler has its own threads and its own share of the claims, so a slow handler does not delay
the others. The threads run until `stop`. After an error, such as an unavailable store, they try
again. Stopping finishes running calls and leaves the other messages to the next start or to another
process.
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Event, Lock, Thread
from time import monotonic
from typing import Final

from segue.server.processor.callback import HandlerCaller
from segue.server.processor.outbox import Outbox, Run
from segue.server.processor.records import ConversationKey
from segue.server.processor.store import Store, reason_of

_log = logging.getLogger("segue.worker")

_THREADS: Final = 8
"""The maximum number of concurrent calls of one handler."""
_SHARE: Final = 32
"""The number of claimed conversations from which no more are claimed for a handler. They wait for
its threads. One claim may add as many again."""
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_BEGINNING: Final = datetime.min.replace(tzinfo=UTC)


class Retention:
    """Removes conversations older than a retention period from a store, at most once an hour.

    If the clock jumps ahead by more than a day, nothing must be removed too early. A monotonic
    counter therefore replaces the clock until the clock is right again.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        retention: timedelta | None,
        counter: Callable[[], float] = monotonic,
    ) -> None:
        self._counter = counter
        self._store = store
        self._clock = clock
        self._retention = retention
        self._next: datetime | None = None
        self._first: tuple[datetime, float] | None = None
        """The time of the first look: a datetime of the clock, and the seconds of a monotonic
        counter."""

    def purge_if_due(self) -> None:
        """Remove old conversations, unless that was done less than an hour ago."""
        if self._retention is None:
            return
        now, seconds = self._clock(), self._counter()
        begun, before = self._first = self._first or (now, seconds)
        counted = begun + timedelta(seconds=seconds - before)
        if now - counted > _DAY:
            now = counted
        if self._next is None or now >= self._next or self._next - now > _DAY:
            self._store.purge(now - min(self._retention, now - _BEGINNING))
            self._next = now + _HOUR


class Worker:
    """A thread that calls handlers for due callbacks and purges old conversations until `stop`.

    Args:
        outbox: The due callbacks to deliver.
        caller: The object that calls the handlers. `stop` closes it.
        retention: The object that purges old conversations.
        poll: The seconds to wait after an error, and at most between two checks for callbacks.

    """

    def __init__(
        self, outbox: Outbox, caller: HandlerCaller, retention: Retention, poll: float
    ) -> None:
        self._outbox = outbox
        self._caller = caller
        self._retention = retention
        self._poll = poll
        self._wake = Event()
        self._stopping = False
        self._lock = Lock()
        self._claimed: Counter[str] = Counter()
        """The number of claimed conversations of each handler, by the kind of callback."""
        self._running: dict[ConversationKey, Run | None] = {}
        """The conversations whose callbacks are queued or running in this process, each with the
        run that was claimed meanwhile, or None."""
        self._pools: dict[str, ThreadPoolExecutor] = {}
        """The threads of each handler, by the kind of callback."""
        self._thread = Thread(target=self._work, name="segue-worker", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Make the worker check for due callbacks now, instead of after a pause."""
        self._wake.set()

    @property
    def is_stalled(self) -> bool:
        """Whether too many calls of handlers hang for callbacks to be delivered."""
        return self._caller.is_stalled

    def stop(self) -> None:
        """Stop the threads, after running handlers have returned or exceeded a time limit."""
        with self._lock:
            self._stopping = True
        self._wake.set()
        self._caller.stop()
        for pool in self._pools.values():
            pool.shutdown(cancel_futures=True)
        self._thread.join()
        self._caller.close()

    def _work(self) -> None:
        while not self._stopping:
            self._wake.clear()
            pause = self._look()
            if pause and not self._stopping:
                self._wake.wait(pause)

    def _look(self) -> float:
        """Purge old conversations if that is due, and queue due callbacks for their handlers.

        Return the seconds until a callback is due, at most the interval, or 0 if one was due.
        """
        pause = timedelta(seconds=self._poll)
        with errors_logged("removing old conversations"):  # due callbacks do not wait for the purge
            self._retention.purge_if_due()
        with errors_logged("looking for due callbacks"):
            runs = self._outbox.claim(self._busy_kinds())
            for run in runs:
                self._submit(run)
            pause = timedelta(0) if runs else self._outbox.pause()
        return pause.total_seconds()

    def _busy_kinds(self) -> Collection[str]:
        """Return the kinds of callbacks of whose handlers enough conversations are claimed."""
        with self._lock:
            return [kind for kind, claimed in self._claimed.items() if claimed >= _SHARE]

    def _submit(self, run: Run) -> None:
        """Queue `run`, the due messages of one conversation, for their handler.

        If a run of the conversation has not returned yet, `run` follows it. It may be for the next
        handler, or the clock may have jumped over the end of a lease.

        If the worker is stopping, do nothing. Another process claims the messages after their
        lease.
        """
        with self._lock:
            if self._stopping:
                return
            if run.key in self._running:
                self._running[run.key] = run
                return
            self._running[run.key] = None
            self._claimed[run.kind] += 1
            if run.kind not in self._pools:
                self._pools[run.kind] = ThreadPoolExecutor(_THREADS, f"segue-outbox-{run.kind}")
            self._pools[run.kind].submit(self._deliver, run)

    def _deliver(self, run: Run) -> None:
        with errors_logged("calling handlers"):  # it is retried after the lease
            self._outbox.deliver(run)
        with self._lock:
            following = self._running.pop(run.key)
            self._claimed[run.kind] -= 1
        if following is not None:
            self._submit(following)
        self._wake.set()


@contextmanager
def errors_logged(what: str) -> Iterator[None]:
    """Suppress exceptions in the body of a `with` statement, and log a warning instead.

    `what` names the task in the warning, such as "calling handlers". Use it for tasks that are
    retried.
    """
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it was, the next look may go well
        _log.warning("%s failed: %s", what, reason_of(error))
