"""JUnit XML: one test case per conversation, which fails if a finding is an error.

Warnings and notes are the `system-out` of the test case. The document begins with the numbers of
test cases and failures, so the test cases are kept in a temporary file until the end. Late reports
and lines without a conversation are separate test cases.
"""

from collections.abc import Sequence
from tempfile import SpooledTemporaryFile
from typing import Final
from weakref import finalize
from xml.sax.saxutils import escape, quoteattr

from segue.core.conversation import Report
from segue.core.findings import Finding, Severity
from segue.report.escape import xml_text
from segue.report.grouping import counts_of, in_groups
from segue.report.locations import line_of, location_parts, path_from_here
from segue.report.mistake_view import MistakeView
from segue.report.renderers import Renderer

_IN_MEMORY: Final = 1 << 20


class JUnit(Renderer):
    """Collects a test case for each report and writes all test cases at the end."""

    def _start(self) -> None:
        self._cases = SpooledTemporaryFile(  # noqa: SIM115 - closed at the end
            _IN_MEMORY, "w+", encoding="utf-8", newline="\n"
        )
        finalize(self, self._cases.close)  # if there is no end
        self._count = self._failures = 0

    def show(self, report: Report) -> None:
        """Add the test case of a report."""
        self._count += 1
        self._failures += not report.valid
        name, group = _named(report)
        case = f'<testcase name={_quoted(name)} classname={_quoted(group)} time="0"'
        if not report.findings:
            self._cases.write(f"{case}/>\n")
            return
        findings, view = in_groups(report), MistakeView(report)
        case += _place(report, findings[0])
        errors = [f for f in findings if f.severity is Severity.ERROR]
        others = [f for f in findings if f.severity is not Severity.ERROR]
        output = f"<system-out>{_listed(others, view)}</system-out>" if others else ""
        self._cases.write(f"{case}>{_failure(report, errors, view)}{output}</testcase>\n")

    def _write_end(self) -> None:
        counts = f'tests="{self._count}" failures="{self._failures}" errors="0" time="0"'
        self._write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="segue" {counts}>\n')
        self._write(f'<testsuite name="segue check" {counts}>\n')
        with self._cases as cases:
            cases.seek(0)
            for line in cases:
                self._write(line)
        self._write("</testsuite>\n</testsuites>\n")


def _named(report: Report) -> tuple[str, str]:
    """Return the name and the class name of a test case, such as `("c-1", "st-1")`.

    The name is that of the conversation, and the class name is that of its bot.
    """
    if report.conversation_id is None:
        return f"line {report.findings[0].place.line}", "lines without a conversation"
    name = report.conversation_id
    is_part = report.late and not report.replaces
    return f"{name} after its end" if is_part else name, report.bot_id or "no bot"


def _place(report: Report, finding: Finding) -> str:
    """Format the XML attributes `file` and `line` of a test case for the place of a finding.

    An attribute whose value is unknown is left out.
    """
    source, line = finding.place.source, line_of(report, finding)
    file = f" file={_quoted(path_from_here(source))}" if source else ""
    return file if line is None else f'{file} line="{line}"'


def _failure(report: Report, findings: Sequence[Finding], view: MistakeView) -> str:
    if not findings:
        return ""
    counts = counts_of(report)
    before = f"{counts[Severity.ERROR]}: " if len(findings) > 1 else ""
    codes = ", ".join(dict.fromkeys(finding.code for finding in findings))
    message = before + findings[0].message
    attributes = f"message={_quoted(message)} type={_quoted(codes)}"
    return f"<failure {attributes}>{_listed(findings, view)}</failure>"


def _listed(findings: Sequence[Finding], view: MistakeView) -> str:
    rows = []
    for finding in findings:
        margin = "" if view.is_first(finding) else "  "
        title = f"{finding.severity.value}[{finding.code}] {finding.name}: {finding.message}"
        rows.append(f"{margin}{title}")
        rows.append(f"{margin}  at {', '.join(location_parts(finding))}")
        if words := view.words(finding):
            rows.append(f"{margin}  {words}")
        if finding.expected:
            rows.append(f"{margin}  expected: {', '.join(finding.expected)}")
        rows.append(f"{margin}  help: {finding.help}")
    return "\n".join(escape(xml_text(row)) for row in rows)


def _quoted(text: str) -> str:
    return quoteattr(xml_text(text))
