"""`segue quarantine`: bodies that were answered but not applied: looked at, tried again, dropped.

It decides what is shown of a body, and the exit code.  House rules: what senders wrote is made
safe to show, unless it is written to a file; what is not there is our user's mistake.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

from segue.cli.feed_view import findings_of
from segue.cli.option_groups import formats
from segue.cli.store_url import STORE, processor_of
from segue.cli.terminal import stdout
from segue.errors import ConfigurationError
from segue.processor import DeliveryOutcome, Processor, Quarantined
from segue.report.styled_text import TextLine

__all__ = ["quarantine"]

_PAGE: Final = 100
_NUMBERS: Final = click.argument(
    "numbers", nargs=-1, type=click.IntRange(min=1), metavar="NUMBER..."
)
_APPLIED: Final = frozenset({DeliveryOutcome.APPLIED, DeliveryOutcome.DUPLICATE})


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def quarantine() -> None:
    """Look after bodies that were answered but not applied.

    Whatever a server answers with 400 or 422 is kept. Mend what was wrong and replay it, or drop
    it.
    """


@quarantine.command("list")
@STORE
@formats(click.option, "text", "jsonl", help="How bodies are listed.")
def list_(*, store: str | None, style: str) -> None:
    """List the bodies, oldest first."""
    out = stdout()
    with processor_of(store) as processor:
        for item in _all(processor):
            line = json.dumps(_facts(item)) if style == "jsonl" else _row(item).render()
            out.write(f"{line}\n")


@quarantine.command()
@STORE
@click.argument("number", type=click.IntRange(min=1))
@click.option("--output", metavar="FILE", help="Write the body to this file, as it was sent.")
def show(*, store: str | None, number: int, output: str | None) -> None:
    """Show one body, and why it is there."""
    with processor_of(store) as processor:
        item = _one(processor, number)
    out = stdout()
    for name, value in _facts(item).items():
        text = ", ".join(value) if isinstance(value, list) else "-" if value is None else str(value)
        out.write(f"{TextLine(f'{name}: {text}').render()}\n")
    if output is not None:
        Path(output).write_bytes(item.body)
        return
    out.write("\n")
    for text in item.body.decode("utf-8", "backslashreplace").splitlines():
        out.write(f"{TextLine(text).render()}\n")


@quarantine.command()
@STORE
@_NUMBERS
@click.option("--all", "is_all", is_flag=True, help="All that are there now.")
def replay(*, store: str | None, numbers: Sequence[int], is_all: bool) -> int:
    """Send bodies once more, as if they came now.

    What is not applied this time either goes back, under a new number. A server with callbacks of
    its own should do this itself: none are called for what is applied here.

    Exit codes: 0 all were applied, 1 some were not, 2 could not run.
    """
    out = stdout()
    failed = False
    with processor_of(store) as processor:
        for item in _chosen(processor, numbers, is_all=is_all):
            answer = processor.resubmit(item)
            failed |= answer.outcome not in _APPLIED
            line = TextLine(
                f"{item.number}  {answer.outcome.value}  {answer.conversation_id or '-'}"
            )
            out.write(f"{line.render()}\n")
            told = {"findings": [finding.to_dict() for finding in answer.findings]}
            out.writelines(f"{each.render()}\n" for each in findings_of(told))
    return int(failed)


@quarantine.command()
@STORE
@_NUMBERS
@click.option("--all", "is_all", is_flag=True, help="All that are there now.")
def drop(*, store: str | None, numbers: Sequence[int], is_all: bool) -> None:
    """Forget bodies for good."""
    with processor_of(store) as processor:
        for item in _chosen(processor, numbers, is_all=is_all):
            processor.discard(item.number)
            stdout().write(f"{item.number} dropped\n")


def _chosen(processor: Processor, numbers: Sequence[int], *, is_all: bool) -> list[Quarantined]:
    """Return what is asked for; all of it is there before anything is done."""
    if is_all == bool(numbers):
        raise ConfigurationError("say which: numbers of segue quarantine list, or --all")
    return list(_all(processor)) if is_all else [_one(processor, number) for number in numbers]


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
