"""`segue export`: a log in a format of other people's tools.

It decides where an export goes, and what becomes of conversations that a format cannot tell.
House rules: a file is complete or not there; a conversation that is left out is named; when not one
can be told, the run has failed and says how to mend that.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

import click

from segue.cli.config import settings_of
from segue.cli.log_input import Reading, size_of
from segue.cli.option_groups import Sectioned, section
from segue.cli.options import log_options
from segue.cli.outputs import Outlet, opened, whole
from segue.cli.problem import complain
from segue.cli.progress import Progress
from segue.cli.terminal import is_terminal, stdout
from segue.conversation import Report
from segue.errors import ConfigurationError
from segue.export import FORMATS, Exporter
from segue.findings import DEFAULT
from segue.report.plurals import pluralize

__all__ = ["export"]

_MOST: Final = 20
"""Conversations left out that are named."""
_MENDING: Final = "give the log times: received_at in an envelope, or --time-at POINTER"

_what = section("What is written")


@click.command(cls=Sectioned)
@_what("--to", "to", type=click.Choice(list(FORMATS)), required=True, help="The format.")
@_what(
    "--output",
    metavar="FILE",
    help="Write to this file; of vcon also to a folder, DIR/, a file for each conversation.",
)
@_what("--include-text", is_flag=True, help="Tell what was said, where the format has room for it.")
@_what("--strict", is_flag=True, help="Fail at the first conversation that cannot be told.")
@_what("--quiet", "-q", is_flag=True, help="Do not name what is left out, and no progress.")
@log_options
def export(**given: Any) -> int:  # noqa: ANN401 - click's own
    """Write logs in a format of other people's tools.

    All formats but xes need times; a conversation without is left out and named.

    Exit codes: 0 all conversations were written, 1 some were left out, 2 could not run, which
    includes that not one could be written, 130 interrupted.
    """
    settings = settings_of(given)
    gaps = _Gaps(is_strict=given["strict"], is_quiet=given["quiet"])
    exporter = Exporter(given["to"], gaps.note, include_text=given["include_text"])
    reading = Reading(given, settings, DEFAULT, on_delivery=exporter.recorder)
    watched = is_terminal(sys.stderr) and not given["quiet"]
    progress = Progress(size_of(reading.logs), sys.stderr if watched else None)

    def reports() -> Iterator[Report]:
        yield from reading.reports(progress)
        gaps.judge(exporter.count)

    with _target(given, reading.logs, progress) as write:
        for piece in exporter.pieces(reports()):
            write(piece)
    progress.wipe()
    gaps.tell()
    return int(gaps.count > 0)


class _Gaps:
    """What is left out: named, counted, and refused where it must not be."""

    def __init__(self, *, is_strict: bool, is_quiet: bool) -> None:
        self._is_strict = is_strict
        self._is_quiet = is_quiet
        self._named: list[str] = []
        self._reason = ""
        self.count = 0

    def note(self, conversation_id: str, reason: str) -> None:
        """Take in why a conversation was left out."""
        if self._is_strict:
            msg = f"conversation {conversation_id} cannot be written: {reason}; {_MENDING}"
            raise ConfigurationError(msg)
        self.count += 1
        self._reason = self._reason or reason
        if len(self._named) < _MOST:
            self._named.append(f"{conversation_id} is left out: {reason}")

    def judge(self, written: int) -> None:
        """Refuse to call it an export when nothing was written."""
        if self.count and not written:
            msg = f"no conversation can be written, the first because {self._reason}; {_MENDING}"
            raise ConfigurationError(msg)

    def tell(self) -> None:
        """Name what was left out."""
        if self._is_quiet:
            return
        for each in self._named:
            complain(each)
        if self.count > len(self._named):
            complain(f"{pluralize(self.count, 'conversation')} left out in all")


def _target(
    given: Mapping[str, Any], logs: tuple[str, ...], progress: Progress
) -> AbstractContextManager[Callable[[str], object]]:
    """Return where the export goes, for as long as it is open."""
    output = given["output"]
    if output is None:
        return _standard_output(progress)
    if output.endswith(("/", os.sep)) or Path(output).is_dir():
        if given["to"] != "vcon":
            msg = f"{given['to']} is one document: give --output a file, not the folder {output}"
            raise ConfigurationError(msg)
        return _folder(Path(output))
    return whole(Path(output), logs)


@contextmanager
def _standard_output(progress: Progress) -> Iterator[Callable[[str], object]]:
    out = stdout()
    outlet = Outlet(out, progress, flush=out.isatty())

    def write(text: str) -> None:
        outlet.write(text)
        if outlet.is_closed:
            raise BrokenPipeError  # nobody listens: read no further

    yield write


@contextmanager
def _folder(path: Path) -> Iterator[Callable[[str], object]]:
    """Write a file for each vCon, called by its UUID: an id may hold what no name can."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{path} is no folder that can be written to: {error.strerror or error}"
        raise ConfigurationError(msg) from error

    def write(line: str) -> None:
        with opened(path / f"{json.loads(line)['uuid']}.vcon") as stream:
            stream.write(line)

    yield write
