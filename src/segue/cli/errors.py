"""Exit codes, error messages on stderr, and closed pipes."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from segue.core.errors import ConfigurationError
from segue.report.escape import visible

FAILED: Final = 2
"""The exit code of a command that could not run."""
INTERRUPTED: Final = 130


def print_error(text: str) -> None:
    """Write one line to stderr, with unsafe and unencodable characters escaped."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    line = visible(f"segue: {text}").encode(encoding, "backslashreplace").decode(encoding)
    sys.stderr.write(f"{line}\n")


def click_message(error: click.ClickException) -> str:
    """Return the message of a click error in one line, with the command that shows the help."""
    text = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.NoSuchOption):
        text = f"unknown option {error.option_name}"
        if error.possibilities:
            text += f": did you mean {error.possibilities[0]}?"
    context = getattr(error, "ctx", None)
    return text if context is None else f"{text} (see {context.command_path} --help)"


def closest(text: str, known: Iterable[str], otherwise: str, most: int = 1) -> str:
    """Return `did you mean …?` with the known words closest to the text, or `otherwise`."""
    from difflib import get_close_matches  # noqa: PLC0415 - only errors need it

    found = get_close_matches(text, known, most)
    return f"did you mean {' or '.join(found)}?" if found else otherwise


@contextmanager
def failing_as(what: str) -> Iterator[None]:
    """Turn an `OSError` into a `ConfigurationError`.

    Its message begins with `what`, such as `a.json cannot be read`.
    """
    try:
        yield
    except OSError as error:
        raise ConfigurationError(f"{what}: {error.strerror or error}") from error


def open_closed_streams() -> None:
    """Open standard streams that were closed before the start, and discard what is written to them.

    This also keeps other files from getting their descriptors.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free descriptor
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            output = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - stays open
            setattr(sys, name, output)


def discard_stdout() -> None:
    """Discard the remaining output, so that Python does not report a closed pipe at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
