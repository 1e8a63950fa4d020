"""`segue generate`: a made-up log, with mistakes on request."""

from pathlib import Path
from typing import Any

import click

from segue.cli.options import at, listed
from segue.simulate import MORNING, generate as made_up, write
from datetime import UTC

__all__ = ["generate"]


@click.command()
@click.argument("log", metavar="LOG")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same log.")
@click.option("--conversations", type=click.IntRange(min=0), default=100, show_default=True, help="How many.")
@click.option(
    "--mistakes",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="Share of conversations with a mistake.",
)
@click.option("--rules", multiple=True, metavar="CODES", help="Rules to offend. Default: all, in turn.")
@click.option("--open-at-once", type=click.IntRange(min=1), default=50, show_default=True, help="Conversations open at the same time.")
@click.option("--messages", type=click.FloatRange(min=0.01), default=2.5, show_default=True, help="Messages between two events, on average.")
@click.option("--start", metavar="TIME", help="When the log begins (ISO 8601).")
@click.option("--no-transcription", is_flag=True, help="Chats only, without transcription.")
@click.option("--truth", metavar="FILE", help="Write what was planted to this file, as JSON lines.")
def generate(**given: Any) -> None:  # noqa: ANN401 - click's own
    """Write a made-up log of realistic conversations; some with a mistake."""
    lines = made_up(
        given["seed"],
        conversations=given["conversations"],
        mistakes=given["mistakes"],
        rules=listed(given["rules"]),
        open_at_once=given["open_at_once"],
        messages=given["messages"],
        transcription=not given["no_transcription"],
        start=at("--start", given["start"], UTC) or MORNING,
    )
    truth = Path(given["truth"]) if given["truth"] else None
    count = write(Path(given["log"]), lines, truth)
    click.echo(f"{count} lines in {given['log']}", err=True)
