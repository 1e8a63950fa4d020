"""The reference pages: generated, so that they cannot say anything else than the code does.

It decides which pages there are and what stands on each.  The words come from the catalogue, the
packaged pages, the lifecycle table and click's own help; the same code gives the same bytes.
"""

import json
from collections.abc import Iterator
from typing import Final

import click

from segue.cli.app import COMMANDS, segue
from segue.cli.lifecycle_page import lifecycle_page
from segue.cli.rules import as_markdown
from segue.findings import RULES
from segue.report.pages import titled
from segue.report.schema import schema_text
from segue.wire import action_schema, body_schema

__all__ = ["reference"]

_WIDTH: Final = 80


def reference() -> dict[str, str]:
    """Return every page by its path below docs/reference."""
    pages = {
        "cli.md": _commands(),
        "lifecycle.md": lifecycle_page(),
        "report.schema.json": schema_text(),
        "delivery.schema.json": _json(body_schema()),
        "transcription.schema.json": _json(action_schema()),
        "rules/index.md": _rules(),
    }
    return pages | {f"rules/{rule.code}.md": titled(rule) for rule in RULES}


def _json(schema: object) -> str:
    return f"{json.dumps(schema, indent=2)}\n"


def _rules() -> str:
    return (
        "# Rules\n\n"
        "**error**: the specification forbids it. **warning**: it discourages it, or it is very\n"
        "likely a fault. **note**: it does not say, and Segue accepts it. Codes and names are "
        "stable and\nnever reused; `segue explain SG103` shows a page in a terminal.\n\n"
        f"{as_markdown(RULES, link='{}.md')}"
    )


def _commands() -> str:
    return "\n".join(_sections())


def _sections() -> Iterator[str]:
    yield "# Commands\n"
    yield "`python -m segue` is the same command.\n"
    yield _help(segue, None, "segue")
    context = click.Context(segue, info_name="segue")
    for name in COMMANDS:
        command = segue.get_command(context, name)
        assert command is not None, "a command of the list is there"  # noqa: S101
        yield f"## segue {name}\n"
        yield _help(command, context, name)
        if isinstance(command, click.Group):
            inner = click.Context(command, parent=context, info_name=name)
            for each, part in command.commands.items():
                yield f"### segue {name} {each}\n"
                yield _help(part, inner, each)


def _help(command: click.Command, parent: click.Context | None, name: str) -> str:
    context = click.Context(
        command,
        parent=parent,
        info_name=name,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
        help_option_names=["-h", "--help"],
    )
    return f"```text\n{command.get_help(context)}\n```\n"
