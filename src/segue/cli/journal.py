"""`segue journal`: the deliveries in a store, as a log that `segue check` reads."""

from segue.cli.options import Params, command, option_group
from segue.cli.store_address import STORE, existing_processor
from segue.cli.terminal import stdout
from segue.report.escape import visible


@command(STORE, option_group("Options")("--conversation ID", "Only this conversation."))
def journal(params: Params) -> None:
    """Write the deliveries in a store as a log.

    One line for each delivery that was applied, in order. segue check on it finds what the server
    found.
    """
    out = stdout()
    is_terminal = out.isatty()
    with existing_processor(params["store"]) as processor:
        for line in processor.export(params["conversation"]):
            out.write(f"{visible(line) if is_terminal else line}\n")
