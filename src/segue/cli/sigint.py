"""Deferral of an interrupt (Ctrl-C) until a report has been shown completely.

A second interrupt is not deferred, since the process that reads the output may hang.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class DeferredInterrupt:
    """A context manager that defers a `KeyboardInterrupt` to the end of its `with` block."""

    def __init__(self) -> None:
        self._is_deferring = False
        self._is_pending = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Handle SIGINT with this object until the end of the `with` block.

        Do nothing in another than the main thread, or if SIGINT is ignored or has another handler.
        """
        before = signal.getsignal(signal.SIGINT)
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or before is not signal.default_int_handler:
            yield
            return
        signal.signal(signal.SIGINT, self._handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def __enter__(self) -> None:
        self._is_deferring = True

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._is_deferring = False
        if self._is_pending:
            self._is_pending = False
            if kind is None:
                raise KeyboardInterrupt

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_pending or not self._is_deferring:
            raise KeyboardInterrupt
        self._is_pending = True
