"""Interrupts that wait until what is being shown has been shown.

House rules: an interrupt ends a reading between two reports, or while lines are waited for, and
never within a report, half of which would be lost; a second one does not wait, for whoever reads
the output may have stopped to.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Interrupts"]


class Interrupts:
    """`with` these, an interrupt is raised at the end of the block."""

    def __init__(self) -> None:
        self._is_held = False
        self._has_come = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Take over interrupts for as long as this lasts."""
        before = signal.getsignal(signal.SIGINT)
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or before is not signal.default_int_handler:
            yield  # there are none, or somebody else decides: in the background they are ignored
            return
        signal.signal(signal.SIGINT, self._take)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def __enter__(self) -> None:
        self._is_held = True

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._is_held = False
        if self._has_come:
            self._has_come = False
            if kind is None:
                raise KeyboardInterrupt

    def _take(self, _number: int, _frame: FrameType | None) -> None:
        if self._has_come or not self._is_held:
            raise KeyboardInterrupt
        self._has_come = True
