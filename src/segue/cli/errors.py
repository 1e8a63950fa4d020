"""Exit codes, error messages on stderr, and the handling of closed pipes."""

import os
import sys
from collections.abc import Iterator
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
    """Write `segue: ` and the text to stderr as one line.

    Control characters, and characters that the encoding of stderr lacks, are escaped.
    """
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    line = visible(f"segue: {text}").encode(encoding, "backslashreplace").decode(encoding)
    sys.stderr.write(f"{line}\n")


def click_message(error: click.ClickException) -> str:
    """Return the message of a click error in one line, such as `… (see segue check --help)`."""
    text = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.NoSuchOption):
        text = f"unknown option {error.option_name}"
        if error.possibilities:
            text += f": did you mean {error.possibilities[0]}?"
    context = getattr(error, "ctx", None)
    return text if context is None else f"{text} (see {context.command_path} --help)"


@contextmanager
def failing_as(what: str) -> Iterator[None]:
    """Return a context manager that turns an `OSError` into a `ConfigurationError`.

    The new message begins with `what`, such as `a.json cannot be read`.
    """
    try:
        yield
    except OSError as error:
        raise ConfigurationError(f"{what}: {error.strerror or error}") from error


def open_closed_streams() -> None:
    """Replace standard streams that were closed before the start with the null device.

    Otherwise files that are opened later would get their descriptors.
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
    """Redirect standard output to the null device, so that no closed pipe is reported at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
