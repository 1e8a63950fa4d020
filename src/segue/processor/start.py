"""Starting and stopping what a processor needs besides its units of work.

It decides when: on entering, or else with the first unit of work.  House rule: starting twice, or
from many threads at once, is starting once; what failed to start is tried again by the next unit.
"""

import asyncio
from collections.abc import Callable
from threading import Lock

from segue.processor.asks import Ask
from segue.processor.store import Store
from segue.processor.worker import Worker

__all__ = ["Engine"]


class Engine(Ask[None]):
    """A store brought up to date, and the worker behind it, if one is needed; an ask to start."""

    def __init__(
        self, store: Store, hire: Callable[[asyncio.AbstractEventLoop | None], Worker | None]
    ) -> None:
        self._store = store
        self._hire = hire
        self._lock = Lock()
        self._worker: Worker | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        """The host's, for async handlers; None: they get one of ours."""
        self.running = False

    @property
    def immediate(self) -> bool:
        """As the store says."""
        return self._store.immediate

    def perform(self) -> None:
        """Start, unless it runs."""
        with self._lock:
            if not self.running:
                self._store.migrate()
                self._worker = self._hire(self.loop)
                self.running = True

    def ring(self) -> None:
        """Say that a callback is due."""
        worker = self._worker
        if worker is not None:
            worker.ring()

    def stop(self) -> None:
        """Stop the worker, then close the store; handlers under way may still use it."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()
        with self._lock:
            self.running = False
            self._store.close()
