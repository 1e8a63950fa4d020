"""Renderers: the same reports, for a person, for `grep`, or for a program.

A renderer is told each report as it comes and writes what it has to say at once; nothing is kept,
so that a day of traffic needs no more memory than a minute.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from segue.report.concise import Concise
from segue.report.full import Full
from segue.report.machine import Json, JsonLines
from segue.report.paint import Look
from segue.report.tally import Tally

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["FORMATS", "Renderer", "renderer"]

FORMATS: Final = ("full", "concise", "json", "jsonl")


class Renderer(Protocol):
    """Writes reports somewhere."""

    def show(self, report: "Report") -> None:
        """Show one report."""

    def finish(self, tally: Tally) -> None:
        """Show what all of them come to."""


def renderer(
    name: str,
    write: Callable[[str], object],
    look: Look,
    *,
    limit: int | None = None,
    is_brief: bool = False,
) -> Renderer:
    """Return the renderer of a format.

    `limit` is how many conversations `full` shows; a brief text has no summary.
    """
    match name:
        case "full":
            return Full(write, look, limit=limit, is_brief=is_brief)
        case "concise":
            return Concise(write, look, is_brief=is_brief)
        case "json":
            return Json(write)
        case "jsonl":
            return JsonLines(write)
        case _:
            raise ValueError(name)
