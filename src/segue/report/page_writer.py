"""Write the document of a page while conversations arrive.

Each conversation has a list row and a story, which has the details shown when the conversation is
opened. Both are encoded as columns. A page needs all rows when it opens, so rows are written in few
large data elements. A story is read when its conversation is opened, so stories are written in
small data elements.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from segue.report.columns import to_column
from segue.report.page_rows import Situations
from segue.report.page_template import PageTemplate

_STORIES: Final = 100
"""The number of stories in a data element. `page/file.mjs` relies on the same number."""
_ROWS: Final = 20 * _STORIES


class PageWriter:
    """Writes a page one data element at a time, so that few conversations are in memory."""

    def __init__(self, write: Callable[[str], object], template: PageTemplate) -> None:
        self._write = write
        self._template = template
        self._rows: list[Any] = []
        self._stories: list[Any] = []
        self._is_open = False
        self.situations = Situations()
        """The distinct situations that occur in the stories."""

    def add(self, row: list[Any], story: Mapping[str, Any]) -> None:
        """Add a conversation, and write a data element when enough conversations are buffered."""
        self._rows.append(row)
        self._stories.append(story)
        if len(self._stories) == _STORIES:
            self._stories = self._put("stories", self._stories)
        if len(self._rows) == _ROWS:
            self._rows = self._put("rows", self._rows)

    def finish(self, run: Mapping[str, Any]) -> None:
        """Write the buffered conversations and the end of the document.

        `run` is a dict for JSON with information about the whole run.
        """
        self._stories = self._put("stories", self._stories)
        self._rows = self._put("rows", self._rows)
        self._part("situations", self.situations.to_list())
        self._part("run", run)
        self._write(self._template.foot())

    def _put(self, name: str, values: list[Any]) -> list[Any]:
        if values:
            self._part(name, to_column(values))
        return []

    def _part(self, name: str, value: object) -> None:
        if not self._is_open:
            self._is_open = True
            self._write(self._template.head())
        self._write(self._template.part(name, value))
