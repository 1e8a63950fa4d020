"""Rows as CSV: comma-separated UTF-8 with one line per row.

Control characters in text are escaped. Text that a spreadsheet would run as a formula, or a CI job
as a command, gets a leading apostrophe. Times are ISO 8601 in UTC. None and the empty string are
both empty cells.
"""

import csv
import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from segue.core.conversation import Report
from segue.report.escape import visible
from segue.report.renderers import Renderer
from segue.report.row_columns import COLUMNS
from segue.report.rows import Row, to_rows

_FORMULA: Final = re.compile("\\s*(?:[=+\\-@\uff1d\uff0b\uff0d\uff20]|::)")
"""A pattern for text that a spreadsheet would run as a formula, such as `=1+1`, or a CI job as a
command."""


class TableRenderer(Renderer):
    """Base class of renderers that write a table.

    The rows come from reports, or directly from the caller of `write_rows`.
    """

    def show(self, report: Report) -> None:
        """Write the rows of one report. `RenderOptions.rows` selects the kind of rows."""
        self.write_rows(to_rows(report, self._options.rows))

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Write the given rows to the table. Subclasses override this method."""
        raise NotImplementedError


class CsvTable(TableRenderer):
    """Writes CSV: the header line at once, then the rows of each report as it arrives."""

    def _start(self) -> None:
        self._writer = csv.writer(self, lineterminator="\n")
        self._writer.writerow(column.name for column in COLUMNS[self._options.rows])

    def write(self, line: str) -> None:
        """Write one line of CSV. `csv.writer` requires this method."""
        self._write(line)

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Write each row as one line of CSV."""
        self._writer.writerows(map(_cell, row.values()) for row in rows)


def _cell(value: object) -> object:
    if isinstance(value, str):
        text = visible(value)
        return f"'{text}" if _FORMULA.match(text) else text
    if isinstance(value, bool):
        return str(value).lower()
    return time_text(value) if isinstance(value, datetime) else value


def time_text(at: datetime) -> str:
    """Return a UTC time in RFC 3339, such as `2026-03-02T09:00:00.000000Z`."""
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
