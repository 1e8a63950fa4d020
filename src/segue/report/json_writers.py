"""The formats `json` (one document) and `jsonl` (one report per line).

A report is written as `Report.to_dict` returns it. The output is ASCII, so that it is the same in
every terminal and encoding.
"""

import json

from segue.core.conversation import Report
from segue.report.renderers import Renderer
from segue.report.run_summary import RunSummary


class JsonLinesWriter(Renderer):
    """Writes each report as one line of JSON."""

    def show(self, report: Report) -> None:
        """Write the report as one line of JSON."""
        self._write(f"{report.to_json()}\n")


class JsonWriter(Renderer):
    """Writes one JSON object with the keys `reports`, `log` and `summary`."""

    _before = '{"reports": [\n'

    def show(self, report: Report) -> None:
        """Write the report as the next element of `reports`."""
        self._write(f"{self._before}{report.to_json()}")
        self._before = ",\n"

    def _write_summary(self, run_summary: RunSummary) -> None:
        log = json.dumps([each.to_dict() for each in run_summary.log])
        end = f'], "log": {log}, "summary": {json.dumps(run_summary.to_dict())}}}\n'
        self._write(f"{self._before}{end}" if self._before.startswith("{") else f"\n{end}")
