"""`segue graph`: the lifecycle as a diagram, drawn from the table the check reads."""

import shutil
import subprocess

import click

from segue.errors import ConfigurationError
from segue.lifecycle.diagram import dot, mermaid

__all__ = ["graph"]


@click.command()
@click.option(
    "--format",
    "style",
    type=click.Choice(["mermaid", "dot", "svg"]),
    default="mermaid",
    show_default=True,
    help="svg needs the program dot of Graphviz.",
)
@click.option("--offences", is_flag=True, help="Show how the check goes on after an offence, too.")
def graph(*, style: str, offences: bool) -> None:
    """Draw the lifecycle."""
    if style == "mermaid":
        click.echo(mermaid(offences=offences), nl=False)
        return
    text = dot(offences=offences)
    if style == "svg":
        program = shutil.which("dot")
        if program is None:
            msg = "svg needs the program dot: install Graphviz, or take --format mermaid"
            raise ConfigurationError(msg)
        done = subprocess.run(  # noqa: S603 - the program found above, our own text
            [program, "-Tsvg"], input=text, text=True, capture_output=True, check=True
        )
        text = done.stdout
    click.echo(text, nl=False)
