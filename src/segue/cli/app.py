"""The command `segue`: a group of subcommands that are imported on demand.

The exit code is 0 without error findings, 1 with error findings, 2 if the command could not run,
and 130 if it was interrupted. For an error of the user, one line is written to stderr.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from segue.cli.errors import (
    FAILED,
    INTERRUPTED,
    click_message,
    discard_stdout,
    open_closed_streams,
    print_error,
)
from segue.core.errors import SegueError
from segue.core.options import closest
from segue.core.version import __version__

SECTIONS: Final = {
    "Logs": {
        "check": "Check logs: what is wrong, where, why, and what would be right.",
        "show": "Show one conversation as a ladder: customer, bot and agents as columns.",
        "causes": "Say which mistakes have something in common, and since when.",
        "dialect": "Learn how senders write, and propose a policy for it.",
        "stats": "Count findings and measure conversations.",
        "segments": "Show who held each conversation, when, and for how long.",
        "repair": "Correct each conversation by the edits that explain its mistakes.",
        "diff": "Compare two logs, conversation by conversation.",
        "export": "Write logs in a format of another tool.",
        "sniff": "Say how a log is read and why: which options its layout needs.",
        "convert": "Write a log of another layout or platform as envelopes.",
        "playground": "Write a page that checks logs in the browser, for any static host.",
    },
    "Rules": {
        "explain": "Explain a rule: what it reports, why it matters, and its repair.",
        "rules": "List the rules.",
        "graph": "Draw the lifecycle.",
    },
    "A server of your own": {
        "serve": "Receive deliveries and transcription control, and store them.",
        "keys": "Make a secret or a key pair to sign tokens with.",
        "token": "Sign a token, to try a server with.",
        "send": "Send the deliveries of a log to a server.",
        "tail": "Follow the findings, as deliveries come in.",
        "journal": "Write the deliveries in a store as a log.",
        "quarantine": "List, replay or drop bodies that the server refused.",
        "doctor": "Say what is damaged in a store, and mend it.",
        "purge": "Remove old conversations from a store.",
    },
    "Tests, and the platform": {
        "generate": "Write a made-up log, with mistakes on request.",
        "conformance": "Send the conformance suite to a backend and show where it differs.",
        "sandbox": "Serve the platform itself, to test against.",
        "call": "Call an endpoint of the platform.",
    },
}
"""The subcommands by section of the help, each with its help line."""

COMMANDS: Final = {name: text for section in SECTIONS.values() for name, text in section.items()}

_MODULES: Final = {
    "causes": "stats",
    "explain": "rules",
    "graph": "rules",
    "journal": "store",
    "doctor": "store",
    "purge": "store",
}
"""The modules of commands that share a module.

Every other command is in the module that has its name.
"""


class _Commands(click.Group):
    """A Click group that imports a subcommand only when it is used, so that Segue starts fast."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command, and return its result.

        If the reader of standard output closes the pipe, return 0. Click would exit with 1.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            discard_stdout()
            return 0

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command. Exit with a usage error if the name is unknown."""
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:
                return None
            hint = closest(cmd_name, COMMANDS, f"use one of {', '.join(COMMANDS)}")
            if Path(cmd_name).exists():
                hint = f"did you mean segue check {cmd_name}?"
            ctx.fail(f"unknown command {cmd_name!r}: {hint}")
        module = import_module(f"segue.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help lines of all commands by section, without importing the commands."""
        del ctx
        width = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])


def _show_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:  # noqa: FBT001 - as click calls it
    if is_asked and not context.resilient_parsing:
        from segue.logs.native import engine_name  # noqa: PLC0415 - only needed here

        click.echo(f"segue {__version__} (engine: {engine_name()})")
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and which engine reads logs.",
)
def segue() -> None:
    """Check the webhook events of a contact center.

    Segue says which event breaks the order, what would have been right, and who held each
    conversation. Begin with: segue check LOG

    A log is what was posted to the webhook: a line is the JSON body of one request, or an object
    with that and when it was received. Most other layouts are recognised.
    """


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, by default `sys.argv[1:]`, and exit with its code."""
    open_closed_streams()
    arguments = sys.argv[1:] if arguments is None else arguments
    sys.exit(_exit_code(list(arguments)))


def _exit_code(arguments: list[str]) -> int:
    try:
        code = segue.main(args=arguments or ["--help"], prog_name="segue", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        print_error(click_message(error))
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        discard_stdout()
        return 0
    except (SegueError, OSError) as error:
        try:
            sys.stdout.flush()
        except OSError:
            discard_stdout()
        print_error(_message(error))
        return FAILED
    if not arguments:
        return FAILED
    return code if isinstance(code, int) else 0


def _message(error: Exception) -> str:
    """Return the message of an error, without the number in that of an `OSError`."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{os.fsdecode(error.filename)} cannot be used: {error.strerror}"
    return str(error)
