"""The page of what differs between two logs: that of a report, with a second side.

The conversations of both logs wait in a temporary file until it is known which of them differ.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from difflib import SequenceMatcher
from tempfile import TemporaryFile
from typing import Any, Final, Self

from segue.analysis.compare import ConversationName, Difference
from segue.core.conversation import Report
from segue.core.findings import RULES
from segue.report.page_data import details, list_row
from segue.report.page_template import PageTemplate
from segue.report.page_writer import PageWriter
from segue.report.styled_text import TextLine

SIDES: Final = ("before", "after")


class DifferencePage:
    """Takes the reports of both logs, then what differs; writes the page."""

    def __init__(self, write: Callable[[str], object], about: Mapping[str, Any]) -> None:
        self._about = about
        self._page = PageWriter(write, PageTemplate("Segue comparison", ("columns", "file")))
        self._places: dict[tuple[str, ConversationName], list[tuple[int, int]]] = {}

    def __enter__(self) -> Self:
        """Open the temporary file."""
        self._file = TemporaryFile()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the temporary file."""
        self._file.close()

    def add(self, side: str, name: ConversationName, report: Report) -> None:
        """Hold a report of one of the sides."""
        story = details(report, self._page.situations)
        data = zlib.compress(json.dumps([list_row(report, story["start"]), story]).encode())
        self._places.setdefault((side, name), []).append((self._file.seek(0, 2), len(data)))
        self._file.write(data)

    def show(self, found: Difference, lines: Iterable[TextLine]) -> None:
        """Write a conversation that differs; `lines` say how."""
        before, after = (self._held(side, found.key) for side in SIDES)
        more: dict[str, Any] = {"changes": [line.render() for line in lines]}
        if before and after:
            more |= {"other": [story for _, story in before], "pairs": _pairs(before, after)}
        for row, story in after or before:
            self._page.add([*row, found.kind], story | more)
            more = {}

    def finish(self, total: str) -> None:
        """Write the end; `total` says what all differences come to."""
        rules = [[rule.code, rule.name, rule.summary, rule.spec] for rule in RULES]
        run = {"total": total, "about": self._about, "rules": rules, "causes": []}
        self._page.finish(run)

    def _held(self, side: str, name: ConversationName) -> list[list[Any]]:
        """Return the rows and stories of a side: the conversation, and what came after its end."""
        found = []
        for start, length in self._places.get((side, name), ()):
            self._file.seek(start)
            found.append(json.loads(zlib.decompress(self._file.read(length))))
        return found


def _pairs(before: Iterable[Any], after: Iterable[Any]) -> list[list[int]]:
    """Return which rows of both sides are alike: 1 or 0, and where both stretches begin and end."""
    ones, others = (
        [(kind, agent) for _, story in side for _, _, kind, agent, _ in story["rows"]]
        for side in (before, after)
    )
    found = SequenceMatcher(None, ones, others).get_opcodes()
    return [[int(tag == "equal"), *places] for tag, *places in found]
