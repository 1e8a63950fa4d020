"""`segue journal`: the deliveries in a store, as a log that `segue check` reads, and back."""

from segue.cli.errors import print_error
from segue.cli.options import Params, command, option
from segue.cli.store_address import STORE, existing_processor
from segue.cli.terminal import stdout
from segue.core.errors import ConfigurationError
from segue.logs import lines_of
from segue.report.escape import visible
from segue.report.plurals import pluralize


@command(
    STORE,
    option("--conversation ID", "Only this conversation."),
    option("--bot ID", "The bot it belongs to, if several have one of this id."),
    option("--load FILE", "Read such a log into a new store, with its times."),
)
def journal(params: Params) -> None:
    """Write the deliveries in a store as a log.

    One line for each delivery that was applied, in order. segue check on it finds what the server
    found. With --load, the log of one store fills another one that is empty, of any kind.
    """
    if params["load"]:
        _load(params)
        return
    out = stdout()
    is_terminal = out.isatty()
    with existing_processor(params["store"]) as processor:
        for line in processor.export(params["conversation"], params["bot"]):
            out.write(f"{visible(line) if is_terminal else line}\n")


def _load(params: Params) -> None:
    if params["conversation"] or params["bot"]:
        raise ConfigurationError("--load reads a whole log: leave out --conversation and --bot")
    with existing_processor(params["store"], may_be_new=True) as processor:
        loaded = processor.load(lines_of(params["load"]))
    print_error(f"{pluralize(loaded, 'line')} loaded")
