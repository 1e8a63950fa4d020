"""`segue explain SG103`: the page of one rule."""

import click

from segue.cli.options import Params, command, format_option, selectors
from segue.cli.rules import as_dict
from segue.cli.terminal import COLOR, Output
from segue.core.errors import UnknownRule
from segue.core.findings import BY_CODE, codes
from segue.report.explanation import explanation_lines
from segue.report.pages import sections, titled


@command(
    click.Argument(["rule"], metavar="CODE|NAME"),
    format_option(
        "text",
        "markdown",
        "json",
        text="How the page is shown; text shortens the logs, the others do not.",
    ),
    COLOR,
)
def explain(params: Params) -> None:
    """Explain a rule: what it reports, why it matters, and its repair."""
    found = codes(selectors((params["rule"],)))
    if not found:
        raise UnknownRule("give the code, prefix or name of a rule: see segue rules")
    if len(found) > 1:
        msg = f"{params['rule']} stands for {len(found)} rules: see segue rules {params['rule']}"
        raise UnknownRule(msg)
    output = Output(params)
    [rule] = (BY_CODE[code] for code in found)
    if params["format"] == "markdown":
        output.write(titled(rule))
    elif params["format"] == "json":
        page = {**as_dict(rule), "sections": sections(rule)}
        output.write_json(page, indent=2)
    else:
        output.write_lines(explanation_lines(rule, output.look))
