"""Reports for programs: JSON, as one document or as one report a line.

A report is what `Report.to_dict` gives, in ASCII, so that every terminal and encoding shows the
same.
"""

import json

from segue.core.conversation import Report
from segue.report.renderers import Renderer
from segue.report.run_summary import RunSummary


class JsonLinesWriter(Renderer):
    """One report a line."""

    def show(self, report: Report) -> None:
        """Write the report."""
        self._write(f"{report.to_json()}\n")


class JsonWriter(Renderer):
    """One document: the reports, then the summary."""

    _before = '{"reports": [\n'

    def show(self, report: Report) -> None:
        """Write the report as the next element."""
        self._write(f"{self._before}{report.to_json()}")
        self._before = ",\n"

    def _write_summary(self, run_summary: RunSummary) -> None:
        end = f'], "summary": {json.dumps(run_summary.to_dict())}}}\n'
        self._write(f"{self._before}{end}" if self._before.startswith("{") else f"\n{end}")
