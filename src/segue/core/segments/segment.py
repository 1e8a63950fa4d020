"""Segments and connections as frozen values.

A time that is not known is `None`, and so is every duration that needs it.  Customer data
(`custom_fields` and what is read from it) does not show in a `repr`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

IMPLIED: Final = "implied"
"""How a connection closed whose exit was not sent: a later event made it certain."""


@dataclass(frozen=True, slots=True)
class Connection:
    """One unbroken connection of an agent inside a segment."""

    opened_by: int
    """Position of the event that opened it."""
    opened_kind: str
    """`NA`, `COLD`, `WARM` or `redial`."""
    started_at: datetime | None = None
    """When the envelope of the entry was received; None if the log does not say."""
    closed_by: int | None = None
    """Position of the event that closed it; `None` if it is open or closed by the log's end."""
    closed_kind: str | None = None
    """`NA`, `COLD`, `WARM`, `redial` or `implied`; `None` if it is open."""
    ended_at: datetime | None = None
    """When the envelope of the exit was received; None while open, or if the log does not say."""

    @property
    def is_open(self) -> bool:
        """Whether nothing has closed it."""
        return self.closed_kind is None

    @property
    def connected_time(self) -> timedelta | None:
        """How long it lasted, or `None` if a boundary has no time."""
        return between(self.started_at, self.ended_at)

    def to_dict(self) -> dict[str, object]:
        """Return the connection as the documented JSON object."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Segment:
    """One agent's presence in one conversation."""

    index: int
    """Number in the order of entry, by which other segments refer to this one."""
    agent: str
    """Identity."""
    name: str
    """`participant.name`; empty if it is not known."""
    type: str
    """`participant.type`; empty if it is not known."""
    role: str
    """`primary` or `consultant`."""
    promoted_at: int | None
    """Position of the event that made a consultant the primary."""
    connections: tuple[Connection, ...]
    """In order, the last one last; at least one."""
    custom_fields: Mapping[str, Any] = field(repr=False, hash=False)
    """The first value of each field that was not empty."""
    experience: str
    """`chat` or `voice`; empty if it is not known."""
    language: str
    """As the sender writes it; empty if it is not known."""
    previous: int | None
    """Segment of the primary before, when this one first became primary."""
    consult_of: int | None
    """Segment of the primary at the entry of a consultant."""
    resumes: int | None
    """Segment of another agent, dropped, that a redial of this agent continued."""
    outcome: str
    """`open`, `implied`, `completed`, `dropped`, `transferred`, `abandoned`, `handed_off` or
    `consulted`: that of the last connection."""
    hold_time: timedelta | None
    """Transcription on hold while connected, or `None` if a boundary has no time."""
    user_messages: int
    """Messages of the customer while this agent was the primary."""
    agent_messages: int
    """Messages of this agent."""
    findings: tuple[str, ...]
    """Codes of the findings about this agent, each once, in order of appearance."""

    @property
    def kind(self) -> str:
        """`NA`, `COLD`, `WARM` or `redial`: that of the first entry."""
        return self.connections[0].opened_kind

    @property
    def email(self) -> str:
        """The custom field `agentEmail`, empty if there is none. The same of the next two."""
        return self._custom("agentEmail")

    @property
    def queue_id(self) -> str:
        """The custom field `queueId`."""
        return self._custom("queueId")

    @property
    def queue_name(self) -> str:
        """The custom field `queueName`."""
        return self._custom("queueName")

    @property
    def is_open(self) -> bool:
        """Whether the agent is present."""
        return self.connections[-1].is_open

    @property
    def connected_time(self) -> timedelta | None:
        """Total of the connections, without gaps, or `None` if a boundary has no time."""
        return total(connection.connected_time for connection in self.connections)

    @property
    def talk_time(self) -> timedelta | None:
        """Connected and not on hold, or `None` if either is not known."""
        connected, hold = self.connected_time, self.hold_time
        return None if connected is None or hold is None else connected - hold

    def to_dict(self, *, include_custom_fields: bool = False) -> dict[str, object]:
        """Return the segment as the documented JSON object, durations in seconds."""
        values = {name: plain(getattr(self, name)) for name in _JSON_NAMES}
        if include_custom_fields:
            values["custom_fields"] = dict(self.custom_fields)
        else:
            del values["custom_fields"]
        return values

    def _custom(self, key: str) -> str:
        value = self.custom_fields.get(key)
        return value if isinstance(value, str) else ""


_JSON_NAMES: Final = (
    "index", "agent", "name", "type", "email", "kind", "role", "promoted_at", "queue_id",
    "queue_name", "custom_fields", "experience", "language", "previous", "consult_of", "resumes",
    "outcome", "connected_time", "hold_time", "talk_time", "user_messages", "agent_messages",
    "findings", "connections",
)  # fmt: skip
"""The keys of the JSON object, in order."""


def for_agent(segments: Iterable[Segment], identity: str) -> tuple[Segment, ...]:
    """Return an agent's own segments, in order of entry. Identity is exact."""
    return tuple(segment for segment in segments if segment.agent == identity)


def between(start: datetime | None, end: datetime | None) -> timedelta | None:
    """Return the length of a stretch, or `None` if a boundary has no time."""
    return None if start is None or end is None else end - start


def total(lengths: Iterable[timedelta | None]) -> timedelta | None:
    """Return the sum of some lengths, or `None` if one of them is not known."""
    found = timedelta()
    for each in lengths:
        if each is None:
            return None
        found += each
    return found


def utc(at: datetime) -> datetime:
    """Return the same instant in UTC, so that times compare and subtract without surprises."""
    try:
        return at if at.tzinfo is UTC else at.astimezone(UTC)
    except OverflowError:  # within a day of either end of the calendar
        return at.replace(tzinfo=UTC)


_JSON_TYPES: Final = frozenset({str, int, float, bool, type(None)})


def plain(value: object) -> object:
    """Return a value as JSON has it: times as text, durations in seconds, tuples as lists."""
    if type(value) in _JSON_TYPES:
        return value
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, datetime):
        return value.isoformat()
    return value.to_dict() if isinstance(value, Connection) else value
