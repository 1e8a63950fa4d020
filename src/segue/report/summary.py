"""The summary: what a run comes to, in a few lines for a person.

House rule: it is the same for the same log, so there is no clock in it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from segue.findings import Finding, Severity
from segue.report.location_text import number
from segue.report.run_summary import Tally
from segue.report.styled_text import TONES, Line, Look, Tone
from segue.report.text_layout import fill

__all__ = ["counted", "summary", "totals"]


def counted(findings: Iterable[Finding]) -> str:
    """Return `2 errors, 1 note`."""
    counts = Counter(finding.severity for finding in findings)
    return ", ".join(
        number(counts[severity], severity.value) for severity in Severity if counts[severity]
    )


def totals(tally: Tally) -> list[str]:
    """Return how many conversations there were, and how many of them are right."""
    total = tally.conversations
    parts = [number(total, "conversation")]
    if total and total == tally.clean:
        parts.append("clean" if total == 1 else "all clean")
    elif total:
        parts += [f"{tally.valid} valid", f"{tally.clean} clean"]
    lines = f" in {number(tally.lines, 'line')}" if tally.lines else ""
    parts.append(f"{number(tally.events, 'event')}{lines}")
    if tally.late:
        parts.append(f"{tally.late} with events after the end")
    if tally.strays:
        parts.append(f"{number(tally.strays, 'line')} without a conversation")
    return parts


def summary(tally: Tally, look: Look) -> Iterator[Line]:
    """Yield the findings by rule, then the totals."""
    rows = tally.rows()
    width = len(str(max((count for *_, count in rows), default=0)))
    names = max((len(rule.name) for rule, *_ in rows), default=0)
    if rows:
        yield Line("findings by rule ").add(look.signs.dash * (look.columns - 17), Tone.FRAME)
    for rule, severity, count in rows:
        line = Line(f"  {count:>{width}}  ").add(rule.code, Tone.STRONG).add(f"  {rule.name}")
        yield line.to(width + names + 13).add(severity.value, TONES[severity])
    if rows:
        yield Line()
    for text in fill(totals(tally), look.columns):
        yield Line(text, Tone.STRONG if tally.findings else Tone.GOOD)
    line = Line("" if tally.findings else "no findings")
    for severity in Severity:
        if tally.count(severity):
            line.add(", " if line.width else "")
            line.add(number(tally.count(severity), severity.value), TONES[severity])
    yield line
    if tally.known:
        yield Line(f"{number(tally.known, 'more finding')} known from the baseline", Tone.FAINT)
