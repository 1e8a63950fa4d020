"""`segue dialect`: learn the habits of senders, and propose a policy for them."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from segue.analysis.dialects import Dialects, ProposedPolicy, dialect_note_of, proposed
from segue.cli.config import configuration, policy_of, settings_of, write_settings
from segue.cli.errors import print_error
from segue.cli.log_input import LogInput
from segue.cli.options import LOG_OPTIONS, Params, command, format_option, option_group
from segue.cli.terminal import COLOR, Output
from segue.logs.plan import Detail
from segue.report.dialect_view import dialect_lines

_DAYS: Final = 90
"""The number of days until a proposed ignore expires."""

_dialect = option_group("What is done")


@command(
    format_option("text", "json", text="How habits are shown."),
    COLOR,
    _dialect(
        "--write",
        "Put the policy into the settings, the nearest or those of --config.",
    ),
    *LOG_OPTIONS,
)
def dialect(params: Params) -> None:
    """Learn how senders write, and propose a policy for it.

    What a bot does at least 19 times in 20 is a habit: spellings, optional fields, and findings
    of a rule at a kind of event and a field. The policy requires the fields that are always there
    and ignores the habits for 90 days, and says how many findings that hides. Ignores of the
    settings are not applied.
    """
    settings = settings_of(params)
    policy = policy_of(settings, params)
    shown = {**settings, "ignores": ()}
    log = LogInput(params, shown, policy, detail=Detail(history=False), note=dialect_note_of)
    dialects = Dialects()
    for report in log.reports():
        dialects.add(report)
    found, until = proposed(dialects), datetime.now(UTC).date() + timedelta(days=_DAYS)
    output = Output(params)
    if params["format"] == "json":
        document = {
            "senders": {bot: each.to_dict() for bot, each in sorted(dialects.senders.items())},
            "policy": found.to_dict(until),
        }
        output.write_json(document, indent=2)
    else:
        output.write_lines(dialect_lines(dialects, found, until))
    if params["write"]:
        _write(found, until, Path(params["config"]) if params["config"] else None)


def _write(found: ProposedPolicy, until: date, path: Path | None) -> None:
    """Add the proposed policy to the settings file at `path`, by default to the nearest one.

    The ignores that the policy adds are valid until the date `until`.
    """
    known = configuration(path)
    texts = [ignore.text(until) for ignore in found.ignores]
    added = {"require": list(found.require), "ignores": texts}
    values = {
        key: list(dict.fromkeys([*known.get(key, ()), *more]))
        for key, more in added.items()
        if more
    }
    if values:
        write_settings(values, path)
    else:
        print_error("no policy is proposed, and nothing was written")
