"""Progress: how far the reading is, on a terminal, for whoever waits.

It decides when a line is worth drawing: after a moment, and a few times a second.  House rules: it
goes to stderr and is wiped before anything else is written; nobody watching, nothing drawn.  It is
the only thing in a check that looks at a clock.
"""

from collections.abc import Callable
from time import monotonic
from typing import Final, TextIO

__all__ = ["Progress"]

_PATIENCE: Final = 0.5
_PAUSE: Final = 0.1
_WIPE: Final = "\r\x1b[K"
_BAR: Final = 24
_MEGA: Final = 1_000_000


class Progress:
    """Draws one line that tells how many bytes have been read of how many."""

    def __init__(
        self,
        total: int | None,
        stream: TextIO | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._total = total
        self._stream = stream
        self._clock = clock
        self._start = clock()
        self._due = self._start + _PATIENCE
        self._is_drawn = False
        self._before = 0
        """Bytes of the logs that are done."""
        self._now = 0

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start

    def told(self, count: int) -> None:
        """Take in how many bytes of the present log have been read."""
        self._now = count
        if self._stream is not None and self._clock() >= self._due:
            self._draw(self._stream)

    def next(self) -> None:
        """Take in that the present log is done."""
        self._before += self._now
        self._now = 0

    def wipe(self) -> None:
        """Make room for something else."""
        if self._is_drawn and self._stream is not None:
            self._stream.write(_WIPE)
            self._stream.flush()
            self._is_drawn = False

    def _draw(self, stream: TextIO) -> None:
        read = self._before + self._now
        rate = read / self.elapsed
        text = f"{read / _MEGA:.0f} MB, {rate / _MEGA:.0f} MB/s"
        if self._total:
            part = min(read / self._total, 1)
            full = round(part * _BAR)
            left = (self._total - read) / rate if rate else 0
            bar = "#" * full + "." * (_BAR - full)
            text = f"[{bar}] {part:4.0%}  {text}, {max(left, 0):.0f} s left"
        stream.write(f"{_WIPE}{text}")
        stream.flush()
        self._is_drawn = True
        self._due = self._clock() + _PAUSE
