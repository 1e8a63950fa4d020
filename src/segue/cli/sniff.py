"""`segue sniff`: show the options that read a log, or write them into the settings."""

from collections.abc import Mapping
from shlex import quote
from typing import Final

import click

from segue.cli.config import configuration, write_settings
from segue.cli.errors import print_error
from segue.cli.folders import files_among
from segue.cli.layouts import (
    MAPPING_OPTIONS,
    NO_TIMES,
    mapping_options,
    mapping_settings,
    only_way,
)
from segue.cli.options import Params, command, option_group
from segue.cli.terminal import Output
from segue.core.errors import UnreadableLog
from segue.logs.field_mapping import FieldMapping
from segue.logs.plan import ReplayOptions
from segue.logs.readability import readable
from segue.logs.sniffing.decision import Sniffed, lacks_times, sniff as sniff_log
from segue.logs.sniffing.evidence import evidence
from segue.logs.sources import lines_of, name_of
from segue.report.escape import visible
from segue.report.styled_text import TextLine, Tone

_FORMS: Final = {
    "json": "JSON lines, or an array",
    "text": "lines of text with JSON in them",
    "csv": "rows of a table",
    "docker": "lines of Docker, some of them in pieces",
}

_sniff = option_group("What is done")


@command(
    click.Argument(["logs"], nargs=-1, required=True, metavar="LOG..."),
    _sniff("--write", "Put the options into the nearest settings, or into segue.toml."),
)
def sniff(params: Params) -> None:
    """Say how a log is read and why: which options its layout needs.

    Other commands use these by themselves if you give none and only one way works. Of
    several logs, the first that has deliveries counts.

    Exit codes: 0 the log can be read, 2 it cannot, or in several ways.
    """
    log, found = _first_readable(files_among(params["logs"]))
    mapping = FieldMapping() if found.is_ordinary else only_way(log, found)
    options = f"{mapping_options(mapping)} ".lstrip()
    shown = " ".join(map(quote, params["logs"]))
    Output(params).write_lines(
        [
            TextLine(f"{name_of(log)}: {_words(log, mapping, found)}"),
            *(TextLine(f"  {visible(each)}", Tone.FAINT) for each in evidence(log, mapping)),
            TextLine(f"segue check {options}{shown}"),
        ]
    )
    if params["write"]:
        _write(mapping_settings(mapping))


def _write(values: Mapping[str, object]) -> None:
    """Write options of the layout to the nearest settings file, in place of earlier ones."""
    if values or configuration().keys() & MAPPING_OPTIONS:
        write_settings({**dict.fromkeys(MAPPING_OPTIONS), **values})
    else:
        print_error("no options are needed, and the settings are unchanged")


def _first_readable(logs: tuple[str, ...]) -> tuple[str, Sniffed]:
    """Return the name and the layout of the first log that can be read.

    Raise `UnreadableLog` if no log has lines that can be read.
    """
    for log in logs:
        found = sniff_log(log)
        if found.is_ordinary or found.ways:
            return log, found
    what = "there are no lines"
    for log in logs:  # broken lines may be deliveries, too
        for line in readable(lines_of(log, None, FieldMapping()), ReplayOptions(), name_of(log)):
            if line.strip():
                return log, Sniffed(is_ordinary=True)
            what = "all lines are blank"
    raise UnreadableLog(f"{', '.join(map(name_of, logs))}: {what}")


def _words(log: str, mapping: FieldMapping, found: Sniffed) -> str:
    if found.is_ordinary:
        return "bodies, or envelopes around them, which need no options"
    parts = [_FORMS[mapping.lines]]
    if mapping.records_at is not None:
        parts.append(
            f"with lists at {mapping.records_at}" if mapping.records_at else "several a line"
        )
    parts.append(f"bodies at {mapping.body_at}" if mapping.body_at else "which hold bodies")
    if mapping.time_at or lacks_times(log, mapping):
        parts.append(f"times at {mapping.time_at}" if mapping.time_at else NO_TIMES)
    return ", ".join(filter(None, parts))
