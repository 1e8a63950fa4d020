"""`segue rules`: the catalogue."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import click

from segue.cli.option_groups import formats
from segue.cli.options import selectors
from segue.cli.terminal import COLOR, look, stdout
from segue.findings import RULES, Rule, codes
from segue.report.look import Look
from segue.report.styled_text import TONES, TextLine, Tone
from segue.report.text_layout import wrap

__all__ = ["FAMILIES", "as_dict", "as_markdown", "rules"]

FAMILIES: Final = {
    1: "the order of events",
    2: "who is present",
    3: "what stays the same within a conversation",
    4: "transcription",
    5: "the shape of a body",
    6: "the log as a whole",
}
"""What the digit behind `SG` says."""


@click.command()
@click.argument("chosen", nargs=-1, metavar="[CODES]...")
@formats(click.option, "text", "json", "markdown", help="How the rules are shown.")
@COLOR
def rules(*, chosen: tuple[str, ...], style: str, color: str) -> None:
    """List the rules.

    All, or those with these codes, prefixes (SG1) or names.
    """
    wanted = codes(selectors(chosen)) if chosen else None
    found = [rule for rule in RULES if wanted is None or rule.code in wanted]
    out = stdout()
    if style == "json":
        out.write(f"{json.dumps([as_dict(rule) for rule in found], indent=2)}\n")
    elif style == "markdown":
        out.write(as_markdown(found))
    else:
        appearance = look(out, color)
        for line in _table(found, appearance):
            out.write(f"{line.render(color=appearance.color)}\n")


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


def _table(chosen: Iterable[Rule], appearance: Look) -> Iterator[TextLine]:
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
            for text in wrap(rule.summary, appearance.columns - indent):
                yield TextLine(" " * indent).add(text)
