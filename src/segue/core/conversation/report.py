"""The class `Report`, the result of checking one conversation."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from segue.core.engine import (
    TRANSCRIPTION_MACHINE,
    Entry,
    State,
    lifecycle_entries,
)
from segue.core.engine.state import told_entries
from segue.core.events import CALL_NOTIFICATIONS, EventKind
from segue.core.explain import Completeness, Mistake
from segue.core.findings import Finding, Place, Policy, Severity
from segue.core.lifecycle import Phase
from segue.core.reprs import cut, short_repr
from segue.core.segments.segment import Segment, for_agent
from segue.core.transcription import Session, StateInterval

if TYPE_CHECKING:
    from segue.core.calls import CallSession
    from segue.core.conversation.figures import Figures
    from segue.core.engine.entry_replay import Past
    from segue.core.explain import Explanation
    from segue.core.explain.best import Best
    from segue.core.explain.mended import Mended
    from segue.core.segments import Drop, Metrics, Transfer

Keying: TypeAlias = Literal["bot", "conversation"]
"""The key of a conversation: its bot and conversation id (`bot`), or the conversation id alone
(`conversation`).
"""
SCHEMA_VERSION: Final = 3
"""The version of the JSON of reports. It increases when a key is removed or changes its meaning."""
_MOST_SHOWN: Final = 10
"""The maximum number of findings that the `repr` of a report shows."""
_ORDER: Final = (1, 2)
"""The families of rules about the order of events and the presence of agents."""
Note: TypeAlias = tuple[int, str, Any]
"""The position of a delivery's first event or action, the name of its log, and a stored value."""
_Alike: TypeAlias = tuple[str, Place, str]
"""The code, place and message of a finding."""


class Report:
    """The result of checking one conversation.

    `check`, `replay` and `Conversation` return reports. `findings` lists every offence. `mistakes`
    lists what somebody did wrong, each with the findings that it causes. `segments` and `metrics`
    describe the presence of agents. They and the mistakes are computed when they are first read.

    Do not feed the conversation while you read a report of it. Take a new report instead.

    Reports can be pickled and copied. A copy is independent of the conversation and of the log. An
    explanation that was searched for before is copied, and another is searched for when it is first
    read. Two reports are equal if they cover the same past and have the same findings, notes and
    options. The lines and names of logs count. Only the same version of Segue reads a pickle.
    """

    conversation_id: str | None
    """The id of the conversation, or None for findings about lines that belong to no conversation.
    """
    bot_id: str | None
    """The id of the bot, such as `st-1`, or None if no delivery names a bot."""
    keyed_by: Keying = "conversation"
    """`bot` if conversations of different bots may share a conversation id, otherwise
    `conversation`.
    """
    phase: Phase
    """The phase of the conversation after its last event."""
    events: int
    """The number of events, including messages and events that could not be processed."""
    findings: tuple[Finding, ...]
    """The findings that the policy reports, in the order of their positions in the conversation."""
    late: bool = False
    """Whether deliveries came after an earlier report on the ended conversation, which this report
    covers.
    """
    replaces: bool = False
    """Whether a late report covers the whole conversation, so that it replaces the earlier reports.

    A late report that replaces none covers only the late deliveries. Its conversation had left the
    window of the replay.
    """
    events_before: int = 0
    """The number of events of the conversation that an earlier report covers."""
    is_excerpt: bool = False
    """Whether the report covers only the beginning of the past, together with the current state.
    """
    is_explained: bool = True
    """Whether mistakes are searched for when they are first read.

    To save the time, set it to False before. Then `explanation` is None, and there are no mistakes.
    """

    _snapshot: bytes | None = None
    """The snapshot of the state in a copied report, otherwise None."""

    def __init__(
        self,
        state: State,
        *,
        policy: Policy | None = None,
        late: bool = False,
        replaces: bool = False,
        events_before: int = 0,
        keyed_by: Keying = "conversation",
        is_excerpt: bool = False,
        explanation: "Explanation | None" = None,
    ) -> None:
        self._state = state
        if explanation is not None:
            self._explained = explanation
        self._describe(
            conversation_id=state.conversation_id,
            bot_id=state.bot_id,
            keyed_by=keyed_by,
            phase=state.presence.phase,
            events=state.position,
            findings=Policy.checked(policy).apply(state.findings),
        )
        self.late, self.replaces, self.events_before = late, replaces, events_before
        self.is_excerpt = is_excerpt

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
        """Set the attributes that exist even in a report that loads its state on demand."""
        self.conversation_id, self.bot_id, self.keyed_by = conversation_id, bot_id, keyed_by
        self.phase, self.events, self.findings = phase, events, findings

    @short_repr
    def __repr__(self) -> str:
        """Return the conversation id, the phase and the codes of the first findings."""
        found = ", ".join(each.code for each in self.findings[:_MOST_SHOWN]) or "clean"
        more = ", …" if len(self.findings) > _MOST_SHOWN else ""
        name = cut(repr(self.conversation_id))
        return f"<Report {name} {self.phase.value}: {found}{more}>"

    def __eq__(self, other: object) -> bool:
        """Return whether two reports were made of the same, without making their explanations."""
        if not isinstance(other, Report):
            return NotImplemented
        return self is other or (
            all(getattr(self, name) == getattr(other, name) for name in _COMPARED)
            and [*self.notes] == [*other.notes]
            and self._packed() == other._packed()
        )

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle or copy, without what can be computed again."""
        kept = {name: each for name, each in self.__dict__.items() if name not in _COMPUTED}
        return kept | {"_snapshot": self._packed()}

    def _packed(self) -> bytes:
        """Return the state as a snapshot, which a copied report has already."""
        from segue.core.engine.snapshot import dump  # noqa: PLC0415 - a check does not need it

        return dump(self._state) if self._snapshot is None else self._snapshot

    @cached_property
    def _state(self) -> State:
        """The state, which a copied report decodes when it is first needed."""
        from segue.core.engine.snapshot import load  # noqa: PLC0415 - as above

        assert self._snapshot is not None, "only a copy lacks the state"
        return load(self._snapshot)

    def _repr_html_(self) -> str:
        """Return an HTML table of the findings, which notebooks show."""
        from segue.core.conversation.html_table import html_table  # noqa: PLC0415 - notebooks only

        found = [
            (each.code, each.severity, place.event, place.action, each.message)
            for each, place in ((each, each.place) for each in self.findings)
        ]
        caption = f"{self.conversation_id or 'no conversation'}: {self.phase}"
        return html_table(caption, ("code", "severity", "event", "action", "message"), found)

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: object) -> dict[str, Any]:
        """Return a schema by which pydantic and FastAPI serialize a report with `to_dict`."""
        written = {"type": "function-plain", "function": cls.to_dict}
        return {"type": "is-instance", "cls": cls, "serialization": written}

    @classmethod
    def __get_pydantic_json_schema__(cls, *_: object) -> dict[str, str]:
        """Return the JSON Schema of a report for OpenAPI, which only says that it is an object."""
        return {"type": "object"}

    @cached_property
    def notes(self) -> Sequence[Note]:
        """The values that the replay of a log stored for each delivery, in order.

        Otherwise empty.
        """
        return ()

    @property
    def key(self) -> tuple[str | None, str | None]:
        """The key of the conversation: a pair of bot id and conversation id.

        The bot id is None if the conversation id alone is the key (`keyed_by`).
        """
        return self.bot_id if self.keyed_by == "bot" else None, self.conversation_id

    @property
    def valid(self) -> bool:
        """Whether no finding is an error. Warnings and notes are allowed."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def clean(self) -> bool:
        """Whether there are no findings at all."""
        return not self.findings

    @property
    def explanation(self) -> Completeness | None:
        """Whether everything that went wrong is explained.

        `complete` if every error belongs to a mistake, also if there is no error. `untraced` if
        the search ended before. None if no explanation is made (`is_explained`), as for an excerpt
        or for late deliveries without their conversation.
        """
        found = self._explained
        return None if found is None else found.completeness

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """What somebody did wrong, in the order of events.

        A mistake is listed if the policy reports one of its findings. A mistake without findings
        of its own is listed if the policy reports any finding of the rules SG1 and SG2.
        """
        shown = [each for each in self._own_mistakes if each is not None]
        return tuple(replace(each, number=number) for number, each in enumerate(shown, start=1))

    @property
    def ignored_mistakes(self) -> int:
        """The number of mistakes that are not listed because of the policy."""
        return sum(each is None for each in self._own_mistakes)

    @cached_property
    def untraced(self) -> tuple[Finding, ...]:
        """The errors whose mistakes the search did not find."""
        found = self._explained
        hidden = () if found is None else found.untraced
        return tuple(each for each in self._shown(hidden) if each is not None)

    def mistake_of(self, finding: Finding) -> Mistake | None:
        """Return the mistake that causes a finding of this report.

        Return None for a warning or a note that belongs to no mistake, and for an untraced error.
        """
        number = self._mistake_numbers.get(id(finding))
        return None if number is None else self.mistakes[number - 1]

    @cached_property
    def _mistake_numbers(self) -> dict[int, int]:
        """The number of the mistake of each finding, by the identity of the finding."""
        return {id(each): mistake.number for mistake in self.mistakes for each in mistake.findings}

    @cached_property
    def _own_mistakes(self) -> list[Mistake | None]:
        """The mistakes with the findings as reported, and None for each that is not listed."""
        found = self._explained
        has_order = any(finding.rule.family in _ORDER for finding in self.findings)
        mistakes = () if found is None else found.mistakes
        known = self._shown(finding for mistake in mistakes for finding in mistake.findings)
        listed: list[Mistake | None] = []
        for mistake in mistakes:
            own = islice(known, len(mistake.findings))
            findings = tuple(each for each in own if each is not None)
            is_listed = bool(findings) or (not mistake.findings and has_order)
            listed.append(replace(mistake, findings=findings) if is_listed else None)
        return listed

    def _shown(self, findings: Iterable[Finding]) -> Iterator[Finding | None]:
        """Yield findings as the policy reports them, or None for each that it does not.

        Two notifications may have findings that are alike.
        """
        passed: Counter[_Alike] = Counter()
        for finding in findings:
            alike = _alike(finding)
            known = self._reported.get(alike, ())
            yield known[min(passed[alike], len(known) - 1)] if known else None
            passed[alike] += 1

    @cached_property
    def _reported(self) -> dict[_Alike, list[Finding]]:
        known: dict[_Alike, list[Finding]] = {}
        for each in self.findings:
            known.setdefault(_alike(each), []).append(each)
        return known

    @cached_property
    def _explained(self) -> "Explanation | None":
        """The explanation of all findings, whatever the policy, or None if there is none."""
        is_part = self.is_excerpt or (self.late and not self.replaces)
        if is_part or not self.is_explained:
            return None
        state = self._state
        return explain_state(state, is_live=not _is_over(state))

    @property
    def timeline(self) -> tuple[Entry, ...]:
        """The lifecycle events up to END in order.

        Messages are left out, which leaves gaps between positions.
        """
        state = self._state
        return tuple(lifecycle_entries(state.entries, state.ended_at))

    @property
    def began_at(self) -> datetime | None:
        """The time of the first message or lifecycle event, or None if it has no time."""
        first = (each for each in self._past.entries if each.kind is not EventKind.UNPROCESSABLE)
        return next((each.received_at for each in first), None)

    @cached_property
    def transcription_intervals(self) -> tuple[StateInterval, ...]:
        """The periods that the transcription spent in its states, as `StateInterval` objects."""
        return self._transcription.intervals()

    @property
    def _past(self) -> "Past":
        from segue.core.engine.entry_replay import past_of  # noqa: PLC0415 - on request only

        return past_of(self._state)

    @property
    def _transcription(self) -> Session:
        return TRANSCRIPTION_MACHINE.session(self._state)

    @cached_property
    def _figures(self) -> "Figures":
        from segue.core.conversation.figures import Figures  # noqa: PLC0415 - on request only

        return Figures(self._past, self.transcription_intervals, self._call)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The segments of all agents in order of entry, which is the view that the customer had."""
        return self._figures.segments

    @cached_property
    def transfers(self) -> "tuple[Transfer, ...]":
        """The transfers from one agent to another, in the order in which they began.

        Transfers that nobody took are listed, too. `transfers_cold` and `transfers_warm` are the
        numbers of those that another agent took.
        """
        return self._figures.transfers

    @cached_property
    def drops(self) -> "tuple[Drop, ...]":
        """The dropped connections that a redial continued, in the order of the redials."""
        return self._figures.drops

    @cached_property
    def after_end(self) -> tuple[Segment, ...]:
        """The segments of the events after END_OF_CONVERSATION, as told.

        They are in no other figure as told. If END came too early, `mended` has them among the
        other segments. Empty if nothing came after END, if not all of it was kept, or in a report
        that covers only a part of the conversation.
        """
        is_part = self.is_excerpt or (self.late and not self.replaces)
        if is_part or not self._all_findings:  # an event after END is a finding
            return ()
        state = self._state
        if state.late is None or state.ended_at is None or state.has_more_after_end:
            return ()
        from segue.core.engine.entry_replay import Past, replay  # noqa: PLC0415 - on request only

        late = [each for each in state.entries if each.position > state.ended_at]
        told = [each for each in late if each.kind is not EventKind.END]
        builder = replay(Past(told, is_closed=state.closed))
        return builder.segments(self.transcription_intervals)

    @cached_property
    def metrics(self) -> "Metrics":
        """The durations and counts of the conversation.

        A duration is None if the log lacks a time that the duration depends on.
        """
        return self._figures.metrics

    @cached_property
    def mended(self) -> "Mended | None":
        """The segments and metrics after the edits of the explanation.

        None if no edit is needed, or if the explanation is not complete.
        """
        found = self._explained
        if found is None or found.completeness != "complete" or not self._is_edited:
            return None
        return self._figures.mended(told_entries(self._state), found)

    @cached_property
    def best(self) -> "dict[str, Best | None] | None":
        """The best value of each metric by name: as told, or as mended.

        None for a metric that is not known. `best` is None if there is no complete explanation.
        """
        found = self._explained
        if found is None or found.completeness != "complete":
            return None
        return self._figures.best(self.mended, found)

    @cached_property
    def estimated(self) -> tuple[str, ...]:
        """The names of the metrics as told that are known, but only estimates.

        A metric is an estimate if it depends on a time that was earlier than the time before it and
        was adjusted, or on the time between two events of one delivery, which share the time of
        receipt. Where an error of order or presence is explained, so are the metrics that the edits
        change. Where it is not explained, all metrics are estimates.
        """
        is_unexplained = self.mended is None and any(
            each.rule.family in _ORDER and each.rule.severity is Severity.ERROR
            for each in self._all_findings
        )
        return self._figures.estimated(self.mended, is_unexplained=is_unexplained)

    @property
    def _all_findings(self) -> Sequence[Finding]:
        """All findings, whatever the policy."""
        return self._state.findings

    @property
    def _is_edited(self) -> bool:
        """Whether an error of order or presence is explained by edits."""
        found = self._explained
        mistakes = () if found is None else found.mistakes
        return any(mistake.edits for mistake in mistakes) or bool(found and found.read)

    @property
    def transcription(self) -> dict[str, Any]:
        """The state of the transcription as a JSON object.

        The keys are `state`, `controller`, `generation` and `actions` (the number of actions).
        """
        return self._transcription.to_dict()

    @property
    def call(self) -> dict[str, Any] | None:
        """The outbound call as a JSON object, or None if there was no call notification."""
        return None if self._call is None else self._call.to_dict()

    @property
    def _call(self) -> "CallSession | None":
        session = self._state.sessions.get(CALL_NOTIFICATIONS.machine)
        return session if session is not None and session.position else None

    def for_agent(self, identity: str) -> tuple[Segment, ...]:
        """Return the segments of the agent with this identity, in order of entry."""
        return tuple(for_agent(self.segments, identity))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a JSON object with the keys of the report schema.

        The keys and their order are stable.
        """
        return {
            "conversation_id": self.conversation_id,
            "bot_id": self.bot_id,
            "keyed_by": self.keyed_by,
            "valid": self.valid,
            "clean": self.clean,
            "phase": self.phase.value,
            "late": self.late,
            "replaces": self.replaces,
            "events": self.events,
            **self._explained_to_dict(),
            "segments": [segment.to_dict() for segment in self.segments],
            "metrics": self.metrics.to_dict(),
            "estimated": list(self.estimated),
            **self._mended_to_dict(),
            "after_end": [segment.to_dict() for segment in self.after_end],
            "transfers": [transfer.to_dict() for transfer in self.transfers],
            "drops": [drop.to_dict() for drop in self.drops],
            "transcription": self.transcription,
            "call": self.call,
            "schema": SCHEMA_VERSION,
        }

    def _explained_to_dict(self) -> dict[str, object]:
        """Return the findings and the mistakes as members of the report."""
        numbers = self._mistake_numbers
        return {
            "findings": [
                each.to_dict() | {"mistake": numbers.get(id(each))} for each in self.findings
            ],
            "mistakes": self._mistakes_to_dict(),
            "ignored_mistakes": self.ignored_mistakes,
            "untraced": [self._index_of(finding) for finding in self.untraced],
            "explanation": self.explanation,
        }

    def _mended_to_dict(self) -> dict[str, object]:
        """Return the figures as mended and the best ones, or null if those as told are all."""
        if self.mended is None or self.best is None:
            return {"mended": None, "best": None}
        best = {name: None if each is None else each.to_dict() for name, each in self.best.items()}
        return {"mended": self.mended.to_dict(), "best": best}

    def _mistakes_to_dict(self) -> list[dict[str, object]] | None:
        if self.explanation is None:
            return None
        return [
            each.to_dict() | {"findings": [self._index_of(finding) for finding in each.findings]}
            for each in self.mistakes
        ]

    def _index_of(self, finding: Finding) -> int:
        return next(at for at, each in enumerate(self.findings) if each is finding)

    def to_json(self) -> str:
        """Return the report as JSON text on one line, in ASCII."""
        return json.dumps(self.to_dict())


def explain_state(state: State, *, is_live: bool) -> "Explanation":
    """Return the explanation of a conversation.

    Args:
        state: The state of the conversation, with its history.
        is_live: Whether somebody waits for the explanation, which is then searched for in about
            50 ms (`LIVE_BUDGET`).

    """
    from segue.core.explain import BUDGET, LIVE_BUDGET, explain  # noqa: PLC0415

    return explain(
        told_entries(state),
        state.findings,
        partial=state.partial,
        is_open=not _is_over(state),
        bot=state.bot_id,
        budget=LIVE_BUDGET if is_live else BUDGET,
    )


def _is_over(state: State) -> bool:
    """Return whether nothing more is expected."""
    return state.closed or state.ended


def state_of(report: Report) -> State:
    """Return the state from which a report was made. Callers must not change the state."""
    return report._state  # noqa: SLF001 - of the class above


def same_state(one: State, other: State) -> bool:
    """Return whether two states are equal, and so judge and report alike."""
    from segue.core.engine.snapshot import dump  # noqa: PLC0415 - a check does not need it

    return one is other or dump(one) == dump(other)


def _alike(finding: Finding) -> _Alike:
    return finding.code, finding.place, finding.message


_COMPUTED: Final = frozenset(
    name for name, each in vars(Report).items() if isinstance(each, cached_property)
) - {"notes", "_explained"}
"""The cached attributes that a copy of a report computes again."""
_COMPARED: Final = (
    *("conversation_id", "bot_id", "keyed_by", "phase", "events", "findings", "late", "replaces"),
    *("events_before", "is_excerpt", "is_explained"),
)
"""The attributes that equal reports have in common, besides the notes and the state."""


_OF_FINDINGS: Final = ("mistakes", "untraced", "_mistake_numbers", "_own_mistakes", "_reported")
"""The cached attributes of a report that depend on its findings."""


def keep_findings(report: Report, findings: Iterable[Finding]) -> None:
    """Leave only some of its findings in a report. The mistakes are listed accordingly."""
    report.findings = tuple(findings)
    for name in _OF_FINDINGS:
        report.__dict__.pop(name, None)


def explanation_of(report: Report) -> "Explanation":
    """Return the explanation of all findings of a report, whatever its policy."""
    found = report._explained  # noqa: SLF001 - of the class above
    assert found is not None, "only an excerpt has no explanation"
    return found


def unknown_metrics(report: Report) -> set[str]:
    """Return the metrics as told that are unknown only because an agent was only seen leaving."""
    return report._figures.unknown  # noqa: SLF001 - of the class above


def leading_findings(report: Report) -> list[Finding]:
    """Return the findings that do not follow from another finding, in order.

    These are the first finding of each mistake, and the findings that belong to no mistake.
    """
    first = {id(mistake.findings[0]) for mistake in report.mistakes if mistake.findings}
    return [
        each for each in report.findings if id(each) in first or report.mistake_of(each) is None
    ]


def call_times_of(report: Report) -> tuple[datetime, datetime] | None:
    """Return the times when the call of a report was connected and disconnected.

    The result is None if a time is missing or the call was disconnected before it was connected.
    """
    call = report.call or {}
    times = (call.get(name) for name in ("connected_at", "disconnected_at"))
    first, last = (at and datetime.fromisoformat(at) for at in times)
    return (first, last) if first and last and first <= last else None
