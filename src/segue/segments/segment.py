"""Segments and connections as frozen values.

A time that is not known is `None`, and so is every duration that needs it.  Customer data
(`custom_fields` and what is read from it) does not show in a `repr`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

__all__ = ["IMPLIED", "Connection", "Segment", "for_agent"]

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
    closed_by: int | None = None
    """Position of the event that closed it; `None` if it is open or closed by the log's end."""
    closed_kind: str | None = None
    """`NA`, `COLD`, `WARM`, `redial` or `implied`; `None` if it is open."""
    ended_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether nothing has closed it."""
        return self.closed_kind is None

    @property
    def talk_time(self) -> timedelta | None:
        """How long it lasted, or `None` if a boundary has no time."""
        if self.started_at is None or self.ended_at is None:
            return None
        return self.ended_at - self.started_at

    def to_dict(self) -> dict[str, object]:
        """Return the connection as the documented JSON object."""
        return {
            "opened_by": self.opened_by,
            "opened_kind": self.opened_kind,
            "started_at": _iso(self.started_at),
            "closed_by": self.closed_by,
            "closed_kind": self.closed_kind,
            "ended_at": _iso(self.ended_at),
        }


@dataclass(frozen=True, slots=True)
class Segment:
    """One agent's presence in one conversation."""

    index: int
    """Number in the order of entry, by which other segments refer to this one."""
    agent: str
    """Identity."""
    name: str
    type: str
    role: str
    """`primary` or `consultant`."""
    promoted_at: int | None
    """Position of the event that made a consultant the primary."""
    connections: tuple[Connection, ...]
    """In order, the last one last; at least one."""
    custom_fields: Mapping[str, Any] = field(repr=False, hash=False)
    """The first value of each field that was not empty."""
    experience: str
    language: str
    previous: int | None
    """Segment of the primary before, when this one first became primary."""
    consult_of: int | None
    """Segment of the primary at the entry of a consultant."""
    resumes: int | None
    """Segment of another agent, dropped, that a redial of this agent continued."""
    outcome: str
    """`open`, `implied`, `completed`, `dropped`, `transferred`, `abandoned`, `handed_off` or
    `consulted`: that of the last connection."""
    user_messages: int
    agent_messages: int
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
    def talk_time(self) -> timedelta | None:
        """Total of the connections, without gaps, or `None` if a boundary has no time."""
        total = timedelta()
        for connection in self.connections:
            talked = connection.talk_time
            if talked is None:
                return None
            total += talked
        return total

    def to_dict(self, *, include_custom_fields: bool = False) -> dict[str, object]:
        """Return the segment as the documented JSON object, durations in seconds."""
        talked = self.talk_time
        values: dict[str, object] = {name: getattr(self, name) for name in _JSON_NAMES}
        values["talk_time"] = None if talked is None else talked.total_seconds()
        values["findings"] = list(self.findings)
        values["connections"] = [connection.to_dict() for connection in self.connections]
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
    "outcome", "talk_time", "user_messages", "agent_messages", "findings", "connections",
)  # fmt: skip
"""The keys of the JSON object, in order."""


def for_agent(segments: Iterable[Segment], identity: str) -> tuple[Segment, ...]:
    """Return an agent's own segments, in order of entry. Identity is exact."""
    return tuple(segment for segment in segments if segment.agent == identity)


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
