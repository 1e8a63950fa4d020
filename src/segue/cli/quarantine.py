"""`segue quarantine`: list, show, replay and drop bodies that were received but not applied."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

from segue.cli.errors import print_error
from segue.cli.feed_view import finding_lines
from segue.cli.options import HELP_NAMES, Params, command, format_option, option
from segue.cli.store_address import STORE, existing_processor
from segue.cli.terminal import Output
from segue.cli.user_files import writing
from segue.core.errors import ConfigurationError
from segue.core.options import closest
from segue.report.styled_text import TextLine
from segue.server.processor import DeliveryOutcome, Processor, Quarantined

_PAGE: Final = 100
_APPLIED: Final = frozenset({DeliveryOutcome.APPLIED, DeliveryOutcome.DUPLICATE})

_NUMBER: Final = click.IntRange(1, 2**63 - 1)
"""The parameter type for the number of a stored body."""
_CHOICE: Final = (
    STORE,
    click.Argument(["numbers"], nargs=-1, type=_NUMBER, metavar="NUMBER..."),
    option("--all", "All that are there now."),
)


class _Group(click.Group):
    """A group whose error message for an unknown command lists the commands."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name, or fail if there is none."""
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing:
            hint = closest(cmd_name, self.commands, f"use one of {', '.join(self.commands)}")
            ctx.fail(f"unknown command {cmd_name!r}: {hint}")
        return found


@click.group(cls=_Group, no_args_is_help=False, context_settings=HELP_NAMES)
def quarantine() -> None:
    """List, replay or drop bodies that the server refused.

    Every body that a server answers with 400 or 422 is stored. Correct what was wrong and replay
    it, or drop it.
    """


@quarantine.add_command
@command(STORE, format_option("text", "jsonl", text="How bodies are listed."))
def _list(params: Params) -> None:
    """List the bodies, oldest first."""
    output = Output(params)
    with existing_processor(params["store"]) as processor:
        for item in _all(processor):
            if params["format"] == "jsonl":
                output.write_json(_facts(item))
            else:
                output.write_lines([_row(item)])


@quarantine.add_command
@command(
    STORE,
    click.Argument(["number"], type=_NUMBER),
    option("--output FILE", "Write the body to this file, as it was sent."),
)
def _show(params: Params) -> None:
    """Show one body, and why it was not applied."""
    with existing_processor(params["store"]) as processor:
        item = _one(processor, params["number"])
    output = Output(params)
    for name, value in _facts(item).items():
        text = ", ".join(value) if isinstance(value, list) else "-" if value is None else str(value)
        output.write_lines([TextLine(f"{name}: {text}")])
    if params["output"] is not None:
        with writing(Path(params["output"])) as stream:
            stream.write(item.body)
        return
    body = item.body.decode("utf-8", "backslashreplace")
    output.write_lines([TextLine(), *map(TextLine, body.splitlines())])


@quarantine.add_command
@command(*_CHOICE)
def _replay(params: Params) -> int:
    """Apply bodies again, as if they were received now.

    What is not applied this time is stored again, under a new number. A server with callbacks
    should do this itself: none are called for what is applied here.

    Exit codes: 0 all were applied, 1 some were not, 2 could not run.
    """
    output = Output(params)
    failed = False
    with existing_processor(params["store"]) as processor:
        for item in _chosen(processor, params):
            try:
                receipt = processor.resubmit(item)
            except ConfigurationError as error:  # the other bodies are applied
                print_error(str(error))
                failed = True
                continue
            failed |= receipt.outcome not in _APPLIED
            conversation = receipt.conversation_id or "-"
            findings = {"findings": [finding.to_dict() for finding in receipt.findings]}
            line = TextLine(f"{item.number}  {receipt.outcome.value}  {conversation}")
            output.write_lines([line, *finding_lines(findings)])
    return int(failed)


@quarantine.add_command
@command(*_CHOICE)
def _drop(params: Params) -> None:
    """Remove bodies for good."""
    output = Output(params)
    with existing_processor(params["store"]) as processor:
        for item in _chosen(processor, params):
            processor.discard(item.number)
            output.write(f"{item.number} dropped\n")


def _chosen(processor: Processor, params: Params) -> Sequence[Quarantined]:
    """Return the quarantined bodies with the given numbers, or all of them with `--all`.

    Raise `ConfigurationError` if a body is missing, or unless exactly one of the two is given.
    """
    numbers: Sequence[int] = params["numbers"]
    if params["all"] == bool(numbers):
        raise ConfigurationError(
            "give either the numbers of bodies (see segue quarantine list), or --all"
        )
    once = dict.fromkeys(numbers)
    return [_one(processor, each) for each in once] if once else list(_all(processor))


def _one(processor: Processor, number: int) -> Quarantined:
    for item in processor.quarantined(after=number - 1, limit=1):
        if item.number == number:
            return item
    raise ConfigurationError(f"there is no quarantined body {number}: see segue quarantine list")


def _all(processor: Processor) -> Iterator[Quarantined]:
    after = 0
    while page := processor.quarantined(after=after, limit=_PAGE):
        yield from page
        after = page[-1].number


def _facts(item: Quarantined) -> dict[str, Any]:
    return {
        "number": item.number,
        "received_at": item.received_at.isoformat(),
        "reason": item.reason,
        "codes": list(item.codes),
        "endpoint": item.endpoint,
        "bot_id": item.bot_id or None,
        "conversation_id": item.conversation_id,
        "delivery_id": item.delivery_id,
        "bytes": item.size,
    }


def _row(item: Quarantined) -> TextLine:
    codes = " ".join(item.codes) or "-"
    when = item.received_at.isoformat(timespec="seconds")
    line = TextLine(f"{item.number:>5}  {when}  {item.reason:<12}  {codes}")
    return line.add(f"  {item.bot_id or '-'}  {item.conversation_id or '-'}  {item.size} bytes")
