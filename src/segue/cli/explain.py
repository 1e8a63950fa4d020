"""`segue explain SG103`: one rule in full, from the page packaged with it."""

import json
import re

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from segue.cli.rules import as_dict
from segue.findings import BY_CODE, codes
from segue.report.full import STYLES
from segue.report.pages import HEADINGS, page, titled

__all__ = ["explain"]


@click.command()
@click.argument("selector", metavar="CODE|NAME")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="How the page is shown.",
)
def explain(selector: str, style: str) -> None:
    """Explain a rule: what it reports, why it matters, an example and its repair."""
    for code in sorted(codes((selector,))):
        rule = BY_CODE[code]
        if style == "markdown":
            click.echo(titled(rule))
        elif style == "json":
            sections = dict(zip(HEADINGS, _sections(page(rule)), strict=True))
            click.echo(json.dumps({**as_dict(rule), "page": sections}))
        else:
            console = Console()
            console.print(
                Text.assemble(
                    (rule.code, "bold"),
                    "  ",
                    (rule.name, "bold underline"),
                    "  ",
                    (rule.severity.value, STYLES[rule.severity]),
                ),
            )
            console.print(Text(rule.summary))
            console.print(Markdown(page(rule)))


def _sections(markdown: str) -> list[str]:
    return [part.strip() for part in re.split(r"^## .*$", markdown, flags=re.MULTILINE)[1:]]
