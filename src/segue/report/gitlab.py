"""A GitLab code quality report: one JSON array, an element a finding.

GitLab drops an element without a path or a line, so each has both.
"""

import json
from typing import Final

from segue.core.conversation import Report
from segue.core.findings import Severity
from segue.report.escape import visible
from segue.report.locations import described, fingerprinted, line_of, path_from_here
from segue.report.renderers import Renderer

_SEVERITIES: Final = dict(zip(Severity, ("major", "minor", "info"), strict=True))
_UNNAMED: Final = "log"
"""Stands for the path of lines that came from no file."""


class GitLab(Renderer):
    """Writes an element for each finding as it comes."""

    _before = "[\n"

    def show(self, report: Report) -> None:
        """Write the findings of a report as the next elements."""
        for finding, fingerprint in fingerprinted(report):
            source = finding.place.source
            element = {
                "description": described(report, finding),
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
