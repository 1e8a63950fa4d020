"""What the user did wrong, in one line on stderr."""

import sys
from typing import Final

import click

from segue.report.escape import visible

__all__ = ["FAILED", "INTERRUPTED", "click_message", "print_error"]

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
