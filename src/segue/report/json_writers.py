"""Reports for programs: JSON, as one document or as one report a line.

House rules: a report is what `Report.to_dict` gives and nothing else; ASCII only, so that no
terminal and no encoding can make anything else of it; written as it comes.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from segue.report.run_summary import RunSummary

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["JsonLinesWriter", "JsonWriter"]


class JsonLinesWriter:
    """One report a line."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def show(self, report: "Report") -> None:
        """Write the report."""
        self._write(f"{report.to_json()}\n")

    def finish(self, tally: RunSummary) -> None:
        """Write nothing: every line is a report."""


class JsonWriter:
    """One document: the reports, then the summary."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._before = '{"reports": [\n'

    def show(self, report: "Report") -> None:
        """Write the report as the next element."""
        self._write(f"{self._before}{report.to_json()}")
        self._before = ",\n"

    def finish(self, tally: RunSummary) -> None:
        """Close the list and write the summary."""
        end = f'], "summary": {json.dumps(tally.to_dict())}}}\n'
        self._write(f"{self._before}{end}" if self._before.startswith("{") else f"\n{end}")
