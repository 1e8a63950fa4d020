"""One line a finding, for `grep`, editors and eyes in a hurry."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from segue.report.location_text import log_location
from segue.report.run_summary import RunSummary
from segue.report.styled_text import TONES, Look, TextLine, Tone
from segue.report.summary import summary_lines

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["Concise"]


class Concise:
    """`shift.jsonl:17: SG103 agent a-2 took over … [cold-entry-before-exit]`."""

    def __init__(
        self,
        write: Callable[[str], object],
        look: Look,
        *,
        is_brief: bool = False,
    ) -> None:
        self._write = write
        self._look = look
        self._is_brief = is_brief

    def show(self, report: "Report") -> None:
        """Write a line for each finding; one without a line of the log names its conversation."""
        for finding in report.findings:
            line = TextLine()
            if log_location(finding):
                line.add(f"{log_location(finding)}: ", Tone.FAINT)
            line.add(finding.code, TONES[finding.severity]).add(" ")
            if finding.place.line is None and report.conversation_id is not None:
                line.add(f"conversation {report.conversation_id}: ")
            line.add(f"{finding.message} ").add(f"[{finding.name}]", Tone.FAINT)
            self._write(f"{line.render(color=self._look.color)}\n")

    def finish(self, tally: RunSummary) -> None:
        """Write what all reports come to."""
        if self._is_brief:
            return
        if tally.findings:
            self._write("\n")
        for line in summary_lines(tally, self._look):
            self._write(f"{line.render(color=self._look.color)}\n")
