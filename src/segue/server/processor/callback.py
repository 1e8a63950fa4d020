"""Calls handlers, functions and coroutine functions alike.

A coroutine runs on the host's event loop while that runs, or else on a loop of ours in a thread. A
call returns when the handler has finished, and raises what it raised, or after a timeout.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from inspect import isasyncgenfunction, isawaitable, iscoroutine, isgeneratorfunction, signature
from threading import Lock, Thread
from typing import Any, Final, TypeAlias

from segue.core.errors import ConfigurationError
from segue.server.processor.records import OutboxMessage

HANDLER_TIMEOUT: Final = timedelta(seconds=30)
_GRACE: Final = 5.0
"""Seconds that a call under way may still take when the processor is closed."""
_CLEANUP: Final = 1.0
"""Seconds that cancelled coroutines have to clean up before their loop stops."""
_MOST_OVERDUE: Final = 8


@dataclass(frozen=True, slots=True)
class Callback:
    """One thing that happened in a conversation."""

    id: str
    """The same at every attempt, and of no other callback: remember it to act only once."""
    conversation_id: str
    """The `conversationId` of the platform; with `data["bot_id"]` it is unique."""
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


class CallError(Exception):
    """Something of ours is wrong with a call; its text names the handler and quotes nothing."""


class BusyHandlerError(CallError):
    """A handler that is not called, since too many calls of it have not returned in time."""


class HandlerTimeoutError(CallError, TimeoutError):
    """A call that did not return in time."""


class BlockedLoopError(CallError):
    """A coroutine function that did not begin, since the event loop did nothing all the time."""


class MissingHandlerError(CallError):
    """A callback that this process has no handler for."""


class HandlerCaller:
    """Calls handlers, each call in a thread of its own, and waits no longer than it may take.

    A function cannot be ended from outside, so the thread of a call that takes too long goes on.
    While `_MOST_OVERDUE` calls of one kind do, that kind is not called.

    Args:
        loop: the host's event loop, or None for a loop of our own.
        timeout: how long a call may take.

    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop | None = None,
        timeout: timedelta = HANDLER_TIMEOUT,
    ) -> None:
        self._lock = Lock()
        self._loop = loop
        self._timeout = timeout.total_seconds()
        self._stopped: Future[None] = Future()
        self._overdue: Counter[str] = Counter()
        """Calls of each kind that have not returned in time and still go on."""
        self._thread: Thread | None = None
        """Runs the loop, or None if the loop is the host's."""

    def __call__(self, handler: Handler, callback: Callback) -> None:
        """Call a handler and wait until it has finished; raise what it raised.

        Raises `HandlerTimeoutError` after the timeout, and soon after `stop`, or `BlockedLoopError`
        if nothing has been called by then.
        """
        with self._lock:
            if self._overdue[callback.kind] >= _MOST_OVERDUE:
                raise BusyHandlerError(
                    f"{_MOST_OVERDUE} calls of {name_of(handler)} have not returned yet"
                )
        call = _Call(handler, callback)
        Thread(target=self._run, args=(call,), name="segue-handler", daemon=True).start()
        wait((call.done, self._stopped), self._timeout, FIRST_COMPLETED)
        if not call.done.done() and self.is_stopped:
            wait((call.done,), min(self._timeout, _GRACE))
        if not call.done.done():
            with self._lock:
                self._overdue[callback.kind] += 1
            call.done.add_done_callback(lambda _: self._returned(callback.kind))
            call.cancel()
            raise self._late(call)
        call.done.result()

    def _late(self, call: "_Call") -> CallError:
        name, limit = name_of(call.handler), f"handler_timeout={timedelta(seconds=self._timeout)}"
        if call.is_waiting:
            return BlockedLoopError(
                f"{name} could not begin within {limit}: something blocks the event loop, perhaps "
                "an async handler that waits without await"
            )
        if self.is_stopped:
            return HandlerTimeoutError(f"{name} was still running when the processor was closed")
        return HandlerTimeoutError(f"{name} took longer than {limit}")

    @property
    def is_stopped(self) -> bool:
        """Whether nothing more is to be called."""
        return self._stopped.done()

    def stop(self) -> None:
        """Wait for calls under way only a little longer from now on."""
        if not self.is_stopped:
            self._stopped.set_result(None)

    def close(self) -> None:
        """Stop the loop, if it is ours and runs, once what was cancelled has cleaned up.

        No call may be under way.
        """
        with self._lock:
            loop, thread, self._thread = self._loop, self._thread, None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(_stop_loop(), loop)
            thread.join(_GRACE)
            if not thread.is_alive():  # a handler may block it
                loop.close()
            self._loop = None

    def _run(self, call: "_Call") -> None:
        """Call a handler, whatever it raises; start what it returned on the loop."""
        try:
            result = call.handler(call.callback)
            if isawaitable(result):
                call.start(result, self._running())
                return
        except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt, too
            call.done.set_exception(error)
        else:
            call.done.set_result(None)

    def _returned(self, kind: str) -> None:
        with self._lock:
            self._overdue[kind] -= 1

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                run = self._loop.run_forever
                self._thread = Thread(target=run, name="segue-callbacks", daemon=True)
                self._thread.start()
            return self._loop


class _Call:
    """One call of a handler, which is over when `done` is."""

    def __init__(self, handler: Handler, callback: Callback) -> None:
        self.handler, self.callback = handler, callback
        self.done: Future[None] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[BaseException | None] | None = None
        self._is_cancelled = False

    @property
    def is_waiting(self) -> bool:
        """Whether it is a coroutine that the loop has not begun with."""
        return self._loop is not None and self._task is None

    def start(self, awaitable: Awaitable[object], loop: asyncio.AbstractEventLoop) -> None:
        """Await something on a loop that runs in another thread."""
        self._loop = loop
        loop.call_soon_threadsafe(self._create_task, awaitable)

    def cancel(self) -> None:
        """End the call if it is a coroutine; a function cannot be ended."""
        self._is_cancelled = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has been closed
                self._loop.call_soon_threadsafe(self._cancel_task)

    def _create_task(self, awaitable: Awaitable[object]) -> None:
        if self._is_cancelled:  # it is too late to begin
            if iscoroutine(awaitable):
                awaitable.close()
            self.done.set_exception(asyncio.CancelledError())
            return
        self._task = asyncio.ensure_future(_finish(awaitable))
        self._task.add_done_callback(self._settle)

    def _cancel_task(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _settle(self, task: "asyncio.Task[BaseException | None]") -> None:
        error = asyncio.CancelledError() if task.cancelled() else task.result()
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


async def _stop_loop() -> None:
    """Stop the running loop when its other tasks are done, or else after `_CLEANUP`."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    if tasks:
        await asyncio.wait(tasks, timeout=_CLEANUP)
    asyncio.get_running_loop().stop()


def name_of(handler: Handler) -> str:
    """Return what a handler is called in the code of the host."""
    named = handler if hasattr(handler, "__qualname__") else type(handler)
    return f"{named.__module__}.{named.__qualname__}"


def check_handler(name: str, handler: Handler) -> None:
    """Raise `ConfigurationError` for a handler that cannot be called with one `Callback`.

    Raises it for generator functions as well, since calling one runs nothing.
    """
    try:
        signature(handler).bind(None)
    except TypeError:
        raise ConfigurationError(
            f"`{name}` must take one argument, a segue.Callback, but {name_of(handler)} "
            f"takes {signature(handler)}"
        ) from None
    except ValueError:  # a builtin has no signature
        pass
    if isgeneratorfunction(handler) or isasyncgenfunction(handler):
        raise ConfigurationError(
            f"`{name}` must not be a generator function, but {name_of(handler)} contains a yield"
        )


async def _finish(awaitable: Awaitable[object]) -> BaseException | None:
    """Return what a handler raised: SystemExit and KeyboardInterrupt would end the event loop."""
    try:
        await awaitable
    except BaseException as error:  # noqa: BLE001 - raised in the thread that waits
        return error
    return None
