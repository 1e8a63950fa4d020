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
        if threading.current_thread() is not threading.main_thread():
            yield  # only there can there be any
            return
        before = signal.signal(signal.SIGINT, self._take)
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
