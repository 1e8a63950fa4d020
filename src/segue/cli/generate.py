"""`segue generate`: a made-up log, with mistakes on request."""

import os
from collections.abc import Iterable, Iterator
from datetime import UTC
from typing import Any, Final, TextIO

import click

from segue.cli.option_groups import options
from segue.cli.options import at, selectors
from segue.cli.problem import complain
from segue.cli.terminal import stdout
from segue.errors import ConfigurationError
from segue.report.plurals import pluralize
from segue.simulate import MORNING, Line, write
from segue.simulate import generate as make_up

__all__ = ["generate"]

_OPTIONS: Final = (
    click.argument("log", default="-"),
    click.option(
        "--truth", metavar="FILE", help="Write what must be found to this file, as JSON lines."
    ),
    click.option(
        "--seed", type=int, default=0, show_default=True, help="The same seed gives the same log."
    ),
    click.option(
        "--conversations",
        type=click.IntRange(min=0),
        metavar="N",
        help="How many conversations.  [default: 100, or as many as --lines takes]",
    ),
    click.option(
        "--lines", type=click.IntRange(min=0), metavar="N", help="About how many lines at least."
    ),
    click.option(
        "--mistakes",
        type=click.FloatRange(0, 1),
        default=0.05,
        show_default=True,
        metavar="SHARE",
        help="Share of conversations with a mistake, from 0 to 1.",
    ),
    click.option(
        "--rules", multiple=True, metavar="CODES", help="Rules to offend, in turn.  [default: all]"
    ),
    click.option(
        "--open-at-once",
        type=click.IntRange(min=1),
        default=50,
        show_default=True,
        metavar="N",
        help="How many conversations are interleaved.",
    ),
    click.option(
        "--messages",
        type=click.FloatRange(min=0),
        default=2.5,
        show_default=True,
        metavar="MEAN",
        help="Messages between two events.",
    ),
    click.option("--start", metavar="TIME", help="When the log begins (ISO 8601)."),
    click.option("--no-transcription", is_flag=True, help="All conversations are chats."),
    click.option("--no-notes", is_flag=True, help="Nothing that is reported as a note."),
    click.option("--no-spellings", is_flag=True, help="Only canonical spellings."),
    click.option("--bare", is_flag=True, help="Bodies without envelopes, so without times."),
    click.option("--delivery-ids", is_flag=True, help="Give every delivery an id."),
)


@click.command()
@options(_OPTIONS)
def generate(**given: Any) -> None:  # noqa: ANN401 - click's own
    """Write a made-up log, with mistakes on request.

    LOG is a file, or standard output when it is left out.
    """
    start = at("--start", given["start"], UTC)
    lines = make_up(
        given["seed"],
        conversations=given["conversations"],
        lines=given["lines"],
        mistakes=given["mistakes"],
        rules=selectors(given["rules"]),
        open_at_once=given["open_at_once"],
        messages=given["messages"],
        transcription=not given["no_transcription"],
        notes=not given["no_notes"],
        spellings=not given["no_spellings"],
        envelopes=not given["bare"],
        delivery_ids=given["delivery_ids"],
        start=start or MORNING,
    )
    log = given["log"]
    if log == "-":
        write(os.devnull, _shown(lines, stdout()), given["truth"])
        return
    try:
        count = write(log, lines, given["truth"])
    except OSError as error:
        msg = f"{error.filename} cannot be written: {error.strerror or error}"
        raise ConfigurationError(msg) from error
    complain(f"{pluralize(count, 'line')} written to {log}")


def _shown(lines: Iterable[Line], out: TextIO) -> Iterator[Line]:
    for line in lines:
        out.write(f"{line.text}\n")
        yield line
