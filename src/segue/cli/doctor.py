"""`segue doctor`: what is damaged in a store, and its repair."""

from segue.cli.options import Params, command, option
from segue.cli.store_address import STORE, existing_processor
from segue.cli.terminal import stdout
from segue.report.escape import visible
from segue.report.plurals import pluralize


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
