"""`segue graph`: a diagram of the lifecycle table."""

import shutil

from segue.cli.options import Params, command, format_option, show_option
from segue.cli.programs import run_program
from segue.cli.terminal import stdout
from segue.core.errors import ConfigurationError
from segue.core.lifecycle.diagram import dot, mermaid


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
    draw = mermaid if params["format"] == "mermaid" else dot
    text = draw(offences=params["offences"])
    stdout().write(_svg(text) if params["format"] == "svg" else text)


def _svg(text: str) -> str:
    program = shutil.which("dot")
    if program is None:
        msg = "svg needs the program dot: install Graphviz, or use --format mermaid or dot"
        raise ConfigurationError(msg)
    done = run_program([program, "-Tsvg"], text)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise ConfigurationError(f"the program dot failed: {reason}")
    return done.stdout
