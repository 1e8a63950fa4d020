"""The class `OpenSegment`, a mutable segment to which events are added.

The connections are immutable, and only the last one is ever replaced. Words with few different
values are interned, because many open segments exist at the same time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from operator import attrgetter
from sys import intern
from typing import Any, Final, NamedTuple

from segue.core.events import Event
from segue.core.segments.dialogue import times_of
from segue.core.segments.segment import IMPLIED, Connection, Segment
from segue.core.segments.stretch import Stretch, length, overlap

# The fate of the primary role after the last connection, if the exit alone does not decide it.
PENDING: Final = "pending"
"""The primary left by COLD exit, and it is not known yet whether another agent takes over."""
REPLACED: Final = "replaced"
"""The event that closed the connection made another agent the primary."""
ABANDONED: Final = "abandoned"
"""No other agent took over from the primary."""
DROPPED: Final = "dropped"
"""Another agent continued by redial after the primary's line had dropped."""
CONSULTED: Final = "consulted"
"""The agent became the primary by mistake, and was a consultant in fact."""

_OUTCOMES: Final = {"NA": "completed", "COLD": "transferred", "WARM": "handed_off"}
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})


FROM_THE_START: Final = ("user_messages", "agent_messages", "response_times")
"""The fields of a `Segment` that are unknown if its start is."""
_MEASURED: Final = frozenset({"hold_time", "talk_time", "response_times"})
_KEPT: Final = tuple(name for name in Segment.__slots__ if name not in _MEASURED)
"""The fields of a `Segment` that are copied from an `OpenSegment`."""
_kept_of: Final = attrgetter(*_KEPT)


class Promotion(NamedTuple):
    """The event that made a consultant the primary, by its position and its time."""

    by: int
    at: datetime | None


@dataclass(slots=True)
class OpenSegment:
    """A mutable segment: the presence of one agent in a conversation that is still being read.

    The method `segment` returns an immutable copy, and `Segment` describes the fields.
    """

    index: int
    agent: str
    connections: list[Connection]
    """The connections in order. There is at least one connection."""
    is_primary: bool = False
    """Whether the agent is the primary, or was at some time in this segment."""
    may_lead: bool = False
    """Whether no event has told if the agent is the primary or a consultant.

    This is so for several consultants whom the primary left, and for some agents who were only seen
    leaving.
    """
    closing_reason: str | None = None
    """The constant of this module that describes how the agent ceased to be the primary, or None.
    """
    promotion: Promotion | None = None
    """The event that made a consultant the primary, or None."""
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
    responses: list[timedelta | None] = field(default_factory=list)
    """The time until each response of the agent, which is None if unknown."""
    findings: tuple[str, ...] = ()

    @property
    def last(self) -> Connection:
        """The last connection, which is the only one that can be open."""
        return self.connections[-1]

    @property
    def role(self) -> str | None:
        """The role of the agent: `primary`, `consultant` or None, see `Segment.role`."""
        if self.is_primary:
            return "primary"
        return None if self.may_lead else "consultant"

    @property
    def promoted_at(self) -> int | None:
        """The position of the event that made a consultant the primary, or None."""
        return self.promotion.by if self.promotion else None

    @property
    def outcome(self) -> str | None:
        """The outcome of the last connection, such as `completed`, see `Segment.outcome`."""
        closed_kind = self.last.closed_kind
        if closed_kind is None:
            return "open"
        if closed_kind == IMPLIED:
            return IMPLIED
        if self.role is None:
            return None
        if not self.is_primary or self.closing_reason == CONSULTED:
            return "consulted"
        if (closed_kind, self.closing_reason) in {("NA", DROPPED), ("COLD", ABANDONED)}:
            return str(self.closing_reason)
        return _OUTCOMES[closed_kind]

    def close(self, by: int | None, kind: str | None, at: datetime | None) -> None:
        """End the last connection.

        Args:
            by: The position of the event that ends the connection, or None for the end of the log.
            kind: The kind of exit, such as `COLD` or `implied`.
            at: The time of the end, or None if unknown.

        """
        last = self.last
        self.connections[-1] = Connection(
            last.opened_by, last.opened_kind, last.started_at, by, kind, at
        )

    def take_back(self, position: int, at: datetime) -> bool:
        """Replace the time of the event at a position, and return whether that changes anything."""
        before = self.connections, self.promotion
        self.connections = [
            replace(
                each,
                started_at=at if each.opened_by == position else each.started_at,
                ended_at=at if each.closed_by == position else each.ended_at,
            )
            for each in self.connections
        ]
        if self.promotion is not None and self.promotion.by == position:
            self.promotion = self.promotion._replace(at=at)
        return before != (self.connections, self.promotion)

    def reopen(self) -> None:
        """Undo `close`: the last connection continues."""
        self.close(None, None, None)
        self.closing_reason = None

    def reconnect(self, by: int, kind: str, at: datetime | None) -> None:
        """Begin another connection at the position `by`, after the last one was closed.

        `kind` is the kind of entry, such as `redial`, and `at` its time, or None if unknown.
        """
        self.connections.append(Connection(by, kind, at))
        self.closing_reason = None

    def demote(self, consult_of: int) -> None:
        """Record that the agent was only a consultant in the last connection.

        The agent had become the primary by mistake. The last connection must be closed.
        `consult_of` is the index of the segment of the primary whom the agent assisted.
        """
        self.closing_reason = CONSULTED
        self.resumes = None
        if self.promotion is None:
            was_promoted_now = len(self.connections) == 1
        else:
            was_promoted_now = self.promotion.by >= (self.last.opened_by or 0)
        if was_promoted_now:
            self.is_primary = False
            self.promotion = self.previous = None
            if self.consult_of is None:
                self.consult_of = consult_of

    def learn(self, event: Event) -> None:
        """Copy facts about the agent, such as the name, from an event. Known facts are kept."""
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

    def segment(self, holds: Sequence[Stretch] | None, *, is_whole: bool = True) -> Segment:
        """Return a `Segment` with the current values.

        Args:
            holds: The periods in which transcription was on hold, or None without transcription.
            is_whole: Whether all messages are known. Otherwise, response times are not.

        """
        values: dict[str, Any] = dict(zip(_KEPT, _kept_of(self), strict=True))
        values["connections"] = tuple(self.connections)
        values["custom_fields"] = dict(self.custom_fields)
        values["response_times"] = times_of(self.responses) if is_whole else None
        if self.connections[0].opened_by is None:
            values |= dict.fromkeys(FROM_THE_START)
        connected = [*map(Stretch.of, self.connections)]
        hold, talk = None if holds is None else overlap(connected, holds), length(connected)
        if holds is not None:
            talk = None if talk is None or hold is None else talk - hold
        return Segment(**values, hold_time=hold, talk_time=talk)
