"""Tables of rows, in whichever format: a row for each thing in a report, or rows that are given."""

from collections.abc import Iterable

from segue.conversation import Report
from segue.report.renderers import Renderer
from segue.report.rows import Row, to_rows


class TableRenderer(Renderer):
    """Writes a table."""

    def show(self, report: Report) -> None:
        """Write the rows of a report."""
        self.write_rows(to_rows(report, self._options.rows))

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Write some rows."""
        raise NotImplementedError
