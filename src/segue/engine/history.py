"""The trail: every lifecycle event of a conversation, in as little memory as it takes.

It keeps, of each, where it was, what the table decided, and how much was said until the next; of
the agents, what they told about themselves, as often as it was news.  Findings point back into it
(`because`), reports draw it, and the account of who was present is drawn up from it.  Messages
themselves are left out; the positions tell how many there were in between.

It refuses to know what any of it means.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any, Final, NamedTuple

from segue.events import EventKind
from segue.findings import Cause, Place
from segue.lifecycle import Decision

__all__ = ["REPEATED", "SAID", "SILENT", "Entry", "Moment", "Told", "Trail"]

SILENT, SAID, REPEATED = range(3)
"""What came of a decision: nothing, its finding, or that the event repeats the one before."""

_ROW: Final = Struct("<6q")
"""User messages and messages of the primary since the row before; position, line, time, and the
decision with its agent."""
_LINE: Final = 3
_NONE: Final = -(1 << 62)
_STAMP, _VERDICT = 26, 2
_AGENT: Final = _STAMP + _VERDICT
_CONNECTS: Final = 1
_NOBODY: Final = 0

_SHOWN: Final = ("identity", "name", "type", "customFields")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_LOOK_BACK: Final = 1_000
"""How many moments a finding looks back; bounds the work on endless conversations."""

_pack: Final = _ROW.pack


class Moment(NamedTuple):
    """One lifecycle event: where it was and what it was."""

    position: int
    kind: EventKind
    agent: str
    line: int | None

    @property
    def cause(self) -> Cause:
        """Return this moment as evidence of a finding."""
        text = f"{self.kind.value} of {self.agent}" if self.agent else self.kind.value
        return Cause(Place(event=self.position, line=self.line), text)


class Told(NamedTuple):
    """What an event tells about its agent."""

    participant: Mapping[str, Any]
    language: object
    experience: str


class Entry(NamedTuple):
    """A lifecycle event as the account needs it, with what was said since the one before."""

    user_messages: int
    agent_messages: int
    """Those of the primary."""
    asides: list[tuple[str, int]]
    """Those of others."""
    position: int
    at: datetime | None
    decision: Decision
    verdict: int
    agent: str
    told: Told | None


class Trail:
    """An append-only sequence of moments.

    Agents are known by the numbers of the roster, whose `known` is passed where names are asked
    for.
    """

    __slots__ = ("_agents", "_news", "_rows", "agent_messages", "asides", "user_messages")

    def __init__(self) -> None:
        self._rows = bytearray()
        self.user_messages = 0
        """Since the last row; the same of the next."""
        self.agent_messages = 0
        self.asides: dict[tuple[int, int], int] | None = None
        """Messages of others than the primary: number of rows and agent to their number."""
        self._news: list[Any] = []
        """What an agent told, if it was new, each behind the number of its row."""
        self._agents: list[Any] = []
        """By agent: how many connections there have been, and the latest news."""

    def __len__(self) -> int:
        return len(self._rows) // _ROW.size

    @property
    def news(self) -> dict[int, Told]:
        """What an agent told, if it was new, by the number of the row."""
        return dict(zip(self._news[::2], self._news[1::2], strict=True))

    def stays(self, agent: int) -> int:
        """Count the connections an agent has had."""
        return self._agents[2 * agent] if 2 * agent < len(self._agents) else 0

    def enter(  # noqa: PLR0913, PLR0917 - once an event, and a row is what it is
        self,
        position: int,
        line: int | None,
        at: datetime | None,
        stamp: int,
        verdict: int,
        agent: int | None,
        value: Mapping[str, Any],
        experience: str,
    ) -> None:
        """Add a moment behind all others, and keep what its agent tells, if it is news."""
        who = _NOBODY
        if agent is not None:
            who = agent + 1
            here = 2 * agent
            if here >= len(self._agents):
                self._agents = list((*self._agents, 0, None))  # noqa: C410 - no larger than it is
            if stamp & _CONNECTS:
                self._agents[here] += 1
            participant, language = value.get("participant"), value.get("language")
            known = self._agents[here + 1]
            if (
                known is None
                or (known[0] is not participant and known[0] != participant)
                or known[1] != language
                or known[2] != experience
            ):
                kept = participant if isinstance(participant, Mapping) else {}
                told = self._agents[here + 1] = _shared(Told(kept, language, experience))
                self._news += (len(self), told)
        self._rows += _pack(
            self.user_messages,
            self.agent_messages,
            position,
            _NONE if line is None else line,
            _NONE if at is None else (at - _EPOCH) // _MICROSECOND,
            who << _AGENT | verdict << _STAMP | stamp,
        )
        self.user_messages = self.agent_messages = 0

    def aside(self, agent: int) -> None:
        """Count a message of an agent who is not the primary."""
        if self.asides is None:
            self.asides = {}
        key = len(self), agent
        self.asides[key] = self.asides.get(key, 0) + 1

    def moments(self, known: Mapping[str, int]) -> Iterator[Moment]:
        """Yield all moments, in order."""
        names = ("", *known)
        for row in _ROW.iter_unpack(self._rows):
            yield _moment(row, names)

    def latest(self, known: Mapping[str, int], *agents: str | None) -> list[Moment]:
        """Return the latest moment of each of these agents that has one, in order of position."""
        names = ("", *known)
        wanted = {agent for agent in agents if agent}
        found: list[Moment] = []
        size = len(self)
        for index in range(size - 1, max(-1, size - 1 - _LOOK_BACK), -1):
            if not wanted:
                break
            moment = _moment(_ROW.unpack_from(self._rows, index * _ROW.size), names)
            if moment.agent in wanted:
                wanted.discard(moment.agent)
                found.append(moment)
        return found[::-1]

    def last(self, known: Mapping[str, int]) -> Moment | None:
        """Return the latest moment of all."""
        if not self._rows:
            return None
        return _moment(_ROW.unpack_from(self._rows, len(self._rows) - _ROW.size), ("", *known))

    def entries(self, known: Mapping[str, int]) -> Iterator[Entry]:
        """Yield everything up to the last moment, in order."""
        names = ("", *known)
        news = self.news
        told: dict[int, Told] = {}
        asides = self._asides(known)
        for index, row in enumerate(_ROW.iter_unpack(self._rows)):
            user_messages, agent_messages, position, _, at, what = row
            who = what >> _AGENT
            if index in news:
                told[who] = news[index]
            yield Entry(
                user_messages,
                agent_messages,
                asides.get(index, []),
                position,
                None if at == _NONE else _time(at),
                Decision.of(what & ((1 << _STAMP) - 1)),
                what >> _STAMP & ((1 << _VERDICT) - 1),
                names[who],
                told.get(who),
            )

    def tail(self, known: Mapping[str, int]) -> tuple[int, int, list[tuple[str, int]]]:
        """Return what was said since the last moment: as in an entry."""
        return self.user_messages, self.agent_messages, self._asides(known).get(len(self), [])

    def _asides(self, known: Mapping[str, int]) -> dict[int, list[tuple[str, int]]]:
        names = tuple(known)
        found: dict[int, list[tuple[str, int]]] = {}
        for (row, agent), count in (self.asides or {}).items():
            found.setdefault(row, []).append((names[agent], count))
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the trail as plain JSON, the same for trails that tell the same."""
        news: list[list[Any]] = []
        latest: dict[int, list[Any]] = {}
        rows = [list(row) for row in _ROW.iter_unpack(self._rows)]
        for index, told in self.news.items():
            who = rows[index][-1] >> _AGENT
            kept = _kept(told)
            if latest.get(who) != kept:
                latest[who] = kept
                news.append([index, *kept])
        asides = [[row, agent, count] for (row, agent), count in (self.asides or {}).items()]
        return {
            "rows": rows,
            "told": news,
            "user_messages": self.user_messages,
            "agent_messages": self.agent_messages,
            "asides": sorted(asides),
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Trail":
        """Rebuild a trail from `to_json`."""
        trail = cls()
        trail.user_messages, trail.agent_messages = value["user_messages"], value["agent_messages"]
        agents: list[int] = []
        for row in value["rows"]:
            trail._rows += _pack(*row)
            agents.append(row[-1] >> _AGENT)
        trail._agents = [0, None] * max(agents, default=0)
        for who, row in zip(agents, value["rows"], strict=True):
            if who != _NOBODY and row[-1] & _CONNECTS:
                trail._agents[2 * who - 2] += 1
        for index, participant, language, experience in value["told"]:
            told = trail._agents[2 * agents[index] - 1] = Told(participant, language, experience)
            trail._news += (index, told)
        if value["asides"]:
            trail.asides = {(row, agent): count for row, agent, count in value["asides"]}
        return trail

    def pack(self) -> tuple[Any, ...]:
        """Return what entries and moments are made of, as values that can be pickled."""
        return bytes(self._rows), self._news, self.asides, self.user_messages, self.agent_messages

    @classmethod
    def unpack(cls, packed: tuple[Any, ...]) -> "Trail":
        """Return a trail to read, not to go on with, from what `pack` gave."""
        trail = cls()
        rows, trail._news, trail.asides, trail.user_messages, trail.agent_messages = packed
        trail._rows += rows
        return trail

    def move(self, lines: int) -> None:
        """Count lines from so many further up."""
        rows = [list(row) for row in _ROW.iter_unpack(self._rows)]
        for row in rows:
            if row[_LINE] != _NONE:
                row[_LINE] += lines
        self._rows = bytearray().join([_pack(*row) for row in rows])


def _shared(told: Told) -> Told:
    """Return what an agent told before, in whatever conversation, if it is the same.

    The same agents tell the same in conversation after conversation; kept each time anew, it would
    be most of what a conversation takes.
    """
    identity = told.participant.get("identity")
    if not isinstance(identity, str):
        return told
    if _SHARED.get(identity) == told:
        return _SHARED[identity]
    if len(_SHARED) >= _MOST_SHARED:
        _SHARED.clear()
    _SHARED[identity] = told
    return told


_MOST_SHARED: Final = 1_000
_SHARED: Final[dict[str, Told]] = {}


def _moment(row: tuple[Any, ...], names: tuple[str, ...]) -> Moment:
    _, _, position, line, _, what = row
    decision = Decision.of(what & ((1 << _STAMP) - 1))
    return Moment(position, decision.kind, names[what >> _AGENT], None if line == _NONE else line)


def _time(microseconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:  # within a day of the end of the calendar
        return _LAST if microseconds > 0 else _FIRST


def _kept(told: Told) -> list[Any]:
    """Return what of it segments show, and nothing else that was sent along."""
    participant = {key: told.participant[key] for key in _SHOWN if key in told.participant}
    return [participant, told.language, told.experience]
