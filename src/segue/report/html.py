"""The format `html`: a self-contained page with every conversation of a run.

The file needs no network. It contains message text only if the report was made with notes that
include the bodies of deliveries.
"""

from typing import Any

from segue.core.conversation import Report
from segue.report.escape import visible
from segue.report.page_data import details, list_row
from segue.report.page_template import PageTemplate
from segue.report.page_writer import PageWriter
from segue.report.renderers import Renderer
from segue.report.run_summary import RunSummary


def report_template() -> PageTemplate:
    """Return the template of the HTML report page, which does not contain conversations yet."""
    return PageTemplate("Segue report", ("columns", "file"))


class Html(Renderer):
    """Writes the HTML report page while the reports arrive."""

    def _start(self) -> None:
        self._page = PageWriter(self._write, report_template())

    def show(self, report: Report) -> None:
        """Add the conversation of a report to the page."""
        story = details(report, self._page.situations)
        self._page.add(list_row(report, story.pop("start")), story)

    def _write_summary(self, run_summary: RunSummary) -> None:
        self._page.finish(_run(run_summary) | {"about": self._options.about})


def _run(run_summary: RunSummary) -> dict[str, Any]:
    rules = {rule.code: rule for rule, *_ in run_summary.rows()}
    return {
        "log": [visible(each.sentence) for each in run_summary.log],
        "lines": run_summary.lines,
        "more": run_summary.remarks(),
        "counts": list(run_summary.counts().values()),
        "causes": list(map(visible, run_summary.causes_in_words())),
        "rules": [[rule.code, rule.name, rule.summary, rule.spec] for rule in rules.values()],
    }
