"""Every finding with its timeline, evidence and repair, for a person to act on.

After the first conversations the rest are only counted.  Findings about one event share one
timeline.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Final

from segue.conversation import Report
from segue.findings import Finding
from segue.report.finding_view import finding_lines
from segue.report.header import conversation_header
from segue.report.plurals import pluralize
from segue.report.renderers import Renderer, RenderOptions
from segue.report.run_summary import RunSummary
from segue.report.styled_text import TextLine, Tone, indented
from segue.report.summary import summary_lines
from segue.report.text_layout import wrap
from segue.report.timeline import timeline_rows

__all__ = ["Full"]

_FINDINGS: Final = 20
"""Findings shown of one conversation; one broken sender can make thousands."""


class Full(Renderer):
    """Shows the first conversations with findings in full, and counts all of them."""

    def __init__(self, write: Callable[[str], object], options: RenderOptions) -> None:
        super().__init__(write, options)
        self._look = options.look
        self._limit = options.limit
        self._conversations = self._strays = 0

    def show(self, report: Report) -> None:
        """Write a report with findings, up to the limit."""
        if report.clean:
            return
        if report.conversation_id is None:
            self._strays += 1
            count = self._strays
        else:
            self._conversations += 1
            count = self._conversations
        if self._limit is None or count <= self._limit:
            self._put(self._report(report))

    def _write_summary(self, run_summary: RunSummary) -> None:
        self._put(self._rest())
        if not self._options.is_brief:
            self._put(summary_lines(run_summary, self._look))

    def _put(self, lines: Iterable[TextLine]) -> None:
        color = self._look.color
        self._write("".join(f"{line.render(color=color)}\n" for line in lines))

    def _report(self, report: Report) -> Iterator[TextLine]:
        yield from conversation_header(report, self._look)
        shown = report.findings if self._limit is None else report.findings[:_FINDINGS]
        history = report.timeline
        for _, group in groupby(shown, key=_about):
            findings = list(group)
            rows = timeline_rows(report, history, findings)
            yield from finding_lines(findings, rows, self._look)
        hidden = len(report.findings) - len(shown)
        if hidden:
            yield TextLine()
            yield from self._more([pluralize(hidden, "more finding") + " in this conversation"])
        yield TextLine()

    def _rest(self) -> Iterator[TextLine]:
        limit = self._limit
        if limit is None:
            return
        held_back = []
        if self._conversations > limit:
            more = pluralize(self._conversations - limit, "more conversation")
            held_back.append(f"{more} with findings")
        if self._strays > limit:
            more = pluralize(self._strays - limit, "more line")
            held_back.append(f"{more} without a conversation")
        if held_back:
            yield from self._more(held_back)
            yield TextLine()

    def _more(self, held_back: list[str]) -> Iterator[TextLine]:
        """Yield what is not shown, and how to have it shown."""
        text = f"{self._look.signs.more} and {' and '.join(held_back)} (use --all or --output)"
        return indented(wrap(text, self._look.columns), 0, Tone.STRONG)


def _about(finding: Finding) -> tuple[int | None, int | None, int | None]:
    """Return what findings of one timeline have in common."""
    place = finding.place
    return place.event, place.action, place.line
