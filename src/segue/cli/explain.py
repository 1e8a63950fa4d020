"""`segue explain SG103`: one rule in full, from the page packaged with it."""

import json

import click

from segue.cli.option_groups import formats
from segue.cli.options import selectors
from segue.cli.rules import as_dict
from segue.cli.terminal import COLOR, look, stdout
from segue.errors import UnknownRule
from segue.findings import BY_CODE, codes
from segue.report.explanation import explanation_lines
from segue.report.pages import sections, titled

__all__ = ["explain"]


@click.command()
@click.argument("rule", metavar="CODE|NAME")
@formats(
    click.option,
    "text",
    "markdown",
    "json",
    help="How the page is shown; text has the logs in short, the others whole.",
)
@COLOR
def explain(*, rule: str, style: str, color: str) -> None:
    """Explain a rule: what it reports, why it matters, and its repair."""
    found = codes(selectors((rule,)))
    if len(found) > 1:
        msg = f"{rule} stands for {len(found)} rules: see segue rules {rule}"
        raise UnknownRule(msg)
    out = stdout()
    for code in found:
        chosen = BY_CODE[code]
        if style == "markdown":
            out.write(titled(chosen))
        elif style == "json":
            document = {**as_dict(chosen), "sections": sections(chosen)}
            out.write(f"{json.dumps(document, indent=2)}\n")
        else:
            appearance = look(out, color)
            for line in explanation_lines(chosen, appearance):
                out.write(f"{line.render(color=appearance.color)}\n")
