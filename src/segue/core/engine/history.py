"""The history of a state, as values to read: lifecycle events, facts about agents, and messages.

Findings point back into it (`because`), reports draw it, and segments are rebuilt from it.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from segue.core.engine.agents import ParticipantInfo, said_in
from segue.core.engine.checks import experience_of
from segue.core.engine.message_runs import (
    SIZE,
    STRANGER,
    UNKNOWN,
    UNNAMED_AGENT,
    USER,
)
from segue.core.engine.state import (
    AGENT_SHIFT,
    ALL,
    DUPLICATE,
    NO_VALUE,
    ROW,
    STAMP_BITS,
    STAMP_MASK,
    VERDICT_MASK,
    State,
    bounded,
    bounds_of,
)
from segue.core.epoch import time_at, utc
from segue.core.events import EventKind, quoted
from segue.core.findings import Cause, Place, split_line
from segue.core.lifecycle import Decision, Presence

_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_AT: Final = 2
"""Place of the time in a row."""
HANDOVER_EXITS: Final = frozenset({EventKind.COLD_EXIT, EventKind.WARM_EXIT})
"""The exits by which an agent can hand the conversation over."""


class HistoryEvent(NamedTuple):
    """One lifecycle event: where it was and what it was."""

    position: int
    """Which element of the conversation's deliveries, from 0."""
    kind: EventKind
    """As it was sent."""
    agent: str
    """Identity of the agent; empty if the event names none."""
    delivery: int
    """The number of its delivery's line (see `line_number`) or, without lines, `~` of the position
    of its first event.
    """

    @property
    def number(self) -> int | None:
        """The number of the line among all logs; None if lines are not known."""
        return None if self.delivery < 0 else self.delivery

    @property
    def line(self) -> int | None:
        """The line of the log; None if lines are not known."""
        return None if self.delivery < 0 else split_line(self.delivery)[1]

    @property
    def cause(self) -> Cause:
        """The event as evidence of a finding."""
        text = f"{self.kind.value} of {quoted(self.agent)}" if self.agent else self.kind.value
        return Cause(Place(event=self.position, line=self.number), text)


class MessageRun(NamedTuple):
    """Consecutive messages of one author."""

    kind: EventKind
    agent: str
    """The identity of the agent, or an empty string."""
    position: int
    messages: int
    delivery: int
    """The number of the first delivery, see `HistoryEvent.delivery`."""
    first_at: datetime | None
    last_at: datetime | None

    @property
    def end(self) -> int:
        """The position after the last message."""
        return self.position + self.messages


class HistoryRow(NamedTuple):
    """A lifecycle event, its time and its verdict."""

    position: int
    at: datetime | None
    decision: Decision
    verdict: int
    agent: str
    info: ParticipantInfo | None


class History(NamedTuple):
    """What segments are made of."""

    first_presence: Presence
    names: tuple[str, ...]
    """Every agent that a lifecycle event named, by number."""
    rows: tuple[HistoryRow, ...]
    runs: tuple[MessageRun, ...] = ()
    """The messages, in order."""
    unlisted: tuple[MessageRun, ...] = ()
    """The messages beyond `MOST_RUNS` runs, counted by author and lifecycle event. Their positions
    tell the lifecycle event that comes next.
    """
    messages: int = 0
    shared_times: tuple[int, ...] = ()
    """See `RareParts`."""
    respelled: frozenset[int] = frozenset()
    """The positions of events whose agent is spelled in another letter case (SG206)."""
    is_closed: bool = False
    """Whether the log was over before END came."""
    is_cut: bool = False
    """Whether the end of the log is cut off."""
    experience: str = ""
    """`chat` or `voice`, or an empty string if it is unknown or changed."""


def history_of(state: State) -> History:
    """Return the history of a state, as segments are made of it."""
    rare, rows = state.rare, tuple(rows_of(state))
    respelled = (each.place.event for each in state.findings if each.code == "SG206")
    return History(
        state.first_presence,
        tuple(state.agents),
        rows,
        tuple(runs_of(state)),
        tuple(_unlisted(state, rows)),
        state.messages,
        tuple(rare.shared_times or ()),
        frozenset(position for position in respelled if position is not None),
        rare.closed and not state.ended and state.processable,
        rare.partial in {"end", "both"},
        experience_of(state),
    )


def events_of(state: State) -> Iterator[HistoryEvent]:
    """Yield all lifecycle events, in order."""
    names = ("", *state.agents)
    for row in ROW.iter_unpack(state.rows):
        yield _event(row, names)


def departures(state: State) -> dict[str, int]:
    """Return for each agent the number of the connection that it last left by COLD or WARM exit.

    Agents without such an exit are left out. The number is 0 for an exit before any entry.
    """
    names, found = ("", *state.agents), dict[str, int]()
    connections = [0] * len(names)
    for *_, what in ROW.iter_unpack(state.rows):
        decision, agent = Decision.of(what & STAMP_MASK), what >> AGENT_SHIFT
        is_repeat = what >> STAMP_BITS & VERDICT_MASK == DUPLICATE
        connections[agent] += decision.connects and not is_repeat
        if decision.kind in HANDOVER_EXITS:
            found[names[agent]] = connections[agent]
    return found


def latest_events(state: State, *agents: str) -> list[HistoryEvent]:
    """Return the latest event of each of these agents that has one, in order of position."""
    names = "", *state.agents
    records = {state.agents[agent] for agent in agents if agent in state.agents}
    rows = [row for record in records if (row := state.latest_row(record))]
    return sorted(_event(ROW.unpack(row), names) for row in rows)


def latest_decision(state: State, agent: str) -> Decision | None:
    """Return what was decided on the latest event of an agent, repeats (SG601) aside."""
    record = state.agents.get(agent)
    row = None if record is None else state.latest_row(record)
    return Decision.of(ROW.unpack(row)[-1] & STAMP_MASK) if row else None


def last_event(state: State) -> HistoryEvent | None:
    """Return the latest event of all."""
    row = state.latest_row()
    return _event(ROW.unpack(row), ("", *state.agents)) if row else None


def latest_rows(state: State) -> dict[int, bytes]:
    """Return the latest row of each agent, repeats (SG601) aside, and of all, by `ALL`."""
    latest: dict[int, bytes] = {}
    for row in ROW.iter_unpack(state.rows):
        *_, what = row
        latest[ALL] = ROW.pack(*row)
        if what >> STAMP_BITS & VERDICT_MASK != DUPLICATE:
            latest[(what >> AGENT_SHIFT) - 1] = latest[ALL]  # ALL if it is of no agent
    return latest


def first_time(state: State) -> datetime | None:
    """Return when the first event of all was received; None if that is not known."""
    return _received_at(bytes(state.rows[: ROW.size]))


def last_exit_time(state: State) -> datetime | None:
    """Return when the last exit was received; None if that is not known, or there is no exit."""
    names = ("", *state.agents)
    rows = ROW.iter_unpack(state.rows)
    times = [row[_AT] for row in rows if _event(row, names).kind.is_exit]
    return _time_of(times[-1]) if times else None


def _received_at(row: bytes) -> datetime | None:
    return _time_of(ROW.unpack(row)[_AT] if row else NO_VALUE)


def rows_of(state: State) -> Iterator[HistoryRow]:
    """Yield everything up to the last lifecycle event, in order."""
    names = ("", *state.agents)
    said, latest = said_at(state), dict[int, ParticipantInfo]()
    bounds = [*bounds_of(state.rare.shared_times or ())]
    for index, (position, _, at, what) in enumerate(ROW.iter_unpack(state.rows)):
        agent = what >> AGENT_SHIFT
        if index in said:
            latest[agent] = ParticipantInfo.of(said[index])
        time = _time_of(at)
        yield HistoryRow(
            position,
            bounded(time, position, bounds) if bounds else time,
            Decision.of(what & STAMP_MASK),
            what >> STAMP_BITS & VERDICT_MASK,
            names[agent],
            latest.get(agent),
        )


def said_at(state: State, start: int = 0, known: int = 0) -> dict[int, bytes]:
    """Return what rows say of their agents for the first time or otherwise than before, by row.

    Of the rows before `start` it is known already, and of so many agents.
    """
    records, changes = tuple(state.agents.values()), dict[int, bytes]()
    rows = ROW.iter_unpack(memoryview(state.rows)[start * ROW.size :])
    agents = [row[-1] >> AGENT_SHIFT for row in rows]
    said = {each: said_in(records[each - 1]) for each in {*agents} - {0}}
    earlier = list(state.rare.changes or ())
    while earlier and earlier[-2] >= start:
        before, row = earlier.pop(), earlier.pop()
        agent = agents[row - start]
        changes[row], said[agent] = said[agent], before
    new = {agent: first for agent, first in said.items() if agent > known and first}
    for row, agent in enumerate(agents, start):
        if agent in new:
            changes.setdefault(row, new.pop(agent))
    return changes


_AUTHORS: Final = {
    USER: EventKind.USER_MESSAGE,
    UNKNOWN: EventKind.MESSAGE,
    UNNAMED_AGENT: EventKind.AGENT_MESSAGE,
}
"""The kinds of messages whose authors have no identity."""


def runs_of(state: State) -> Iterator[MessageRun]:
    """Yield the runs of messages, in order."""
    if not state.runs:
        return
    names, strangers = tuple(state.agents), state.rare.strangers or []
    bounds = [*bounds_of(state.rare.shared_times or ())]
    authors: dict[int, tuple[EventKind, str]] = {}
    elements = iter(state.runs)
    for position, delivery, first, who, messages, last in zip(*[elements] * SIZE, strict=True):
        author = who >> 1
        if author not in authors:
            authors[author] = _author(author, names, strangers)
        kind, agent = authors[author]
        begin = _bounded_utc(first, position, bounds)
        end = begin if messages == 1 else _bounded_utc(last, position + messages - 1, bounds)
        yield MessageRun(kind, agent, position, messages, delivery, begin, end)


def _bounded_utc(
    at: datetime | None, position: int, bounds: Sequence[tuple[int, int, datetime]]
) -> datetime | None:
    """Return the time of the message at a position in UTC, taken back if it was ahead."""
    if at is None:
        return None
    bound = bounded(at, position, bounds) if bounds else at
    return None if bound is None else utc(bound)


def _author(author: int, names: Sequence[str], strangers: Sequence[str]) -> tuple[EventKind, str]:
    """Return the kind of the messages of an author, and the identity of the agent if it is one."""
    if author in _AUTHORS:
        return _AUTHORS[author], ""
    agent = names[author] if author >= 0 else strangers[STRANGER - author]
    return EventKind.AGENT_MESSAGE, agent


def _unlisted(state: State, rows: Sequence[HistoryRow]) -> Iterator[MessageRun]:
    """Yield the messages that are only counted, each at the position of the next row."""
    places = [*(row.position for row in rows), state.position]
    names, strangers = tuple(state.agents), state.rare.strangers or []
    for (row, author), count in sorted((state.rare.unlisted or {}).items()):
        yield MessageRun(*_author(author, names, strangers), places[row], count, 0, None, None)


def _event(row: tuple[Any, ...], names: tuple[str, ...]) -> HistoryEvent:
    position, delivery, _, what = row
    decision = Decision.of(what & STAMP_MASK)
    return HistoryEvent(position, decision.kind, names[what >> AGENT_SHIFT], delivery)


def _time_of(number: int) -> datetime | None:
    """Return a time of a row, or None if the row has no time."""
    if number == NO_VALUE:
        return None
    try:
        return time_at(number)
    except OverflowError:  # within a day of the end of the calendar
        return _LAST if number > 0 else _FIRST
