"""A GitLab code quality report: one JSON array, an element a finding.

House rule: GitLab drops an element without a path or a line, so each has both.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from segue.findings import Severity
from segue.report.escape import visible
from segue.report.locations import fingerprints, line_of, location_of
from segue.report.run_summary import RunSummary

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["GitLab"]

_SEVERITIES: Final = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.NOTE: "info",
}
_UNNAMED: Final = "log"
"""Stands for the path of lines that came from no file."""


class GitLab:
    """Writes an element for each finding as it comes."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._before = "[\n"

    def show(self, report: "Report") -> None:
        """Write the findings of a report as the next elements."""
        for finding, fingerprint in zip(report.findings, fingerprints(report), strict=True):
            about = location_of(report, finding)
            where = f" ({about})" if about else ""
            element = {
                "description": f"{visible(finding.message)}{where}; {visible(finding.help)}",
                "check_name": f"{finding.code} {finding.name}",
                "fingerprint": fingerprint,
                "severity": _SEVERITIES[finding.severity],
                "location": {
                    "path": visible(finding.place.source) or _UNNAMED,
                    "lines": {"begin": line_of(report, finding) or 1},
                },
            }
            self._write(f"{self._before}{json.dumps(element)}")
            self._before = ",\n"

    def finish(self, tally: RunSummary) -> None:  # noqa: ARG002 - every renderer is told
        """Close the array."""
        self._write("[]\n" if self._before.startswith("[") else "\n]\n")
