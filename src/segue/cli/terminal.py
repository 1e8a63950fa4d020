"""Standard output: its colours, characters and width, and its use together with a progress bar.

This module detects the properties of the terminal itself, since importing `Console` from rich would
take 20 ms in every command.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TextIO

from segue.cli.errors import discard_stdout
from segue.cli.options import Params, show_option
from segue.cli.progress import Progress
from segue.report.look import Look

if TYPE_CHECKING:  # rich is imported where text is drawn
    from segue.report.styled_text import TextLine

COLOR: Final = show_option(
    "--color [auto|always|never]",
    "Colours; auto honours NO_COLOR, FORCE_COLOR and whether it is a terminal.",
    default="auto",
)
QUIET: Final = show_option("--quiet -q", "No summary and no progress.")

_COLUMNS: Final = 80
_NARROWEST: Final = 40
_WIDEST: Final = 1000


class Output:
    """The standard output of a command.

    Args:
        params: The parameters of the command, including `--color` if the command has it.
        progress: A progress bar on the same terminal.
        flush: Whether each text is written at once, as on a terminal.
        needs_reader: Whether a closed pipe raises `BrokenPipeError`. Otherwise the command goes on,
            and further output is dropped.

    """

    def __init__(
        self,
        params: Params,
        progress: Progress | None = None,
        *,
        flush: bool = False,
        needs_reader: bool = False,
    ) -> None:
        self._stream = stdout()
        self._progress = progress
        self._flush = flush or self._stream.isatty()
        self._needs_reader = needs_reader
        self.look = look_of(self._stream, params.get("color", "never"))
        self.is_closed = False
        """Whether the reader of standard output has closed the pipe."""

    def write(self, text: str | bytes) -> None:
        """Write text, or bytes unchanged, after removing the progress bar.

        A command must not mix the two, because text is buffered for longer than bytes.
        """
        if self.is_closed:
            return
        if self._progress is not None:
            self._progress.clear()
        try:
            if isinstance(text, bytes):
                self._stream.buffer.write(text)
            else:
                self._stream.write(text)
            if self._flush:
                self._stream.flush()
        except BrokenPipeError:
            if self._needs_reader:
                raise
            self.is_closed = True
            discard_stdout()

    def write_json(self, value: object, indent: int | None = None) -> None:
        """Write a value as JSON, in one line or with an indentation of `indent` spaces."""
        self.write(f"{json.dumps(value, indent=indent)}\n")

    def write_lines(self, lines: "Iterable[TextLine]") -> None:
        """Write lines of styled text, with colours if they are enabled."""
        self.write("".join(f"{line.render(color=self.look.color)}\n" for line in lines))


def stdout() -> TextIO:
    """Return `sys.stdout`, changed to escape characters that its encoding lacks."""
    stream = sys.stdout
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return stream


def look_of(stream: TextIO, color: str = "auto") -> Look:
    """Return the display options of a stream: colours, non-ASCII characters and width.

    `color` is `auto`, `always` or `never`.
    """
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    return Look(
        color=_is_coloured(stream) if color == "auto" else color == "always",
        fancy=encoding.replace("-", "").replace("_", "").startswith("utf"),
        columns=_columns(stream),
    )


def is_terminal(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that understands escape sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _is_coloured(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def _columns(stream: TextIO) -> int:
    if stream.isatty() or os.environ.get("COLUMNS", "").isdigit():
        columns = shutil.get_terminal_size((_COLUMNS, 24)).columns
        return min(max(columns, _NARROWEST), _WIDEST)
    return _COLUMNS
