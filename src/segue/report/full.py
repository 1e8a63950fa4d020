"""The format `full`: every finding with its timeline, evidence and repair.

Only the first conversations are shown. The rest are counted. Findings about one event share a
timeline, and the other findings of a mistake are listed briefly after its first one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from segue.core.conversation import Report
from segue.core.findings import Finding
from segue.report.finding_view import finding_lines, following_lines
from segue.report.grouping import grouped
from segue.report.header import conversation_header
from segue.report.mistake_view import MistakeView
from segue.report.plurals import pluralize
from segue.report.renderers import Renderer
from segue.report.run_summary import RunSummary
from segue.report.styled_text import TextLine, Tone, indented, wrap
from segue.report.summary import remark_lines, summary_lines
from segue.report.timeline import timeline_rows

_FINDINGS: Final = 20
"""The maximum number of findings shown per conversation. A broken sender can cause thousands."""


class Full(Renderer):
    """Writes conversations that have findings in full, up to a limit, and counts the others.

    The limit is `RenderOptions.limit`.
    """

    def _start(self) -> None:
        self._look, self._limit = self._options.look, self._options.limit
        self._counts: Counter[str] = Counter()
        if self._options.log and not self._options.is_brief:
            self._write_lines(remark_lines(self._options.log, self._look))

    def show(self, report: Report) -> None:
        """Write a report, unless it has no findings or the limit of conversations is reached."""
        if report.clean:
            return
        noun = "line" if report.conversation_id is None else "conversation"
        self._counts[noun] += 1
        if self._limit is None or self._counts[noun] <= self._limit:
            self._write_lines(self._report(report))

    def _write_summary(self, run_summary: RunSummary) -> None:
        self._write_lines(self._rest())
        if not self._options.is_brief:
            later = [each for each in run_summary.log if each not in self._options.log]
            self._write_lines(remark_lines(later, self._look))
            self._write_lines(summary_lines(run_summary, self._look))

    def _report(self, report: Report) -> Iterator[TextLine]:
        limit = None if self._limit is None else _FINDINGS
        yield from conversation_header(report, self._look, limit)
        shown = list(_first(grouped(report), limit))
        history, view = report.timeline, MistakeView(report)
        for _, groups in groupby(shown, key=_about):
            heads, following = [], []
            for head, *others in groups:
                heads.append(head)
                following += others
            rows = timeline_rows(report, history, heads)
            yield from finding_lines(heads, rows, view, self._look)
            yield from following_lines(following, view, self._look)
        hidden = len(report.findings) - sum(map(len, shown))
        if hidden:
            yield TextLine()
            yield from self._more([pluralize(hidden, "more finding") + " in this conversation"])
        yield TextLine()

    def _rest(self) -> Iterator[TextLine]:
        if self._limit is None:
            return
        whose = {"conversation": "with findings", "line": "without a conversation"}
        more = {noun: self._counts[noun] - self._limit for noun in whose}
        held_back = [
            f"{pluralize(more[noun], f'more {noun}')} {what}"
            for noun, what in whose.items()
            if more[noun] > 0
        ]
        if held_back:
            yield from self._more(held_back)
            yield TextLine()

    def _more(self, held_back: list[str]) -> Iterator[TextLine]:
        """Yield text that says what is hidden and which options show it.

        An example is `… and 3 more findings in this conversation (use --all or --output)`.
        """
        text = f"{self._look.signs.more} and {' and '.join(held_back)} (use --all or --output)"
        return indented(wrap(text, self._look.columns), 0, Tone.STRONG)


def _first(groups: Sequence[Sequence[Finding]], limit: int | None) -> Iterator[Sequence[Finding]]:
    """Yield the groups, with at most `limit` findings in all."""
    left = limit
    for group in groups:
        part = group[:left]
        if not part:
            return
        yield part
        left = None if left is None else left - len(part)


def _about(group: Sequence[Finding]) -> tuple[int | None, int | None, int | None]:
    """Return the numbers of the event, the action and the line that a group of findings is about.

    Adjacent groups with equal numbers share a timeline.
    """
    place = group[0].place
    return place.event, place.action, place.line
