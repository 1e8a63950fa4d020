"""`segue export`: write logs in the format of another tool.

A file is written completely or not at all. Conversations that cannot be written are left out and
listed. If no conversation can be written, the run fails.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from segue.cli.errors import print_error
from segue.cli.export_tables import TABLES, write_tables
from segue.cli.log_input import LogInput
from segue.cli.options import LOG_OPTIONS, Params, command, option_group
from segue.cli.terminal import Output
from segue.cli.user_files import complete_file, is_folder, make_folder, open_file
from segue.core.conversation import Report
from segue.core.errors import ConfigurationError
from segue.report.export import FORMATS, Exporter
from segue.report.plurals import pluralize
from segue.report.row_columns import COLUMNS

_MOST: Final = 20
"""The maximum number of left-out conversations that are listed on stderr."""
_HELP: Final = "give the log times: received_at in an envelope, or --time-at POINTER"

_write = option_group("What is written")


@command(
    _write(f"--to [{'|'.join((*FORMATS, *TABLES))}]", "The format.", required=True),
    _write(f"--rows [{'|'.join(COLUMNS)}]", f"What a row of {' and '.join(TABLES)} is."),
    _write(
        "--output FILE",
        "Write to this file. A folder, DIR/, gets a file for each conversation (vcon), or a table "
        "of each kind (csv and parquet).",
    ),
    _write("--include-text", "Include message texts, if the format has them."),
    _write("--strict", "Fail at the first conversation that cannot be written."),
    _write("--quiet -q", "Do not name what is left out, and no progress."),
    *LOG_OPTIONS,
)
def export(params: Params) -> int:
    """Write logs in a format of another tool.

    All formats but csv and parquet need times; a conversation without times is left out and named.

    Exit codes: 0 all conversations were written, 1 some were left out, 2 could not run or no
    conversation could be written, 130 interrupted.
    """
    if params["to"] in TABLES:
        return write_tables(params)
    if params["rows"]:
        msg = f"--rows is for --to {' and '.join(TABLES)}, not for {params['to']}"
        raise ConfigurationError(msg)
    left_out = _LeftOut(is_strict=params["strict"], is_quiet=params["quiet"])
    exporter = Exporter(params["to"], left_out.add, include_text=params["include_text"])
    log = LogInput(params, on_delivery=exporter.recorder)

    def reports() -> Iterator[Report]:
        yield from log.reports()
        left_out.refuse_if_all(exporter.count)

    with ExitStack() as stack:
        write = _writer(params, log, stack)
        for piece in exporter.pieces(reports()):
            write(piece)
    left_out.print()
    return int(left_out.count > 0)


class _LeftOut:
    """The conversations that the export leaves out, and the reasons."""

    def __init__(self, *, is_strict: bool, is_quiet: bool) -> None:
        self._is_strict = is_strict
        self._is_quiet = is_quiet
        self._named: list[str] = []
        self._reason = ""
        self.count = 0

    def add(self, conversation_id: str, reason: str) -> None:
        """Record that a conversation is left out, and why.

        With `--strict`, raise `ConfigurationError` instead.
        """
        if self._is_strict:
            msg = f"conversation {conversation_id} cannot be written: {reason}; {_HELP}"
            raise ConfigurationError(msg)
        self.count += 1
        self._reason = self._reason or reason
        if len(self._named) < _MOST:
            self._named.append(f"{conversation_id} is left out: {reason}")

    def refuse_if_all(self, written: int) -> None:
        """Raise `ConfigurationError` if conversations were left out and none was written."""
        if self.count and not written:
            msg = f"no conversation can be written, the first because {self._reason}; {_HELP}"
            raise ConfigurationError(msg)

    def print(self) -> None:
        """Write the first 20 conversations that were left out, and their number, to stderr."""
        if self._is_quiet:
            return
        for each in self._named:
            print_error(each)
        if self.count > len(self._named):
            print_error(f"{pluralize(self.count, 'conversation')} left out in all")


def _writer(params: Params, log: LogInput, stack: ExitStack) -> Callable[[str], object]:
    """Return a function that writes a piece of output where `--output` says.

    This is a file, a folder, or without `--output` standard output.
    """
    output = params["output"]
    if output is None:
        return Output(params, log.progress, needs_reader=True).write
    path = Path(output)
    if not is_folder(output):
        return stack.enter_context(complete_file(path, log.inputs)).write
    if params["to"] != "vcon":
        msg = f"{params['to']} is one document: give --output a file, not the folder {output}"
        raise ConfigurationError(msg)
    make_folder(path)

    def write(line: str) -> None:
        """Write a vCon to a file named by its UUID, since an id may not be a valid file name."""
        with open_file(path / f"{json.loads(line)['uuid']}.vcon") as stream:
            stream.write(line)

    return write
