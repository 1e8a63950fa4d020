"""`segue journal`, `segue doctor` and `segue purge`: export, repair and clean up a store."""

from segue.cli.errors import print_error
from segue.cli.options import Params, command, option, parse_moment
from segue.cli.store_address import STORE, existing_processor
from segue.cli.terminal import stdout
from segue.core.errors import ConfigurationError
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


@command(
    STORE,
    option("--dry-run", "Mend nothing."),
)
def doctor(params: Params) -> int:
    """Say what is damaged in a store, and mend it.

    Each conversation is read whole. One that cannot be read is made anew from its deliveries in the
    journal.

    Exit codes: 0 nothing is damaged, 1 something is or was, 2 could not run, 130 interrupted.
    """
    out, count = stdout(), 0
    with existing_processor(params["store"]) as processor:
        for damage in processor.examine(is_mending=not params["dry_run"]):
            bot, name = damage.key
            what = "rebuilt from its journal" if damage.is_mended else "not mended"
            text = f"conversation {name} of bot {bot or '-'}: {damage.what}: {what}"
            out.write(f"{visible(text)}\n")
            count += 1
    damaged = f"{pluralize(count, 'conversation')} damaged" if count else "nothing is damaged"
    out.write(f"{damaged}\n")
    return int(count > 0)


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


def _load(params: Params) -> None:
    """Fill an empty store with the log that `segue journal` wrote of another store."""
    from segue.logs.sources import lines_of  # noqa: PLC0415 - the other commands read no logs

    if params["conversation"] or params["bot"]:
        raise ConfigurationError("--load reads a whole log: leave out --conversation and --bot")
    with existing_processor(params["store"], may_be_new=True) as processor:
        loaded = processor.load(lines_of(params["load"]))
    print_error(f"{pluralize(loaded, 'line')} loaded")
