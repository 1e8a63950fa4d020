"""Reads the two logs on a rule's page: an example that breaks the rule, and its correction."""

import json
import re
from datetime import datetime
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from segue.analysis.simulate.script import SECOND, ScriptItem
from segue.core.events import HOOKS, INTAKES, IdSource

_BLOCK: Final = re.compile(r"```jsonl\n(.*?)```", re.DOTALL)
APART: Final = 2 * SECOND
"""The number of milliseconds assumed between two lines without times."""


class PageLine(NamedTuple):
    """A line of a log on a page, and the delivery in it."""

    text: str
    item: ScriptItem
    source: int | None = None
    """For a line of the example, the index of the corrected line that it is made from.

    None for an added line and for lines of the corrected log.
    """


class RuleLogs(NamedTuple):
    """The two logs on a rule's page, line by line."""

    example: list[PageLine]
    corrected: list[PageLine]


@cache
def logs_of(code: str) -> RuleLogs:
    """Return the two logs on the page of a rule, such as `SG103`."""
    text = files("segue.core.findings").joinpath("pages", f"{code}.md").read_text("utf-8")
    example, corrected = (block.splitlines() for block in _BLOCK.findall(text))
    lines = [PageLine(line, _item(line, number)) for number, line in enumerate(corrected)]
    found: list[PageLine] = []
    for number, source in enumerate(_sources(example, corrected)):
        line = example[number]
        try:
            item = _item(line, number)
        except json.JSONDecodeError:  # the line is cut off
            if source is None:
                item = ScriptItem(number * APART, {}, arriving=0.5)
            else:
                item = lines[source].item.copy()
                item.arriving = len(line) / len(corrected[source])
        found.append(PageLine(line, item, source))
    return RuleLogs(found, lines)


def _sources(example: list[str], corrected: list[str]) -> list[int | None]:
    """Return, for each line of the example, the index of the corrected line it is made from.

    The index is None for an added line.
    """
    sources = [corrected.index(line) if line in corrected else None for line in example]
    matcher = SequenceMatcher(None, corrected, example, autojunk=False)
    for tag, begin, end, start, stop in matcher.get_opcodes():
        if tag == "equal" or (tag == "replace" and end - begin == stop - start):
            for offset in range(end - begin):
                if sources[start + offset] is None or tag == "equal":
                    sources[start + offset] = begin + offset
    return sources


def _item(line: str, number: int) -> ScriptItem:
    """Return the delivery in a line.

    If the line has no valid time, the time is derived from its number. Raises
    `json.JSONDecodeError` for invalid JSON.
    """
    value = json.loads(line)
    extra = {key: value[key] for key in value if key != "body"} if "body" in value else {}
    intake = INTAKES[extra.get("endpoint", HOOKS.name)]
    item = ScriptItem(number * APART, value.get("body", value), intake)
    if intake.ids is IdSource.BODY:
        item.extra = extra
        try:
            when = datetime.fromisoformat(str(extra.get("received_at")))
        except ValueError:
            return item
        item.at = int(when.timestamp() * SECOND)
        del extra["received_at"]
    return item
