"""Calls the handlers of due callbacks until they succeed.

The callbacks of one conversation run one after the other, in the order of its deliveries. A
callback is deleted only after its handler returned, so it may run twice but is never lost. Only the
type and line of a handler's exception are logged, since its text may quote a customer.
"""

import logging
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from secrets import token_hex
from typing import Final

from segue.core.errors import ConfigurationError
from segue.core.options import Bounds, check_fields
from segue.server.processor.callback import (
    HANDLER_TIMEOUT,
    Callback,
    CallError,
    Handler,
    HandlerCaller,
    MissingHandlerError,
    NotCalledError,
    name_of,
)
from segue.server.processor.misdated import LONGEST_POSTPONEMENT, LongestWaits
from segue.server.processor.records import ConversationKey, OutboxMessage
from segue.server.processor.store import Store

_log = logging.getLogger("segue.outbox")

_BATCH: Final = 32
"""The maximum number of messages of one kind in a claim."""
_CALLER: Final = Path(HandlerCaller.__call__.__code__.co_filename)
_DOUBLINGS: Final = 20
_LONGEST_SHOWN: Final = 200
_SHORTEST: Final = timedelta(milliseconds=1)
"""The shortest pause of a worker, whose clock may stand still."""


_BOUNDS: Final = {
    "tries": Bounds(least=1),
    "first": Bounds(least=timedelta(0)),
    "longest": Bounds(least=timedelta(0), most=LONGEST_POSTPONEMENT),
    "lease": Bounds(most=LONGEST_POSTPONEMENT),
    "poll": Bounds(above=timedelta(0), most=LONGEST_POSTPONEMENT),
}


@dataclass(frozen=True, slots=True)
class Retry:
    """The schedule by which failed calls of handlers are repeated."""

    tries: int = 12
    """The maximum number of attempts. After the last one, the callback becomes a dead letter."""
    first: timedelta = timedelta(seconds=1)
    """The wait before the second attempt. It doubles before each later one."""
    longest: timedelta = timedelta(minutes=10)
    """The longest wait between two attempts."""
    lease: timedelta = timedelta(minutes=1)
    """The time after which another worker takes over the messages that a worker claimed."""
    poll: timedelta = timedelta(seconds=1)
    """The interval at which a worker looks for messages that other processes left. It looks for
    retries as soon as they are due."""

    def __post_init__(self) -> None:
        """Raise `ConfigurationError` if an option has the wrong type or is out of range."""
        check_fields(self, bounds=_BOUNDS)

    def pause(self, failures: int, chance: float) -> timedelta:
        """Return the time to wait after the given number of failed attempts.

        `chance` is a random number from 0 to 1, which spreads retries. The wait is shortened by
        half for 0, and not at all for 1.
        """
        doubled = self.first * (1 << min(failures - 1, _DOUBLINGS))
        return min(doubled, self.longest) * (0.5 + chance / 2)


@dataclass(frozen=True, slots=True)
class OutboxOptions:
    """The options of a `Processor` that affect how handlers are called."""

    handlers: Mapping[str, Handler]
    """The handlers, by the kind of callback, such as `finding`."""
    retry: Retry
    clock: Callable[[], datetime]
    chance: Callable[[], float]
    """A function that returns a random number from 0 to 1, which spreads the retries."""
    handler_timeout: timedelta = HANDLER_TIMEOUT
    """The maximum time of one call. It is shorter than the lease, so that no call outlives the
    lease."""

    def __post_init__(self) -> None:
        """Raise `ConfigurationError` unless the timeout is positive and shorter than the lease."""
        if not timedelta(0) < self.handler_timeout < self.retry.lease:
            raise ConfigurationError(
                f"`handler_timeout` must be positive and shorter than the lease "
                f"({self.retry.lease}), got {self.handler_timeout}: use a longer Retry(lease=…)"
            )


@dataclass(frozen=True, slots=True)
class Run:
    """Due messages of one conversation for one handler, and the latest time to start a call."""

    messages: tuple[OutboxMessage, ...]
    """The messages in order, all of the same kind."""
    until: datetime

    @property
    def kind(self) -> str:
        """The kind of the messages, which names their handler."""
        return self.messages[0].kind

    @property
    def key(self) -> ConversationKey:
        """The conversation that the messages belong to."""
        return ConversationKey(self.messages[0].bot_id, self.messages[0].conversation_id)


class Outbox:
    """Calls handlers with the messages that a processor stored in the outbox."""

    def __init__(self, store: Store, call: HandlerCaller, options: OutboxOptions) -> None:
        self._store = store
        self._call = call
        self._handlers, self._retry = options.handlers, options.retry
        self._clock, self._chance = options.clock, options.chance
        self._timeout = options.handler_timeout

    def claim(self, without: Collection[str] = ()) -> Sequence[Run]:
        """Lease due messages from the store, and return them grouped by conversation.

        `without` names the kinds of callbacks for which there is no room. Other processes do not
        receive leased messages until the lease ends. If this process has no handlers, return an
        empty list.
        """
        if not self._handlers:
            return []
        now = self._clock()
        until = now + self._retry.lease
        longest = LongestWaits(self._retry.lease, self._retry.longest)
        without = {*without, *self._call.hung_kinds}
        claimed = self._store.claim(token_hex(8), now, until, _BATCH, longest, without=without)
        key = attrgetter("bot_id", "conversation_id")
        latest = until - self._timeout
        return [Run(tuple(run), latest) for _, run in groupby(sorted(claimed, key=key), key)]

    def pause(self) -> timedelta:
        """Return the time to wait if no message is due: until one is, but at most the interval."""
        now, poll = self._clock(), self._retry.poll
        until = self._store.due_after(now) if self._handlers else None
        return poll if until is None else min(poll, max(until - now, _SHORTEST))

    def deliver(self, run: Run) -> None:
        """Deliver the messages of a run, until a call fails or the lease ends."""
        for message in run.messages:
            if self._call.is_stopped or self._clock() >= run.until or not self._try(message):
                return

    def _try(self, message: OutboxMessage) -> bool:
        """Call the handler of one message, and delete the message after a successful call.

        Return False if later messages of the conversation must wait, for example because the call
        failed.
        """
        try:
            self._call(self._handler(message.kind), Callback.of(message))
        except NotCalledError as error:  # not an attempt, so it is left until the lease ends
            _log.warning("callback %s waits: %s", _shown(message), error)
            return False
        except BaseException as error:  # noqa: BLE001 - the handler is the host's
            return self._failed(message, error)
        result = self._store.acknowledge(message.number, message.lease)
        return result.result() if isinstance(result, Future) else result

    def _handler(self, kind: str) -> Handler:
        if kind not in self._handlers:
            raise MissingHandlerError(f"this process has no on_{kind}")
        return self._handlers[kind]

    def _failed(self, message: OutboxMessage, error: BaseException) -> bool:
        failures, shown = message.tries + 1, _shown(message)
        reason, where = type(error).__name__, _details(error, self._handlers.get(message.kind))
        if failures >= self._retry.tries:
            _log.error("callback %s given up, try %d: %s%s", shown, failures, reason, where)
            return self._store.bury(message.number, message.lease, reason)
        _log.warning("callback %s failed, try %d: %s%s", shown, failures, reason, where)
        until = self._clock() + self._retry.pause(failures, self._chance())
        self._store.postpone(message.number, message.lease, until)
        return False


def _shown(message: OutboxMessage) -> str:
    """Return the id of a message for the log, truncated and escaped.

    The id contains ids that a sender chose.
    """
    return message.id[:_LONGEST_SHOWN].encode("unicode_escape").decode()


def _details(error: BaseException, handler: Handler | None) -> str:
    """Describe an exception for the log, without its message, which may quote data.

    Return the file and line where it was raised. Only a `CallError` is described by its message.
    """
    if isinstance(error, CallError):
        return f": {error}"
    frames = traceback.extract_tb(error.__traceback__, limit=-1)
    if not frames:
        return ""
    path = Path(frames[0].filename)
    called = "" if handler is None or path != _CALLER else f", in the call of {name_of(handler)}"
    return f" at {path.name}:{frames[0].lineno}{called}"
