"""`segue journal`: the deliveries in a store, as a log that `segue check` reads."""

from segue.cli.options import Params, command, option_group
from segue.cli.store_address import STORE, existing_processor
from segue.cli.terminal import stdout
from segue.report.escape import visible

_options = option_group("Options")


@command(
    STORE,
    _options("--conversation ID", "Only this conversation."),
    _options("--bot ID", "The bot it belongs to, if several have one of this id."),
)
def journal(params: Params) -> None:
    """Write the deliveries in a store as a log.

    One line for each delivery that was applied, in order. segue check on it finds what the server
    found.
    """
    out = stdout()
    is_terminal = out.isatty()
    with existing_processor(params["store"]) as processor:
        for line in processor.export(params["conversation"], params["bot"]):
            out.write(f"{visible(line) if is_terminal else line}\n")
