"""Renderers, each of which writes reports in one format while they arrive.

Output that a format cannot write yet is kept in a temporary file or is bounded, so that a large log
needs no more memory than a small one. The module of a format is imported when it is used.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from segue.report.look import Look
from segue.report.row_columns import RowKind
from segue.report.run_summary import RunSummary

if TYPE_CHECKING:
    from segue.core.conversation import Report
    from segue.logs.remark import LogRemark
    from segue.report.styled_text import TextLine

_CLASSES: Final = {
    "full": "full.Full",
    "concise": "concise.Concise",
    "json": "json_writers.JsonWriter",
    "jsonl": "json_writers.JsonLinesWriter",
    "github": "github.GitHub",
    "gitlab": "gitlab.GitLab",
    "rdjson": "rdjson.RdJson",
    "junit": "junit.JUnit",
    "sarif": "sarif.Sarif",
    "html": "html.Html",
    "csv": "csv_table.CsvTable",
}
FORMATS: Final = tuple(_CLASSES)


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Options for renderers. Options that a format does not use are ignored."""

    look: Look = field(default_factory=Look)
    limit: int | None = None
    """The maximum number of conversations that `full` shows, or None for all."""
    is_brief: bool = False
    """Whether `full` and `concise` omit their summary."""
    log: Sequence["LogRemark"] = ()
    """The remarks on the logs that `full` shows before the conversations."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Data about the run that `html` shows, with the keys `logs`, `version` and `options`."""
    rows: RowKind = "findings"
    """The kind of rows that `csv` writes, such as `findings`."""


class Renderer:
    """Base class of the output formats, such as `concise` or `html`.

    Call `show` for each report and then `finish`. The renderer passes its output in pieces to the
    function `write`, so that the output of a large log need not fit in memory.
    """

    def __init__(self, write: Callable[[str], object], options: RenderOptions) -> None:
        self._write = write
        self._options = options
        self._start()

    def _start(self) -> None:
        """Initialize the state of a subclass. `__init__` calls this method last."""

    def _write_lines(self, lines: "Iterable[TextLine]") -> None:
        color = self._options.look.color
        self._write("".join(f"{line.render(color=color)}\n" for line in lines))

    def show(self, report: "Report") -> None:
        """Write one report. Subclasses override this method."""
        raise NotImplementedError

    def finish(self, run_summary: RunSummary) -> None:
        """Write the summary of the run and the end of the document."""
        self._write_summary(run_summary)
        self._write_end()

    def _write_summary(self, run_summary: RunSummary) -> None:
        """Write the summary of the run. Formats without a summary write nothing."""

    def _write_end(self) -> None:
        """Write the end of the document. Formats without an end write nothing."""


def renderer(
    name: str, write: Callable[[str], object], options: RenderOptions | None = None
) -> Renderer:
    """Return a new renderer for a format such as `concise`.

    The renderer calls `write` with each piece of output. Raise `ValueError` if the format is
    unknown.
    """
    if name not in _CLASSES:
        raise ValueError(name)
    module, _, attribute = _CLASSES[name].partition(".")
    made: type[Renderer] = getattr(import_module(f"segue.report.{module}"), attribute)
    return made(write, options or RenderOptions())
