"""The mutable record of one segment.

Its connections are immutable, and only the last one is replaced. Words with few different values
are interned, because many open segments exist at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from sys import intern
from typing import Any, Final, NamedTuple

from segue.core.events import Event
from segue.core.segments.segment import IMPLIED, Connection, Segment
from segue.core.segments.stretch import Stretch, overlap

# The fate of the primary role after the last connection, if the exit alone does not decide it.
PENDING: Final = "pending"
"""A transfer is under way."""
REPLACED: Final = "replaced"
"""Another agent took the role by the same event that closed the connection."""
ABANDONED: Final = "abandoned"
"""Another agent never took the role."""
DROPPED: Final = "dropped"
"""Another agent resumed by redial."""
CONSULTED: Final = "consulted"
"""The role was taken by mistake. The agent was a consultant."""

_OUTCOMES: Final = {"NA": "completed", "COLD": "transferred", "WARM": "handed_off"}
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})


_KEPT: Final = tuple(name for name in Segment.__slots__ if name != "hold_time")
"""Fields that a segment copies from its record."""


class Promotion(NamedTuple):
    """The event by which a consultant became the primary, and its time."""

    by: int
    at: datetime | None


@dataclass(slots=True)
class OpenSegment:
    """The presence of one agent while its events come in."""

    index: int
    agent: str
    connections: list[Connection]
    """The connections in order. There is at least one."""
    is_primary: bool = False
    """Whether the agent is or was the primary."""
    closing_reason: str | None = None
    promotion: Promotion | None = None
    previous: int | None = None
    consult_of: int | None = None
    resumes: int | None = None
    name: str = ""
    type: str = ""
    experience: str = ""
    language: str = ""
    custom_fields: Mapping[str, Any] = field(default_factory=dict)
    user_messages: int = 0
    agent_messages: int = 0
    findings: tuple[str, ...] = ()

    @property
    def last(self) -> Connection:
        """The last connection."""
        return self.connections[-1]

    @property
    def role(self) -> str:
        """`primary` or `consultant`."""
        return "primary" if self.is_primary else "consultant"

    @property
    def promoted_at(self) -> int | None:
        """The position of the event that made a consultant the primary."""
        return self.promotion.by if self.promotion else None

    @property
    def outcome(self) -> str:
        """The outcome of the last connection."""
        closed_kind = self.last.closed_kind
        if closed_kind is None:
            return "open"
        if closed_kind == IMPLIED:
            return IMPLIED
        if not self.is_primary or self.closing_reason == CONSULTED:
            return "consulted"
        if (closed_kind, self.closing_reason) in {("NA", DROPPED), ("COLD", ABANDONED)}:
            return str(self.closing_reason)
        return _OUTCOMES[closed_kind]

    def close(self, by: int | None, kind: str | None, at: datetime | None) -> None:
        """End the last connection."""
        last = self.last
        self.connections[-1] = Connection(
            last.opened_by, last.opened_kind, last.started_at, by, kind, at
        )

    def reopen(self) -> None:
        """Undo the end of the last connection."""
        self.close(None, None, None)
        self.closing_reason = None

    def reconnect(self, by: int, kind: str, at: datetime | None) -> None:
        """Begin another connection after the last one, which is closed."""
        self.connections.append(Connection(by, kind, at))
        self.closing_reason = None

    def demote(self, consult_of: int) -> None:
        """Undo that the agent became the primary in the last connection, which is closed."""
        self.closing_reason = CONSULTED
        self.resumes = None
        if self.promotion is None:
            was_promoted_now = len(self.connections) == 1
        else:
            was_promoted_now = self.promotion.by >= self.last.opened_by
        if was_promoted_now:
            self.is_primary = False
            self.promotion = self.previous = None
            if self.consult_of is None:
                self.consult_of = consult_of

    def learn(self, event: Event) -> None:
        """Store facts about the agent that the event adds to those known so far."""
        self.name = self.name or event.name
        self.type = self.type or intern(str(event.type))
        self.experience = self.experience or event.experience
        self.language = self.language or intern(str(event.language))
        known = self.custom_fields
        news = {
            key: value
            for key, value in event.custom_fields.items()
            if key not in known and value not in _EMPTY
        }
        if news:
            self.custom_fields = {**known, **news}

    def segment(self, holds: Sequence[Stretch]) -> Segment:
        """Return the segment as a value. `holds` are the times when transcription was on hold."""
        values: dict[str, Any] = {name: getattr(self, name) for name in _KEPT}
        values["connections"] = tuple(self.connections)
        values["custom_fields"] = dict(self.custom_fields)
        return Segment(**values, hold_time=overlap([*map(Stretch.of, self.connections)], holds))
