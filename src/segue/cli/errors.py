"""Problems: exit codes, one line on stderr for what the user did wrong, and closed pipes."""

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
    """Write one line to stderr, with unsafe and unencodable characters escaped."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    line = visible(f"segue: {text}").encode(encoding, "backslashreplace").decode(encoding)
    sys.stderr.write(f"{line}\n")


def click_message(error: click.ClickException) -> str:
    """Return the message of click in one line, and where there is help."""
    text = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.NoSuchOption):
        text = f"no option is called {error.option_name}"
        if error.possibilities:
            text += f": did you mean {error.possibilities[0]}?"
    context = getattr(error, "ctx", None)
    return text if context is None else f"{text} (see {context.command_path} --help)"


@contextmanager
def failing_as(what: str) -> Iterator[None]:
    """Raise `ConfigurationError` for an `OSError`; `what` failed, as in `a.json cannot be read`."""
    try:
        yield
    except OSError as error:
        raise ConfigurationError(f"{what}: {error.strerror or error}") from error


def open_closed_streams() -> None:
    """Discard what is written to standard streams that were closed before the start.

    Their descriptors are taken, so that no file gets them.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest descriptor that is free
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            output = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
            setattr(sys, name, output)


def discard_stdout() -> None:
    """Discard what is still to be written, or Python reports a closed pipe when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
