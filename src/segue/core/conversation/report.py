"""The report: what is known of one conversation, as a value to read, compare and print."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from segue.core.conversation.stored_stream import stored_stream
from segue.core.edits import SingleEdit, diagnose, diagnose_late
from segue.core.engine import (
    TRANSCRIPTION_MACHINE,
    History,
    HistoryEvent,
    State,
    events_of,
    history_of,
    replay_segments,
    rows_of,
)
from segue.core.events import CALL_NOTIFICATIONS
from segue.core.findings import DEFAULT, Finding, Policy, Root, Severity
from segue.core.lifecycle import Phase
from segue.core.segments import Metrics, Segment, SegmentBuilder, for_agent, measure
from segue.core.transcription import Session, StateInterval

if TYPE_CHECKING:
    from segue.core.calls import CallSession

Keying: TypeAlias = Literal["bot", "conversation"]
"""What identifies a conversation: bot and conversation id, or the conversation id alone."""
SCHEMA_VERSION: Final = 1
"""The number of the JSON of reports; another one when a key is gone or means something else."""
Note: TypeAlias = tuple[int, str, Any]
"""Position of a delivery's first event or of its action, name of its log, and what was kept."""


class Report:
    """An account of one conversation. Segments and metrics are worked out when asked for.

    Do not feed the conversation further while you read a report of it: take a new one.
    """

    conversation_id: str | None
    """None: the findings belong to no conversation."""
    bot_id: str | None
    """None if no delivery names a bot."""
    keyed_by: Keying = "conversation"
    """Whether other conversations may have the same id, of other bots."""
    phase: Phase
    """Where the conversation stood after its last event."""
    events: int
    """How many events there were, messages and unprocessable ones included."""
    findings: tuple[Finding, ...]
    """In the order of their places, as the policy selects them."""
    late: bool = False
    """The conversation had ended and been reported; these findings came after that."""
    events_before: int = 0
    """How many of them came up to the end; 0 unless the report is of what came late."""
    is_excerpt: bool = False
    """Whether only the beginning of the history was read, and where it stands now."""

    def __init__(
        self,
        state: State,
        *,
        policy: Policy = DEFAULT,
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
            findings=policy.apply(state.findings),
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
        """Set what every report has, also one whose state is made when it is asked for."""
        self.conversation_id, self.bot_id, self.keyed_by = conversation_id, bot_id, keyed_by
        self.phase, self.events, self.findings = phase, events, findings

    def __repr__(self) -> str:
        """Show id, phase and codes, those of errors that follow in parentheses."""
        codes = [f"({each.code})" if each.follows else each.code for each in self.findings]
        found = ", ".join(codes) or "clean"
        return f"<Report {self.conversation_id!r} {self.phase.value}: {found}>"

    def _repr_html_(self) -> str:
        """Show the findings as a table, in a notebook."""
        from segue.core.conversation.html_table import html_table  # noqa: PLC0415 - for notebooks

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
        """Let pydantic, and so FastAPI, write a report as `to_dict`."""
        written = {"type": "function-plain", "function": cls.to_dict}
        return {"type": "is-instance", "cls": cls, "serialization": written}

    @classmethod
    def __get_pydantic_json_schema__(cls, *_: object) -> dict[str, str]:
        """Return what OpenAPI says of it."""
        return {"type": "object"}

    @cached_property
    def notes(self) -> Sequence[Note]:
        """What the replay was asked to keep of each delivery, in order."""
        return ()

    @property
    def key(self) -> tuple[str | None, str | None]:
        """Bot and conversation id; the bot is None where the id alone identifies a conversation."""
        return self.bot_id if self.keyed_by == "bot" else None, self.conversation_id

    @property
    def valid(self) -> bool:
        """Whether the specification forbids nothing of this."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def clean(self) -> bool:
        """Whether there is nothing to say at all."""
        return not self.findings

    @property
    def mistakes(self) -> tuple[Finding, ...]:
        """The mistakes: errors that follow from no earlier one.

        Where the policy has left a mistake out, or the report up to the end has it, the first
        finding that follows from it stands for it. There is a mistake exactly if there is an error.
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
        """Say what happened: the smallest repair in words, and two others if one edit mends all.

        A late report says what came after the end. Returns None while the conversation goes on and
        for an excerpt, and nothing if there is no error of the families 1 and 2.
        """
        return self._explained[0]

    @cached_property
    def _explained(self) -> tuple[tuple[str, ...] | None, SingleEdit | None]:
        """What happened, and the edit that explains it if a single one does."""
        state = self._state
        if self.is_excerpt or not (self.late or state.rare.closed or state.ended):
            return None, None
        is_wrong = any(
            finding.rule.severity is Severity.ERROR and finding.rule.family in (1, 2)
            for finding in state.findings
        )
        if not is_wrong:
            return (), None
        stream = stored_stream(state)
        return (diagnose_late(stream), None) if self.late else diagnose(stream)

    @property
    def timeline(self) -> tuple[HistoryEvent, ...]:
        """Every lifecycle event, in order; messages are the gaps between positions."""
        return tuple(events_of(self._state))

    @property
    def times(self) -> tuple[datetime | None, ...]:
        """When each event of the timeline was received."""
        return tuple(entry.at for entry in rows_of(self._state))

    @cached_property
    def transcription_intervals(self) -> tuple[StateInterval, ...]:
        """The times transcription spent in each state since its first action, in order."""
        return self._transcription.intervals()

    @property
    def _history(self) -> History:
        return history_of(self._state)

    @property
    def _transcription(self) -> Session:
        return TRANSCRIPTION_MACHINE.session(self._state)

    @cached_property
    def _builder(self) -> SegmentBuilder:
        return replay_segments(self._history)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The customer's view: who held the conversation, in order of entry."""
        return self._builder.segments(self.transcription_intervals)

    @cached_property
    def metrics(self) -> Metrics:
        """Durations and counts; None where a time they need is missing."""
        found, call = measure(self._builder, self.transcription_intervals), self._call
        if call is None:
            return found
        ring_time, call_time = call.times
        return replace(found, ring_time=ring_time, call_time=call_time)

    @property
    def transcription(self) -> dict[str, Any]:
        """State, controller and generation of the transcription session."""
        return self._transcription.to_dict()

    @property
    def call(self) -> dict[str, Any] | None:
        """What is known of the outbound call; None unless a notification came."""
        return None if self._call is None else self._call.to_dict()

    @property
    def _call(self) -> "CallSession | None":
        session = self._state.sessions.get(CALL_NOTIFICATIONS.machine)
        return session if session is not None and session.position else None

    def for_agent(self, identity: str) -> tuple[Segment, ...]:
        """Return an agent's own view: the segments of this agent only."""
        return tuple(for_agent(self.segments, identity))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as the documented JSON object; keys and their order are stable."""
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
    """Return what a report was made of, for other parts of Segue; it is not to be changed."""
    return report._state  # noqa: SLF001 - of the class above


def single_edit_of(report: Report) -> SingleEdit | None:
    """Return the likeliest edit that mends everything; None if no single one does."""
    return report._explained[1]  # noqa: SLF001 - of the class above


def call_times_of(report: Report) -> tuple[datetime, datetime] | None:
    """Return when the outbound call was connected and disconnected; None unless both can be."""
    call = report.call or {}
    times = (call.get(name) for name in ("connected_at", "disconnected_at"))
    first, last = (at and datetime.fromisoformat(at) for at in times)
    return (first, last) if first and last and first <= last else None
