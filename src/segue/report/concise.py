"""The format `concise`: one line per finding, for `grep` and editors.

It explains nothing, so it counts errors and not mistakes.
"""

from segue.core.conversation import Report
from segue.core.findings import Finding
from segue.report.locations import line_location, shown_name
from segue.report.renderers import Renderer
from segue.report.run_summary import RunSummary
from segue.report.styled_text import TONES, TextLine, Tone
from segue.report.summary import remark_lines, summary_lines


class Concise(Renderer):
    """Writes each finding as one line that begins with its location.

    An example is `shift.jsonl:17: error SG103 c-1 agent a-2 took over … [cold-entry-before-exit]`.
    """

    def show(self, report: Report) -> None:
        """Write a line for each finding of a report."""
        self._write_lines([_line(report, finding) for finding in report.findings])

    def _write_summary(self, run_summary: RunSummary) -> None:
        if self._options.is_brief:
            return
        if run_summary.findings:
            self._write("\n")
        self._write_lines(remark_lines(run_summary.log, self._options.look))
        self._write_lines(summary_lines(run_summary, self._options.look, has_mistakes=False))


def _line(report: Report, finding: Finding) -> TextLine:
    """Format one finding as a line that begins with its location.

    A finding about the end of the log has the location of the last event.
    """
    line = TextLine()
    if location := line_location(report, finding):
        line.add(f"{location}: ", Tone.FAINT)
    line.add(f"{finding.severity.value} {finding.code}", TONES[finding.severity])
    if report.conversation_id is not None:
        line.add(f" {shown_name(report)}")
    return line.add(f" {finding.message} ").add(f"[{finding.name}]", Tone.FAINT)
