"""Other programs that commands start: Graphviz, npm and pip, and those that users name."""

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
    """Run a program until it ends; return its exit code and, unless it is shown, its output.

    Args:
        arguments: The program and its arguments; no shell reads them.
        text: What it reads from standard input; None: what the command itself would read.
        folder: Where it runs.
        seconds: How long it may take.
        captures: Whether its output is returned, and not shown.

    Raises `ConfigurationError` if it cannot be started or takes too long.

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
