"""`segue rules`: the catalogue."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import click

from segue.cli.options import Params, command, format_option, selectors
from segue.cli.terminal import COLOR, Output
from segue.core.findings import RULES, Rule, codes
from segue.report.styled_text import TONES, TextLine, Tone, wrap

FAMILIES: Final = {
    1: "the order of events",
    2: "who is present",
    3: "what stays the same within a conversation",
    4: "transcription",
    5: "the shape of a body",
    6: "the log as a whole",
    7: "calls and callbacks",
}
"""What the first digit of a code stands for."""


@command(
    click.Argument(["codes"], nargs=-1, metavar="[CODES]..."),
    format_option("text", "json", "markdown", text="How the rules are shown."),
    COLOR,
)
def rules(params: Params) -> None:
    """List the rules.

    All, or those with these codes, prefixes (SG1) or names.
    """
    chosen = codes(selectors(params["codes"])) if params["codes"] else None
    found = [rule for rule in RULES if chosen is None or rule.code in chosen]
    output = Output(params)
    if params["format"] == "json":
        output.write_json([as_dict(rule) for rule in found], indent=2)
    elif params["format"] == "markdown":
        output.write(as_markdown(found))
    else:
        output.write_lines(_table(found, output.look.columns))


def as_dict(rule: Rule) -> dict[str, str]:
    """Return a rule as JSON."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "specification": rule.spec,
    }


def as_markdown(chosen: Iterable[Rule], link: str = "") -> str:
    """Return a Markdown table; `link` is the target of a code, with `{}` for the code."""
    rows = ["| code | name | severity | what it reports |", "|---|---|---|---|"]
    for rule in chosen:
        code = f"[{rule.code}]({link.format(rule.code)})" if link else rule.code
        rows.append(f"| {code} | {rule.name} | {rule.severity.value} | {rule.summary} |")
    return "".join(f"{row}\n" for row in rows)


def _table(chosen: Iterable[Rule], columns: int) -> Iterator[TextLine]:
    indent = len("SG103  ")
    is_first = True
    for family, members in groupby(chosen, key=lambda rule: rule.family):
        if not is_first:
            yield TextLine()
        is_first = False
        yield TextLine(f"{family}xx ", Tone.FAINT).add(FAMILIES[family], Tone.FAINT)
        for rule in members:
            line = TextLine(rule.code, Tone.STRONG).add("  ")
            line.add(rule.severity.value, TONES[rule.severity]).to(indent + len("warning  "))
            yield line.add(rule.name, Tone.STRONG)
            for text in wrap(rule.summary, columns - indent):
                yield TextLine(" " * indent).add(text)
