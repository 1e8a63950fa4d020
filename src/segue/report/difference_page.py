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
    """Writes an HTML page of the conversations that differ between two logs.

    The page is a context manager. Call `add` with each report of both logs, then `show` with each
    difference, and then `finish`.
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
        """Keep the report of a conversation until the two logs have been compared.

        `side` names the log that contains the conversation, `before` or `after`.
        """
        story = details(report, self._page.situations)
        data = zlib.compress(json.dumps([list_row(report, story["start"]), story]).encode())
        self._places.setdefault((side, name), []).append((self._file.seek(0, 2), len(data)))
        self._file.write(data)

    def show(self, found: Difference, lines: Iterable[TextLine]) -> None:
        """Write a conversation that differs to the page.

        `lines` describe the differences in words.
        """
        before, after = (self._stored(side, found.key) for side in SIDES)
        more: dict[str, Any] = {"changes": [line.render() for line in lines]}
        if before and after:
            more |= {"other": [story for _, story in before], "pairs": _pairs(before, after)}
        for row, story in after or before:
            self._page.add([*row, found.kind], story | more)
            more = {}

    def finish(self, total: str) -> None:
        """Write the end of the page.

        `total` is a sentence that summarizes the differences of all conversations.
        """
        rules = [[rule.code, rule.name, rule.summary, rule.spec] for rule in RULES]
        run = {"total": total, "about": self._about, "rules": rules, "causes": []}
        self._page.finish(run)

    def _stored(self, side: str, name: ConversationName) -> list[list[Any]]:
        """Read the page data of a conversation in one of the two logs from the temporary file.

        Return a list of `[row, story]` pairs, each with the row in the page's list of conversations
        and the details that the page shows when the row is opened. There are several pairs if
        events came after the end of the conversation, because these have a report of their own.
        """
        found = []
        for start, length in self._places.get((side, name), ()):
            self._file.seek(start)
            found.append(json.loads(zlib.decompress(self._file.read(length))))
        return found


def _pairs(before: Iterable[Any], after: Iterable[Any]) -> list[list[int]]:
    """Align the timeline rows of a conversation in the two logs, like a diff of two files.

    Return a list of stretches `[is_equal, start, end, other_start, other_end]`. `is_equal` is 1 or
    0. The other items are indices into the rows before and after, and the ends are exclusive.
    """
    ones, others = (
        [(kind, agent) for _, story in side for _, _, kind, agent, _ in story["rows"]]
        for side in (before, after)
    )
    found = SequenceMatcher(None, ones, others).get_opcodes()
    return [[int(tag == "equal"), *places] for tag, *places in found]
