"""The state of one conversation, and the event that is being applied to it.

A state is everything that later events can be judged by, and the history: a row of numbers for each
lifecycle event, the messages between them, and what events said about their agents, as often as
that changed.  Values that are kept for long are bytes: these take a quarter of the memory that
objects take, and the garbage collector need not look at them.  They stay in the process; what is
saved or sent is JSON (`snapshot`).  Judging reads nothing of the history but the latest event of
each agent and of all, so a state can go on after its history was moved elsewhere.
"""

import json
import marshal
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from struct import Struct
from types import MappingProxyType
from typing import Any, Final, Literal

from segue.errors import ConfigurationError
from segue.events import Delivery, Event, EventKind, Json
from segue.findings import Finding, Place, find
from segue.lifecycle import Decision, Phase, Presence
from segue.roots import RootTracker

Partial = Literal["start", "end", "both"] | None
"""Which ends of the log are cut off: it begins late, stops early, or both."""

_PARTIALS: Final = (None, "start", "end", "both")
_WAITING: Final = Presence()
_TRUNCATED_START: Final = Presence.truncated_start()

UNREPORTED, REPORTED, DUPLICATE = range(3)
"""What became of a decision: no finding, its finding, or SG601 in its place."""

ROW: Final = Struct("<6q")
"""User messages and messages of the primary since the row before; position, line, time, and the
decision with its agent."""
NO_VALUE: Final = -(1 << 62)
"""Stands for the line or the time of an event that has none."""
STAMP_BITS: Final = 26
"""Bits of a decision; those of its verdict follow."""
VERDICT_MASK: Final = 3
AGENT_SHIFT: Final = STAMP_BITS + 2
"""Bits before the number of the agent, which counts from 1; 0 for an event of no agent."""
AGENT_SIZE: Final = 3
"""So many values are kept of each agent, see `State.agents`."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)

SHOWN_FIELDS: Final = ("identity", "name", "type", "customFields")
"""What segments show of a participant; nothing else that was sent along is kept."""
_USER_MESSAGE, _AGENT_MESSAGE = EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE
_KEPT_AFTER_END: Final = 8
"""So many events after END are kept; with more of them a state would grow without end."""
_NO_SESSIONS: Final[Mapping[str, Any]] = MappingProxyType({})

_pack: Final = ROW.pack


COMPARABLE: Final = 2
"""The version of marshal's format without references."""

expanded: Final = marshal.loads
"""Returns the value that `compact` was given."""


def compact(value: Json, version: int = marshal.version) -> bytes:
    """Return a value as bytes; parts of types that are not JSON's become what is like them.

    Equal values may give different bytes, but for `COMPARABLE` as the version of the format: then
    values with their keys in one order give the same.
    """
    try:
        return marshal.dumps(value, version)
    except ValueError:
        return marshal.dumps(json.loads(json.dumps(value, default=_plain)), version)


def _plain(part: object) -> Json:
    return dict(part) if isinstance(part, Mapping) else str(part)


class State:
    """What is known of one conversation. Mutable; owned by the caller of `new`."""

    __slots__ = (
        "absences",
        "after_end",
        "agent_messages",
        "agents",
        "bot_id",
        "changes",
        "closed",
        "conversation_id",
        "delivered",
        "findings",
        "first_message",
        "kept",
        "known",
        "last_row",
        "latest",
        "messages",
        "other_messages",
        "partial",
        "position",
        "presence",
        "previous",
        "processable",
        "roots",
        "rows",
        "sessions",
        "shared_times",
        "user_messages",
    )

    def __init__(self, conversation_id: str | None, partial: Partial) -> None:
        self.conversation_id = conversation_id
        self.partial: Partial = partial
        self.bot_id: str | None = None
        """The bot of the first delivery that names one; the conversation belongs to it."""
        self.position = 0
        """How many events there were; the position of the next one."""
        self.processable = False
        """Whether any event could be placed."""
        self.closed = False
        self.presence = self.first_presence
        """Where the conversation stands; agents by number."""
        self.known: dict[str, int] = {}
        """Every agent a lifecycle event named, numbered in order of appearance."""
        self.absences: tuple[str, ...] = ()
        """Agents whose messages while they are not present have been reported (SG205)."""
        self.previous: bytes | str | None = None
        """The last lifecycle event, see `compact`; its fingerprint after a restore."""
        self.sessions = _NO_SESSIONS
        """State of every other machine that has had an event, by the name of the machine."""
        self.latest: datetime | None = None
        """The latest `received_at` so far."""
        self.delivered: dict[str, str] | None = None
        """Delivery key to the fingerprint of its body; None when no delivery had an id."""
        self.kept: tuple[Json, ...] = ()
        """What each of the checks remembers, in their order; empty: nothing yet."""
        self.findings: list[Finding] = []
        self.after_end: tuple[tuple[int, str, str], ...] = ()
        """Position, kind and agent of the first events after END, for a diagnosis."""
        self.roots = RootTracker(self.presence)
        """What is remembered to tell which errors are mistakes of their own."""
        self.rows = bytearray()
        """The lifecycle events, see `ROW`."""
        self.changes: list[Any] = []
        """What events said about their agents, where it changed, behind the number of the row."""
        self.agents: list[Any] = []
        """By agent: how many connections there have been, what was said of it last, and its latest
        row: the number of it, or itself when the history is elsewhere."""
        self.last_row: bytes | None = None
        """The last row when the history is elsewhere."""
        self.messages = 0
        self.first_message: tuple[int, datetime | None] | None = None
        """Position and time of the first message, if it came while waiting."""
        self.shared_times: list[int] | None = None
        """Of each delivery whose events share a time: the position of the first, how many there
        are, and whether the time is that of an earlier delivery."""
        self.user_messages = 0
        """Messages of users since the last row."""
        self.agent_messages = 0
        """Messages of the primary since the last row."""
        self.other_messages: dict[tuple[int, int], int] | None = None
        """Messages of other agents: number of rows before and agent to their count."""

    @property
    def first_presence(self) -> Presence:
        """The presence this conversation began with."""
        return _TRUNCATED_START if self.partial in {"start", "both"} else _WAITING

    @property
    def phase(self) -> Phase:
        """Where the conversation stands."""
        return self.presence.phase

    @property
    def ended(self) -> bool:
        """Whether END_OF_CONVERSATION has come."""
        return self.presence.phase is Phase.ENDED

    def connection_count(self, agent: str) -> int:
        """Return how many connections an agent has had."""
        number = self.known.get(agent)
        return 0 if number is None else self.agents[AGENT_SIZE * number]

    def note_time(self, at: datetime, size: int) -> None:
        """Note when a delivery of so many events was received."""
        is_clamped = self.latest is not None and at < self.latest
        if is_clamped or size > 1:
            self.shared_times = self.shared_times or []
            self.shared_times += (self.position, size, int(is_clamped))
        if self.latest is None or at > self.latest:
            self.latest = at

    def append(self, facts: "Facts", event: Event, decision: Decision, verdict: int) -> None:
        """Add a lifecycle event to the history, and what it says of its agent if that is new."""
        number, delivery = facts.number, facts.delivery
        what = verdict << STAMP_BITS | decision.stamp
        if number is not None:
            what |= number + 1 << AGENT_SHIFT
            here, agents = AGENT_SIZE * number, self.agents
            if here >= len(agents):
                agents += (0, None, 0)
            if decision.connects and verdict != DUPLICATE:
                agents[here] += 1
            participant = event.value.get("participant")
            if not isinstance(participant, Mapping):
                participant = {}
            shown = map(participant.get, SHOWN_FIELDS)
            said = compact((*shown, event.value.get("language"), event.experience))
            row = len(self.rows) // ROW.size
            agents[here + 2] = row
            last = agents[here + 1]
            if said != last and (last is None or expanded(said) != expanded(last)):
                agents[here + 1] = said
                self.changes += (row, said)
        at = None if delivery.received_at is None else self.latest
        self.rows += _pack(
            self.user_messages,
            self.agent_messages,
            facts.position,
            NO_VALUE if delivery.line is None else delivery.line,
            NO_VALUE if at is None else (at - EPOCH) // MICROSECOND,
            what,
        )
        self.user_messages = self.agent_messages = 0

    def note_after_end(self, facts: "Facts") -> None:
        """Keep one of the first events after END."""
        if len(self.after_end) < _KEPT_AFTER_END:
            late = (facts.position or 0, facts.kind.value, facts.agent)
            self.after_end = (*self.after_end, late)

    def count_message(self, facts: "Facts") -> None:
        """Count a message for the agent it will be attributed to."""
        before, number = self.presence, facts.number
        if not self.messages and before.phase is _WAITING.phase:
            at = None if facts.delivery.received_at is None else self.latest
            self.first_message = facts.position or 0, at
        self.messages += 1
        if facts.kind is _USER_MESSAGE:
            self.user_messages += 1
        elif number is not None and facts.kind is _AGENT_MESSAGE:
            if number == before.primary:
                self.agent_messages += 1
            elif number < before.agents:
                key = len(self.rows) // ROW.size, number
                others = self.other_messages = self.other_messages or {}
                others[key] = others.get(key, 0) + 1


@dataclass(slots=True, eq=False)
class Facts:
    """An event that is being applied, and where it is. Checks look at it and change nothing."""

    state: State
    """The conversation before the event."""
    delivery: Delivery
    position: int | None
    """Position of the event; None for an action."""
    action: int | None = None
    """Position of the action."""
    event: Event | None = None
    """None for a check that reads the delivery only."""
    kind: EventKind = EventKind.UNPROCESSABLE
    agent: str = ""
    """The agent meant by the event, in the spelling the conversation knows."""
    number: int | None = None
    """The number of the agent."""

    @property
    def place(self) -> Place:
        """Where the event is."""
        pointer = "" if self.event is None else self.event.pointer
        return Place(self.position, self.action, pointer, self.delivery.line)

    def violation(
        self, code: str, values: Mapping[str, str], *, pointer: str | None = None
    ) -> Finding:
        """Return the finding of a rule; `pointer` is a JSON Pointer if it is not the event's."""
        place = self.place
        return find(code, place if pointer is None else replace(place, pointer=pointer), values)


def new(conversation_id: str | None, *, partial: Partial = None) -> State:
    """Return the state of a conversation of which nothing has been seen."""
    if partial not in _PARTIALS:
        msg = f"partial is 'start', 'end', 'both' or None, not {partial!r}"
        raise ConfigurationError(msg)
    return State(conversation_id, partial)


def restore_ended(conversation_id: str, *, is_reported: bool = False) -> State:
    """Return the state of a conversation that has ended, when only its tombstone is left.

    `is_reported` says whether an event after the end was reported already (SG110, once per
    conversation).
    """
    state = State(conversation_id, None)
    reported = ("SG110",) if is_reported else ()
    state.presence = Presence(phase=Phase.ENDED, reported_once=reported)
    return state
