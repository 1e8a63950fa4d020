"""The reference pages, generated: `python -m segue.cli.generate_docs [--check]`.

Rules, lifecycle and commands are described once, in the catalogue, the table and the commands
themselves; these pages are printed from there, and `--check` says which of them are stale.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from segue.cli.app import COMMANDS, segue
from segue.cli.rules import as_markdown
from segue.findings import RULES
from segue.lifecycle import TABLE, Phase, Situation, situations
from segue.lifecycle.diagram import mermaid
from segue.report.pages import titled
from segue.report.schema import report_schema
from segue.wire import action_schema, body_schema

__all__ = ["main", "pages"]

_NOTE = "<!-- generated: python -m segue.cli.generate_docs -->\n\n"
_EXPLAINED = (
    "Every cell of the table. A situation is the stance of the event's agent, what is uncertain "
    "about the primary, and how many consultants are present beside the agent; situations that "
    "give the same are put together.\n"
)


def pages() -> dict[str, str]:
    """Return every generated file below docs/reference: its path and its text."""
    rules = f"# Rules\n\n{as_markdown(list(RULES), '{}.md')}\n"
    return {
        "cli.md": _NOTE + _commands(),
        "lifecycle.md": _NOTE + _lifecycle(),
        "rules/index.md": _NOTE + rules,
        **{f"rules/{rule.code}.md": _NOTE + titled(rule) for rule in RULES},
        "report.schema.json": _json(report_schema()),
        "delivery.schema.json": _json(body_schema()),
        "transcription.schema.json": _json(action_schema()),
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _commands() -> str:
    parts = ["# Commands\n"]
    context = click.Context(segue, info_name="segue", terminal_width=88, max_content_width=88)
    for name in sorted(COMMANDS):
        command = segue.get_command(context, name)
        if command is None:
            continue
        sub = click.Context(
            command, info_name=name, parent=context, terminal_width=88, max_content_width=88
        )
        parts.append(f"## segue {name}\n\n```text\n{command.get_help(sub)}\n```\n")
    return "\n".join(parts)


def _lifecycle() -> str:
    parts = [
        "# The lifecycle\n",
        "Legal moves between the phases; codes in brackets are notes.\n",
        f"```mermaid\n{mermaid()}```\n",
        _EXPLAINED,
    ]
    for phase in Phase:
        parts += [
            f"## {phase.value}\n",
            "| event | agent | finding | goes on in | effect |\n|---|---|---|---|---|",
        ]
        parts[-1] += "".join(f"\n{row}" for row in _rows(phase)) + "\n"
    return "\n".join(parts)


def _rows(phase: Phase) -> Iterator[str]:
    for kind, cells in TABLE[phase].items():
        merged: dict[tuple[str, str, str], dict[str, None]] = {}
        for situation in situations(phase):
            cell = cells[situation.number]
            if cell is not None:
                verdict = (cell.code or "", cell.to.value, cell.effect.value)
                merged.setdefault(verdict, {}).setdefault(_named(situation))
        for (code, to, effect), names in merged.items():
            agents = "anybody" if len(merged) == 1 else ", ".join(names)
            link = f"[{code}](rules/{code}.md)" if code else ""
            yield f"| {kind.value} | {agents} | {link} | {to} | {effect} |"


def _named(situation: Situation) -> str:
    words = [situation.stance.name.lower()]
    if situation.circumstance:
        flags = (flag.name or "" for flag in situation.circumstance)
        words.append("(" + " and ".join(flags).lower() + ")")
    return " ".join(words)


@click.command()
@click.option(
    "--check", is_flag=True, help="Only say which pages are stale; exit with 1 if any is."
)
@click.option("--folder", default="docs/reference", show_default=True, help="Where the pages are.")
def main(*, check: bool, folder: str) -> None:
    """Write the reference pages."""
    root = Path(folder)
    stale = []
    for name, text in pages().items():
        path = root / name
        if path.is_file() and path.read_text("utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    left = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    stale += sorted(left - set(pages()))
    for name in stale:
        click.echo(f"{'stale' if check else 'written'}: {folder}/{name}")
    if check and stale:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
