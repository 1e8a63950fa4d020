"""GitHub workflow annotations: one workflow command per finding.

Text is escaped as the runner unescapes it, so that it cannot inject a command, property or line.
"""

from typing import Final

from segue.core.conversation import Report
from segue.core.findings import Severity
from segue.report.escape import visible
from segue.report.grouping import in_groups
from segue.report.locations import line_of, location_of, path_from_here
from segue.report.mistake_view import MistakeView
from segue.report.renderers import Renderer

_COMMANDS: Final = dict(zip(Severity, ("error", "warning", "notice"), strict=True))
_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


class GitHub(Renderer):
    """Writes each finding as a workflow command, which GitHub shows as an annotation.

    An example is `::error file=shift.jsonl,line=17,title=SG103 …::agent a-2 took over …`.
    """

    def show(self, report: Report) -> None:
        """Write a workflow command for each finding of a report."""
        view = MistakeView(report)
        for finding in in_groups(report):
            properties = {
                "file": finding.place.source and path_from_here(finding.place.source),
                "line": line_of(report, finding) if finding.place.source else None,
                "title": f"{finding.code} {finding.name}",
            }
            named = ",".join(
                f"{name}={visible(str(value)).translate(_PROPERTY)}"
                for name, value in properties.items()
                if value
            )
            where, help_text = location_of(report, finding), f"help: {finding.help}"
            rows = (finding.message, where, view.words(finding), help_text)
            text = "\n".join(visible(row) for row in rows if row).translate(_DATA)
            self._write(f"::{_COMMANDS[finding.severity]} {named}::{text}\n")
