"""Outlets: where the reports of a check go, each in its format.

It decides nothing about reports.  House rules: what cannot be written to is said before a line is
read; a log is never written over; when nobody listens any more, standard output goes nowhere and
the files are still written.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

from segue.cli.progress import Progress
from segue.errors import ConfigurationError
from segue.report.renderers import FORMATS, Renderer, RenderOptions, renderer

__all__ = ["Outlet", "files", "opened", "whole"]

_EXAMPLE: Final = "--output takes FORMAT=FILE, such as json=findings.json"


class Outlet:
    """Standard output, as somebody listens to it."""

    def __init__(self, stream: TextIO, progress: Progress, *, flush: bool) -> None:
        self._stream = stream
        self._progress = progress
        self._flush = flush
        self.is_closed = False
        """Nobody listens any more."""

    def write(self, text: str) -> None:
        """Write text, if anybody listens."""
        if self.is_closed:
            return
        self._progress.wipe()
        try:
            self._stream.write(text)
            if self._flush:
                self._stream.flush()
        except BrokenPipeError:
            self.is_closed = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


def files(
    outputs: Iterable[str],
    logs: Iterable[str],
    stack: ExitStack,
    said: Iterable[Mapping[str, Any]] = (),
) -> Iterator[Renderer]:
    """Yield a renderer for each `FORMAT=FILE`, its file open until the stack is closed."""
    for output in outputs:
        name, equals, path = output.partition("=")
        if not equals or not path:
            msg = f"{_EXAMPLE}, not {output!r}"
            raise ConfigurationError(msg)
        if name not in FORMATS:
            msg = f"{_EXAMPLE}; there is no format {name!r}, only {', '.join(FORMATS)}"
            raise ConfigurationError(msg)
        yield renderer(name, _opened(Path(path), logs, stack), RenderOptions(texts=said))


@contextmanager
def whole(path: Path, logs: Iterable[str]) -> Iterator[Callable[[str], object]]:
    """Write a file that is there when all of it has been written, and not before."""
    _spare(path, logs)
    part = path.with_name(f"{path.name}.part")
    try:
        with opened(part, path) as stream:
            yield stream.write
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def opened(path: Path, called: Path | None = None) -> TextIO:
    """Open a file to write; `called` is what our user calls it."""
    try:
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        msg = f"{called or path} cannot be written: {error.strerror or error}"
        raise ConfigurationError(msg) from error


def _opened(path: Path, logs: Iterable[str], stack: ExitStack) -> Callable[[str], object]:
    _spare(path, logs)
    return stack.enter_context(opened(path)).write


def _spare(path: Path, logs: Iterable[str]) -> None:
    """Refuse to write over a log."""
    for log in logs:
        if log != "-" and path.exists() and path.samefile(log):
            msg = f"{path} is the log itself: give --output another file"
            raise ConfigurationError(msg)
