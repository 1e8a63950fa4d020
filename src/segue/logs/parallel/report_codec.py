"""Packs reports that go from one process to another of the same Segue.

Reports are pickled in batches, because most of what they are made of is the same.  What segments,
metrics and the timeline are made of stays packed until it is asked for.
"""

import copyreg
import pickle
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from segue.conversation import Report
from segue.engine import State, for_report
from segue.findings import BY_CODE, Finding, Rule
from segue.lifecycle import Phase
from segue.logs.plan import Detail

__all__ = ["Position", "ReportBatch", "reports_of"]

Position: TypeAlias = tuple[int, int]
"""Where a report came about in a chunk: number of the slice, number of the line."""


class _ReportFields(NamedTuple):
    """What is sent of each report."""

    position: Position
    conversation_id: str | None
    bot_id: str | None
    phase: Phase
    events: int
    findings: tuple[Finding, ...]
    json: str | dict[str, Any] | None
    """The report as JSON text, or as the JSON object without its findings."""


class ReportBatch:
    """Collects reports that are not late, to be packed together."""

    def __init__(self, detail: Detail) -> None:
        self._detail = detail
        self._fields: list[_ReportFields] = []
        self._states: list[State | None] = []

    def __len__(self) -> int:
        return len(self._fields)

    def add(self, position: Position, report: Report) -> None:
        """Add a report; only what is to be sent of it is kept."""
        json: str | dict[str, Any] | None = None
        if self._detail.json and report.findings:
            json = report.to_dict() | {"findings": ()}
        elif self._detail.json:
            json = report.to_json()
        self._fields.append(
            _ReportFields(
                position,
                report.conversation_id,
                report.bot_id,
                report.phase,
                report.events,
                report.findings,
                json,
            )
        )
        has_history = self._detail.history or report.findings
        self._states.append(for_report(report._state) if has_history else None)  # noqa: SLF001

    def pack(self) -> bytes:
        """Return the reports as bytes, and begin a new batch."""
        packed = pickle.dumps((self._fields, pickle.dumps(self._states)))
        self._fields.clear()
        self._states.clear()
        return packed


def reports_of(packed: bytes) -> Iterator[tuple[Position, Report]]:
    """Yield the reports of a batch with their positions."""
    fields, states = pickle.loads(packed)  # noqa: S301 - from a process that we started
    batch = _PackedStates(states)
    for number, each in enumerate(fields):
        yield each.position, _SentReport(each, batch, number)


class _PackedStates:
    """What is behind the reports of a batch, unpacked when the first of them is asked for it."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    @cached_property
    def unpacked(self) -> list[State]:
        """One entry for each report."""
        states: list[State] = pickle.loads(self._packed)  # noqa: S301 - as above
        return states


class _SentReport(Report):
    """A report that another process has made."""

    def __init__(self, fields: _ReportFields, states: _PackedStates, number: int) -> None:
        _, self.conversation_id, self.bot_id, self.phase, self.events, self.findings, _ = fields
        self.late = False
        self._json, self._states, self._number = fields.json, states, number

    @cached_property
    def _state(self) -> State:  # type: ignore[override]
        return self._states.unpacked[self._number]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as the documented JSON object."""
        if not isinstance(self._json, dict):
            return super().to_dict()
        return self._json | {
            "valid": self.valid,  # findings may have been taken out of the report here
            "clean": self.clean,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def to_json(self) -> str:
        """Return the report as one line of JSON, in ASCII."""
        return self._json if isinstance(self._json, str) else super().to_json()


def _rule(code: str) -> Rule:
    return BY_CODE[code]


def _reduced(rule: Rule) -> tuple[Any, ...]:
    return _rule, (rule.code,)


copyreg.pickle(Rule, _reduced)  # a rule is sent by its code
