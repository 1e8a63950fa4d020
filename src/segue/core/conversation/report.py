"""The report of one conversation, as a value to read, compare and print."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from segue.core.engine import (
    TRANSCRIPTION_MACHINE,
    History,
    HistoryEvent,
    State,
    events_of,
    history_of,
    rows_of,
)
from segue.core.events import CALL_NOTIFICATIONS
from segue.core.findings import Finding, Policy, Root, Severity
from segue.core.lifecycle import Phase
from segue.core.segments import Metrics, Segment, SegmentBuilder, for_agent, measure
from segue.core.transcription import Session, StateInterval

if TYPE_CHECKING:
    from segue.core.calls import CallSession
    from segue.core.edits import SingleEdit

Keying: TypeAlias = Literal["bot", "conversation"]
"""The key of a conversation: bot and conversation id, or the conversation id alone."""
SCHEMA_VERSION: Final = 1
"""The version of the JSON of reports. It increases when a key is removed or changes its meaning."""
Note: TypeAlias = tuple[int, str, Any]
"""The position of a delivery's first event or action, the name of its log, and the stored value."""


class Report:
    """The report of one conversation.

    Reports come from `check`, `replay` and `Conversation`. `findings` lists every offence,
    `mistakes` only those that follow from no earlier one. `segments` and `metrics` describe the
    presence of agents. They are computed when they are first read.

    Do not feed the conversation while you read a report of it. Take a new report instead.
    """

    conversation_id: str | None
    """The id of the conversation, or None if the findings belong to no conversation."""
    bot_id: str | None
    """The id of the bot, or None if no delivery names one."""
    keyed_by: Keying = "conversation"
    """Whether conversations of different bots may have the same id (`bot`), or not
    (`conversation`).
    """
    phase: Phase
    """The phase after the last event."""
    events: int
    """The number of events, including messages and unprocessable ones."""
    findings: tuple[Finding, ...]
    """The findings that the policy reports, in the order of their places."""
    late: bool = False
    """Whether the conversation had ended and been reported before these findings."""
    events_before: int = 0
    """The number of events up to the end, for a late report. Otherwise 0."""
    is_excerpt: bool = False
    """Whether the report covers only the beginning of the history, and the current state."""

    def __init__(
        self,
        state: State,
        *,
        policy: Policy | None = None,
        late: bool = False,
        events_before: int = 0,
        keyed_by: Keying = "conversation",
        is_excerpt: bool = False,
    ) -> None:
        self._state = state
        self._describe(
            conversation_id=state.conversation_id,
            bot_id=state.bot_id,
            keyed_by=keyed_by,
            phase=state.presence.phase,
            events=state.position,
            findings=Policy.checked(policy).apply(state.findings),
        )
        self.late, self.events_before, self.is_excerpt = late, events_before, is_excerpt

    def _describe(
        self,
        *,
        conversation_id: str | None,
        bot_id: str | None,
        keyed_by: Keying,
        phase: Phase,
        events: int,
        findings: tuple[Finding, ...],
    ) -> None:
        """Set the attributes of every report, including one whose state is made on demand."""
        self.conversation_id, self.bot_id, self.keyed_by = conversation_id, bot_id, keyed_by
        self.phase, self.events, self.findings = phase, events, findings

    def __repr__(self) -> str:
        """Show the id, the phase and the codes, in parentheses if the finding follows another."""
        codes = [f"({each.code})" if each.follows else each.code for each in self.findings]
        found = ", ".join(codes) or "clean"
        return f"<Report {self.conversation_id!r} {self.phase.value}: {found}>"

    def _repr_html_(self) -> str:
        """Return the findings as an HTML table, for notebooks."""
        from segue.core.conversation.html_table import html_table  # noqa: PLC0415 - notebooks only

        found = [
            (each.code, each.severity, place.event, place.action, each.message, each.follows or "")
            for each, place in ((each, each.place) for each in self.findings)
        ]
        caption = f"{self.conversation_id or 'no conversation'}: {self.phase}"
        return html_table(
            caption, ("code", "severity", "event", "action", "message", "follows"), found
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: object) -> dict[str, Any]:
        """Let pydantic, and so FastAPI, serialize a report by `to_dict`."""
        written = {"type": "function-plain", "function": cls.to_dict}
        return {"type": "is-instance", "cls": cls, "serialization": written}

    @classmethod
    def __get_pydantic_json_schema__(cls, *_: object) -> dict[str, str]:
        """Return the JSON Schema for OpenAPI."""
        return {"type": "object"}

    @cached_property
    def notes(self) -> Sequence[Note]:
        """The values that the replay stored for each delivery, in order."""
        return ()

    @property
    def key(self) -> tuple[str | None, str | None]:
        """The bot and conversation id. The bot is None if the id alone is the key."""
        return self.bot_id if self.keyed_by == "bot" else None, self.conversation_id

    @property
    def valid(self) -> bool:
        """Whether the report has no errors."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def clean(self) -> bool:
        """Whether the report has no findings."""
        return not self.findings

    @property
    def mistakes(self) -> tuple[Finding, ...]:
        """The mistakes, which are the errors that follow from no earlier one.

        If the policy ignores a mistake, or an earlier report contains it, the first finding that
        follows from it takes its place. A report has mistakes exactly if it has errors.
        """
        return tuple([self.findings[index] for index in self._mistakes])

    @cached_property
    def _mistakes(self) -> list[int]:
        first: dict[Root, int] = {}
        for index, finding in enumerate(self.findings):
            first.setdefault(finding.root, index)
        found = {
            index if finding.follows is None else first[finding.follows]
            for index, finding in enumerate(self.findings)
            if finding.severity is Severity.ERROR
        }
        return sorted(found)

    def diagnosis(self) -> tuple[str, ...] | None:
        """Return an account of the mistakes in words: the smallest repair, then alternatives.

        Up to two alternatives are given if a single edit explains every mistake. A late report
        covers only the events after the end. Return None while the conversation goes on and for an
        excerpt, and an empty tuple if there is no error of the families 1 and 2.
        """
        return self._explained[0]

    @cached_property
    def _explained(self) -> "tuple[tuple[str, ...] | None, SingleEdit | None]":
        """The account of the mistakes, and the edit that explains them if a single one does."""
        state = self._state
        if self.is_excerpt or not (self.late or state.rare.closed or state.ended):
            return None, None
        is_wrong = any(
            finding.rule.severity is Severity.ERROR and finding.rule.family in (1, 2)
            for finding in state.findings
        )
        if not is_wrong:
            return (), None
        from segue.core.conversation.stored_stream import (  # noqa: PLC0415 - on request only
            diagnose_state,
        )

        return diagnose_state(state, is_late=self.late)

    @property
    def timeline(self) -> tuple[HistoryEvent, ...]:
        """The lifecycle events in order. Gaps between their positions are messages."""
        return tuple(events_of(self._state))

    @property
    def times(self) -> tuple[datetime | None, ...]:
        """The time of receipt of each event of the timeline, or None."""
        return tuple(entry.at for entry in rows_of(self._state))

    @cached_property
    def transcription_intervals(self) -> tuple[StateInterval, ...]:
        """The times that transcription spent in each state since its first action, in order."""
        return self._transcription.intervals()

    @property
    def _history(self) -> History:
        return history_of(self._state)

    @property
    def _transcription(self) -> Session:
        return TRANSCRIPTION_MACHINE.session(self._state)

    @cached_property
    def _builder(self) -> SegmentBuilder:
        from segue.core.engine.segment_replay import (  # noqa: PLC0415 - on request only
            replay_segments,
        )

        return replay_segments(self._history)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The segments of all agents in order of entry, which is the customer's view."""
        return self._builder.segments(self.transcription_intervals)

    @cached_property
    def metrics(self) -> Metrics:
        """The durations and counts of the conversation. A duration is None without its times."""
        found, call = measure(self._builder, self.transcription_intervals), self._call
        if call is None:
            return found
        ring_time, call_time = call.times
        return replace(found, ring_time=ring_time, call_time=call_time)

    @property
    def transcription(self) -> dict[str, Any]:
        """The state, controller and generation of the transcription, and its number of actions."""
        return self._transcription.to_dict()

    @property
    def call(self) -> dict[str, Any] | None:
        """The outbound call as a JSON object, or None without a call notification."""
        return None if self._call is None else self._call.to_dict()

    @property
    def _call(self) -> "CallSession | None":
        session = self._state.sessions.get(CALL_NOTIFICATIONS.machine)
        return session if session is not None and session.position else None

    def for_agent(self, identity: str) -> tuple[Segment, ...]:
        """Return the segments of one agent, which is that agent's view."""
        return tuple(for_agent(self.segments, identity))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a JSON object, as the report schema describes it.

        Keys and their order are stable.
        """
        diagnosis = self.diagnosis()
        return {
            "conversation_id": self.conversation_id,
            "bot_id": self.bot_id,
            "keyed_by": self.keyed_by,
            "valid": self.valid,
            "clean": self.clean,
            "phase": self.phase.value,
            "late": self.late,
            "events": self.events,
            "findings": [finding.to_dict() for finding in self.findings],
            "mistakes": self._mistakes,
            "diagnosis": None if diagnosis is None else list(diagnosis),
            "segments": [segment.to_dict() for segment in self.segments],
            "metrics": self.metrics.to_dict(),
            "transcription": self.transcription,
            "call": self.call,
            "schema": SCHEMA_VERSION,
        }

    def to_json(self) -> str:
        """Return the report as one line of JSON, in ASCII."""
        return json.dumps(self.to_dict())


def state_of(report: Report) -> State:
    """Return the state that a report was made of. Callers must not change it."""
    return report._state  # noqa: SLF001 - of the class above


def single_edit_of(report: Report) -> "SingleEdit | None":
    """Return the likeliest single edit that corrects everything, or None if no single edit does."""
    return report._explained[1]  # noqa: SLF001 - of the class above


def call_times_of(report: Report) -> tuple[datetime, datetime] | None:
    """Return the times of a call's connect and disconnect, or None unless both are valid."""
    call = report.call or {}
    times = (call.get(name) for name in ("connected_at", "disconnected_at"))
    first, last = (at and datetime.fromisoformat(at) for at in times)
    return (first, last) if first and last and first <= last else None
