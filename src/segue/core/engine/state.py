"""The classes `State` (the state of one conversation) and `Facts` (the event being applied).

A state consists of the past of the conversation, which is a list of entries and the findings, and
of everything that later events are judged by. To judge an event, only the entries that can still
change are read. So a state remains usable after the other entries were moved elsewhere.
"""

import json
import marshal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

from segue.core.engine.entries import COUNTED, MOST_RUNS, Entry, EventDetails
from segue.core.epoch import utc
from segue.core.events import Delivery, Event, EventKind, Json, fingerprint
from segue.core.events.kind import JUDGED
from segue.core.findings import Finding, Place, find
from segue.core.lifecycle import MESSAGES, Decision, Identities, Phase, Presence, PresenceEffect
from segue.core.options import check_option

Partial = Literal["start", "end", "both"] | None
"""The ends of the conversation that a log lacks: "start", "end", "both", or None if it is complete.
"""

_WAITING: Final = Presence()
_TRUNCATED_START: Final = Presence.truncated_start()
_NO_SESSIONS: Final[Mapping[str, Any]] = {}
_ENTRY: Final = Entry._make
_MOST_AFTER_END: Final = 10_000
"""The maximum number of events after END that are kept, so that a state cannot grow without limit.
"""
_AGENT_MESSAGE: Final = EventKind.AGENT_MESSAGE
_UNPROCESSABLE: Final = EventKind.UNPROCESSABLE
_TOLD: Final = frozenset((*JUDGED, _UNPROCESSABLE))
"""The kinds of entries of which an explanation is made."""
_OF_OTHERS: Final = MESSAGES - {_AGENT_MESSAGE}
"""The kinds of messages that are not of an agent."""
_HANDOVER_EXITS: Final = frozenset({EventKind.COLD_EXIT, EventKind.WARM_EXIT})
"""The exits by which an agent can hand the conversation over."""


class AgentRecord(NamedTuple):
    """The facts about an agent whom a lifecycle event has named."""

    number: int
    """The number of the agent, from 0 in order of appearance."""
    connections: int = 0
    """The number of connections that the agent has had."""
    left: int | None = None
    """The number of the connection that the agent last left by a COLD or WARM exit.

    The number is 0 for an exit before any entry, and None if there was no such exit.
    """
    latest: Entry | None = None
    """The latest event of the agent. Repeats (SG601) do not count."""
    effect: PresenceEffect = PresenceEffect.NONE
    """The effect of this event on the agents present."""


_RECORD: Final = AgentRecord._make


class LateEvent(NamedTuple):
    """The last events after END, with which the next one is compared."""

    at: datetime | None
    """The latest time after END, or None if no event after END has a time."""
    fingerprint: str
    """The fingerprint of the last event after END that is not a message, or an empty string."""


@dataclass(slots=True, eq=False, repr=False)
class State:
    """The state of one conversation. Mutable, and owned by the caller of `new`."""

    conversation_id: str | None
    """The id of the conversation, or None if unknown."""
    partial: Partial
    """The ends of the conversation that the log lacks."""
    bot_id: str | None = None
    """The bot of the first delivery that names a bot, or None."""
    closed: bool = False
    """Whether the log of the conversation was closed by `finish`."""
    position: int = 0
    """The number of events so far, which is also the position of the next event."""
    deliveries: int = 0
    """The number of deliveries of events so far, including those that were dropped."""
    processable: bool = False
    """Whether any event could be processed."""
    presence: Presence = _WAITING
    """The phase, and the agents present by number."""
    agents: Identities[AgentRecord] = field(default_factory=Identities)
    """Every agent that a lifecycle event named, by identity, in the order of appearance."""
    absences: tuple[str, ...] = ()
    """The identities of absent agents whose messages have been reported (SG205)."""
    previous: bytes | str | None = None
    """The last lifecycle event, encoded by `_packed`, or its fingerprint once that was asked for.
    """
    last: Entry | None = None
    """The last lifecycle event up to END, or None. Repeats count."""
    ended_at: int | None = None
    """The position of END, or None before it."""
    late: LateEvent | None = None
    """The last event after END, or None."""
    sessions: Mapping[str, Any] = field(default_factory=lambda: _NO_SESSIONS)
    """The sessions of the other machines in this conversation, by the name of the machine."""
    latest: datetime | None = None
    """The latest time of receipt so far, or None. A time that was ahead is taken back."""
    overtaken: tuple[datetime | None, int] | None = None
    """The latest time before `latest`, and the position of the delivery received then.

    It is None if the next delivery cannot tell that this time is ahead, because another delivery
    was received at the same time or earlier.
    """
    delivered: dict[str, str] | None = None
    """The fingerprint of each delivery by delivery key, or None if no delivery had an id."""
    kept: tuple[Json, ...] = ()
    """The values that the checks remember, in the order of `CHECKS`. Empty at first."""
    messages: int = 0
    """The number of messages up to END."""
    runs: int = 0
    """The number of runs of messages up to END, at most `MOST_RUNS`."""
    entries: list[Entry] = field(default_factory=list)
    """The past of the conversation, from the entry with the number `first`."""
    first: int = 0
    """The number of entries that are stored elsewhere."""
    findings: list[Finding] = field(default_factory=list)
    """The findings so far, without those that are stored elsewhere."""
    segments: Any = None
    """The `SegmentTracker` if entries are stored elsewhere and segments are needed at every event,
    otherwise None.
    """

    def __post_init__(self) -> None:
        """Set the presence at the beginning of the log."""
        if self.partial is not None:
            self.presence = self.first_presence

    @property
    def first_presence(self) -> Presence:
        """The presence before the first event."""
        return _TRUNCATED_START if self.begins_late else _WAITING

    @property
    def begins_late(self) -> bool:
        """Whether the log lacks the beginning of the conversation."""
        return self.partial in {"start", "both"}

    @property
    def is_cut(self) -> bool:
        """Whether the log lacks the end of the conversation."""
        return self.partial in {"end", "both"}

    @property
    def ended(self) -> bool:
        """Whether END_OF_CONVERSATION has come."""
        return self.presence.phase is Phase.ENDED

    @property
    def last_fingerprint(self) -> str | None:
        """The fingerprint of the last lifecycle event, or None before the first."""
        if isinstance(self.previous, bytes):
            self.previous = fingerprint(marshal.loads(self.previous))  # noqa: S302 - ours
        return self.previous

    def number_of(self, agent: str) -> int | None:
        """Return the number of an agent, or None if no lifecycle event has named the agent."""
        record = self.agents.get(agent)
        return None if record is None else record.number

    def connection_count(self, agent: str) -> int:
        """Return the number of connections that an agent has had."""
        record = self.agents.get(agent)
        return 0 if record is None else record.connections

    def latest_events(self, agents: Iterable[str]) -> list[Entry]:
        """Return the latest event of each of these agents that has one, in order of position."""
        records = [self.agents[agent] for agent in {*agents} if agent in self.agents]
        found = [record.latest for record in records if record.latest is not None]
        return sorted(found, key=lambda entry: entry.position)

    def is_ahead(self, at: datetime) -> bool:
        """Return whether `latest` is ahead of the times around it, given that `at` comes next."""
        if self.overtaken is None or self.latest is None or at >= self.latest:
            return False
        before = self.overtaken[0]
        return before is None or at >= before

    def note_time(self, at: datetime) -> tuple[datetime, bool]:
        """Record the time at which a delivery was received.

        Return the time in UTC, not earlier than the time before it, and whether it was replaced by
        that. After END, only the events after END have earlier times.
        """
        before = self.latest if self.late is None else self.late.at or self.latest
        if self.ended:
            return utc(at) if before is None else max(utc(at), utc(before)), False
        overtaken, is_ahead = self.overtaken, self.is_ahead(at)
        self.overtaken = None
        if is_ahead and overtaken is not None:
            self._take_back(overtaken[1], utc(at))
            before = self.latest = at
        elif before is None or at > before:
            self.latest, self.overtaken = at, (before, self.position)
            before = at
        return before if before.tzinfo is UTC else utc(before), at < before

    def _take_back(self, first: int, at: datetime) -> None:
        """Replace the times of the events from the position `first` on, which were ahead."""
        for index in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[index]
            if entry.end <= first and not entry.is_dropped:
                return
            if entry.received_at is None:
                continue
            if entry.position >= first:
                entry = entry._replace(received_at=at, is_adjusted=True)
            if entry.last_at is not None:
                entry = entry._replace(last_at=at)
            self.entries[index] = entry
            self._note_taken_back(entry)

    def _note_taken_back(self, entry: Entry) -> None:
        """Replace an event whose time has changed where judging needs it."""
        if self.last is not None and self.last.position == entry.position:
            self.last = entry
        record = self.agents.get(entry.agent)
        latest = None if record is None else record.latest
        if record is not None and latest is not None and latest.position == entry.position:
            self.agents[entry.agent] = record._replace(latest=entry)

    def add_findings(self, found: Sequence[Finding], at: slice | None = None) -> None:
        """Append findings, or replace the findings at the indices `at`."""
        self.findings[slice(len(self.findings), None) if at is None else at] = found

    def append(
        self, facts: "Facts", event: Event, decision: Decision, *, is_repeat: bool = False
    ) -> None:
        """Add a lifecycle event to the entries, and update the record of its agent.

        A repeat (SG601) is only added to the entries.
        """
        number, agent = facts.number, facts.agent
        details = None
        if number is not None:
            record = self.agents.get(agent)
            known = None if record is None or record.latest is None else record.latest.details
            details = known if is_repeat else EventDetails.of(event, known)
        entry = facts.entry(details, is_repeat=is_repeat)
        self.entries.append(entry)
        self.last = entry
        if facts.kind is EventKind.END:
            self.ended_at = entry.position
        if is_repeat:
            return
        self.previous = _packed(event.value)
        if number is not None:
            self.note_agent(entry, number, decision)

    def note_agent(self, entry: Entry, number: int, decision: Decision) -> None:
        """Update the record of the agent of an event that was added."""
        record = self.agents.get(entry.agent)
        connections, left = (0, None) if record is None else (record.connections, record.left)
        connections += decision.connects
        if entry.kind in _HANDOVER_EXITS:
            left = connections
        self.agents[entry.agent] = _RECORD((number, connections, left, entry, decision.effect))

    def add_unreadable(self, facts: "Facts") -> None:
        """Add an event that could not be read to the entries."""
        if self._keeps(facts.position or 0):
            entry = facts.entry(None)
            self.entries.append(entry._replace(kind=_UNPROCESSABLE, agent=""))

    def add_dropped(self, delivery: Delivery) -> None:
        """Add a delivery that is not applied to the entries."""
        if delivery.events:
            what = _UNPROCESSABLE, "", self.position, len(delivery.events), self.deliveries
            self.entries.append(Entry(*what, delivery.line, is_dropped=True))
            self.deliveries += 1

    @property
    def open_at(self) -> int:
        """The index of the first entry that later events may change.

        This is the last entry, or one of the last delivery if its time may be ahead.
        """
        entries, since = self.entries, self.position
        if self.overtaken is not None and not self.ended:
            since = self.overtaken[1]
        index = max(len(entries) - 1, 0)
        while index and (
            entries[index - 1].end > since
            or entries[index].delivery == entries[index - 1].delivery == COUNTED
        ):
            index -= 1
        return index

    def add_after_end(self, facts: "Facts", event: Event) -> None:
        """Add one of the first events after END to the entries. Further events are not kept."""
        if not self._keeps(facts.position or 0):
            return
        before, known = (None, "") if self.late is None else self.late
        details = EventDetails.of(event) if facts.kind.transfer_type else None
        fingerprint = "" if facts.kind in MESSAGES else event.fingerprint
        self.entries.append(facts.entry(details, is_repeat=fingerprint == known != ""))
        self.late = LateEvent(before if facts.at is None else facts.at, fingerprint or known)

    @property
    def has_more_after_end(self) -> bool:
        """Whether more events came after END than are kept."""
        return not self._keeps(self.position - 1)

    def _keeps(self, position: int) -> bool:
        """Return whether an event at a position is kept."""
        return self.ended_at is None or position <= self.ended_at + _MOST_AFTER_END

    def add_message(self, facts: "Facts") -> None:
        """Add a message to the run that it continues, or begin a run."""
        kind, position = facts.kind, facts.position or 0
        agent = facts.agent if kind is _AGENT_MESSAGE else ""
        self.messages += 1
        entries = self.entries
        last = entries[-1] if entries else None
        if (
            last is not None
            and last.kind is kind
            and last.agent == agent
            and last.delivery != COUNTED
            and last.position + last.count == position
            and len(facts.delivery.events) == 1
        ):
            entries[-1] = _ENTRY((*last[:3], last.count + 1, *last[4:7], facts.at, *last[8:]))
        elif self.runs < MOST_RUNS:
            self.runs += 1
            entries.append(facts.entry(None, last_at=facts.at))
        else:
            self._count_message(kind, agent, position)

    def _count_message(self, kind: EventKind, agent: str, position: int) -> None:
        """Count a message that came after `MOST_RUNS` runs, at its author.

        Agents whom no lifecycle event has named are counted together.
        """
        agent = agent if agent in self.agents else ""
        for index in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[index]
            if not entry.is_counted:
                break
            if entry.kind is kind and entry.agent == agent:
                self.entries[index] = entry._replace(count=entry.count + 1)
                return
        self.entries.append(Entry(kind, agent, position, delivery=COUNTED))


def _packed(value: Mapping[str, Any]) -> bytes:
    """Encode the JSON object of an event, of which `marshal.loads` returns a copy.

    Bytes take a quarter of the memory of objects. They never leave the process.
    """
    try:
        return marshal.dumps(value)  # type: ignore[arg-type]
    except ValueError:
        return marshal.dumps(json.loads(json.dumps(value, default=_plain)))


def _plain(part: object) -> Json:
    """Return a mapping as a dict, and another value as text."""
    return dict(part) if isinstance(part, Mapping) else str(part)


@dataclass(slots=True, eq=False)
class Facts:
    """The event that is being applied, and its place. Checks read it and must not change it."""

    state: State
    """The state of the conversation before the event."""
    delivery: Delivery
    """The delivery that contains the event."""
    position: int | None
    """The position of the event, or None for an action."""
    action: int | None = None
    """The position of the action, or None for an event."""
    event: Event | None = None
    """The event, or None for a check that reads the delivery only."""
    kind: EventKind = EventKind.UNPROCESSABLE
    """The kind of the event."""
    agent: str = ""
    """The identity of the event's agent, in the spelling that the conversation already knows."""
    number: int | None = None
    """The number of the event's agent, or None."""
    delivery_number: int = 0
    """The number of the delivery in the conversation."""
    at: datetime | None = None
    """The time of the delivery in UTC, not earlier than the time before it, or None if unknown."""
    is_adjusted: bool = False
    """Whether this is not the time of receipt, because that is earlier than the time before it."""

    @property
    def place(self) -> Place:
        """The place of the event, for a finding."""
        pointer = "" if self.event is None else self.event.pointer
        line, noun = self.delivery.line, self.delivery.intake.noun
        if self.action is None:
            return Place(self.position, None, pointer, line)
        return Place(None, self.action, pointer, line, noun=noun)

    def entry(
        self,
        details: EventDetails | None,
        *,
        last_at: datetime | None = None,
        is_repeat: bool = False,
    ) -> Entry:
        """Return the event as an entry of the past."""
        return _ENTRY(
            (
                self.kind,
                "" if self.kind in _OF_OTHERS else self.agent,
                self.position,
                1,
                self.delivery_number,
                self.delivery.line,
                self.at,
                last_at,
                self.is_adjusted,
                is_repeat,
                False,
                details,
            )
        )

    def violation(
        self, code: str, values: Mapping[str, str], *, pointer: str | None = None
    ) -> Finding:
        """Return a finding of a rule at the place of the event.

        Args:
            code: The code of the rule.
            values: The values for the templates of the rule.
            pointer: A JSON Pointer that replaces the one to the event.

        """
        place = self.place
        return find(code, place if pointer is None else replace(place, pointer=pointer), values)


def told_entries(state: State) -> Iterator[Entry]:
    """Yield the entries of which the explanation of a conversation is made.

    Every event of a dropped delivery is an entry. Messages that are only counted are left out. So
    are all events after END if not all of them are kept.
    """
    end = state.ended_at if state.has_more_after_end else None
    for entry in state.entries:
        if end is not None and entry.position > end:
            return
        if entry.is_dropped:
            yield from [entry._replace(count=1)] * entry.count
        elif entry.kind in _TOLD and not entry.is_counted:
            yield entry


def new(conversation_id: str | None, *, partial: Partial = None) -> State:
    """Return the state of a new conversation, before its first event.

    Raise `ConfigurationError` if `partial` is not a value of `Partial`.
    """
    check_option("partial", partial, Partial)
    return State(conversation_id, partial)


def restore_ended(conversation_id: str, *, is_reported: bool = False) -> State:
    """Return the state of an ended conversation about which nothing else is known.

    `is_reported` tells whether an event after END has already been reported (SG110), which is done
    once per conversation.
    """
    state = State(conversation_id, None)
    reported = ("SG110",) if is_reported else ()
    state.presence = Presence(phase=Phase.ENDED, reported_once=reported)
    state.ended_at = -1
    return state
