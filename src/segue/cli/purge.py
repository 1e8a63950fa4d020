"""`segue purge`: old conversations are removed from a store."""

import click

from segue.cli.durations import moment
from segue.cli.store_url import STORE, processor_of
from segue.cli.terminal import stdout
from segue.report.plurals import pluralize

__all__ = ["purge"]


@click.command()
@STORE
@click.option(
    "--before",
    required=True,
    metavar="TIME",
    help="When the last delivery was received: ISO 8601, or an age such as 90d.",
)
def purge(*, store: str | None, before: str) -> None:
    """Remove old conversations from a store.

    With their deliveries and dead letters; one whose callbacks are still due stays. Quarantined
    bodies of that time go as well.
    """
    when = moment("--before", before)
    assert when is not None, "the option is required"  # noqa: S101
    with processor_of(store) as processor:
        removed = processor.purge(when)
    stdout().write(f"{pluralize(removed, 'conversation')} removed\n")
