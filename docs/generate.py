"""Generate the reference pages from the code: `python -m docs.generate [--check] [FOLDER]`.

The text comes from the rule catalogue, the packaged pages, the tables and click's help. With
`--check`, list stale pages instead of writing them, and exit with 1 if there are any.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from docs.fields_page import fields_page
from docs.lifecycle_page import lifecycle_page
from docs.metrics_page import metrics_page, metrics_svg
from docs.platform_page import platform_page
from docs.python_pages import python_pages
from docs.rows_page import rows_page
from docs.sandbox_page import sandbox_page
from docs.settings_page import settings_page, settings_schema
from docs.subject_pages import subject_pages
from docs.tool_logs_page import tool_logs_page
from docs.transcription_page import transcription_page
from segue import __version__
from segue.cli.app import COMMANDS, segue
from segue.cli.rules import as_markdown
from segue.core.events import HOOKS, TRANSCRIPTION
from segue.core.findings import RULES
from segue.core.wire.json_schema import schema_of
from segue.platform.openapi import describe_platform
from segue.report.pages import titled
from segue.report.schema import schema_text

__all__ = ["main", "reference"]

_FOLDER: Final = Path(__file__).parent / "reference"
_WIDTH: Final = 80


def main(arguments: Sequence[str]) -> int:
    """Write the pages that changed, or only list them with `--check`. Return the exit code."""
    is_check = "--check" in arguments
    folders = [Path(argument) for argument in arguments if argument != "--check"]
    folder = folders[0] if folders else _FOLDER
    wanted = reference()
    stale = list(_stale(folder, wanted))
    if is_check:
        sys.stdout.write("".join(f"{path} is stale\n" for path in stale))
        return int(bool(stale))
    for path in stale:
        text = wanted.get(path.relative_to(folder).as_posix())
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    sys.stdout.write("".join(f"{path}\n" for path in stale))
    return 0


def _stale(folder: Path, wanted: Mapping[str, str]) -> Iterator[Path]:
    """Yield the paths of pages that are outdated or missing, and of files that are not pages."""
    for name, text in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != text.encode():
            yield path
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in wanted:
            yield path


def reference() -> dict[str, str]:
    """Return the text of every generated file, by its path relative to docs/reference."""
    pages = {
        "cli.md": _commands(),
        "lifecycle.md": lifecycle_page(),
        "transcription.md": transcription_page(),
        "report.schema.json": schema_text(),
        "fields.md": fields_page(),
        "metrics.md": metrics_page(),
        "metrics.svg": metrics_svg(),
        "not-said.md": platform_page(),
        "platform.openapi.json": _json(describe_platform(__version__)),
        "rows.md": rows_page(),
        "sandbox-choices.md": sandbox_page(),
        "tool-logs.md": tool_logs_page(),
        "settings.md": settings_page(),
        "settings.schema.json": _json(settings_schema()),
        "delivery.schema.json": _json(schema_of(HOOKS)),
        "transcription.schema.json": _json(schema_of(TRANSCRIPTION)),
        "rules/index.md": _rules(),
    }
    pages |= python_pages() | subject_pages()
    pages |= {f"rules/{rule.code}.md": titled(rule) for rule in RULES}
    return {name: _with_glossary(name, text) for name, text in pages.items()}


def _with_glossary(name: str, text: str) -> str:
    """Return the text of a page with a link to the glossary after its title.

    Files other than Markdown are returned unchanged.
    """
    if not name.endswith(".md"):
        return text
    title, _, rest = text.partition("\n")
    glossary = f"{'../' * (name.count('/') + 1)}explanation/events.md#glossary"
    return f"{title}\n\nThe [glossary]({glossary}) defines the terms of this page.\n{rest}"


def _json(schema: object) -> str:
    return f"{json.dumps(schema, indent=2)}\n"


def _rules() -> str:
    return (
        "# Rules\n\n"
        "An **error** violates the specification. A **warning** is discouraged by it, or is very\n"
        "likely a fault. A **note** is not covered by it, and Segue accepts it. Codes and names\n"
        "are stable and never reused. `segue explain SG103` shows a page in a terminal.\n\n"
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
        assert command is not None, "a command of the list is there"
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
