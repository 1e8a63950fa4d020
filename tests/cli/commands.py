"""The commands that read logs, as the command line declares them."""

from typing import Final

import click

from segue.cli.app import COMMANDS, segue

__all__ = ["LOG_READERS"]


def _reads_logs(name: str) -> bool:
    command = segue.get_command(click.Context(segue), name)
    assert command is not None
    arguments = (each for each in command.params if isinstance(each, click.Argument))
    return any(each.name == "logs" for each in arguments)


LOG_READERS: Final = tuple(name for name in COMMANDS if _reads_logs(name))
"""A new command with an argument `logs` is in the suites of files that are no logs."""
