"""Calls handlers, functions and coroutine functions alike.

A coroutine runs on the host's event loop while that runs, or else on a loop of ours in a thread. A
call returns when the handler has finished, and raises what it raised.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from inspect import isawaitable
from threading import Lock, Thread
from typing import Any, TypeAlias

from segue.processor.records import OutboxMessage


@dataclass(frozen=True, slots=True)
class Callback:
    """One thing that happened in a conversation."""

    id: str
    """The same at every attempt, and of no other callback: remember it to act only once."""
    conversation_id: str
    kind: str
    """Name of the callback without `on_`."""
    tries: int
    """Attempts that failed before this one."""
    data: Mapping[str, Any] = field(repr=False, hash=False)
    """What happened: `bot_id`, `received_at`, and the fields of the kind."""

    @classmethod
    def of(cls, message: OutboxMessage) -> "Callback":
        """Read a row of the outbox."""
        data = json.loads(message.data)
        return cls(message.id, message.conversation_id, message.kind, message.tries, data)


Handler: TypeAlias = Callable[[Callback], Awaitable[object] | object]
"""A function or coroutine function of the host; what it returns does not matter."""


class HandlerCaller:
    """Calls handlers from threads."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._lock = Lock()
        self._loop = loop
        self._thread: Thread | None = None
        """Runs the loop, or None if the loop is the host's."""

    def __call__(self, handler: Handler, callback: Callback) -> None:
        """Call a handler and wait until it has finished."""
        result = handler(callback)
        if isawaitable(result):
            asyncio.run_coroutine_threadsafe(_finish(result), self._running()).result()

    def close(self) -> None:
        """Stop the loop, if it is ours. No call may be under way."""
        with self._lock:
            loop, thread, self._thread = self._loop, self._thread, None
            if loop is not None and thread is not None:
                loop.call_soon_threadsafe(loop.stop)
                thread.join()
                loop.close()
                self._loop = None

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                run = self._loop.run_forever
                self._thread = Thread(target=run, name="segue-callbacks", daemon=True)
                self._thread.start()
            return self._loop


async def _finish(awaitable: Awaitable[object]) -> None:
    await awaitable
