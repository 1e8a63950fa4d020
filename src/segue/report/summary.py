"""The summary: what a run comes to, in a few lines for a person.

House rule: it is the same for the same log, so there is no clock in it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from segue.findings import Finding, Severity
from segue.report.plurals import pluralize
from segue.report.run_summary import RunSummary
from segue.report.styled_text import TONES, Look, TextLine, Tone
from segue.report.text_layout import fill

__all__ = ["run_totals", "severity_counts", "summary_lines"]


def severity_counts(findings: Iterable[Finding]) -> str:
    """Return `2 errors, 1 note`."""
    counts = Counter(finding.severity for finding in findings)
    return ", ".join(
        pluralize(counts[severity], severity.value) for severity in Severity if counts[severity]
    )


def run_totals(tally: RunSummary) -> list[str]:
    """Return how many conversations there were, and how many of them are right."""
    total = tally.conversations
    parts = [pluralize(total, "conversation")]
    if total and total == tally.clean:
        parts.append("clean" if total == 1 else "all clean")
    elif total:
        parts += [f"{tally.valid} valid", f"{tally.clean} clean"]
    lines = f" in {pluralize(tally.lines, 'line')}" if tally.lines else ""
    parts.append(f"{pluralize(tally.events, 'event')}{lines}")
    if tally.late:
        parts.append(f"{tally.late} with events after the end")
    if tally.strays:
        parts.append(f"{pluralize(tally.strays, 'line')} without a conversation")
    return parts


def summary_lines(tally: RunSummary, look: Look) -> Iterator[TextLine]:
    """Yield the findings by rule, then the totals."""
    rows = tally.rows()
    width = len(str(max((count for *_, count in rows), default=0)))
    names = max((len(rule.name) for rule, *_ in rows), default=0)
    if rows:
        yield TextLine("findings by rule ").add(look.signs.dash * (look.columns - 17), Tone.FRAME)
    for rule, severity, count in rows:
        line = TextLine(f"  {count:>{width}}  ").add(rule.code, Tone.STRONG).add(f"  {rule.name}")
        yield line.to(width + names + 13).add(severity.value, TONES[severity])
    if rows:
        yield TextLine()
    for text in fill(run_totals(tally), look.columns):
        yield TextLine(text, Tone.STRONG if tally.findings else Tone.GOOD)
    line = TextLine("" if tally.findings else "no findings")
    for severity in Severity:
        if tally.count(severity):
            line.add(", " if line.width else "")
            line.add(pluralize(tally.count(severity), severity.value), TONES[severity])
    yield line
    if tally.known:
        yield TextLine(
            f"{pluralize(tally.known, 'more finding')} known from the baseline", Tone.FAINT
        )
