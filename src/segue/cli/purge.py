"""`segue purge`: removes old conversations from a store."""

from segue.cli.options import Params, command, option, parse_moment
from segue.cli.store_address import STORE, existing_processor
from segue.cli.terminal import stdout
from segue.report.plurals import pluralize


@command(
    STORE,
    option(
        "--before TIME",
        "When the last delivery was received: ISO 8601, or an age such as 90d.",
        required=True,
    ),
)
def purge(params: Params) -> None:
    """Remove old conversations from a store.

    Their deliveries go as well, callbacks that were given up, and refused bodies of that time.
    Conversations with callbacks that are still due stay.
    """
    when = parse_moment("--before", params["before"])
    with existing_processor(params["store"]) as processor:
        removed = processor.purge(when)
    stdout().write(f"{pluralize(removed, 'conversation')} removed\n")
