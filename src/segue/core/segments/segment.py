"""Segments and connections as frozen values.

An unknown time is None, and so is every duration that needs it. Customer data (`custom_fields` and
the properties that read it) does not appear in a `repr`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

IMPLIED: Final = "implied"
"""The kind of a close without an exit event, which a later event made certain."""


@dataclass(frozen=True, slots=True)
class Connection:
    """An unbroken connection of an agent within a segment."""

    opened_by: int
    """The position of the event that opened the connection."""
    opened_kind: str
    """`NA`, `COLD`, `WARM` or `redial`."""
    started_at: datetime | None = None
    """The aware time when the entry was received, or None if the log has no times."""
    closed_by: int | None = None
    """The position of the event that closed it. None while open, or if the end of the log closed
    it.
    """
    closed_kind: str | None = None
    """`NA`, `COLD`, `WARM`, `redial` or `implied`. None while open."""
    ended_at: datetime | None = None
    """The aware time when the exit was received. None while open, or if the log has no times."""

    @property
    def is_open(self) -> bool:
        """Whether the connection has not been closed."""
        return self.closed_kind is None

    @property
    def connected_time(self) -> timedelta | None:
        """The length of the connection, or None if a boundary has no time."""
        return between(self.started_at, self.ended_at)

    def to_dict(self) -> dict[str, object]:
        """Return the connection as a JSON object, as the report schema describes it."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Segment:
    """The presence of one agent in one conversation.

    A segment begins with an NA, COLD or WARM entry of an agent who is not present. A redial adds a
    connection to the agent's latest segment. A consultant who takes over keeps the segment.
    """

    index: int
    """The number of the segment in order of entry. Other segments refer to it."""
    agent: str
    """The identity of the agent."""
    name: str
    """`participant.name`. Empty if unknown."""
    type: str
    """`participant.type`. Empty if unknown."""
    role: str
    """`primary` or `consultant`. A consultant who became the primary is a `primary`."""
    promoted_at: int | None
    """The position of the event that made a consultant the primary, or None."""
    connections: tuple[Connection, ...]
    """The connections in order. There is at least one."""
    custom_fields: Mapping[str, Any] = field(repr=False, hash=False)
    """The first value of each custom field that was not empty."""
    experience: str
    """`chat` or `voice`. Empty if unknown."""
    language: str
    """The language as the sender writes it. Empty if unknown."""
    previous: int | None
    """The index of the previous primary's segment, when this one first became primary, or None."""
    consult_of: int | None
    """The index of the primary's segment when a consultant entered, or None."""
    resumes: int | None
    """The index of another agent's dropped segment that a redial of this agent continued, or None.
    """
    outcome: str
    """The outcome of the last connection: `open`, `implied`, `completed`, `dropped`, `transferred`,
    `abandoned`, `handed_off` or `consulted`.
    """
    hold_time: timedelta | None
    """The time on hold while connected, or None if a boundary has no time."""
    user_messages: int
    """The number of messages of the customer while this agent was the primary."""
    agent_messages: int
    """The number of messages of this agent."""
    findings: tuple[str, ...]
    """The codes of the findings about this agent, each once, in order of appearance."""

    @property
    def kind(self) -> str:
        """The kind of the first entry: `NA`, `COLD`, `WARM` or `redial`."""
        return self.connections[0].opened_kind

    @property
    def email(self) -> str:
        """The custom field `agentEmail`, or an empty string."""
        return self._custom("agentEmail")

    @property
    def queue_id(self) -> str:
        """The custom field `queueId`, or an empty string."""
        return self._custom("queueId")

    @property
    def queue_name(self) -> str:
        """The custom field `queueName`, or an empty string."""
        return self._custom("queueName")

    @property
    def is_open(self) -> bool:
        """Whether the agent is present."""
        return self.connections[-1].is_open

    @property
    def connected_time(self) -> timedelta | None:
        """The total length of the connections without gaps, or None if a boundary has no time."""
        return total(connection.connected_time for connection in self.connections)

    @property
    def talk_time(self) -> timedelta | None:
        """The time connected and not on hold, or None if either is unknown."""
        connected, hold = self.connected_time, self.hold_time
        return None if connected is None or hold is None else connected - hold

    def to_dict(self, *, include_custom_fields: bool = False) -> dict[str, object]:
        """Return the segment as a JSON object, as the report schema describes it.

        Durations are numbers of seconds. `custom_fields` are customer data and left out by default.
        """
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
    """Return the segments of an agent in order of entry. The identity must match exactly."""
    return tuple(segment for segment in segments if segment.agent == identity)


def between(start: datetime | None, end: datetime | None) -> timedelta | None:
    """Return the length of a stretch, or None if a boundary has no time."""
    return None if start is None or end is None else end - start


def total(lengths: Iterable[timedelta | None]) -> timedelta | None:
    """Return the sum of some lengths, or None if one of them is unknown."""
    found = timedelta()
    for each in lengths:
        if each is None:
            return None
        found += each
    return found


def utc(at: datetime) -> datetime:
    """Return the same instant in UTC, so that times can be compared and subtracted safely."""
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
