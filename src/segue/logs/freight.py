"""Freight: reports on their way from one process to another of the same Segue.

It decides what is sent of a report.  House rules: reports travel by the hundred, for most of what
they are made of is the same; the stories behind them stay packed until somebody asks for segments,
metrics or the timeline; line numbers are put right by the receiver, who knows how many lines there
were before.

Freight is pickled, so it goes from a process to the one that started it and nowhere else.
"""

import copyreg
import io
import pickle
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple

from segue.conversation import Report
from segue.findings import BY_CODE, Cause, Finding, Place, Rule
from segue.fold import State, extract, moved, rebuild
from segue.lifecycle import Phase

__all__ = ["ALL", "Wanted", "dumps", "pack", "unpack"]


class Wanted(NamedTuple):
    """What is wanted of reports that have no findings; of the others, everything is sent."""

    stories: bool = True
    """What segments, metrics and the timeline are made of."""
    texts: bool = False
    """The report as JSON."""


ALL: Final = Wanted()


class _Facts(NamedTuple):
    """What of a report is not packed."""

    at: int
    """The line it came of, within the part."""
    conversation_id: str | None
    bot_id: str | None
    phase: Phase
    events: int
    findings: tuple[Finding, ...]
    text: str | None


def pack(reports: list[tuple[int, Report]], wanted: Wanted) -> bytes:
    """Pack reports that are not late, each with the line of the part that it came of."""
    facts = [_facts(at, report, wanted) for at, report in reports]
    stories = [
        extract(report._state) if wanted.stories or report.findings else None  # noqa: SLF001
        for _, report in reports
    ]
    return dumps((facts, dumps(stories)))


def _facts(at: int, report: Report, wanted: Wanted) -> _Facts:
    text = report.to_json() if wanted.texts and not report.findings else None
    return _Facts(
        at,
        report.conversation_id,
        report.bot_id,
        report.phase,
        report.events,
        report.findings,
        text,
    )


def unpack(freight: bytes, lines: int) -> Iterator[tuple[int, Report]]:
    """Yield the reports, each with its line; there were so many lines before the part."""
    facts, packed = pickle.loads(freight)  # noqa: S301 - from a process that we started
    stories = _Stories(packed)
    for number, each in enumerate(facts):
        yield each.at, _Sent(each, lines, stories, number)


class _Stories:
    """What is behind some reports, packed until somebody asks."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    @cached_property
    def opened(self) -> list[tuple[Any, ...]]:
        """The stories, one a report."""
        stories: list[tuple[Any, ...]] = pickle.loads(self._packed)  # noqa: S301 - as above
        return stories


class _Sent(Report):
    """A report that another process has made."""

    def __init__(self, facts: _Facts, lines: int, stories: "_Stories", number: int) -> None:
        _, self.conversation_id, self.bot_id, self.phase, self.events, findings, text = facts
        self.late = False
        self.findings = (
            tuple([moved(finding, lines) for finding in findings]) if lines else findings
        )
        self._lines, self._stories, self._number, self._text = lines, stories, number, text

    @cached_property
    def _state(self) -> State:  # type: ignore[override]
        state = rebuild(self._stories.opened[self._number])
        if self._lines:
            state.trail.move(self._lines)
        return state

    def to_json(self) -> str:
        """Return the report as one line of JSON, in ASCII."""
        return super().to_json() if self._text is None else self._text


def dumps(value: object) -> bytes:
    """Pickle a value; rules are sent by their codes."""
    out = io.BytesIO()
    pickler = pickle.Pickler(out, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _REDUCED
    pickler.dump(value)
    return out.getvalue()


def _rule(code: str) -> Rule:
    return BY_CODE[code]


def _of_rule(rule: Rule) -> tuple[Any, ...]:
    return _rule, (rule.code,)


def _of_parts(value: Finding | Place | Cause) -> tuple[Any, ...]:
    """Take a value apart, at a fraction of what it costs to ask for its fields."""
    kind = type(value)
    return kind, _PARTS[kind](value)


_PARTS: Final[Mapping[type, Callable[[Any], Any]]] = {
    kind: attrgetter(*kind.__match_args__) for kind in (Finding, Place, Cause)
}
_REDUCED: Final = copyreg.dispatch_table | {Rule: _of_rule} | dict.fromkeys(_PARTS, _of_parts)
