"""A GitLab code quality report: a JSON array with one element per finding.

GitLab drops elements without a path or a line, so every element has both.
"""

import json
from typing import Final

from segue.core.conversation import Report
from segue.core.findings import Severity
from segue.report.escape import visible
from segue.report.locations import described, fingerprinted, line_of, path_from_here
from segue.report.mistake_view import MistakeView
from segue.report.renderers import Renderer

_SEVERITIES: Final = dict(zip(Severity, ("major", "minor", "info"), strict=True))
_UNNAMED: Final = "log"
"""The path written for findings in lines that do not come from a file."""


class GitLab(Renderer):
    """Writes a JSON array with an element for each finding, while the reports arrive."""

    _before = "[\n"

    def show(self, report: Report) -> None:
        """Write an array element for each finding of a report."""
        view = MistakeView(report)
        for finding, fingerprint in fingerprinted(report):
            source = finding.place.source
            element = {
                "description": described(report, finding, view),
                "check_name": f"{finding.code} {finding.name}",
                "fingerprint": fingerprint,
                "severity": _SEVERITIES[finding.severity],
                "location": {
                    "path": visible(path_from_here(source)) if source else _UNNAMED,
                    "lines": {"begin": line_of(report, finding) or 1},
                },
            }
            self._write(f"{self._before}{json.dumps(element)}")
            self._before = ",\n"

    def _write_end(self) -> None:
        self._write("[]\n" if self._before.startswith("[") else "\n]\n")
