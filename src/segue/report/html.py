"""The page: every conversation of a run in one file, to be opened in a browser, without a network.

It decides how the file is put together: the shell, then data, then the code that shows them.  The
data are compressed a hundred conversations at a time, and for each hundred the rows of the list
stand apart from the stories behind them, so that the page opens on the rows alone.  House rules: a
hundred conversations are held and no more; the code is known to the browser by its digest, and
nothing else in the file can run; no text of a conversation is in it unless it was passed as `said`.
"""

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from segue.findings import Severity
from segue.report.story import row, story
from segue.report.summary import totals
from segue.report.tally import Tally

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["Html"]

_AT_ONCE: Final = 100
_SAID_AT_ONCE: Final = 1_000
_SCRIPTS: Final = ("dom", "data", "list", "timeline", "story", "main")
"""In this order they are one script."""


class Html:
    """Writes the page as reports come."""

    def __init__(
        self,
        write: Callable[[str], object],
        said: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        self._write = write
        self._said = said
        self._rows: list[Any] = []
        self._stories: list[Any] = []
        self._is_open = False

    def show(self, report: "Report") -> None:
        """Take in a report; write every hundred."""
        self._rows.append(row(report))
        self._stories.append(story(report))
        if len(self._rows) == _AT_ONCE:
            self._flush()

    def finish(self, tally: Tally) -> None:
        """Write what is left, what all come to, and the code."""
        self._flush()
        said = iter(self._said)
        while some := list(islice(said, _SAID_AT_ONCE)):
            self._put("said", some)
        self._put("run", _run(tally))
        self._write(f"<script>{_script()}</script>\n</body>\n</html>\n")

    def _flush(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._write(_head())
        if self._rows:
            self._put("rows", self._rows)
            self._put("stories", self._stories)
            self._rows, self._stories = [], []

    def _put(self, part: str, value: object) -> None:
        data = zlib.compress(json.dumps(value, separators=(",", ":")).encode())
        text = b64encode(data).decode("ascii")
        self._write(f'<script type="text/plain" data-part="{part}">{text}</script>\n')


def _run(tally: Tally) -> dict[str, Any]:
    counts = {(rule, rank): count for rule, rank, count in tally.rows()}
    return {
        "totals": totals(tally),
        "severities": {rank.value: tally.count(rank) for rank in Severity},
        "rules": [
            [rule.code, rule.name, rank.value, count, rule.summary, rule.spec]
            for (rule, rank), count in counts.items()
        ],
    }


def _head() -> str:
    style, script = _text("page.css"), _script()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src {_digest(style)}",
            f"script-src {_digest(script)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        )
    )
    shell = _text("page.html")
    return shell.replace("{policy}", policy).replace("{style}", style)


def _script() -> str:
    return "".join(_lines())


def _lines() -> Iterator[str]:
    yield '"use strict";\n'
    for name in _SCRIPTS:
        yield _text(f"{name}.js")


def _text(name: str) -> str:
    return files("segue.report").joinpath("page", name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"
