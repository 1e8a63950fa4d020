"""The page as a file: every conversation of a run, to be opened in a browser, without a network.

It decides in which portions data are written: a hundred conversations at a time, and for each
hundred the rows of the list apart from the stories behind them, so that the page opens on the rows
alone.  House rules: a hundred conversations are held and no more; no text of a conversation is in
the file unless it was passed as `said`.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from segue.findings import Severity
from segue.report.page_data import details, list_row
from segue.report.page_template import PageTemplate
from segue.report.run_summary import RunSummary
from segue.report.summary import run_totals

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["Html"]

_AT_ONCE: Final = 100
_SAID_AT_ONCE: Final = 1_000


class Html:
    """Writes the page as reports come."""

    def __init__(
        self,
        write: Callable[[str], object],
        said: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        self._write = write
        self._said = said
        self._shell = PageTemplate("Segue report", ("file",))
        self._rows: list[Any] = []
        self._stories: list[Any] = []
        self._is_open = False

    def show(self, report: "Report") -> None:
        """Take in a report; write every hundred."""
        self._rows.append(list_row(report))
        self._stories.append(details(report))
        if len(self._rows) == _AT_ONCE:
            self._flush()

    def finish(self, tally: RunSummary) -> None:
        """Write what is left, what all come to, and the code."""
        self._flush()
        said = iter(self._said)
        while some := list(islice(said, _SAID_AT_ONCE)):
            self._put("said", some)
        self._put("run", _run(tally))
        self._write(self._shell.foot())

    def _flush(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._write(self._shell.head())
        if self._rows:
            self._put("rows", self._rows)
            self._put("stories", self._stories)
            self._rows, self._stories = [], []

    def _put(self, part: str, value: object) -> None:
        self._write(self._shell.part(part, value))


def _run(tally: RunSummary) -> dict[str, Any]:
    rules = {rule.code: rule for rule, *_ in tally.rows()}
    return {
        "totals": run_totals(tally),
        "severities": {rank.value: tally.count(rank) for rank in Severity},
        "rules": [[rule.code, rule.name, rule.summary, rule.spec] for rule in rules.values()],
    }
