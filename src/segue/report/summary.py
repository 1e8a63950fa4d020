"""Render the summary of a run as a few lines.

The lines are the same in every run for the same log.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from segue.report.header import ruled
from segue.report.look import Look
from segue.report.plurals import pluralize
from segue.report.run_summary import RunSummary
from segue.report.styled_text import TONES, TextLine, Tone, fill, indented, table, wrap

if TYPE_CHECKING:
    from segue.logs.remark import LogRemark


def remark_lines(remarks: Iterable["LogRemark"], look: Look) -> Iterator[TextLine]:
    """Yield a paragraph of remarks on the logs, and a blank line, or nothing without remarks."""
    texts = [f"log: {each.sentence}" for each in remarks]
    for text in texts:
        yield from indented(wrap(text, look.columns), 0, Tone.STRONG)
    if texts:
        yield TextLine()


def summary_lines(
    run_summary: RunSummary, look: Look, *, has_mistakes: bool = True
) -> Iterator[TextLine]:
    """Yield the lines that summarize a run.

    They are a table of the findings by rule, the totals, and the common causes of findings. Without
    `has_mistakes`, errors are counted and mistakes are not.
    """
    rows = [
        [
            (str(count), None),
            (rule.code, Tone.STRONG),
            (rule.name, None),
            (severity.value, TONES[severity]),
        ]
        for rule, severity, count in run_summary.rows()
    ]
    if rows:
        yield ruled("findings by rule", look)
        yield from table(rows, 2, right={0})
        yield TextLine()
    tone = Tone.STRONG if rows else Tone.GOOD
    yield from indented(fill(run_summary.totals(), look.columns), 0, tone)
    line = TextLine("" if rows else "no findings")
    for severity, text in run_summary.counts(has_mistakes=has_mistakes).items():
        line.add(", " if line.width else "")
        line.add(text, TONES[severity])
    yield line
    explained, unexplained = run_summary.explained, run_summary.unexplained
    if has_mistakes and explained and unexplained:
        reports = pluralize(explained + unexplained, "conversation")
        text = f"explained: {explained} of {reports} with errors (use --all)"
        yield TextLine(text, Tone.FAINT)
    if run_summary.known:
        known = pluralize(run_summary.known, "more finding")
        yield TextLine(f"{known} known from the baseline", Tone.FAINT)
    sentences = run_summary.causes_in_words()
    if sentences:
        yield TextLine()
        yield ruled("causes", look)
        yield from map(TextLine, sentences)
