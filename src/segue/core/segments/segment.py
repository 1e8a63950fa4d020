"""The classes `Segment` and `Connection`, which are immutable.

An unknown time is None, and so is every duration that depends on it. The `repr` of a segment does
not contain customer data (`custom_fields` and the properties that read it).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, Final

from segue.core.reprs import shows

IMPLIED: Final = "implied"
"""The `closed_kind` of a connection that has no exit event. A later event proved that it was over.
"""
UNSEEN: Final = -1
"""The position of an event that the log lacks, before all others."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A period in which an agent was connected without interruption.

    Each later redial of the agent adds a connection to the segment.
    """

    opened_by: int | None
    """The position of the event that opened the connection.

    It is None if the agent was only seen leaving, so that the start is unknown.
    """
    opened_kind: str | None
    """The kind of entry that opened the connection: `NA`, `COLD`, `WARM` or `redial`.

    It is None if the agent was only seen leaving.
    """
    started_at: datetime | None = None
    """The time when the entry was received, with a time zone, or None if the log has no times or
    lacks the entry.
    """
    closed_by: int | None = None
    """The position of the event that closed the connection.

    It is None for an open connection, and for one that was closed by the end of the log.
    """
    closed_kind: str | None = None
    """The kind of exit that closed the connection, such as `NA` or `COLD`.

    It is `implied` if no exit event came, and None while the connection is open.
    """
    ended_at: datetime | None = None
    """The time when the exit was received, with a time zone, or None if the connection is open or
    the log has no times.
    """

    __repr__ = shows()

    @property
    def is_open(self) -> bool:
        """Whether the agent is still connected."""
        return self.closed_kind is None

    @property
    def connected_time(self) -> timedelta | None:
        """The length of the connection, or None if its start or its end is unknown."""
        return between(self.started_at, self.ended_at)

    def to_dict(self) -> dict[str, object]:
        """Return the connection as a JSON object with the keys of the report schema."""
        return _CONNECTION(self)


@dataclass(frozen=True, slots=True)
class ResponseTimes:
    """The times until an agent answered the customer.

    Each is measured from the first message of the customer that nobody had answered, or from the
    entry of the agent if that came later, to the first message of the agent.
    """

    count: int
    """The number of responses."""
    median: timedelta
    """The median of the response times."""
    longest: timedelta
    """The longest of the response times."""

    __repr__ = shows()

    def to_dict(self) -> dict[str, object]:
        """Return the response times as a JSON object. Durations are numbers of seconds."""
        return _RESPONSE_TIMES(self)


@dataclass(frozen=True, slots=True)
class Segment:
    """The presence of one agent in one conversation.

    A segment begins with an NA, COLD or WARM entry of an agent who is not present. A redial adds a
    connection to the agent's latest segment, or begins a segment if there is none. A consultant who
    takes over keeps the segment. The exit of an agent who never entered tells of a segment whose
    start is unknown.
    """

    index: int
    """The number of the segment in order of entry, from 0. Other segments refer to this number.

    An agent who was only seen leaving counts from the exit.
    """
    agent: str
    """The identity of the agent, such as `a-108`."""
    name: str
    """The display name of the agent (`participant.name`). Empty if unknown."""
    type: str
    """The type of the participant (`participant.type`), normally `agent`. Empty if unknown."""
    role: str | None
    """`primary` if the agent was in charge at any time, otherwise `consultant`.

    It is None for one of several consultants whom the primary left by a WARM exit, as long as no
    exit or later entry has told who of them was in charge from then on. It is also None for an
    agent who was only seen leaving, if the exit does not tell.
    """
    promoted_at: int | None
    """The position of the event since which a consultant was the primary, or None.

    If the primary left several consultants, it is that exit, although a later event told who of
    them was in charge.
    """
    connections: tuple[Connection, ...]
    """The connections of the agent, in order. There is at least one connection."""
    custom_fields: Mapping[str, Any] = field(repr=False, hash=False)
    """For each key of `participant.customFields`, the first value that is not empty."""
    experience: str
    """`chat` or `voice`. Empty if unknown."""
    language: str
    """The language in the spelling of the sender. Empty if unknown."""
    previous: int | None
    """The index of the previous primary's segment at the time when this agent became primary, or
    None.
    """
    consult_of: int | None
    """The index of the segment of the primary whom this agent joined as a consultant, or None."""
    resumes: int | None
    """The index of another agent's segment that this agent continued by a redial, or None."""
    outcome: str | None
    """The outcome of the last connection: `open`, `implied`, `completed`, `dropped`, `transferred`,
    `abandoned`, `handed_off` or `consulted`.

    It is None if the agent has left, and the outcome depends on an unknown `role`.
    """
    hold_time: timedelta | None
    """The time that the agent was connected while transcription was on hold.

    None if unknown, as in a conversation without transcription.
    """
    talk_time: timedelta | None
    """The time that the agent was connected while transcription was not on hold.

    None if unknown. In a conversation without transcription, it is the connected time.
    """
    user_messages: int | None
    """The number of messages that the customer sent while this agent was the primary.

    None if the start of the segment is unknown.
    """
    agent_messages: int | None
    """The number of messages that this agent sent, or None if the start is unknown."""
    response_times: ResponseTimes | None
    """The times until this agent answered the customer, or None if there is no response or one of
    the times is unknown.
    """
    findings: tuple[str, ...]
    """The codes of the findings about this agent, such as `SG103`.

    Each code occurs once, in the order in which the findings were reported.
    """

    __repr__ = shows("index", "agent", "role", "outcome", "connections", "findings")

    @property
    def kind(self) -> str | None:
        """The kind of the entry that began the segment: `NA`, `COLD`, `WARM` or `redial`.

        It is None if the agent was only seen leaving.
        """
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
        """Whether the agent is still present."""
        return self.connections[-1].is_open

    @property
    def connected_time(self) -> timedelta | None:
        """The total length of all connections, or None if the length of one is unknown."""
        return total(connection.connected_time for connection in self.connections)

    def to_dict(self, *, include_custom_fields: bool = False) -> dict[str, object]:
        """Return the segment as a JSON object with the keys of the report schema.

        Durations are numbers of seconds. `custom_fields` may contain customer data and is left out
        unless `include_custom_fields` is True.
        """
        values = _SEGMENT(self)
        if include_custom_fields:
            values["custom_fields"] = dict(self.custom_fields)
        else:
            del values["custom_fields"]
        return values

    def _custom(self, key: str) -> str:
        value = self.custom_fields.get(key)
        return value if isinstance(value, str) else ""


def for_agent(segments: Iterable[Segment], identity: str) -> tuple[Segment, ...]:
    """Return the segments of one agent in order of entry. Letter case matters in `identity`."""
    return tuple(segment for segment in segments if segment.agent == identity)


def between(start: datetime | None, end: datetime | None) -> timedelta | None:
    """Return the time from `start` to `end`, or None if one of them is None."""
    return None if start is None or end is None else end - start


def total(lengths: Iterable[timedelta | None]) -> timedelta | None:
    """Return the sum of durations, or None if one of them is None."""
    found = timedelta()
    for each in lengths:
        if each is None:
            return None
        found += each
    return found


_JSON_TYPES: Final = frozenset({str, int, float, bool, type(None)})


def plain(value: object) -> object:
    """Return a value as a JSON value: times as text, durations in seconds, tuples as lists."""
    if type(value) in _JSON_TYPES:
        return value
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, datetime):
        return value.isoformat()
    return value.to_dict() if isinstance(value, Connection | ResponseTimes) else value


def json_object(*names: str) -> Callable[[object], dict[str, object]]:
    """Return a function that returns these attributes of an object as a JSON object."""
    values_of = attrgetter(*names)

    def to_dict(it: object) -> dict[str, object]:
        values = zip(names, values_of(it), strict=True)
        return {name: v if type(v) in _JSON_TYPES else plain(v) for name, v in values}

    return to_dict


_CONNECTION: Final = json_object(*Connection.__slots__)
_RESPONSE_TIMES: Final = json_object(*ResponseTimes.__slots__)
_SEGMENT: Final = json_object(
    "index", "agent", "name", "type", "email", "kind", "role", "promoted_at", "queue_id",
    "queue_name", "custom_fields", "experience", "language", "previous", "consult_of", "resumes",
    "outcome", "connected_time", "hold_time", "talk_time", "user_messages", "agent_messages",
    "response_times", "findings", "connections",
)  # fmt: skip
