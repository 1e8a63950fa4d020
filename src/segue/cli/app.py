"""The command group: which commands there are, and how a run ends.

Exit codes: 0 no error finding, 1 error findings, 2 could not run, 130 interrupted.  House rules:
what our user did wrong is one line on stderr, and a traceback means a defect of Segue; commands are
imported when they are called, so that `segue --help` starts at once; nobody listening any more is
no mistake.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import click

from segue.cli.problem import Interrupted, complain, told
from segue.errors import SegueError

__all__ = ["COMMANDS", "run", "segue"]

COMMANDS: Final = {
    "check": "Check logs: what is wrong, where, why, and what would be right.",
    "segments": "Show who held each conversation, when, and for how long.",
    "repair": "Find the smallest edit that makes each conversation valid.",
    "diff": "Compare two logs, conversation by conversation.",
    "stats": "Show what logs add up to.",
    "export": "Write logs in a format of other people's tools.",
    "explain": "Explain a rule: what it reports, why it matters, and its repair.",
    "rules": "List the rules.",
    "graph": "Draw the lifecycle.",
    "generate": "Write a made-up log, with mistakes on request.",
    "conformance": "Send the conformance suite to a backend and show where it differs.",
    "serve": "Receive deliveries and transcription control, and keep them.",
    "send": "Send the deliveries of a log to a server.",
    "tail": "Follow what is found, as deliveries come in.",
    "journal": "Write the deliveries that a store keeps, as a log.",
    "quarantine": "Look after bodies that were answered but not applied.",
    "purge": "Remove old conversations from a store.",
}
"""Each command is the attribute of its own name in the module of its own name."""

FAILED: Final = 2
INTERRUPTED: Final = 130


class _Commands(click.Group):
    """A group whose commands are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Name the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"segue.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101
        return command

    def resolve_command(
        self,
        ctx: click.Context,
        args: list[str],
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant, or say which may have been."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = get_close_matches(name, COMMANDS, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(COMMANDS)}"
            ctx.fail(f"no command is called {name!r}: {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value:
        try:
            number = version("segue")
        except PackageNotFoundError:  # run from its source, not installed
            number = "(not installed)"
        click.echo(f"segue {number}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def segue() -> None:
    """Check the lifecycle of contact-center conversations.

    A log is JSON lines, plain, .gz or .zst; a line is the body of one delivery, or an envelope
    around it.
    """


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit with its code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    sys.exit(_outcome(list(arguments)))


def _outcome(arguments: list[str]) -> int:
    try:
        code = segue.main(args=arguments or ["--help"], prog_name="segue", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        complain(told(error))
        return FAILED
    except (click.Abort, KeyboardInterrupt, Interrupted):
        return INTERRUPTED
    except BrokenPipeError:
        _hang_up()
        return 0
    except (SegueError, OSError) as error:
        _flush()
        complain(str(error))
        return FAILED
    if not arguments:
        return FAILED
    return code if isinstance(code, int) else 0


def _flush() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        _hang_up()


def _hang_up() -> None:
    """Let what is still to be written go nowhere, or Python would complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
