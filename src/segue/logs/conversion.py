"""Converts the events of other platforms to deliveries, one line for each line.

A log is converted as a whole. Its events are sorted by the time of the platform, repeated ones are
recognized, and each conversation is then told from its beginning to its end. So the kind of an exit
depends on who enters next. Each delivery is written in the line of its event. An agent is present
while at least one session is open. Data that a platform does not send is left out.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.events.equality import json_text, text_digest
from segue.core.wire import read_time
from segue.core.wire.timestamps import read_instant
from segue.logs.body_places import decoded
from segue.logs.json_pointer import follow, pointer_path
from segue.logs.platforms import EXPERIENCES, PLATFORMS, Meaning, Platform

Envelope: TypeAlias = dict[str, Any]
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

NO_EFFECT: Final = b" \n"
"""The line of an event without an effect. It is blank, but not the line of a blank line."""


class _State(Enum):
    """The state of a conversation between two moves, as far as the kind of an entry needs it."""

    WAITING = auto()
    OCCUPIED = auto()
    HANDED_OVER = auto()
    RELEASED = auto()


class _Future(Enum):
    """The situation that an agent leaves behind."""

    OTHERS_STAY = auto()
    ANOTHER_FOLLOWS = auto()
    COMES_BACK = auto()
    COMES_BACK_BY_TRANSFER = auto()
    NOBODY_FOLLOWS = auto()


_ENTRIES: Final[Mapping[_State, str]] = MappingProxyType(
    {
        _State.WAITING: "NA",
        _State.OCCUPIED: "WARM",
        _State.HANDED_OVER: "COLD",
        _State.RELEASED: "redial",
    }
)
"""The transfer type of an entry, by the state before it. The state after it is `OCCUPIED`."""

_EXITS: Final[Mapping[_Future, tuple[str, _State]]] = MappingProxyType(
    {
        _Future.OTHERS_STAY: ("WARM", _State.OCCUPIED),
        _Future.ANOTHER_FOLLOWS: ("COLD", _State.HANDED_OVER),
        _Future.COMES_BACK: ("NA", _State.RELEASED),
        _Future.COMES_BACK_BY_TRANSFER: ("COLD", _State.HANDED_OVER),
        _Future.NOBODY_FOLLOWS: ("NA", _State.RELEASED),
    }
)
"""The transfer type of an exit, and the state after it."""


@dataclass(slots=True, eq=False)
class _SourceEvent:
    """An event of a platform that has an effect."""

    meaning: Meaning
    facts: Mapping[str, Any]
    lines: list[int]
    """The lines of the event, from 0. It has several if the platform delivered it repeatedly."""
    at: datetime
    """The time by which the event is sorted."""
    has_time: bool
    agent: str
    session: str
    part: str
    delivery_id: str
    left: "_SourceEvent | None" = None
    """The event that ends the session that this event begins."""
    is_offer: bool = False
    """Whether the agent was offered the conversation and did not accept it."""


class _Move(NamedTuple):
    """An agent who enters or leaves."""

    event: _SourceEvent
    agent: str
    is_entry: bool
    is_occupied: bool = False
    """Whether other agents stay."""
    is_announced: bool = False
    """Whether a transfer has been announced."""


def converted(
    lines: Iterable[bytes], platform: str, conversation_at: str | None = None
) -> Iterator[bytes]:
    """Yield a line for each line: an envelope, or `NO_EFFECT` for an event without an effect.

    A line that cannot be converted is yielded unchanged, so that it is a finding: one without a
    record of the platform, or with an event that lacks its conversation or agent. All lines are
    read before the first is yielded. The envelopes are not sorted.
    """
    converter = _Converter(PLATFORMS[platform], conversation_at)
    found: list[bytes] = []
    for number, line in enumerate(lines):
        is_read = converter.add(number, line)
        found.append(NO_EFFECT if is_read else line)
    for event, envelope in converter.envelopes():
        text = f"{json.dumps(envelope)}\n".encode()
        for number in event.lines:
            found[number] = text
    yield from found


def in_order(lines: Iterable[bytes]) -> list[bytes]:
    """Return converted lines sorted by their time.

    A line without a time stays after the line before it.
    """
    latest = ""
    timed = []
    for line in lines:
        record = decoded(line)
        at = record.get("received_at") if isinstance(record, dict) else None
        latest = at if isinstance(at, str) else latest
        timed.append((latest, line))
    return [line for _, line in sorted(timed, key=lambda each: each[0])]


class _Converter:
    """A collection of the events of a log."""

    def __init__(self, platform: Platform, conversation_at: str | None) -> None:
        self._platform = platform
        self._types = [pointer_path(each) for each in platform.types]
        self._facts = {
            fact: [pointer_path(each) for each in pointers]
            for fact, pointers in platform.facts.items()
        }
        self._mapped = None if conversation_at is None else [pointer_path(conversation_at)]
        self._events: list[_SourceEvent] = []
        self._latest = _FIRST

    def add(self, number: int, line: bytes) -> bool:
        """Add the event in a line, unless it has no effect.

        Return False for a line that cannot be read, and for an event that has an effect, but does
        not say on what.
        """
        record = _record(line, self._platform.columns)
        if record is None:
            return False
        name = _text(_first(record, self._types))
        meaning = self._platform.meaning_of(name)
        if meaning is None:
            return True
        facts = {fact: _first(record, paths) for fact, paths in self._facts.items()}
        facts.setdefault("channel", self._platform.channel)
        if self._mapped is not None:
            facts["mapped"] = _first(record, self._mapped)
        if facts.get("method") in self._platform.observing:
            return True
        if not _link(facts) or (Meaning.JOINS in meaning and not _text(facts["agent"])):
            return False
        at = read_instant(facts["time"], read_time)
        self._latest = at or self._latest
        self._events.append(
            _SourceEvent(
                meaning,
                facts,
                [number],
                self._latest,
                at is not None,
                _last_part(facts["agent"], "/agent/"),
                _text(facts["session"]),
                _text(facts["part"]),
                _text(facts.get("id")) or text_digest(json_text([name, facts])),
            )
        )
        return True

    def envelopes(self) -> Iterator[tuple[_SourceEvent, Envelope]]:
        """Yield the envelope of each event that has one, by conversation."""
        for identity, events in self._conversations().items():
            for event, listed in _told(_paired(events), self._platform).items():
                body = {"conversationId": identity, "events": listed}
                yield event, _envelope(event, body)

    def _conversations(self) -> Mapping[str, list[_SourceEvent]]:
        """Return the events of each conversation in the order of their times, each one once."""
        found: defaultdict[str, list[_SourceEvent]] = defaultdict(list)
        known: dict[str, _SourceEvent] = {}
        chains: dict[str, str] = {}
        for event in sorted(self._events, key=attrgetter("at")):
            first = known.setdefault(event.delivery_id, event)
            if first is not event:
                first.lines += event.lines
                continue
            link = _link(event.facts)
            chains.setdefault(event.part, chains.get(link, link))
            found[chains.get(link, link)].append(event)
        return found


def _paired(events: list[_SourceEvent]) -> list[_SourceEvent]:
    """Find the end of each session, and return the events in the order of their effects.

    An agent enters when the conversation has stopped ringing. An agent who was only offered the
    conversation does not enter.
    """
    begun: dict[tuple[str, str], _SourceEvent] = {}
    for event in events:
        if Meaning.JOINS in event.meaning:
            begun.setdefault((event.session, event.agent), event)
        if Meaning.LEAVES in event.meaning:
            for key in _sessions_of(event, begun):
                _pair(begun.pop(key), event)
    return sorted(events, key=attrgetter("at"))


def _pair(join: _SourceEvent, leave: _SourceEvent) -> None:
    join.left = leave
    rang, talked, held = (leave.facts.get(each) for each in ("rang", "talked", "held"))
    join.is_offer = talked == 0 and talked is not False and not held
    stay = (leave.at - join.at) / _MILLISECOND
    if isinstance(rang, int | float) and 0 < rang <= stay:
        join.at += rang * _MILLISECOND


def _sessions_of(
    event: _SourceEvent, begun: Iterable[tuple[str, str]]
) -> Sequence[tuple[str, str]]:
    """Return the keys of the open sessions that an event ends, only those of its agent if known."""
    return [
        key
        for key in begun
        if key[0] == event.session and (key[1] == event.agent if event.agent else event.session)
    ]


@dataclass(slots=True)
class _Presence:
    """The open sessions and parts of a conversation while its events are read."""

    sessions: dict[tuple[str, str], _SourceEvent] = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)
    is_announced: bool = False
    last_change: _SourceEvent | None = None
    """The latest event that changed the sessions or the parts."""

    def moves(self, event: _SourceEvent, announcing: frozenset[str]) -> Iterator[_Move]:
        """Apply an event, and yield the agents who enter or leave by it."""
        if Meaning.REOPENS in event.meaning:
            self.closed.discard(event.part)
            self.parts.add(event.part)
        if Meaning.OPENS in event.meaning and event.part not in self.closed:
            self.parts.add(event.part)
        if Meaning.JOINS in event.meaning and event.agent and not event.is_offer:
            yield from self._join(event)
        if event.meaning & (Meaning.ANNOUNCES | Meaning.REVOKES):
            self.is_announced = Meaning.ANNOUNCES in event.meaning
        if Meaning.LEAVES in event.meaning:
            self.is_announced |= event.facts.get("ending") in announcing
            yield from self._leave(event, _sessions_of(event, self.sessions))
        if Meaning.ENDS in event.meaning:
            yield from self._leave(event, self._endless(event.part))
        if Meaning.CLOSES in event.meaning and event.part not in self.closed:
            self.parts.discard(event.part)
            self.closed.add(event.part)
            self.last_change = event

    @property
    def is_over(self) -> bool:
        return bool(self.closed) and not self.parts and not self.sessions

    def _endless(self, part: str) -> list[tuple[str, str]]:
        """Return the open sessions of a part whose end is not in the log."""
        return [
            key for key, join in self.sessions.items() if join.part == part and join.left is None
        ]

    def _join(self, event: _SourceEvent) -> Iterator[_Move]:
        is_present = event.agent in self._agents()
        self.sessions.setdefault((event.session, event.agent), event)
        self.last_change = event
        if not is_present:
            self.is_announced = False
            yield _Move(event, event.agent, is_entry=True)

    def _leave(self, event: _SourceEvent, keys: Sequence[tuple[str, str]]) -> Iterator[_Move]:
        for key in keys:
            del self.sessions[key]
            self.last_change = event
            if key[1] not in self._agents():
                yield _Move(
                    event,
                    key[1],
                    is_entry=False,
                    is_occupied=bool(self.sessions),
                    is_announced=self.is_announced,
                )

    def _agents(self) -> set[str]:
        return {agent for _, agent in self.sessions}


def _told(
    events: Iterable[_SourceEvent], platform: Platform
) -> Mapping[_SourceEvent, list[dict[str, Any]]]:
    """Return the lifecycle events of a conversation, by the source event that causes them."""
    presence = _Presence()
    moves = [move for each in events for move in presence.moves(each, platform.announcing)]
    found: defaultdict[_SourceEvent, list[dict[str, Any]]] = defaultdict(list)
    state, last = _State.WAITING, ""
    for move, follower in zip(moves, _followers(moves), strict=True):
        transition = "entry" if move.is_entry else "exit"
        if move.is_entry:
            kind, state = _ENTRIES[state], _State.OCCUPIED
        else:
            (kind, state), last = _EXITS[_future(move, follower)], move.agent
        found[move.event].append(_transfer(kind, transition, move.agent, move.event.facts))
    if presence.is_over and presence.last_change is not None:
        found[presence.last_change].append(_end(last, presence.last_change.facts))
    return found


def _followers(moves: Sequence[_Move]) -> list[str]:
    """Return the agent of the next entry after each move, or an empty string."""
    found = []
    follower = ""
    for move in reversed(moves):
        found.append(follower)
        follower = move.agent if move.is_entry else follower
    return found[::-1]


def _future(move: _Move, follower: str) -> _Future:
    if move.is_occupied:
        return _Future.OTHERS_STAY
    if not follower:
        return _Future.NOBODY_FOLLOWS
    if follower != move.agent:
        return _Future.ANOTHER_FOLLOWS
    return _Future.COMES_BACK_BY_TRANSFER if move.is_announced else _Future.COMES_BACK


def _envelope(event: _SourceEvent, body: Mapping[str, Any]) -> Envelope:
    time = event.at.astimezone(UTC).isoformat() if event.has_time else event.facts["time"]
    said = {"received_at": time, "delivery_id": event.delivery_id, "body": body}
    return {key: each for key, each in said.items() if each is not None}


def _transfer(kind: str, transition: str, agent: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    return _filled(
        name="INTERNAL_TRANSFER_EVENT",
        transfertype=kind,
        transition=transition,
        experience=_experience(facts),
        participant=_participant(agent, facts),
    )


def _end(agent: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    return _filled(
        name="END_OF_CONVERSATION",
        reason=_text(facts.get("reason")),
        experience=_experience(facts),
        participant={"identity": agent, "type": "agent"} if agent else None,
    )


def _experience(facts: Mapping[str, Any]) -> str | None:
    return EXPERIENCES.get(_text(facts["channel"]).lower())


def _participant(agent: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    custom = _filled(
        queueId=_last_part(facts["queue"], "/queue/"), queueName=_text(facts.get("queue_name"))
    )
    name = _text(facts.get("name")) if agent == _last_part(facts["agent"], "/agent/") else ""
    return _filled(identity=agent, name=name, type="agent", customFields=custom)


def _record(line: bytes, columns: tuple[str, ...]) -> Mapping[str, Any] | None:
    """Return the record in a line of JSON, or of texts between `|` if there are columns."""
    record = decoded(line)
    if isinstance(record, dict):
        return record
    texts = line.decode("utf-8", "replace").rstrip("\r\n").split("|") if columns else []
    return dict(zip(columns, texts, strict=False)) if len(texts) >= len(columns) > 0 else None


def _filled(**fields: object) -> dict[str, Any]:
    """Return fields without those that are empty."""
    return {name: value for name, value in fields.items() if value}


def _first(record: object, paths: Iterable[tuple[str, ...]]) -> object:
    """Return the first value that is found, whatever the letter case of its keys."""
    return next((found for path in paths if (found := _follow(record, path)) is not None), None)


def _follow(record: object, path: tuple[str, ...]) -> object:
    """Return the value at a path, like `follow`, but take a key that differs in letter case."""
    for key in path:
        found = follow(record, (key,))
        if found is None and isinstance(record, Mapping):
            name = key.casefold()
            found = next((record[each] for each in record if each.casefold() == name), None)
        record = found
    return record


def _link(facts: Mapping[str, Any]) -> str:
    """Return the id of the conversation that an event names, or an empty string."""
    return _text(facts.get("mapped")) or _text(facts["conversation"])


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _last_part(value: object, before: str) -> str:
    """Return the id at the end of the name of a resource, or the whole text if it is not one."""
    return _text(value).rpartition(before)[2]
