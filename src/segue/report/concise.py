"""One line a finding, for `grep` and editors."""

from segue.conversation import Report
from segue.report.locations import log_location
from segue.report.renderers import Renderer
from segue.report.run_summary import RunSummary
from segue.report.styled_text import TONES, TextLine, Tone
from segue.report.summary import summary_lines

__all__ = ["Concise"]


class Concise(Renderer):
    """`shift.jsonl:17: SG103 agent a-2 took over … [cold-entry-before-exit]`."""

    def show(self, report: Report) -> None:
        """Write a line for each finding; one without a line of the log names its conversation."""
        for finding in report.findings:
            line = TextLine()
            if location := log_location(finding):
                line.add(f"{location}: ", Tone.FAINT)
            line.add(finding.code, TONES[finding.severity]).add(" ")
            if finding.place.line is None and report.conversation_id is not None:
                line.add(f"conversation {report.conversation_id}: ")
            line.add(f"{finding.message} ").add(f"[{finding.name}]", Tone.FAINT)
            self._write_lines([line])

    def _write_summary(self, run_summary: RunSummary) -> None:
        if self._options.is_brief:
            return
        if run_summary.findings:
            self._write("\n")
        self._write_lines(summary_lines(run_summary, self._options.look))
