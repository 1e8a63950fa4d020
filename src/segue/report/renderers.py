"""Renderers: the same reports, for a person, for `grep`, for a program, for other people's tools.

A renderer is told each report as it comes and writes what it has to say as soon as its format lets
it; what has to wait waits on the disk or is bounded, so that a day of traffic needs no more memory
than a minute.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from segue.report.concise import Concise
from segue.report.full import Full
from segue.report.github import GitHub
from segue.report.gitlab import GitLab
from segue.report.html import Html
from segue.report.json_writers import JsonLinesWriter, JsonWriter
from segue.report.junit import JUnit
from segue.report.run_summary import RunSummary
from segue.report.sarif import Sarif
from segue.report.styled_text import Look

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["FORMATS", "Renderer", "renderer"]

FORMATS: Final = ("full", "concise", "json", "jsonl", "github", "gitlab", "junit", "sarif", "html")


class Renderer(Protocol):
    """Writes reports somewhere."""

    def show(self, report: "Report") -> None:
        """Show one report."""

    def finish(self, tally: RunSummary) -> None:
        """Show what all of them come to."""


_FOR_PROGRAMS: Final[Mapping[str, Callable[[Callable[[str], object]], Renderer]]] = {
    "json": JsonWriter,
    "jsonl": JsonLinesWriter,
    "github": GitHub,
    "gitlab": GitLab,
    "junit": JUnit,
    "sarif": Sarif,
}
"""Formats that need nothing but somewhere to write."""


def renderer(  # noqa: PLR0913 - all that any format may want
    name: str,
    write: Callable[[str], object],
    look: Look,
    *,
    limit: int | None = None,
    is_brief: bool = False,
    said: Iterable[Mapping[str, Any]] = (),
) -> Renderer:
    """Return the renderer of a format.

    `limit` is how many conversations `full` shows; a brief text has no summary; `said` is what of
    conversations `html` quotes.
    """
    match name:
        case "full":
            return Full(write, look, limit=limit, is_brief=is_brief)
        case "concise":
            return Concise(write, look, is_brief=is_brief)
        case "html":
            return Html(write, said)
        case _ if name in _FOR_PROGRAMS:
            return _FOR_PROGRAMS[name](write)
        case _:
            raise ValueError(name)
