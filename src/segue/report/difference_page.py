"""The HTML page of the differences between two logs.

This is the report page with two versions of each conversation. The conversations of both logs are
kept in a temporary file until it is known which of them differ.
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
    """Collects the reports of two logs and writes a page of the conversations that differ.

    The page is a context manager. First add the reports of both logs, then show each difference,
    and then finish the page.
    """

    def __init__(self, write: Callable[[str], object], about: Mapping[str, Any]) -> None:
        self._about = about
        self._page = PageWriter(write, PageTemplate("Segue comparison", ("columns", "file")))
        self._places: dict[tuple[str, ConversationName], list[tuple[int, int]]] = {}

    def __enter__(self) -> Self:
        """Open the temporary file for the reports and return the page."""
        self._file = TemporaryFile()
        return self

    def __exit__(self, *_: object) -> None:
        """Close the temporary file, which deletes it."""
        self._file.close()

    def add(self, side: str, name: ConversationName, report: Report) -> None:
        """Store a report of one of the two logs. `side` is `before` or `after`."""
        story = details(report, self._page.situations)
        data = zlib.compress(json.dumps([list_row(report, story["start"]), story]).encode())
        self._places.setdefault((side, name), []).append((self._file.seek(0, 2), len(data)))
        self._file.write(data)

    def show(self, found: Difference, lines: Iterable[TextLine]) -> None:
        """Write one conversation that differs. `lines` describe its differences in words."""
        before, after = (self._stored(side, found.key) for side in SIDES)
        more: dict[str, Any] = {"changes": [line.render() for line in lines]}
        if before and after:
            more |= {"other": [story for _, story in before], "pairs": _pairs(before, after)}
        for row, story in after or before:
            self._page.add([*row, found.kind], story | more)
            more = {}

    def finish(self, total: str) -> None:
        """Write the rest of the page. `total` is a sentence that summarizes all differences."""
        rules = [[rule.code, rule.name, rule.summary, rule.spec] for rule in RULES]
        run = {"total": total, "about": self._about, "rules": rules, "causes": []}
        self._page.finish(run)

    def _stored(self, side: str, name: ConversationName) -> list[list[Any]]:
        """Return the stored `[list row, story]` pairs of a conversation on one side.

        There are several pairs if events came after the end of the conversation, since these have
        reports of their own.
        """
        found = []
        for start, length in self._places.get((side, name), ()):
            self._file.seek(start)
            found.append(json.loads(zlib.decompress(self._file.read(length))))
        return found


def _pairs(before: Iterable[Any], after: Iterable[Any]) -> list[list[int]]:
    """Align the timeline rows of the two versions of a conversation.

    Return a list of stretches `[is_equal, start, end, other_start, other_end]`. `is_equal` is 1 or
    0, and the other numbers are indices of rows. The end of a stretch is exclusive.
    """
    ones, others = (
        [(kind, agent) for _, story in side for _, _, kind, agent, _ in story["rows"]]
        for side in (before, after)
    )
    found = SequenceMatcher(None, ones, others).get_opcodes()
    return [[int(tag == "equal"), *places] for tag, *places in found]
