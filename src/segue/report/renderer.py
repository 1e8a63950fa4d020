"""Renderers: the same reports, for a person, for `grep`, or for a program.

A renderer is told each report as it comes and writes what it has to say at once; nothing but the
tally is kept, so that a day of traffic needs no more memory than a minute.
"""

import json
from collections.abc import Callable
from typing import Final, Protocol, TextIO

from segue.conversation import Report
from segue.findings import Finding
from segue.report.escape import visible
from segue.report.tally import Tally

__all__ = ["PLAIN", "Concise", "Json", "JsonLines", "Renderer", "counted", "where"]


class Renderer(Protocol):
    """Writes reports somewhere."""

    def show(self, report: Report) -> None:
        """Show one report."""

    def finish(self, tally: Tally) -> None:
        """Show what all of them come to."""


def where(finding: Finding) -> str:
    """Return the place of a finding in its log: `shift.jsonl:17`, as far as it is known."""
    place = finding.place
    source = visible(place.source) or "log"
    return source if place.line is None else f"{source}:{place.line}"


class Concise:
    """One line a finding: `shift.jsonl:17: SG103 agent a-2 took over … [cold-entry-…]`."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def show(self, report: Report) -> None:
        """Write a line for each finding."""
        for finding in report.findings:
            place = where(finding)
            if finding.place.line is None and report.conversation_id is not None:
                place = f"{visible(report.conversation_id)} (at the close)"
            self._out.write(
                f"{place}: {finding.code} {visible(finding.message)} [{finding.name}]\n",
            )

    def finish(self, tally: Tally) -> None:
        """Write one line of counts."""
        self._out.write(f"{counted(tally)}\n")


class JsonLines:
    """One report a line, as `Report.to_dict` gives it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def show(self, report: Report) -> None:
        """Write the report."""
        self._out.write(f"{_dumps(report)}\n")

    def finish(self, tally: Tally) -> None:
        """Write nothing: every line is a report."""


class Json:
    """One document: the reports, then the summary."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._separator = '{"reports": [\n'

    def show(self, report: Report) -> None:
        """Write the report as the next element."""
        self._out.write(f"{self._separator}{_dumps(report)}")
        self._separator = ",\n"

    def finish(self, tally: Tally) -> None:
        """Close the list and write the summary."""
        opening = "" if self._separator.startswith(",") else self._separator
        self._out.write(f'{opening}\n], "summary": {json.dumps(tally.to_dict())}}}\n')


def _dumps(report: Report) -> str:
    return json.dumps(report.to_dict(), ensure_ascii=True)


def counted(tally: Tally) -> str:
    """Return the counts of a run as one sentence."""
    parts = [
        _number(tally.conversations, "conversation"),
        f"{tally.valid} valid",
        f"{tally.clean} clean",
        _number(sum(tally.findings.values()), "finding"),
    ]
    if tally.unfiled:
        parts.append(f"{_number(tally.unfiled, 'line')} of no conversation")
    if tally.known:
        parts.append(f"{tally.known} known from the baseline")
    return ", ".join(parts)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


PLAIN: Final[dict[str, Callable[[TextIO], Renderer]]] = {
    "concise": Concise,
    "json": Json,
    "jsonl": JsonLines,
}
"""The renderers that need nothing but a stream."""
