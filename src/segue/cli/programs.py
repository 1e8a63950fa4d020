"""Other programs that commands start: Graphviz, npm, pip, and commands of users."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess

from segue.core.errors import ConfigurationError


def run_program(
    arguments: Sequence[str],
    text: str | None = None,
    *,
    folder: Path | None = None,
    seconds: float | None = None,
    captures: bool = True,
) -> CompletedProcess[str]:
    """Run a program until it ends, and return its exit code and its captured output.

    Raise `ConfigurationError` if the program cannot be started or takes too long.

    Args:
        arguments: The program and its arguments, which are not passed through a shell.
        text: Its standard input, or None for the standard input of this process.
        folder: The folder in which it runs.
        seconds: The time limit.
        captures: Whether its output is captured instead of shown.

    """
    try:
        return subprocess.run(  # noqa: S603 - chosen by us or by the user, never by a log
            arguments,
            input=text,
            cwd=folder,
            timeout=seconds,
            capture_output=captures,
            encoding="utf-8",
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigurationError(f"{Path(arguments[0]).name} did not run: {error}") from None
