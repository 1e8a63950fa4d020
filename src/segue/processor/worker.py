"""The worker: the threads behind a processor that call back and tidy up.

It decides how much goes on side by side and how often it looks.  House rules: nothing that happens
ends the worker but `stop`; a store that is away is tried again; stopping finishes what is under
way, and leaves the rest to the next start or to another process.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore, Thread
from typing import Final

from segue.processor.callback import Caller
from segue.processor.outbox import Outbox, Run

__all__ = ["Worker"]

_log = logging.getLogger("segue.worker")

_SIDE_BY_SIDE: Final = 8
_POLL: Final = 1.0
"""Seconds between two looks for what other processes left, and for what was put off."""


class Worker:
    """Runs an outbox, and a chore, until it is stopped."""

    def __init__(self, outbox: Outbox, caller: Caller, chore: Callable[[], None]) -> None:
        self._outbox = outbox
        self._caller = caller
        self._chore = chore
        self._wake = Event()
        self._stopping = False
        self._free = Semaphore(_SIDE_BY_SIDE)
        self._pool = ThreadPoolExecutor(_SIDE_BY_SIDE, thread_name_prefix="segue-outbox")
        self._thread = Thread(target=self._work, name="segue-worker", daemon=True)
        self._thread.start()

    def ring(self) -> None:
        """Say that something is due."""
        self._wake.set()

    def stop(self) -> None:
        """Finish what is under way, and end."""
        self._stopping = True
        self._wake.set()
        self._thread.join()
        self._pool.shutdown(cancel_futures=True)
        self._caller.close()

    def _work(self) -> None:
        while not self._stopping:
            self._wake.clear()
            if not self._look() and not self._stopping:
                self._wake.wait(_POLL)

    def _look(self) -> bool:
        """Hand out what is due. False: there was nothing, or it went wrong."""
        try:
            self._chore()
            with self._free:  # claim nothing that nobody could begin with
                runs = self._outbox.claim()
            for run in runs:
                self._free.acquire()
                if self._stopping:
                    break
                self._pool.submit(self._work_off, run)
        except Exception as error:  # noqa: BLE001 - whatever it was, the next look may go well
            _log.warning("looking for what is due failed: %s", type(error).__name__)
            return False
        return bool(runs)

    def _work_off(self, run: Run) -> None:
        try:
            self._outbox.work_off(run)
        except Exception as error:  # noqa: BLE001 - the lease runs out, and somebody tries again
            _log.warning("working off what is due failed: %s", type(error).__name__)
        finally:
            self._free.release()
            self._wake.set()
