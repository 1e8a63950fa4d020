"""The trail: every lifecycle event of a conversation, in as little memory as it takes.

It keeps, of each, where it was, what the table decided, and how much was said until the next; of
the agents, what they told about themselves, as often as it was news.  Findings point back into it
(`because`), reports draw it, and the account of who was present is drawn up from it.  Messages
themselves are left out; the positions tell how many there were in between.

It refuses to know what any of it means.
"""

from array import array
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from segue.events import Event, EventKind
from segue.findings import Cause, Place
from segue.lifecycle import Decision

__all__ = ["REPEATED", "SAID", "SILENT", "Entry", "Moment", "Told", "Trail"]

SILENT, SAID, REPEATED = range(3)
"""What came of a decision: nothing, its finding, or that the event repeats the one before."""

_STRIDE: Final = 6
"""A row: position, line, time, decision and agent, user messages, messages of the primary."""
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
    """A lifecycle event as the account needs it."""

    position: int
    at: datetime | None
    decision: Decision
    verdict: int
    agent: str
    told: Told | None
    user_messages: int
    """From here to the next entry."""
    agent_messages: int
    """Those of the primary, from here to the next entry."""
    asides: list[tuple[str, int]]
    """Those of others."""


class Trail:
    """An append-only sequence of moments.

    Agents are known by the numbers of the roster, whose `known` is passed where names are asked
    for.
    """

    __slots__ = ("_latest", "asides", "news", "rows", "stays")

    def __init__(self) -> None:
        self.rows = array("q")
        self.news: list[tuple[int, Told]] = []
        """What an agent told, if it was new, and in which row."""
        self._latest: list[Told | None] = []
        """The latest news, by agent."""
        self.stays: list[int] = []
        """How many connections there have been, by agent."""
        self.asides: dict[tuple[int, int], int] | None = None
        """Messages of others than the primary: row and agent to their number."""

    def __len__(self) -> int:
        return len(self.rows) // _STRIDE

    def append(  # noqa: PLR0913, PLR0917 - once an event, and a row is what it is
        self,
        position: int,
        line: int | None,
        at: datetime | None,
        stamp: int,
        verdict: int,
        agent: int | None,
        event: Event | None,
    ) -> None:
        """Add a moment behind all others; `event` is one that tells about its agent."""
        if agent is None:
            who = _NOBODY
        else:
            who = agent + 1
            if agent >= len(self.stays):
                self.stays.append(0)
                self._latest.append(None)
            if stamp & _CONNECTS:
                self.stays[agent] += 1
            if event is not None:
                self._learn(agent, event)
        self.rows.extend(
            (
                position,
                _NONE if line is None else line,
                _NONE if at is None else (at - _EPOCH) // _MICROSECOND,
                who << _AGENT | verdict << _STAMP | stamp,
                0,
                0,
            )
        )

    def _learn(self, agent: int, event: Event) -> None:
        value = event.value
        participant = value.get("participant")
        if type(participant) is not dict:
            participant = event.participant
        language = value.get("language")
        known = self._latest[agent]
        if (
            known is None
            or known[0] != participant
            or known[1] != language
            or known[2] != event.experience
        ):
            told = Told(participant, language, event.experience)
            self._latest[agent] = told
            self.news.append((len(self), told))

    def aside(self, agent: int) -> None:
        """Count a message of an agent who is not the primary."""
        if self.asides is None:
            self.asides = {}
        key = len(self) - 1, agent
        self.asides[key] = self.asides.get(key, 0) + 1

    def moments(self, known: Mapping[str, int]) -> Iterator[Moment]:
        """Yield all moments, in order."""
        names = ("", *known)
        for row in range(0, len(self.rows), _STRIDE):
            yield self._moment(row, names)

    def latest(self, known: Mapping[str, int], *agents: str | None) -> list[Moment]:
        """Return the latest moment of each of these agents that has one, in order of position."""
        names = ("", *known)
        wanted = {agent for agent in agents if agent}
        found: list[Moment] = []
        size = len(self.rows)
        for row in range(size - _STRIDE, max(-1, size - _LOOK_BACK * _STRIDE), -_STRIDE):
            if not wanted:
                break
            agent = names[self.rows[row + 3] >> _AGENT]
            if agent in wanted:
                wanted.discard(agent)
                found.append(self._moment(row, names))
        return found[::-1]

    def last(self, known: Mapping[str, int]) -> Moment | None:
        """Return the latest moment of all."""
        return self._moment(len(self.rows) - _STRIDE, ("", *known)) if self.rows else None

    def entries(self, known: Mapping[str, int]) -> Iterator[Entry]:
        """Yield everything, in order."""
        names = ("", *known)
        news = dict(self.news)
        asides: dict[int, list[tuple[str, int]]] = {}
        for (row, agent), count in (self.asides or {}).items():
            asides.setdefault(row, []).append((names[agent + 1], count))
        told: dict[int, Told] = {}
        for index in range(len(self)):
            position, _, at, what, users, agents = self.rows[
                index * _STRIDE : (index + 1) * _STRIDE
            ]
            who = what >> _AGENT
            if index in news:
                told[who] = news[index]
            yield Entry(
                position,
                None if at == _NONE else _time(at),
                Decision.of(what & ((1 << _STAMP) - 1)),
                what >> _STAMP & ((1 << _VERDICT) - 1),
                names[who],
                told.get(who),
                users,
                agents,
                asides.get(index, []),
            )

    def to_json(self) -> dict[str, Any]:
        """Return the trail as plain JSON, the same for trails that tell the same."""
        news: list[list[Any]] = []
        latest: dict[int, list[Any]] = {}
        for row, told in self.news:
            who = self.rows[row * _STRIDE + 3] >> _AGENT
            kept = _kept(told)
            if latest.get(who) != kept:
                latest[who] = kept
                news.append([row, *kept])
        asides = [[row, agent, count] for (row, agent), count in (self.asides or {}).items()]
        return {"rows": self.rows.tolist(), "told": news, "asides": sorted(asides)}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Trail":
        """Rebuild a trail from `to_json`."""
        trail = cls()
        trail.rows.extend(value["rows"])
        agents = [what >> _AGENT for what in trail.rows[3::_STRIDE]]
        trail.stays = [0] * max(agents, default=0)
        trail._latest = [None] * len(trail.stays)
        for who, what in zip(agents, trail.rows[3::_STRIDE], strict=True):
            if who != _NOBODY and what & _CONNECTS:
                trail.stays[who - 1] += 1
        for row, participant, language, experience in value["told"]:
            told = Told(participant, language, experience)
            trail.news.append((row, told))
            trail._latest[agents[row] - 1] = told
        if value["asides"]:
            trail.asides = {(row, agent): count for row, agent, count in value["asides"]}
        return trail

    def _moment(self, row: int, names: tuple[str, ...]) -> Moment:
        position, line, _, what = self.rows[row : row + 4]
        decision = Decision.of(what & ((1 << _STAMP) - 1))
        return Moment(
            position, decision.kind, names[what >> _AGENT], None if line == _NONE else line
        )


def _time(microseconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:  # within a day of the end of the calendar
        return _LAST if microseconds > 0 else _FIRST


def _kept(told: Told) -> list[Any]:
    """Return what of it segments show, and nothing else that was sent along."""
    participant = {key: told.participant[key] for key in _SHOWN if key in told.participant}
    return [participant, told.language, told.experience]
