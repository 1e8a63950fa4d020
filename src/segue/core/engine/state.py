"""The classes `State` (the state of one conversation) and `Facts` (the event being applied).

A state contains all facts that later events are judged by, and the history: a row of numbers for
each lifecycle event and each run of messages, and every change of the facts about agents. To judge
an event, only the latest event of each agent and of the conversation is read from the history, so
a state remains usable after its history was moved elsewhere. To save memory, most is stored as
bytes (`agents`), rare parts are created when they are needed, and states share values that most of
them have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from datetime import datetime
from struct import Struct
from typing import Any, Final, Literal, NamedTuple

from segue.core.engine.agents import (
    HEAD,
    compact,
    expanded,
    is_alike,
    joined_event,
    number_in,
    said_in,
    split_event,
)
from segue.core.engine.message_runs import (
    MOST_RUNS,
    MOST_STRANGERS,
    STRANGER,
    UNKNOWN,
    UNNAMED_AGENT,
    USER,
)
from segue.core.epoch import EPOCH, MICROSECOND, microseconds, time_at
from segue.core.events import Delivery, Event, EventKind, Json, fingerprint
from segue.core.findings import Finding, Place, find
from segue.core.lifecycle import MESSAGES, Decision, Identities, Phase, Presence
from segue.core.options import check_option

Partial = Literal["start", "end", "both"] | None
"""The ends of the conversation that a log lacks: "start", "end", "both", or None if it is complete.
"""

_WAITING: Final = Presence()
_TRUNCATED_START: Final = Presence.truncated_start()

UNREPORTED, REPORTED, DUPLICATE = range(3)
"""The verdict on an event: not reported, reported by its own rule, or reported as a repeat (SG601).
"""

ROW: Final = Struct("<4q")
"""The encoding of a row of the history, which describes one lifecycle event.

Its numbers are: position, delivery (its line or, without lines, `~` of the position of its first
event), time in microseconds since 1970, and the decision with the agent.
"""
NO_VALUE: Final = -(1 << 62)
"""The time in the row of an event that has no time."""
STAMP_BITS: Final = 26
"""The number of bits of `Decision.stamp`. The bits of the verdict follow."""
STAMP_MASK: Final = (1 << STAMP_BITS) - 1
VERDICT_MASK: Final = 3
AGENT_SHIFT: Final = STAMP_BITS + 2
"""The number of bits before the agent in the last number of a row. The agent is its number plus 1,
or 0 for an event without an agent.
"""
ALL: Final = -1
"""The key in `RareParts.elsewhere` for the latest row of the conversation."""

_USER_MESSAGE, _AGENT_MESSAGE = EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE
_KEPT_AFTER_END: Final = 10_000
"""The maximum number of events kept after END, so that a state cannot grow without limit."""
_NO_SESSIONS: Final[Mapping[str, Any]] = {}
_NO_ROWS: Final[Mapping[int, bytes]] = {}

_pack: Final = ROW.pack


class LateEvent(NamedTuple):
    """An event after END."""

    position: int
    kind: str
    agent: str
    delivery: int
    """The number of the delivery, as in a row of the history."""
    at: datetime | None
    """The time of receipt, not earlier than the time before it, or None if unknown."""
    said: bytes
    """The facts about the agent, encoded by `packed_info`. Empty for a message."""
    fingerprint: str
    """The fingerprint of the event. Empty for a message."""


class RareParts(NamedTuple):
    """The parts of a state that few conversations need.

    Other states share one object with the defaults.
    """

    partial: Partial = None
    """The ends of the conversation that the log lacks."""
    closed: bool = False
    """Whether the log of the conversation was closed by `finish`."""
    after_end: list[LateEvent] | None = None
    """The first events after END. They are part of the history."""
    dropped: list[tuple[int, int]] | None = None
    """The deliveries that were dropped because their ids came before with another meaning (SG603):
    the position of the next event, and the number of their events. They are part of the history.
    """
    changes: list[Any] | None = None
    """The earlier facts about agents. Each is preceded by the number of the row that replaced it.
    """
    shared_times: list[int] | None = None
    """Three numbers for each delivery whose events share a time: the position of the first event,
    the number of events, and 1 if the time was replaced by that of an earlier delivery, the result
    of `bound_of` if it was ahead and is replaced by that of the next delivery, otherwise 0. The
    last three numbers of a delivery apply.
    """
    elsewhere: Mapping[int, bytes] = _NO_ROWS
    """The latest row of each agent whose latest row is not in `rows`, by the agent's number, if the
    history is stored elsewhere. The key `ALL` gives the latest row of the conversation.
    """
    strangers: list[str] | None = None
    """The identities of the first agents who sent a message before a lifecycle event named them,
    see `STRANGER`.
    """
    unlisted: dict[tuple[int, int], int] | None = None
    """The number of messages that came after `MOST_RUNS` runs.

    The key is the number of rows before the messages, and the author.
    """
    segments: Any = None
    """The `SegmentTracker` if the history is stored elsewhere and segments are needed at every
    event, otherwise None.
    """


_NO_PARTS: Final = RareParts()


def bound_of(at: datetime) -> int:
    """Return the number for a time in `RareParts.shared_times`, which is neither 0 nor 1."""
    number = microseconds(at)
    return number + 2 if number >= 0 else number


def bounds_of(shared_times: Sequence[int]) -> Iterator[tuple[int, int, datetime]]:
    """Yield position, size and new time of each delivery whose time was ahead."""
    times = iter(shared_times)
    for first, size, bound in zip(times, times, times, strict=True):
        if bound not in {0, 1}:
            yield first, size, time_at(bound - 2 if bound > 0 else bound)


def bounded(
    at: datetime | None, position: int, bounds: Sequence[tuple[int, int, datetime]]
) -> datetime | None:
    """Return the time of the event at a position, taken back if it was ahead."""
    for first, size, bound in bounds if at is not None else ():
        if first <= position < first + size:
            at = bound
    return at


@dataclass(slots=True, eq=False, repr=False)
class State:
    """The state of one conversation. Mutable, and owned by the caller of `new`."""

    conversation_id: str | None
    """The id of the conversation, or None if unknown."""
    partial: InitVar[Partial]
    rare: RareParts = _NO_PARTS
    bot_id: str | None = None
    """The bot of the first delivery that names a bot, or None."""
    position: int = 0
    """The number of events so far, which is also the position of the next event."""
    processable: bool = False
    """Whether any event could be processed."""
    presence: Presence = _WAITING
    """The phase, and the agents present by number."""
    agents: Identities = field(default_factory=Identities)
    """The encoded `AgentRecord` of every agent that a lifecycle event named, by identity.

    The order is the order of appearance.
    """
    absences: tuple[str, ...] = ()
    """The identities of absent agents whose messages have been reported (SG205)."""
    previous: bytes | str | None = None
    """The last lifecycle event without the facts about its agent, see `split_event`. After a
    restore it is the fingerprint of the event.
    """
    previous_agent: str | None = None
    """The identity of the agent of the last lifecycle event, or None if it has none."""
    latest_fingerprint: str | None = None
    """The fingerprint of the last lifecycle event, once it was asked for."""
    sessions: Mapping[str, Any] = field(default_factory=lambda: _NO_SESSIONS)
    """The sessions of the other machines in this conversation, by the name of the machine."""
    latest: datetime | None = None
    """The latest time of receipt so far, or None. A time that was ahead is taken back."""
    overtaken: tuple[datetime | None, int, int] | None = None
    """The latest time before `latest`, and the position and the size of the delivery received then.

    It is None if the next delivery cannot tell that this time is ahead, because another delivery
    was received at the same time or earlier.
    """
    delivered: dict[str, str] | None = None
    """The fingerprint of each delivery by delivery key, or None if no delivery had an id."""
    kept: tuple[Json, ...] = ()
    """The values that the checks remember, in the order of `CHECKS`. Empty at first."""
    findings: Sequence[Finding] = ()
    """The findings so far. Use `add_findings` to add to them."""
    rows: bytearray = field(default_factory=bytearray)
    """The rows of the lifecycle events, each encoded by `ROW`."""
    messages: int = 0
    """The number of messages so far."""
    runs: list[Any] = field(default_factory=list)
    """The runs of messages, of which each `StoredRun` is six elements."""
    run_count: int = 0
    """The number of runs so far, also of those that are stored elsewhere."""
    run_author: int | None = None
    """The author of the last run."""
    run_end: int = 0
    """The position at which a message would continue the last run."""

    def __post_init__(self, partial: Partial) -> None:
        """Set the presence at the beginning of the log."""
        if partial is not None:
            self.rare = RareParts(partial)
            self.presence = self.first_presence

    @property
    def first_presence(self) -> Presence:
        """The presence before the first event."""
        return _TRUNCATED_START if self.begins_late else _WAITING

    @property
    def begins_late(self) -> bool:
        """Whether the log lacks the beginning of the conversation."""
        return self.rare.partial in {"start", "both"}

    @property
    def ended(self) -> bool:
        """Whether END_OF_CONVERSATION has come."""
        return self.presence.phase is Phase.ENDED

    def latest_row(self, record: bytes = b"") -> bytes:
        """Return the row of the latest event, or empty bytes if there is none.

        `record` is the encoded record of an agent, whose latest event is meant. Without it, the
        latest event of the conversation is meant.
        """
        number, rows = ALL, len(self.rows) // ROW.size
        if record:
            number, _, rows = HEAD.unpack_from(record)
        if not rows:
            return self.rare.elsewhere.get(number, b"")
        return bytes(self.rows[(rows - 1) * ROW.size : rows * ROW.size])

    @property
    def last_fingerprint(self) -> str | None:
        """The fingerprint of the last lifecycle event, or None before the first."""
        previous = self.previous
        if not isinstance(previous, bytes):
            return previous
        if self.latest_fingerprint is None:
            event = expanded(previous)
            if self.previous_agent is not None:
                event = joined_event(said_in(self.agents[self.previous_agent]), previous)
            self.latest_fingerprint = fingerprint(event)
        return self.latest_fingerprint

    def number_of(self, agent: str) -> int | None:
        """Return the number of an agent, or None if no lifecycle event has named the agent."""
        record = self.agents.get(agent)
        return None if record is None else number_in(record)[0]

    def connection_count(self, agent: str) -> int:
        """Return the number of connections that an agent has had."""
        record = self.agents.get(agent)
        return 0 if record is None else int(HEAD.unpack_from(record)[1])

    def is_ahead(self, at: datetime) -> bool:
        """Return whether `latest` is ahead of the times around it, given that `at` comes next."""
        if self.overtaken is None or self.latest is None or at >= self.latest:
            return False
        before = self.overtaken[0]
        return before is None or at >= before

    def note_time(self, at: datetime, size: int) -> None:
        """Record the time at which a delivery with `size` events was received."""
        is_ahead = self.is_ahead(at)
        before, overtaken, self.overtaken = self.latest, self.overtaken, None
        is_earlier = before is not None and at < before
        if is_ahead and overtaken is not None:
            self._share_time(*overtaken[1:], bound_of(at))
            self.latest, is_earlier = at, False
        elif before is None or at > before:
            self.latest, self.overtaken = at, (before, self.position, size)
        if is_earlier or size > 1:
            self._share_time(self.position, size, int(is_earlier))

    def _share_time(self, first: int, size: int, bound: int) -> None:
        times = self.rare.shared_times
        if times is None:
            self.rare = self.rare._replace(shared_times=(times := []))
        times += (first, size, bound)

    def add_findings(self, found: Sequence[Finding], at: slice | None = None) -> None:
        """Append findings, or replace the findings at the indices `at`."""
        if found:
            findings = self.findings if isinstance(self.findings, list) else [*self.findings]
            findings[slice(len(findings), None) if at is None else at] = found
            self.findings = findings

    def append(self, facts: "Facts", event: Event, decision: Decision, verdict: int) -> None:
        """Add a lifecycle event to the history, and update the record of its agent.

        `verdict` is `UNREPORTED`, `REPORTED` or `DUPLICATE`. A duplicate is only added to the
        history.
        """
        number, delivery = facts.number, facts.delivery
        what = verdict << STAMP_BITS | decision.stamp
        if number is not None:
            what |= number + 1 << AGENT_SHIFT
        if verdict != DUPLICATE:
            self._note_previous(facts, event, connects=decision.connects)
        at = None if delivery.received_at is None else self.latest
        self.rows += _pack(
            facts.position,
            facts.delivery_number,
            NO_VALUE if at is None else (at - EPOCH) // MICROSECOND,
            what,
        )

    def _note_previous(self, facts: "Facts", event: Event, *, connects: bool) -> None:
        """Keep the event to compare the next one with, and update the record of its agent."""
        self.latest_fingerprint = self.previous_agent = None
        if facts.number is None:
            self.previous = compact(event.value)
            return
        said, self.previous = split_event(event)
        self.previous_agent = facts.agent
        self._note_agent(facts.agent, said, connects=connects)

    def _note_agent(self, agent: str, said: bytes, *, connects: bool) -> None:
        """Update the record of an agent.

        Args:
            agent: The identity of the agent.
            said: The facts about the agent in the event, encoded by `packed_info`.
            connects: Whether the event begins a connection.

        """
        record, rows = self.agents.get(agent), len(self.rows) // ROW.size
        if record is None:
            number, connections, last = len(self.agents), 0, b""
        else:
            number, connections, _ = HEAD.unpack_from(record)
            last = said_in(record)
        if said != last and is_alike(said, last):
            said = last
        if said != last:
            self.note_change(rows, last)
        self.agents[agent] = HEAD.pack(number, connections + connects, rows + 1) + said

    def note_change(self, row: int, before: bytes | None) -> None:
        """Store the facts about an agent that the event of a row replaces.

        `before` are the old facts.
        """
        if before:
            changes = self.rare.changes
            if changes is None:
                self.rare = self.rare._replace(changes=(changes := []))
            changes += (row, before)

    def note_after_end(self, facts: "Facts", event: Event) -> None:
        """Add one of the first events after END to the history. Further events are not kept."""
        position = facts.position or 0
        if position < self._begin_after_end + _KEPT_AFTER_END:
            late = self.rare.after_end
            if late is None:
                self.rare = self.rare._replace(after_end=(late := []))
            said = split_event(event)[0] if facts.kind.transfer_type else b""
            known = "" if facts.kind in MESSAGES else event.fingerprint
            at, latest = facts.delivery.received_at, late[-1].at if late else self.latest
            if at is not None and latest is not None:
                at = max(at, latest)
            what = facts.kind.value, facts.agent, facts.delivery_number
            late.append(LateEvent(position, *what, at, said, known))

    @property
    def has_more_after_end(self) -> bool:
        """Whether more events came after END than are kept."""
        return self.ended and self.position > self._begin_after_end + _KEPT_AFTER_END

    @property
    def _begin_after_end(self) -> int:
        """The position of the first event after END."""
        row, late = self.latest_row(), self.rare.after_end
        if row:
            return int(ROW.unpack(row)[0]) + 1
        return late[0].position if late else self.position

    def note_dropped(self, delivery: Delivery) -> None:
        """Add a delivery that is not applied to the history."""
        dropped = self.rare.dropped
        if dropped is None:
            self.rare = self.rare._replace(dropped=(dropped := []))
        dropped.append((self.position, len(delivery.events)))

    def add_message(self, facts: "Facts") -> None:
        """Add a message to the run that it continues, or begin a run."""
        delivery, position, number = facts.delivery, facts.position or 0, facts.number
        if facts.kind is _USER_MESSAGE:
            author = USER
        elif number is None or facts.kind is not _AGENT_MESSAGE:
            author = UNKNOWN
        else:
            author = number if number < self.presence.agents else self._stranger(facts.agent)
        at = None if delivery.received_at is None else self.latest
        is_shared, runs = len(delivery.events) > 1, self.runs
        self.messages += 1
        if position == self.run_end and author == self.run_author and not is_shared:
            self.run_end = position + 1
            if runs:
                runs[-2] += 1
                runs[-1] = at
                return
        elif self.run_count < MOST_RUNS:
            self.run_count += 1
            self.run_author, self.run_end = author, position + 1
        else:
            self._count_unlisted(author)
            return
        runs += position, facts.delivery_number, at, author << 1 | is_shared, 1, at

    def _stranger(self, agent: str) -> int:
        """Return the number of an agent whom no lifecycle event has named."""
        strangers = self.rare.strangers or []
        if agent not in strangers:
            if len(strangers) >= MOST_STRANGERS:
                return UNNAMED_AGENT
            strangers = [*strangers, agent]
            self.rare = self.rare._replace(strangers=strangers)
        return STRANGER - strangers.index(agent)

    def _count_unlisted(self, author: int) -> None:
        """Count a message that came after `MOST_RUNS` runs."""
        unlisted = self.rare.unlisted
        if unlisted is None:
            self.rare = self.rare._replace(unlisted=(unlisted := {}))
        key = len(self.rows) // ROW.size, author
        unlisted[key] = unlisted.get(key, 0) + 1


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
    """The line of the delivery. Without lines it is `~position` of the delivery's first event."""

    @property
    def place(self) -> Place:
        """The place of the event, for a finding."""
        pointer = "" if self.event is None else self.event.pointer
        line, noun = self.delivery.line, self.delivery.intake.noun
        if self.action is None:
            return Place(self.position, None, pointer, line)
        return Place(None, self.action, pointer, line, noun=noun)

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
    return state
