"""`segue graph`: the lifecycle as a diagram, drawn from the table the check reads."""

import shutil
import subprocess

import click

from segue.cli.option_groups import formats
from segue.cli.terminal import stdout
from segue.errors import ConfigurationError
from segue.lifecycle.diagram import dot, mermaid

__all__ = ["graph"]


@click.command()
@formats(
    click.option,
    "mermaid",
    "dot",
    "svg",
    help="How it is drawn; svg needs the program dot of Graphviz.",
)
@click.option("--offences", is_flag=True, help="Draw how the check goes on after an offence, too.")
def graph(*, style: str, offences: bool) -> None:
    """Draw the lifecycle."""
    if style == "mermaid":
        text = mermaid(offences=offences)
    elif style == "dot":
        text = dot(offences=offences)
    else:
        text = _svg(dot(offences=offences))
    stdout().write(text)


def _svg(text: str) -> str:
    program = shutil.which("dot")
    if program is None:
        msg = "svg needs the program dot: install Graphviz, or use --format mermaid or dot"
        raise ConfigurationError(msg)
    done = subprocess.run(  # noqa: S603 - the program found above, given our own text
        [program, "-Tsvg"], input=text, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        msg = f"the program dot failed: {reason}"
        raise ConfigurationError(msg)
    return done.stdout
