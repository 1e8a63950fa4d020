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
from typing import Any, Final, NamedTuple, TypeAlias

from segue.conversation import Report
from segue.engine import State, extract, moved, rebuild
from segue.findings import BY_CODE, Cause, Finding, Place, Rule
from segue.lifecycle import Phase

__all__ = ["FULL_DETAIL", "Detail", "Load", "dumps", "unpack"]


class Detail(NamedTuple):
    """What is wanted of reports that have no findings; of the others, everything is sent."""

    history: bool = True
    """What segments, metrics and the timeline are made of."""
    json: bool = False
    """The report as JSON; of one with findings, the object without them, for they have lines."""


FULL_DETAIL: Final = Detail()


_Told: TypeAlias = str | dict[str, Any] | None
_Facts: TypeAlias = tuple[int, str | None, str | None, Phase, int, tuple[Finding, ...], _Told]
"""What of a report is not packed: the line of the part that it came of; conversation, bot, phase,
number of events, findings; JSON, or the object."""


class Load:
    """Reports that are not late, to be packed together; nothing else of them is kept."""

    def __init__(self, detail: Detail) -> None:
        self._detail = detail
        self._facts: list[_Facts] = []
        self._stories: list[tuple[Any, ...] | None] = []

    def __len__(self) -> int:
        return len(self._facts)

    def add(self, at: int, report: Report) -> None:
        """Add a report, with the line of the part that it came of."""
        findings, detail = report.findings, self._detail
        told: _Told = None
        if detail.json:
            told = report.to_dict() | {"findings": ()} if findings else report.to_json()
        self._facts.append(
            (
                at,
                report.conversation_id,
                report.bot_id,
                report.phase,
                report.events,
                findings,
                told,
            )
        )
        is_told = detail.history or findings
        self._stories.append(extract(report._state) if is_told else None)  # noqa: SLF001

    def pack(self) -> bytes:
        """Pack what there is, and begin anew."""
        freight = dumps((self._facts, dumps(self._stories)))
        self._facts.clear()
        self._stories.clear()
        return freight


def unpack(freight: bytes, lines: int) -> Iterator[tuple[int, Report]]:
    """Yield the reports, each with its line; there were so many lines before the part."""
    facts, packed = pickle.loads(freight)  # noqa: S301 - from a process that we started
    stories = _Stories(packed)
    for number, each in enumerate(facts):
        yield each[0], _Sent(each, lines, stories, number)


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
        _, self.conversation_id, self.bot_id, self.phase, self.events, findings, told = facts
        self.late = False
        self.findings = (
            tuple([moved(finding, lines) for finding in findings]) if lines else findings
        )
        self._lines, self._stories, self._number, self._told = lines, stories, number, told

    @cached_property
    def _state(self) -> State:  # type: ignore[override]
        state = rebuild(self._stories.opened[self._number])
        if self._lines:
            state.trail.move(self._lines)
        return state

    def to_dict(self) -> dict[str, Any]:
        """Return the report as the documented JSON object."""
        if not isinstance(self._told, dict):
            return super().to_dict()
        return self._told | {
            "valid": self.valid,  # some findings may have been set aside
            "clean": self.clean,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def to_json(self) -> str:
        """Return the report as one line of JSON, in ASCII."""
        return self._told if isinstance(self._told, str) else super().to_json()


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
