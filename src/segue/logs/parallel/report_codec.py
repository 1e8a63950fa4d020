"""Serializes reports for another process that runs the same version of Segue.

Reports are pickled in batches, because they have most of their content in common. The state of a
conversation is sent as a snapshot, which is decoded only when segments, metrics or the timeline are
requested.
"""

import pickle
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from segue.core.conversation import Report, state_of
from segue.core.engine.snapshot import dump
from segue.core.explain import NOTHING
from segue.logs.plan import Detail

Position: TypeAlias = tuple[int, ...]
"""The position of a report in a chunk: the index of the slice and the number of the line.

A third number orders the reports that were due when the line had been read.
"""


_REPORTS: Final = 256
"""The maximum number of reports of a batch."""


class ReportBatches:
    """Reports that a worker sends to the main process, in batches.

    Each report is stored with its position in the chunk.
    """

    def __init__(self, detail: Detail) -> None:
        self._detail = detail
        self._reports: list[tuple[Position, _SentReport]] = []
        self._packed: list[bytes] = []

    def add(self, position: Position, report: Report) -> None:
        """Add a report, reduced to the parts that the batches' `Detail` selects."""
        state = state_of(report)
        has_history = self._detail.history or state.findings
        report.is_explained = self._detail.explained
        json: str | dict[str, Any] | None = None
        if self._detail.json and report.findings:
            json = report.to_dict() | {"findings": ()}
        elif self._detail.json:
            json = report.to_json()
        snapshot = dump(state) if has_history else b""
        self._reports.append((position, _SentReport(report, json, snapshot)))
        if len(self._reports) == _REPORTS:
            self._pack()

    def packed(self) -> list[bytes]:
        """Return all batches, pickled."""
        if self._reports:
            self._pack()
        return self._packed

    def _pack(self) -> None:
        self._packed.append(pickle.dumps(self._reports))
        self._reports.clear()


def reports_of(packed: bytes) -> Iterator[tuple[Position, Report]]:
    """Unpickle a batch, and yield `(position, report)` for each of its reports."""
    yield from pickle.loads(packed)  # noqa: S301 - from a process that we started


class _SentReport(Report):
    """A report that another process has sent, with its JSON if that is needed."""

    def __init__(self, report: Report, json: str | dict[str, Any] | None, snapshot: bytes) -> None:
        self._describe(
            conversation_id=report.conversation_id,
            bot_id=report.bot_id,
            keyed_by=report.keyed_by,
            phase=report.phase,
            events=report.events,
            findings=report.findings,
        )
        self.notes = report.notes
        if not state_of(report).findings:
            self._explained = NOTHING
        elif report.is_explained:
            self._explained = report._explained  # noqa: SLF001 - made in the worker
        self._json = json
        """The report as JSON text, or as a JSON object without findings if it has findings.

        None if JSON is not needed.
        """
        self._snapshot = snapshot  # empty if segments, metrics and timeline are not needed

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a JSON object in the documented format."""
        if not isinstance(self._json, dict):
            return super().to_dict()
        return self._json | {
            "valid": self.valid,  # findings may have been removed in this process
            "clean": self.clean,
            **self._explained_to_dict(),
        }

    def to_json(self) -> str:
        """Return the report as JSON text on one line, in ASCII."""
        return self._json if isinstance(self._json, str) else super().to_json()
