"""`segue rules`: the catalogue."""

import json

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from segue.cli.options import listed
from segue.findings import RULES, Rule, codes
from segue.report.full import STYLES

__all__ = ["as_dict", "as_markdown", "rules"]


@click.command()
@click.argument("selectors", nargs=-1, metavar="[CODES]...")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How the rules are shown.",
)
def rules(selectors: tuple[str, ...], style: str) -> None:
    """List the rules: all, or those of some codes, prefixes (SG1) or names."""
    wanted = codes(listed(selectors)) if selectors else None
    chosen = [rule for rule in RULES if wanted is None or rule.code in wanted]
    if style == "json":
        click.echo(json.dumps([as_dict(rule) for rule in chosen], indent=1))
    elif style == "markdown":
        click.echo(as_markdown(chosen))
    else:
        table = Table(box=None, pad_edge=False, show_header=False)
        for rule in chosen:
            table.add_row(
                Text(rule.code, style="bold"),
                Text(rule.severity.value, style=STYLES[rule.severity]),
                Text(rule.name),
                Text(rule.summary, style="dim"),
            )
        Console().print(table)


def as_dict(rule: Rule) -> dict[str, str]:
    """Return a rule as JSON."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "specification": rule.spec,
    }


def as_markdown(chosen: list[Rule], link: str = "") -> str:
    """Return a Markdown table of rules; `link` is put around the codes, with `{}` for the code."""
    rows = ["| code | name | severity | what it reports |", "|---|---|---|---|"]
    for rule in chosen:
        code = f"[{rule.code}]({link.format(rule.code)})" if link else rule.code
        rows.append(f"| {code} | {rule.name} | {rule.severity.value} | {rule.summary} |")
    return "\n".join(rows)
