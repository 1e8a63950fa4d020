"""The crew: the helpers of one reading, and when each is started.

It decides how many there are at once, and how far ahead they may read.  House rules: a helper that
ends without an outcome is no error here, its part is given back; nobody is left behind, however the
reading ends.
"""

import pickle
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from tempfile import TemporaryFile
from typing import Final

from segue.errors import ConfigurationError
from segue.logs.options import ReplayOptions
from segue.logs.parallel.chunks import Part
from segue.logs.parallel.process import Process, start
from segue.logs.parallel.report_codec import FULL_DETAIL, Detail
from segue.logs.parallel.result_file import Spool
from segue.logs.parallel.worker import Task, do

__all__ = ["Crew"]

_AHEAD: Final = 2
_PAUSE: Final = 0.1


class Crew:
    """Reads the parts that are for helpers, each of them known by its number.

    Raises `ConfigurationError` when the options cannot be sent to other processes.
    """

    def __init__(
        self, options: ReplayOptions, parts: list[Part], jobs: int, detail: Detail = FULL_DETAIL
    ) -> None:
        _check(options)
        self._tasks = deque(
            (number, Task(part, options, detail))
            for number, part in enumerate(parts)
            if not part.is_own
        )
        self._size = jobs - 1
        self._helpers: dict[int, _Helper] = {}
        """Those whose spools have not been taken."""
        self._bytes_read = 0
        """By those whose spools have been."""

    @property
    def bytes_read(self) -> int:
        """How many bytes of the logs have been read by all of them."""
        return self._bytes_read + sum(each.spool.bytes_read for each in self._helpers.values())

    def look(self) -> None:
        """Start whoever can be started now."""
        while (
            self._tasks
            and len(self._helpers) < _AHEAD * self._size
            and sum(each.is_at_work for each in self._helpers.values()) < self._size
        ):
            number, task = self._tasks.popleft()
            self._helpers[number] = _Helper(task)

    def wait(self, number: int, tick: Callable[[], object] | None) -> Spool:
        """Wait for a part, and return its spool, which the caller closes."""
        self.look()
        helper = self._helpers[number]
        while not helper.wait(None if tick is None and not self._tasks else _PAUSE):
            self.look()
            if tick is not None:
                tick()
        self._bytes_read += helper.spool.bytes_read
        del self._helpers[number]
        return helper.spool

    def close(self) -> None:
        """Stop everybody."""
        self._tasks.clear()
        for helper in self._helpers.values():
            helper.stop()
        self._helpers.clear()


class _Helper:
    """Whoever does a task, and the spool it writes."""

    def __init__(self, task: Task) -> None:
        self.spool = _spool()
        self._process: Process | None = None
        with suppress(OSError):  # then it has ended without an outcome
            self._process = start(partial(do, task), self.spool.file)

    @property
    def is_at_work(self) -> bool:
        """Whether it still reads."""
        return self._process is not None and self._process.is_at_work

    def wait(self, seconds: float | None) -> bool:
        """Wait for its end; return whether it came."""
        return self._process is None or self._process.wait(seconds)

    def stop(self) -> None:
        """End it, and forget what it wrote."""
        if self._process is not None:
            self._process.stop()
        self.spool.file.close()


def _spool() -> Spool:
    try:
        return Spool(TemporaryFile())
    except OSError as error:
        msg = f"several jobs need temporary files: {error.strerror or error}; set TMPDIR"
        raise ConfigurationError(msg) from error


def _check(options: ReplayOptions) -> None:
    try:
        pickle.dumps(options)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        msg = f"with several jobs, options are sent to other processes, and these cannot: {error}"
        raise ConfigurationError(msg) from error
