"""The engine: what a processor needs besides its units of work.

It decides when that runs: from entering, or else from the first unit of work, until it is stopped.
House rules: starting twice, or from many threads at once, is starting once; what failed to start
is tried again by the next unit; a worker is hired only where there is work for it.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from threading import Lock

from segue.processor.callback import Caller, Handler
from segue.processor.effects import Effect
from segue.processor.outbox import Outbox, Retry
from segue.processor.retention import Chores
from segue.processor.store import Store
from segue.processor.worker import Worker

__all__ = ["Engine"]


class Engine(Effect[None]):
    """A store brought up to date, and the worker behind it, if one is needed; an ask to start."""

    def __init__(  # noqa: PLR0913 - what a worker needs
        self,
        store: Store,
        handlers: Mapping[str, Handler],
        *,
        retry: Retry,
        retention: timedelta | None,
        clock: Callable[[], datetime],
        chance: Callable[[], float],
    ) -> None:
        self._store = store
        self._handlers = handlers
        self._retry = retry
        self._retention = retention
        self._clock = clock
        self._chance = chance
        self._lock = Lock()
        self._worker: Worker | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        """The host's, for async handlers; None: they get one of ours."""
        self._process: int | None = None
        """In which process it runs: the threads of a parent do not run in its fork."""

    @property
    def running(self) -> bool:
        """Whether it was started in this process, and not stopped."""
        return self._process == os.getpid()

    @property
    def immediate(self) -> bool:
        """As the store says."""
        return self._store.immediate

    def perform(self) -> None:
        """Start, unless it runs."""
        with self._lock:
            if not self.running:
                self._store.migrate()
                self._worker = self._hire()
                self._process = os.getpid()

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
            self._process = None
            self._store.close()

    def _hire(self) -> Worker | None:
        if not self._handlers and self._retention is None:
            return None
        caller = Caller(self.loop)
        outbox = Outbox(
            self._store,
            self._handlers,
            caller,
            clock=self._clock,
            chance=self._chance,
            retry=self._retry,
        )
        return Worker(outbox, caller, Chores(self._store, self._clock, self._retention))
