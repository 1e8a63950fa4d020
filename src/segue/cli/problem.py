"""Problems: what our user did wrong, in one line on stderr."""

import sys

import click

from segue.report.escape import visible

__all__ = ["Interrupted", "complain", "told"]


class Interrupted(Exception):  # noqa: N818 - it says what happened
    """The user interrupted, and what was done so far has been shown."""


def complain(text: str) -> None:
    """Write one line to stderr, whatever is in the text."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    line = visible(f"segue: {text}").encode(encoding, "backslashreplace").decode(encoding)
    sys.stderr.write(f"{line}\n")


def told(error: click.ClickException) -> str:
    """Return what click has to say as one line, and where there is help."""
    text = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.NoSuchOption):
        text = f"no option is called {error.option_name}"
        if error.possibilities:
            text += f": did you mean {error.possibilities[0]}?"
    context = getattr(error, "ctx", None)
    return text if context is None else f"{text} (see {context.command_path} --help)"
