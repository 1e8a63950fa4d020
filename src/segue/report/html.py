"""The page as a file: every conversation of a run, to be opened in a browser, without a network.

Data are written for a hundred conversations at a time and by column, the rows of the list apart
from the details behind them, so that the page opens on the rows alone.  No text of a conversation
is in the file unless the notes of a report have its bodies.
"""

from typing import Any, Final

from segue.conversation import Report
from segue.report.columns import to_column
from segue.report.escape import visible
from segue.report.page_data import details, list_row
from segue.report.page_rows import Situations
from segue.report.page_template import PageTemplate
from segue.report.renderers import Renderer
from segue.report.run_summary import RunSummary

_AT_ONCE: Final = 100


def report_template() -> PageTemplate:
    """Return the document around the data of a report."""
    return PageTemplate("Segue report", ("columns", "file"))


class Html(Renderer):
    """Writes the page as reports come."""

    def _start(self) -> None:
        self._template = report_template()
        self._rows: list[Any] = []
        self._details: list[Any] = []
        self._situations = Situations()
        self._is_open = False

    def show(self, report: Report) -> None:
        """Hold a report; write all that are held when there are a hundred."""
        story = details(report, self._situations)
        self._rows.append(list_row(report, story.pop("start")))
        self._details.append(story)
        if len(self._rows) == _AT_ONCE:
            self._flush()

    def _write_summary(self, run_summary: RunSummary) -> None:
        self._flush()
        self._put("run", _run(run_summary) | {"about": self._options.about})

    def _write_end(self) -> None:
        self._write(self._template.foot())

    def _flush(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._write(self._template.head())
        if self._rows:
            self._put("rows", to_column(self._rows))
            self._put("stories", to_column(self._details))
            self._put("situations", self._situations.take())
            self._rows, self._details = [], []

    def _put(self, part: str, value: object) -> None:
        self._write(self._template.part(part, value))


def _run(run_summary: RunSummary) -> dict[str, Any]:
    rules = {rule.code: rule for rule, *_ in run_summary.rows()}
    return {
        "lines": run_summary.lines,
        "more": run_summary.remarks(),
        "counts": list(run_summary.counts().values()),
        "causes": list(map(visible, run_summary.causes_in_words())),
        "rules": [[rule.code, rule.name, rule.summary, rule.spec] for rule in rules.values()],
    }
