"""`segue generate`: write a made-up log, with mistakes on request."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TextIO

import click

from segue.analysis.simulate import MORNING, GeneratedLine, generate as make_lines, write
from segue.cli.errors import print_error
from segue.cli.options import (
    COUNT,
    MESSAGES,
    POSITIVE,
    SHARE,
    Params,
    command,
    option,
    parse_time,
    selectors,
)
from segue.cli.terminal import stdout
from segue.cli.user_files import refuse_dash, refuse_pipe
from segue.core.errors import ConfigurationError
from segue.report.plurals import pluralize

_OPTIONS: Final = (
    click.Argument(["log"], default="-"),
    option("--truth FILE", "Write what must be found to this file, as JSON lines."),
    option(
        "--seed", "The same seed gives the same log, another one other ids.", type=int, default=0
    ),
    option(
        "--conversations N",
        "How many conversations.  [default: 100, or as many as --lines takes]",
        type=COUNT,
    ),
    option("--lines N", "About how many lines at least.", type=COUNT),
    option("--mistakes SHARE", "Conversations with a mistake, 0 to 1.", type=SHARE, default=0.05),
    option("--rules CODES...", "Rules to break, in turn.  [default: all]"),
    option("--open-at-once N", "How many are interleaved.", type=POSITIVE, default=50),
    option("--messages MEAN", "Messages between two events.", type=MESSAGES, default=2.5),
    option("--start TIME", "When the log begins (ISO 8601)."),
    option("--no-transcription", "All conversations are chats."),
    option("--no-notes", "Nothing that is reported as a note."),
    option("--no-spellings", "Only canonical spellings."),
    option("--bare", "Bodies without envelopes, so without times."),
    option("--delivery-ids", "Give every delivery an id."),
    option("--calls", "Outbound calls, with their notifications (rules SG701 to SG711)."),
)

_PASSED: Final = (
    "conversations",
    "lines",
    "mistakes",
    "open_at_once",
    "messages",
    "delivery_ids",
    "calls",
)
"""The options that are passed to `make_lines` unchanged, under their own names."""


@command(*_OPTIONS)
def generate(params: Params) -> None:
    """Write a made-up log, with mistakes on request.

    LOG is a file, or standard output when it is left out.
    """
    log, truth = params["log"], params["truth"]
    for path in filter(None, (None if log == "-" else log, truth)):
        refuse_pipe(Path(path))
    if truth is not None:
        refuse_dash(Path(truth))
        if Path(truth).absolute() == Path(log).absolute():
            raise ConfigurationError(f"{log} is the log: give --truth another file")
    lines = make_lines(
        params["seed"],
        **{name: params[name] for name in _PASSED},
        rules=selectors(params["rules"]),
        transcription=not params["no_transcription"],
        notes=not params["no_notes"],
        spellings=not params["no_spellings"],
        envelopes=not params["bare"],
        start=parse_time("--start", params["start"]) if params["start"] else MORNING,
    )
    if log == "-":
        write(os.devnull, _shown(lines, stdout()), truth)
        return
    try:
        count = write(log, lines, truth)
    except OSError as error:
        msg = f"{error.filename or log} cannot be written: {error.strerror or error}"
        raise ConfigurationError(msg) from error
    print_error(f"{pluralize(count, 'line')} written to {log}")


def _shown(lines: Iterable[GeneratedLine], out: TextIO) -> Iterator[GeneratedLine]:
    for line in lines:
        out.write(f"{line.text}\n")
        yield line
