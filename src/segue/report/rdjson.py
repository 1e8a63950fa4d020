"""The format `rdjson` of reviewdog: one document with a diagnostic for each finding."""

import json
from typing import Any, Final

from segue.core.conversation import Report
from segue.core.findings import Finding, Severity
from segue.report.escape import visible
from segue.report.grouping import in_groups
from segue.report.locations import described, line_of, path_from_here
from segue.report.mistake_view import MistakeView
from segue.report.renderers import Renderer

_SEVERITIES: Final = dict(zip(Severity, ("ERROR", "WARNING", "INFO"), strict=True))


class RdJson(Renderer):
    """Writes the findings of all reports as the diagnostics of one JSON document for reviewdog."""

    _before = '{"source": {"name": "segue"}, "diagnostics": [\n'

    def show(self, report: Report) -> None:
        """Write one diagnostic for each finding of the report."""
        view = MistakeView(report)
        for finding in in_groups(report):
            self._write(f"{self._before}{json.dumps(_diagnostic(report, finding, view))}")
            self._before = ",\n"

    def _write_end(self) -> None:
        self._write(f"{self._before}]}}\n" if self._before.startswith("{") else "\n]}\n")


def _diagnostic(report: Report, finding: Finding, view: MistakeView) -> dict[str, Any]:
    line = line_of(report, finding)
    location: dict[str, Any] = {"path": visible(path_from_here(finding.place.source))}
    if line is not None:
        location["range"] = {"start": {"line": line}}
    return {
        "message": described(report, finding, view),
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.code},
        **({"location": location} if finding.place.source else {}),
    }
