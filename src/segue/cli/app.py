"""The command group: which commands there are, and how a run ends.

Exit codes: 0 no error finding, 1 error findings, 2 could not run, 130 interrupted.  What our user
did wrong is one line on stderr; a traceback means a defect of Segue.  Commands are imported when
they are called, so that `segue --help` starts at once.
"""

import os
import sys
from importlib import import_module
from importlib.metadata import version

import click

from segue.errors import SegueError

__all__ = ["COMMANDS", "run", "segue"]

COMMANDS = {
    "check": "segue.cli.check",
    "explain": "segue.cli.explain",
    "generate": "segue.cli.generate",
    "graph": "segue.cli.graph",
    "rules": "segue.cli.rules",
    "segments": "segue.cli.segments",
}
"""Name of a command to the module whose attribute of that name it is."""

FAILED = 2
INTERRUPTED = 130


class _Commands(click.Group):
    """A group whose commands are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name]), cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("segue"), message="segue %(version)s")
def segue() -> None:
    """Check the lifecycle of contact-center conversations."""


def run(arguments: list[str] | None = None) -> None:
    """Run the command and exit with its code."""
    try:
        code = segue.main(args=arguments, prog_name="segue", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = FAILED
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody listens any more
        code = 0
    except (SegueError, OSError) as error:
        click.echo(f"segue: {error}", err=True)
        code = FAILED
    sys.exit(code if isinstance(code, int) else 0)
