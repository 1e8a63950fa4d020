"""Calls the handlers of a host, which are functions or coroutine functions.

A coroutine runs on the host's event loop if that is running, or else on a loop in a thread. A call
returns when the handler has finished, raises the handler's exception, or raises after a timeout.
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
"""The seconds for which a running call may continue after the processor is closed."""
_CLEANUP: Final = 1.0
"""The seconds that cancelled coroutines have to clean up before their loop stops."""
MOST_HUNG: Final = 64
"""The number of calls that may hang before a process calls no more handlers that hang."""


@dataclass(frozen=True, slots=True)
class Callback:
    """The argument of a handler: one occurrence in a conversation, such as a finding."""

    id: str
    """A unique id that is the same at every attempt. Store it to recognize repeated calls."""
    conversation_id: str
    """The `conversationId` of the platform. It is unique in combination with `data["bot_id"]`."""
    kind: str
    """The name of the handler without `on_`, such as `conversation_ended`."""
    tries: int
    """The number of attempts that failed before this one."""
    data: Mapping[str, Any] = field(repr=False, hash=False)
    """The details as JSON values: `bot_id`, `received_at`, and the fields of this kind of
    callback."""

    @classmethod
    def of(cls, message: OutboxMessage) -> "Callback":
        """Create the callback for a message that a processor stored in the outbox."""
        data = json.loads(message.data)
        return cls(message.id, message.conversation_id, message.kind, message.tries, data)


Handler: TypeAlias = Callable[[Callback], Awaitable[object] | object]
"""A function or coroutine function of the host. Its result is ignored."""


class CallError(Exception):
    """Base class of errors that a handler did not raise, although its call failed.

    The message contains the name of the handler, and no data of conversations.
    """


class NotCalledError(CallError):
    """Base class of errors that count as no attempt, because the handler did not even begin."""


class HungHandlerError(NotCalledError):
    """The handler was not called, because too many earlier calls have not returned yet."""


class HandlerTimeoutError(CallError, TimeoutError):
    """The handler did not return before its timeout, or before the processor was closed."""


class BlockedLoopError(NotCalledError):
    """The coroutine of a handler did not start in time, because the event loop was blocked."""


class MissingHandlerError(CallError):
    """The process has no handler for a callback of this kind."""


class HandlerCaller:
    """Calls handlers in threads and limits the time of each call.

    A function cannot be interrupted, so its thread continues after the timeout, and the next call
    gets another thread. While `MOST_HUNG` calls are overdue, no handler is called of which a call
    is overdue. An event loop that a coroutine blocks is replaced, unless it is the host's.

    Args:
        loop: The host's event loop for coroutines, or None to start one in a thread.
        timeout: The maximum time of a call.

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
        """The number of overdue calls of each kind, such as `finding`."""
        self._thread: Thread | None = None
        """The thread that runs the loop, or None if the loop is the host's."""

    def __call__(self, handler: Handler, callback: Callback) -> None:
        """Call `handler` with `callback`, and wait until it has finished. Raise its exception.

        Raises `HandlerTimeoutError` if it has not finished after the timeout, or soon after `stop`
        was called. Raises `BlockedLoopError` if its coroutine has not even started by then. Raises
        `HungHandlerError` if too many earlier calls are overdue.
        """
        if callback.kind in self.hung_kinds:
            raise HungHandlerError(
                f"{MOST_HUNG} calls of handlers have not returned, and calls of {name_of(handler)} "
                "are among them: restart this process"
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
            error = self._late(call)
            if isinstance(error, BlockedLoopError):
                self._replace_loop(call)
            raise error
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
    def is_stalled(self) -> bool:
        """Whether so many calls have not returned that handlers which hang are not called."""
        return self._overdue.total() >= MOST_HUNG

    @property
    def hung_kinds(self) -> frozenset[str]:
        """The kinds of callbacks whose handlers are not called while too many calls hang."""
        with self._lock:
            overdue = +self._overdue if self.is_stalled else ()
        return frozenset(overdue)

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called. The caller should then call no more handlers."""
        return self._stopped.done()

    def stop(self) -> None:
        """Give running calls a few seconds to finish, and then stop waiting for them."""
        if not self.is_stopped:
            self._stopped.set_result(None)

    def close(self) -> None:
        """Stop the event loop if this object has started it.

        Unfinished coroutines are cancelled and can clean up first. No call may be running.
        """
        with self._lock:
            loop, thread, self._thread = self._loop, self._thread, None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(_stop_loop(), loop)
            thread.join(_GRACE)  # a handler may block it
            self._loop = None

    def _run(self, call: "_Call") -> None:
        """Call the handler of `call` in this thread, and pass the outcome to `call.done`.

        If the handler returns a coroutine, start the coroutine on the event loop instead.
        """
        try:
            result = call.handler(call.callback)
            if isawaitable(result):
                call.start(result, self._running())
                return
        except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt, too
            call.done.set_exception(error)
        else:
            call.done.set_result(None)

    def _replace_loop(self, call: "_Call") -> None:
        """Give up the event loop on which a call could not begin, unless it is the host's.

        The loop ends if the handler that blocks it ever returns.
        """
        with self._lock:
            loop = self._loop
            if loop is None or self._thread is None or loop is not call.loop:
                return
            self._loop = self._thread = None
        loop.call_soon_threadsafe(lambda: loop.create_task(_stop_loop()))

    def _returned(self, kind: str) -> None:
        with self._lock:
            self._overdue[kind] -= 1

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = loop = asyncio.new_event_loop()
                self._thread = Thread(
                    target=_run_loop, args=(loop,), name="segue-callbacks", daemon=True
                )
                self._thread.start()
            return self._loop


class _Call:
    """A running call of a handler. The future `done` gets the result or the exception."""

    def __init__(self, handler: Handler, callback: Callback) -> None:
        self.handler, self.callback = handler, callback
        self.done: Future[None] = Future()
        self.loop: asyncio.AbstractEventLoop | None = None
        """The event loop that the handler's coroutine was given to, or None for a function."""
        self._task: asyncio.Task[BaseException | None] | None = None
        self._is_cancelled = False

    @property
    def is_waiting(self) -> bool:
        """Whether the handler has returned a coroutine that has not started yet."""
        return self.loop is not None and self._task is None

    def start(self, awaitable: Awaitable[object], loop: asyncio.AbstractEventLoop) -> None:
        """Schedule an awaitable on an event loop that runs in another thread."""
        self.loop = loop
        loop.call_soon_threadsafe(self._create_task, awaitable)

    def cancel(self) -> None:
        """Cancel the coroutine of the handler. A handler that is a plain function continues."""
        self._is_cancelled = True
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop has been closed
                self.loop.call_soon_threadsafe(self._cancel_task)

    def _create_task(self, awaitable: Awaitable[object]) -> None:
        if self._is_cancelled:  # it is too late to start
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


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


async def _stop_loop() -> None:
    """Stop the running event loop after its other tasks have ended, or after `_CLEANUP` seconds."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    if tasks:
        await asyncio.wait(tasks, timeout=_CLEANUP)
    asyncio.get_running_loop().stop()


def name_of(handler: Handler) -> str:
    """Return the qualified name of a handler in the host's code, such as `desk.on_finding`."""
    named = handler if hasattr(handler, "__qualname__") else type(handler)
    return f"{named.__module__}.{named.__qualname__}"


def check_handler(name: str, handler: Handler) -> None:
    """Raise `ConfigurationError` if `handler` cannot be called with one `Callback`.

    Generator functions are refused as well, since calling one does not run its code. `name` is the
    option that the handler was passed as, such as `on_finding`.
    """
    try:
        signature(handler).bind(None)
    except TypeError:
        raise ConfigurationError(
            f"`{name}` must take one argument, a segue.server.Callback, but {name_of(handler)} "
            f"takes {signature(handler)}"
        ) from None
    except ValueError:  # a builtin has no signature
        pass
    if isgeneratorfunction(handler) or isasyncgenfunction(handler):
        raise ConfigurationError(
            f"`{name}` must not be a generator function, but {name_of(handler)} contains a yield"
        )


async def _finish(awaitable: Awaitable[object]) -> BaseException | None:
    """Wait for an awaitable. Return the exception that it raises, or None.

    The exception is not raised here, because SystemExit and KeyboardInterrupt would end the event
    loop.
    """
    try:
        await awaitable
    except BaseException as error:  # noqa: BLE001 - raised in the thread that waits
        return error
    return None
