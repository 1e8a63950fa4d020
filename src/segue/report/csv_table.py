"""Rows as CSV: commas, UTF-8, one line a row, and no cell that a spreadsheet takes for a formula.

Texts are made safe to show, and one that a spreadsheet would read as a formula begins with an
apostrophe.  Times are ISO 8601 in UTC; None and the empty text are both an empty cell.
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
"""Signs at the beginning of a formula, and the full-width forms of them."""


class TableRenderer(Renderer):
    """Writes a table, in whichever format: rows of reports, or rows that are given."""

    def show(self, report: Report) -> None:
        """Write the rows of a report."""
        self.write_rows(to_rows(report, self._options.rows))

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Write some rows."""
        raise NotImplementedError


class CsvTable(TableRenderer):
    """Writes the head at once, and rows as reports come."""

    def _start(self) -> None:
        self._writer = csv.writer(self, lineterminator="\n")
        self._writer.writerow(column.name for column in COLUMNS[self._options.rows])

    def write(self, line: str) -> None:
        """Write a line, as the writer of the standard library wants it."""
        self._write(line)

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Write some rows."""
        self._writer.writerows(map(_cell, row.values()) for row in rows)


def _cell(value: object) -> object:
    if isinstance(value, str):
        text = visible(value)
        return f"'{text}" if _FORMULA.match(text) else text
    if isinstance(value, bool):
        return str(value).lower()
    return time_text(value) if isinstance(value, datetime) else value


def time_text(at: datetime) -> str:
    """Return a time in UTC as in RFC 3339."""
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
