"""A progress bar on stderr. Rich is imported when the bar is first drawn."""

from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_DELAY: Final = 0.5
"""Seconds before a bar is drawn, so that short runs do not show one."""
_INTERVAL: Final = 0.1


class Progress:
    """A progress bar for the number of bytes read, shown until the end of the `with` block.

    Args:
        logs: The files that are read, with `-` for standard input.
        stream: The terminal to draw on, or None to draw nothing.
        clock: Returns the time in seconds.

    """

    def __init__(
        self, logs: Iterable[str], stream: TextIO | None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._total = size_of(logs) if stream is not None else None
        self._stream, self._clock = stream, clock
        self._start = clock()
        self._due = self._start + _DELAY
        self._bar: Bar | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    @property
    def is_shown(self) -> bool:
        """Whether the bar may be drawn, which needs a terminal."""
        return self._stream is not None

    @property
    def elapsed(self) -> float:
        """Seconds since the bar was created."""
        return self._clock() - self._start

    def update(self, count: int) -> None:
        """Draw the bar for `count` bytes read so far, at most ten times a second."""
        if self._stream is None or self._clock() < self._due:
            return
        if self._bar is None:
            self._bar = self._new(self._stream)
        self._bar.update(self._bar.task_ids[0], completed=count)
        self._bar.start()
        self._bar.refresh()
        self._due = self._clock() + _INTERVAL

    def clear(self) -> None:
        """Remove the bar from the terminal, so that something else can be written there."""
        if self._bar is not None and self._bar.live.is_started:
            self._bar.stop()

    def _new(self, stream: TextIO) -> "Bar":
        from rich import console, progress  # slow to import and seldom needed

        bar = progress.Progress(
            progress.BarColumn(),
            progress.TaskProgressColumn(),
            progress.DownloadColumn(),
            progress.TransferSpeedColumn(),
            progress.TimeRemainingColumn(),
            console=console.Console(file=stream),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            get_time=self._clock,
        )
        bar.add_task("", total=self._total)
        return bar


def size_of(logs: Iterable[str]) -> int | None:
    """Return the total size of the logs in bytes, or None if one of them is not a regular file."""
    paths = [Path(log) for log in logs]
    if not all(path.is_file() for path in paths):
        return None
    return sum(path.stat().st_size for path in paths)
