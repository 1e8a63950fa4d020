"""`segue journal`: what a store has taken in, as a log that `segue check` reads."""

import click

from segue.cli.store_url import STORE, processor_of
from segue.cli.terminal import stdout
from segue.report.escape import visible

__all__ = ["journal"]


@click.command()
@STORE
@click.option("--conversation", metavar="ID", help="Only this conversation.")
def journal(*, store: str | None, conversation: str | None) -> None:
    """Write the deliveries that a store keeps, as a log.

    One line for each that was applied, in order. segue check on it finds what the server found.
    """
    out = stdout()
    is_watched = out.isatty()
    with processor_of(store) as processor:
        for line in processor.export(conversation):
            out.write(f"{visible(line) if is_watched else line}\n")
