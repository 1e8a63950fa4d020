"""A seat: the mutable record behind one segment, private to this room.

It decides what the last connection makes of the segment (`outcome`) and merges what events tell
about the agent.  House rule: only the last connection ever changes, so those before it are values
already.  Words that hardly vary are interned: many seats are alive at once.  It does not know
other seats, nor the rules that open and close it.
"""

from collections.abc import Mapping
from datetime import datetime
from sys import intern
from typing import Any, Final, NamedTuple

from segue.events import Event
from segue.segments.segment import IMPLIED, Connection, Segment

__all__ = ["ABANDONED", "CONSULTED", "DROPPED", "PENDING", "REPLACED", "Promotion", "Seat"]

# What became of the primary place after the last connection, where the exit alone does not say.
PENDING: Final = "pending"
"""A transfer is under way."""
REPLACED: Final = "replaced"
"""Another agent took the place by the very event that closed the connection."""
ABANDONED: Final = "abandoned"
"""Nobody took it."""
DROPPED: Final = "dropped"
"""Another agent resumed by redial."""
CONSULTED: Final = "consulted"
"""It was taken by mistake: the agent was a consultant in truth."""

_OUTCOMES: Final = {"NA": "completed", "COLD": "transferred", "WARM": "handed_off"}
_NO_FIELDS: Final[Mapping[str, Any]] = {}
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})


class Promotion(NamedTuple):
    """When a consultant became the primary."""

    by: int
    at: datetime | None


class Seat:
    """One agent's presence: a segment as it comes about."""

    __slots__ = (
        "agent",
        "agent_messages",
        "before",
        "closed_by",
        "closed_kind",
        "codes",
        "consult_of",
        "custom_fields",
        "ended_at",
        "experience",
        "fate",
        "index",
        "is_primary",
        "language",
        "name",
        "opened_by",
        "opened_kind",
        "previous",
        "promotion",
        "resumes",
        "started_at",
        "type",
        "user_messages",
    )

    def __init__(
        self,
        index: int,
        agent: str,
        opened_by: int,
        opened_kind: str,
        started_at: datetime | None,
    ) -> None:
        self.index = index
        self.agent = agent
        self.is_primary = False
        """Whether it holds or has held the primary place."""
        self.opened_by = opened_by
        self.opened_kind = opened_kind
        self.started_at = started_at
        self.closed_by: int | None = None
        self.closed_kind: str | None = None
        self.ended_at: datetime | None = None
        self.before: list[Connection] | None = None
        """The connections before the last one."""
        self.fate: str | None = None
        self.promotion: Promotion | None = None
        self.previous: int | None = None
        self.consult_of: int | None = None
        self.resumes: int | None = None
        self.name = ""
        self.type = ""
        self.experience = ""
        self.language = ""
        self.custom_fields = _NO_FIELDS
        self.user_messages = 0
        self.agent_messages = 0
        self.codes: tuple[str, ...] = ()

    @property
    def connection(self) -> Connection:
        """The last connection."""
        return Connection(
            self.opened_by, self.opened_kind, self.started_at,
            self.closed_by, self.closed_kind, self.ended_at,
        )  # fmt: skip

    @property
    def connections(self) -> tuple[Connection, ...]:
        """All of them, in order."""
        return (*(self.before or ()), self.connection)

    @property
    def kind(self) -> str:
        """The kind of the first entry."""
        return self.before[0].opened_kind if self.before else self.opened_kind

    @property
    def outcome(self) -> str:
        """The outcome of the last connection."""
        if self.closed_kind is None:
            return "open"
        if self.closed_kind == IMPLIED:
            return IMPLIED
        if not self.is_primary or self.fate == CONSULTED:
            return "consulted"
        if (self.closed_kind, self.fate) in {("NA", DROPPED), ("COLD", ABANDONED)}:
            return str(self.fate)
        return _OUTCOMES[self.closed_kind]

    def close(self, by: int | None, kind: str, at: datetime | None) -> None:
        """End the last connection."""
        self.closed_by, self.closed_kind, self.ended_at = by, kind, at

    def reopen(self) -> None:
        """Take the end of the last connection back."""
        self.closed_by = self.closed_kind = self.ended_at = self.fate = None

    def reconnect(self, by: int, kind: str, at: datetime | None) -> None:
        """Begin another connection; the last one is closed."""
        self.before = self.before or []
        self.before.append(self.connection)
        self.reopen()
        self.opened_by, self.opened_kind, self.started_at = by, kind, at

    def demote(self, consult_of: int) -> None:
        """Take back that the last connection, closed by now, ever held the primary place."""
        self.fate = CONSULTED
        self.resumes = None
        if self.promotion is None:
            taken_now = not self.before
        else:
            taken_now = self.promotion.by >= self.opened_by
        if taken_now:
            self.is_primary = False
            self.promotion = self.previous = None
            if self.consult_of is None:
                self.consult_of = consult_of

    def learn(self, event: Event) -> None:
        """Keep what the event tells about the agent and was not known yet."""
        self.name = self.name or event.name
        self.type = self.type or intern(str(event.type))
        self.experience = self.experience or event.experience
        self.language = self.language or intern(str(event.language))
        fields = event.custom_fields
        if fields:
            known = self.custom_fields
            news = {
                key: value
                for key, value in fields.items()
                if key not in known and value not in _EMPTY
            }
            if news:
                self.custom_fields = {**known, **news}

    def segment(self) -> Segment:
        """Return the segment as a value."""
        return Segment(
            index=self.index,
            agent=self.agent,
            name=self.name,
            type=self.type,
            email=self._custom("agentEmail"),
            kind=self.kind,
            role="primary" if self.is_primary else "consultant",
            promoted_at=self.promotion.by if self.promotion else None,
            connections=self.connections,
            queue_id=self._custom("queueId"),
            queue_name=self._custom("queueName"),
            custom_fields=dict(self.custom_fields),
            experience=self.experience,
            language=self.language,
            previous=self.previous,
            consult_of=self.consult_of,
            resumes=self.resumes,
            outcome=self.outcome,
            user_messages=self.user_messages,
            agent_messages=self.agent_messages,
            findings=self.codes,
        )

    def _custom(self, key: str) -> str:
        value = self.custom_fields.get(key)
        return value if isinstance(value, str) else ""
