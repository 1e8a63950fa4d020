"""`segue rules`, `segue explain` and `segue graph`: the rules, their pages, and the lifecycle.

Each command imports the modules that only it needs, so that all of them start fast.
"""

import shutil
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

import click

from segue.cli.options import Params, command, format_option, selectors, show_option
from segue.cli.terminal import COLOR, Output, stdout
from segue.core.errors import ConfigurationError, UnknownRule
from segue.core.findings import BY_CODE, RULES, Rule, codes

if TYPE_CHECKING:
    from segue.report.styled_text import TextLine

FAMILIES: Final = {
    1: "the order of events",
    2: "who is present",
    3: "what stays the same within a conversation",
    4: "transcription",
    5: "the shape of a body",
    6: "the log as a whole",
    7: "calls and callbacks",
}
"""The titles of the rule families, by the first digit of a code."""


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
        output.write_json([_as_dict(rule) for rule in found], indent=2)
    elif params["format"] == "markdown":
        output.write(as_markdown(found))
    else:
        output.write_lines(_table(found, output.look.columns))


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
    from segue.report.explanation import explanation_lines  # noqa: PLC0415 - checks example logs
    from segue.report.pages import sections, titled  # noqa: PLC0415 - only explain needs it

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
        page = {**_as_dict(rule), "sections": sections(rule)}
        output.write_json(page, indent=2)
    else:
        output.write_lines(explanation_lines(rule, output.look))


@command(
    format_option(
        "mermaid", "dot", "svg", text="How it is drawn; svg needs the program dot of Graphviz."
    ),
    show_option(
        "--offences", "Draw also how the check continues after an event that breaks a rule."
    ),
)
def graph(params: Params) -> None:
    """Draw the lifecycle."""
    from segue.core.lifecycle.diagram import dot, mermaid  # noqa: PLC0415 - only graph needs it

    draw = mermaid if params["format"] == "mermaid" else dot
    text = draw(offences=params["offences"])
    stdout().write(_svg(text) if params["format"] == "svg" else text)


def as_markdown(chosen: Iterable[Rule], link: str = "") -> str:
    """Return a Markdown table of rules with code, name, severity and summary.

    `link` is the target of links from the codes, with `{}` in place of the code, such as `{}.md`.
    By default there are no links.
    """
    rows = ["| code | name | severity | what it reports |", "|---|---|---|---|"]
    for rule in chosen:
        code = f"[{rule.code}]({link.format(rule.code)})" if link else rule.code
        rows.append(f"| {code} | {rule.name} | {rule.severity.value} | {rule.summary} |")
    return "".join(f"{row}\n" for row in rows)


def _as_dict(rule: Rule) -> dict[str, str]:
    """Return code, name, severity, summary and specification of a rule as a JSON object."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "specification": rule.spec,
    }


def _table(chosen: Iterable[Rule], columns: int) -> "Iterator[TextLine]":
    from segue.report.styled_text import TONES, TextLine, Tone, wrap  # noqa: PLC0415 - loads rich

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


def _svg(text: str) -> str:
    """Return the SVG that Graphviz draws for a graph in the DOT language.

    Raise `ConfigurationError` if Graphviz is not installed or fails.
    """
    from segue.cli.programs import run_program  # noqa: PLC0415 - only SVG needs it

    program = shutil.which("dot")
    if program is None:
        msg = "svg needs the program dot: install Graphviz, or use --format mermaid or dot"
        raise ConfigurationError(msg)
    done = run_program([program, "-Tsvg"], text)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise ConfigurationError(f"the program dot failed: {reason}")
    return done.stdout
