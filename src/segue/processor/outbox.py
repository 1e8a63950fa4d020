"""The outbox: callbacks that are due are called until they succeed.

It decides when a callback is tried, tried again and given up.  House rules: (1) one conversation's
callbacks run one after the other, in the order of its deliveries; (2) a callback is forgotten only
after it has returned, so it may run twice but is never lost; (3) what a handler raises stays here,
and its text goes nowhere.

It does not know what a notice means, nor threads.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from secrets import token_hex
from typing import Final

from segue.processor.callback import Callback, Handler
from segue.processor.records import Notice
from segue.processor.store import Store

__all__ = ["Outbox", "Retry", "Run"]

_log = logging.getLogger("segue.outbox")

_BATCH: Final = 32
_DOUBLINGS: Final = 20


@dataclass(frozen=True, slots=True)
class Retry:
    """When a callback that failed is tried again, and when no more."""

    tries: int = 12
    """After so many it becomes a dead letter."""
    first: timedelta = timedelta(seconds=1)
    """Before the second try; doubled before each later one."""
    longest: timedelta = timedelta(minutes=10)
    lease: timedelta = timedelta(minutes=1)
    """How long a worker may take for what it claimed, before another one takes over."""

    def pause(self, failures: int, chance: float) -> timedelta:
        """How long to wait after so many failures; `chance`, from 0 to 1, spreads it by half."""
        doubled = self.first * (1 << min(failures - 1, _DOUBLINGS))
        return min(doubled, self.longest) * (0.5 + chance / 2)


@dataclass(frozen=True, slots=True)
class Run:
    """What is due of one conversation, in order, and how long it is ours."""

    notices: tuple[Notice, ...]
    until: datetime


class Outbox:
    """Works off the notices of a store."""

    def __init__(  # noqa: PLR0913 - what it works on, and what tests replace
        self,
        store: Store,
        handlers: Mapping[str, Handler],
        call: Callable[[Handler, Callback], None],
        *,
        clock: Callable[[], datetime],
        chance: Callable[[], float],
        retry: Retry,
    ) -> None:
        self._store = store
        self._handlers = handlers
        self._call = call
        self._clock = clock
        self._chance = chance
        self._retry = retry

    def claim(self) -> Sequence[Run]:
        """Lease what is due; without handlers it is left to processes that have some."""
        if not self._handlers:
            return []
        now = self._clock()
        until = now + self._retry.lease
        claimed = self._store.claim(token_hex(8), now, until, _BATCH)
        key = attrgetter("conversation_id")
        return [Run(tuple(run), until) for _, run in groupby(sorted(claimed, key=key), key)]

    def work_off(self, run: Run) -> None:
        """Call the handlers for one conversation, one by one, as long as the lease holds."""
        for notice in run.notices:
            if self._clock() >= run.until or not self._deliver(notice):
                return

    def _deliver(self, notice: Notice) -> bool:
        """Try one callback. False: what is behind it has to wait."""
        try:
            self._call(self._handlers[notice.kind], Callback.of(notice))
        except Exception as error:  # noqa: BLE001 - the handler is the host's
            return self._failed(notice, type(error).__name__)
        answer = self._store.acknowledge(notice.number, notice.lease)
        return answer.result() if isinstance(answer, Future) else answer

    def _failed(self, notice: Notice, reason: str) -> bool:
        failures = notice.tries + 1
        if failures >= self._retry.tries:
            _log.error("callback %.200s given up, try %d: %s", notice.id, failures, reason)
            return self._store.bury(notice.number, notice.lease, reason)
        _log.warning("callback %.200s failed, try %d: %s", notice.id, failures, reason)
        until = self._clock() + self._retry.pause(failures, self._chance())
        self._store.postpone(notice.number, notice.lease, until)
        return False
