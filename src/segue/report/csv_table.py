"""Rows as CSV: comma-separated UTF-8 with one line per row.

Control characters in text are escaped. Text that a spreadsheet would run as a formula gets a
leading apostrophe. Times are ISO 8601 in UTC. None and the empty string are both empty cells.
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

_FORMULA: Final = re.compile("\\s*[=+\\-@\uff1d\uff0b\uff0d\uff20]")
"""The characters that begin a formula, including their full-width forms."""


class TableRenderer(Renderer):
    """Base class of renderers that write rows of reports, or given rows, as a table."""

    def show(self, report: Report) -> None:
        """Write the rows of a report."""
        self.write_rows(to_rows(report, self._options.rows))

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Write rows."""
        raise NotImplementedError


class CsvTable(TableRenderer):
    """Writes the header line at once, and rows as reports arrive."""

    def _start(self) -> None:
        self._writer = csv.writer(self, lineterminator="\n")
        self._writer.writerow(column.name for column in COLUMNS[self._options.rows])

    def write(self, line: str) -> None:
        """Write a line. `csv.writer` calls this method."""
        self._write(line)

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Write rows."""
        self._writer.writerows(map(_cell, row.values()) for row in rows)


def _cell(value: object) -> object:
    if isinstance(value, str):
        text = visible(value)
        return f"'{text}" if _FORMULA.match(text) else text
    if isinstance(value, bool):
        return str(value).lower()
    return time_text(value) if isinstance(value, datetime) else value


def time_text(at: datetime) -> str:
    """Format a UTC time as RFC 3339."""
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
