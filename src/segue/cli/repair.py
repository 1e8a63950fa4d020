"""`segue repair`: the smallest edit that makes each conversation valid, shown or written.

It decides how a log is edited: line by line, and only lines that must change.  House rules: the log
is read once to see which conversations want repair, once for their lines, and once more to write;
what cannot be edited without guessing (other people's lines, standard input, several logs at once)
is refused before anything is written.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from segue.cli.config import settings_of
from segue.cli.line_lookup import Found, is_table, lines_about, lines_with
from segue.cli.log_input import Reading, size_of
from segue.cli.option_groups import Sectioned, formats, section
from segue.cli.options import log_options
from segue.cli.outputs import Outlet
from segue.cli.problem import complain
from segue.cli.progress import Progress
from segue.cli.terminal import COLOR, is_terminal, look, stdout
from segue.errors import ConfigurationError
from segue.findings import DEFAULT
from segue.repairs import Repair, is_repairable, written
from segue.repairs import repair as mend
from segue.report.plurals import pluralize
from segue.report.repair_diff import repair_lines

__all__ = ["repair"]

_show = section("What is shown")
_count = section("What is repaired")


@click.command(cls=Sectioned)
@formats(_show, "full", "json", "jsonl", help="How repairs are shown.")
@COLOR
@_show("--quiet", "-q", is_flag=True, help="No summary and no progress.")
@_count("--strict", is_flag=True, help="Settle warnings and notes as well.")
@_count("--write", "target", metavar="FILE", help="Write the corrected log to this file.")
@log_options
def repair(**given: Any) -> int:  # noqa: ANN401 - click's own
    """Find the smallest edit that makes each conversation valid.

    Repaired are the order of events and who is present (families 1 and 2 of the rules). What is
    wrong with the shape of a delivery, its envelope or the transcription is left as it is.

    Exit codes: 0 nothing to repair, 1 repairs found, 2 could not run, 130 interrupted.
    """
    settings = settings_of(given)
    reading = Reading(given, settings, DEFAULT)
    _refuse(reading, given["target"])
    watched = is_terminal(sys.stderr) and not given["quiet"]
    progress = Progress(size_of(reading.logs), sys.stderr if watched else None)
    out = stdout()
    outlet = Outlet(out, progress, flush=out.isatty())
    style, appearance = given["style"], look(out, given["color"])
    edited: dict[int, list[bytes]] = {}
    count = edits = cost = 0
    for found in _wanting(reading, progress, strict=given["strict"]):
        done = mend(found.deliveries, partial=reading.options.partial, strict=given["strict"])
        count, edits, cost = count + 1, edits + len(done.edits), cost + done.cost
        if style == "full":
            lines = repair_lines(done, appearance)
            outlet.write("".join(f"{line.render(color=appearance.color)}\n" for line in lines))
        else:
            before = "[\n" if count == 1 else ",\n"
            text = json.dumps(done.to_dict())
            outlet.write(f"{text}\n" if style == "jsonl" else f"{before}{text}")
        if given["target"]:
            edited |= _edited(found, done)
    progress.wipe()
    if style == "json":
        outlet.write("\n]\n" if count else "[]\n")
    if style == "full" and not given["quiet"]:
        outlet.write(_summary(count, edits, cost))
    if given["target"]:
        _write(Path(given["target"]), reading.logs[0], edited)
    return int(count > 0)


def _refuse(reading: Reading, target: str | None) -> None:
    """Say what cannot be repaired, or not be written."""
    if "-" in reading.logs or reading.is_sorted:
        msg = (
            "repair reads a log more than once and in the order it has: give files, no - or --sort"
        )
        raise ConfigurationError(msg)
    if target is None:
        return
    if len(reading.logs) != 1:
        msg = "--write takes one log at a time"
        raise ConfigurationError(msg)
    if reading.options.field_mapping is not None:
        msg = (
            "--write edits lines of E21 bodies and their envelopes, and does not know how to write "
            "lines of another layout: leave --write out"
        )
        raise ConfigurationError(msg)
    if is_table(reading.logs[0]):
        msg = f"--write edits lines, and {reading.logs[0]} is a table: leave --write out"
        raise ConfigurationError(msg)
    if Path(target).exists() and Path(target).samefile(reading.logs[0]):
        msg = f"{target} is the log itself: give --write another file"
        raise ConfigurationError(msg)


def _wanting(reading: Reading, progress: Progress, *, strict: bool) -> Iterator[Found]:
    """Yield the conversations that want repair, in the order of the check."""
    wanted = [
        report.conversation_id
        for report in reading.reports(progress)
        if report.conversation_id is not None
        and any(is_repairable(finding, strict=strict) for finding in report.findings)
    ]
    progress.wipe()
    yield from lines_about(reading, list(dict.fromkeys(wanted)))


def _edited(found: Found, done: Repair) -> dict[int, list[bytes]]:
    """Return what takes the place of each line of a conversation that does not stay."""
    edited: dict[int, list[bytes]] = {line: [] for line in found.lines}
    waiting: list[bytes] = []
    last = found.lines[-1]
    for sheet, thing in zip(
        done.sheets, written(done.sheets, found.raws, done.deliveries), strict=True
    ):
        assert isinstance(thing, bytes)  # noqa: S101 - lines were given
        text = thing if thing.endswith(b"\n") else thing + b"\n"
        waiting.append(text if sheet.body is not None else thing)
        if not sheet.is_new:
            last = found.lines[sheet.like]
            edited[last] += waiting
            waiting = []
    edited[last] += waiting
    return {
        line: new
        for line, raw, new in zip(found.lines, found.raws, edited.values(), strict=True)
        if new != [raw]
    }


def _write(target: Path, log: str, edited: Mapping[int, list[bytes]]) -> None:
    try:
        with target.open("wb") as stream:
            changed = _copy(stream, log, edited)
    except OSError as error:
        msg = f"{target} cannot be written: {error.strerror or error}"
        raise ConfigurationError(msg) from error
    complain(f"{pluralize(changed, 'line')} changed in {target}")


def _copy(stream: BinaryIO, log: str, edited: Mapping[int, list[bytes]]) -> int:
    is_open = False
    for line, raw in lines_with(log):
        for text in edited.get(line, [raw]):
            stream.write(b"\n" + text if is_open else text)
            is_open = not text.endswith(b"\n")
    return len(edited)


_NOTHING: Final = "nothing to repair\n"


def _summary(count: int, edits: int, cost: int) -> str:
    if not count:
        return _NOTHING
    repaired = f"{pluralize(count, 'conversation')} repaired"
    return f"{repaired} with {pluralize(edits, 'edit')}, cost {cost}\n"
