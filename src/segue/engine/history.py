"""The history: every lifecycle event of a conversation, in as little memory as it takes.

It keeps of each event where it was, what the table decided, and how many messages followed; of the
agents, what events said about them, as often as that changed.  Findings point back into it
(`because`), reports draw it, and segments are rebuilt from it.  Messages themselves are left out;
the positions tell how many there were in between.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any, Final, NamedTuple

from segue.engine.compact import compact, expanded
from segue.engine.placing import PlacedEvent
from segue.events import Event, EventKind, Json
from segue.findings import Cause, Place
from segue.lifecycle import Decision

__all__ = [
    "DUPLICATE",
    "REPORTED",
    "UNREPORTED",
    "History",
    "HistoryEvent",
    "HistoryRow",
    "MessageCounts",
    "ParticipantInfo",
]

UNREPORTED, REPORTED, DUPLICATE = range(3)
"""What became of a decision: no finding, its finding, or SG601 in its place."""

_ROW: Final = Struct("<6q")
"""User messages and messages of the primary since the row before; position, line, time, and the
decision with its agent."""
_NONE: Final = -(1 << 62)
_STAMP, _VERDICT = 26, 2
_AGENT: Final = _STAMP + _VERDICT
_CONNECTS: Final = 1
_NO_AGENT: Final = 0

_SHOWN: Final = ("identity", "name", "type", "customFields")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_LOOK_BACK: Final = 1_000
"""How many events a finding looks back at most; bounds the work on endless conversations."""

_pack: Final = _ROW.pack


class HistoryEvent(NamedTuple):
    """One lifecycle event: where it was and what it was."""

    position: int
    kind: EventKind
    agent: str
    line: int | None

    @property
    def cause(self) -> Cause:
        """The event as evidence of a finding."""
        text = f"{self.kind.value} of {self.agent}" if self.agent else self.kind.value
        return Cause(Place(event=self.position, line=self.line), text)


class ParticipantInfo(NamedTuple):
    """What an event says about its agent."""

    participant: Mapping[str, Any]
    language: object
    experience: str

    @classmethod
    def of(cls, participant: Json, language: object, experience: str) -> "ParticipantInfo":
        """Return what is said by the fields of an event, whatever they are."""
        return cls(participant if isinstance(participant, Mapping) else {}, language, experience)

    def to_json(self) -> list[Any]:
        """Return what segments show of it, and nothing else that was sent along."""
        shown = {key: self.participant[key] for key in _SHOWN if key in self.participant}
        return [shown, self.language, self.experience]


class MessageCounts(NamedTuple):
    """The messages between two lifecycle events."""

    of_users: int
    of_primary: int
    of_others: tuple[tuple[str, int], ...]
    """Of other agents, by name."""


class HistoryRow(NamedTuple):
    """A lifecycle event with the messages since the one before."""

    messages: MessageCounts
    position: int
    at: datetime | None
    decision: Decision
    verdict: int
    agent: str
    info: ParticipantInfo | None


class History:
    """An append-only sequence of events.

    Agents stand in it by number; `known`, the numbers by name, is passed where names are needed.
    """

    __slots__ = (
        "_agents",
        "_changes",
        "_rows",
        "agent_messages",
        "other_messages",
        "user_messages",
    )

    def __init__(self) -> None:
        self._rows = bytearray()
        self.user_messages = 0
        """Messages of users since the last row."""
        self.agent_messages = 0
        """Messages of the primary since the last row."""
        self.other_messages: dict[tuple[int, int], int] | None = None
        """Messages of other agents: number of rows before and agent to their count."""
        self._changes: list[Any] = []
        """What events said about their agents, where it changed, behind the number of the row."""
        self._agents: list[Any] = []
        """By agent: how many connections there have been, and what was said of it last."""

    def __len__(self) -> int:
        return len(self._rows) // _ROW.size

    @property
    def changes(self) -> dict[int, ParticipantInfo]:
        """What events said about their agents, where it changed, by the number of the row."""
        return {
            index: ParticipantInfo.of(*expanded(info))
            for index, info in zip(self._changes[::2], self._changes[1::2], strict=True)
        }

    def connection_count(self, agent: int) -> int:
        """Count the connections an agent has had."""
        return self._agents[2 * agent] if 2 * agent < len(self._agents) else 0

    def append(self, placed: PlacedEvent, decision: Decision, verdict: int) -> None:
        """Add a row behind all others, and what the event says about its agent if that changed."""
        number, at, line = placed.number, placed.at, placed.line
        if number is not None:
            connects = decision.connects and verdict != DUPLICATE
            self._note_agent(number, placed.event, connects=connects)
        self._rows += _pack(
            self.user_messages,
            self.agent_messages,
            placed.position,
            _NONE if line is None else line,
            _NONE if at is None else (at - _EPOCH) // _MICROSECOND,
            (_NO_AGENT if number is None else number + 1) << _AGENT
            | verdict << _STAMP
            | decision.stamp,
        )
        self.user_messages = self.agent_messages = 0

    def _note_agent(self, agent: int, event: Event, *, connects: bool) -> None:
        here = 2 * agent
        if here >= len(self._agents):
            self._agents += (0, None)
        if connects:
            self._agents[here] += 1
        participant, language = event.value.get("participant"), event.value.get("language")
        info = compact((participant, language, event.experience))
        if info != self._agents[here + 1]:
            self._agents[here + 1] = info
            self._changes += (len(self), info)

    def count_other_message(self, agent: int) -> None:
        """Count a message of an agent who is not the primary."""
        if self.other_messages is None:
            self.other_messages = {}
        key = len(self), agent
        self.other_messages[key] = self.other_messages.get(key, 0) + 1

    def _row(self, index: int) -> tuple[Any, ...]:
        return _ROW.unpack_from(self._rows, index * _ROW.size)

    def events(self, known: Mapping[str, int]) -> Iterator[HistoryEvent]:
        """Yield all events, in order."""
        names = ("", *known)
        for row in _ROW.iter_unpack(self._rows):
            yield _event(row, names)

    def latest(self, known: Mapping[str, int], *agents: str | None) -> list[HistoryEvent]:
        """Return the latest event of each of these agents that has one, in order of position."""
        names = ("", *known)
        wanted = {agent for agent in agents if agent}
        found: list[HistoryEvent] = []
        size = len(self)
        for index in range(size - 1, max(-1, size - 1 - _LOOK_BACK), -1):
            if not wanted:
                break
            event = _event(self._row(index), names)
            if event.agent in wanted:
                wanted.discard(event.agent)
                found.append(event)
        return found[::-1]

    def last(self, known: Mapping[str, int]) -> HistoryEvent | None:
        """Return the latest event of all."""
        if not self._rows:
            return None
        return _event(self._row(len(self) - 1), ("", *known))

    def rows(self, known: Mapping[str, int]) -> Iterator[HistoryRow]:
        """Yield everything up to the last event, in order."""
        names = ("", *known)
        changes = self.changes
        latest: dict[int, ParticipantInfo] = {}
        others = self._others(known)
        for index, row in enumerate(_ROW.iter_unpack(self._rows)):
            of_users, of_primary, position, _, at, what = row
            agent = what >> _AGENT
            if index in changes:
                latest[agent] = changes[index]
            yield HistoryRow(
                MessageCounts(of_users, of_primary, tuple(others.get(index, ()))),
                position,
                None if at == _NONE else _time(at),
                Decision.of(what & ((1 << _STAMP) - 1)),
                what >> _STAMP & ((1 << _VERDICT) - 1),
                names[agent],
                latest.get(agent),
            )

    def tail(self, known: Mapping[str, int]) -> MessageCounts:
        """Return the messages since the last event."""
        others = self._others(known).get(len(self), ())
        return MessageCounts(self.user_messages, self.agent_messages, tuple(others))

    def _others(self, known: Mapping[str, int]) -> dict[int, list[tuple[str, int]]]:
        names = tuple(known)
        found: dict[int, list[tuple[str, int]]] = {}
        for (row, agent), count in (self.other_messages or {}).items():
            found.setdefault(row, []).append((names[agent], count))
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the history as plain JSON, the same for equal histories.

        `rows` is the base64 of 48 bytes an event: six signed 64-bit integers, little-endian (user
        messages and messages of the primary since the row before, position, line, microseconds
        since 1970 in UTC, and the decision with its agent).
        """
        changes: list[list[Any]] = []
        latest: dict[int, list[Any]] = {}
        for index, info in self.changes.items():
            agent = self._row(index)[-1] >> _AGENT
            kept = info.to_json()
            if latest.get(agent) != kept:
                latest[agent] = kept
                changes.append([index, *kept])
        others = [
            [row, agent, count] for (row, agent), count in (self.other_messages or {}).items()
        ]
        return {
            "rows": b64encode(self._rows).decode(),
            "participants": changes,
            "user_messages": self.user_messages,
            "agent_messages": self.agent_messages,
            "other_messages": sorted(others),
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "History":
        """Rebuild a history from `to_json`."""
        history = cls()
        history.user_messages = value["user_messages"]
        history.agent_messages = value["agent_messages"]
        history._rows += b64decode(value["rows"], validate=True)
        whats = [row[-1] for row in _ROW.iter_unpack(history._rows)]
        history._agents = [0, None] * max((what >> _AGENT for what in whats), default=0)
        for what in whats:
            is_duplicate = what >> _STAMP & ((1 << _VERDICT) - 1) == DUPLICATE
            if what >> _AGENT != _NO_AGENT and what & _CONNECTS and not is_duplicate:
                history._agents[2 * (what >> _AGENT) - 2] += 1
        for index, participant, language, experience in value["participants"]:
            info = compact((participant, language, experience))
            history._agents[2 * (whats[index] >> _AGENT) - 1] = info
            history._changes += (index, info)
        others = value["other_messages"]
        history.other_messages = {(row, agent): count for row, agent, count in others} or None
        return history


def _event(row: tuple[Any, ...], names: tuple[str, ...]) -> HistoryEvent:
    _, _, position, line, _, what = row
    decision = Decision.of(what & ((1 << _STAMP) - 1))
    return HistoryEvent(
        position, decision.kind, names[what >> _AGENT], None if line == _NONE else line
    )


def _time(microseconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:  # within a day of the end of the calendar
        return _LAST if microseconds > 0 else _FIRST
