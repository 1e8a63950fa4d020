"""The tables of `segue export`, as CSV or Parquet.

A table goes to a file or to standard output. In a folder, there is a file for each kind of rows.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from segue.cli.log_input import LogInput
from segue.cli.options import Params
from segue.cli.outputs import parquet_table
from segue.cli.terminal import Output
from segue.cli.user_files import complete_file, is_folder, make_folder
from segue.core.errors import ConfigurationError
from segue.logs.plan import Detail
from segue.report.csv_table import CsvTable, TableRenderer
from segue.report.renderers import RenderOptions
from segue.report.row_columns import COLUMNS, RowKind
from segue.report.run_summary import RunSummary

TABLES: Final = ("csv", "parquet")
_WITH_MISTAKES: Final = frozenset({"findings", "conversations", "figures"})
"""The kinds of rows that depend on the explanation of mistakes."""


def write_tables(params: Params) -> int:
    """Write the tables that `--to`, `--rows` and `--output` select, and return the exit code 0."""
    targets = list(_targets(params))
    has_mistakes = any(rows in _WITH_MISTAKES for rows, _ in targets)
    log = LogInput(params, detail=Detail(explained=has_mistakes))
    with ExitStack() as stack:
        tables = [_table(params, log, stack, *each) for each in targets]
        for report in log.reports():
            for table in tables:
                table.show(report)
        for table in tables:
            table.finish(RunSummary())
    return 0


def _targets(params: Params) -> Iterator[tuple[RowKind, Path | None]]:
    """Yield the tables to write, as pairs of the kind of rows and the file.

    The file is None for standard output. Raise `ConfigurationError` if `--rows` is missing, or if
    Parquet would go to standard output.
    """
    output, rows, to = params["output"], params["rows"], params["to"]
    if output is not None and is_folder(output):
        make_folder(output)
        for what in COLUMNS if rows is None else (rows,):
            yield what, Path(output, f"{what}.{to}")
        return
    if rows is None:
        kinds = " or ".join(f"--rows {what}" for what in COLUMNS)
        raise ConfigurationError(f"the kind of rows is missing: give {kinds}, or --output DIR/")
    if output is None and to == "parquet":
        raise ConfigurationError("parquet is a binary format: give --output FILE")
    yield rows, None if output is None else Path(output)


def _table(
    params: Params, log: LogInput, stack: ExitStack, what: RowKind, path: Path | None
) -> TableRenderer:
    if path is None:
        write = Output(params, log.progress, needs_reader=True).write
        return CsvTable(write, RenderOptions(rows=what))
    stream = stack.enter_context(complete_file(path, log.inputs))
    if params["to"] == "parquet":
        return parquet_table(stream, stack, what)
    return CsvTable(stream.write, RenderOptions(rows=what))
