"""Starts and stops what runs behind a processor: the store's schema and the worker.

Entering the processor starts it, or else the first use of the store. Starting twice, or from many
threads concurrently, starts it once; after a failed start the next use tries again. There is a
worker only if there are callbacks or a retention.
"""

import asyncio
import os
from collections.abc import Callable
from datetime import timedelta
from threading import Lock
from typing import Any, Concatenate, ParamSpec

from segue.processor.callback import HandlerCaller
from segue.processor.effects import Effect
from segue.processor.outbox import Outbox, OutboxOptions
from segue.processor.store import Store
from segue.processor.worker import Retention, Worker

__all__ = ["Runtime", "StoreCall"]

P = ParamSpec("P")


class Runtime:
    """A store that is started when it is used first, and the worker behind it."""

    def __init__(self, store: Store, options: OutboxOptions, retention: timedelta | None) -> None:
        self.store = store
        self._options = options
        self._retention = retention
        self._lock = Lock()
        self._worker: Worker | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        """The host's event loop, for async handlers; None gives them a loop of our own."""
        self._process: int | None = None
        """The process it runs in: threads of a parent do not run in its fork."""

    @property
    def is_running(self) -> bool:
        """Whether it was started in this process, and not stopped."""
        return self._process == os.getpid()

    def started(self) -> Store:
        """Return the store, and start before unless it runs."""
        if not self.is_running:
            with self._lock:
                if not self.is_running:
                    self.store.migrate()
                    self._worker = self._start_worker()
                    self._process = os.getpid()
        return self.store

    def wake(self) -> None:
        """Make the worker look for callbacks that are due."""
        worker = self._worker
        if worker is not None:
            worker.wake()

    def stop(self) -> None:
        """Stop the worker, then close the store, which running handlers may still use."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()
        with self._lock:
            self._process = None
            self.store.close()

    def _start_worker(self) -> Worker | None:
        if not self._options.handlers and self._retention is None:
            return None
        caller = HandlerCaller(self.loop)
        outbox = Outbox(self.store, caller, self._options)
        retention = Retention(self.store, self._options.clock, self._retention)
        return Worker(outbox, caller, retention, self._options.retry.poll.total_seconds())


class StoreCall(Effect[Any]):
    """The effect of calling a method of the store, which starts the runtime if it is the first.

    Its name in records is that of the method: `Load`, `Save`, ….
    """

    immediate = False

    def __init__(
        self,
        runtime: Runtime,
        method: Callable[Concatenate[Store, P], Any],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        self._runtime, self._method, self._args, self._kwargs = runtime, method, args, kwargs
        self.name = method.__name__.capitalize()
        store = runtime.store
        only_queues = method is Store.save and store.queues and runtime.is_running
        self.immediate = store.immediate or only_queues

    def perform(self) -> object:
        """Call the method and return its result, or a future of it."""
        method = getattr(self._runtime.started(), self._method.__name__)
        return method(*self._args, **self._kwargs)
