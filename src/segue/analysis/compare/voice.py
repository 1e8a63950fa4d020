"""Agents who were connected to two voice conversations at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from segue.analysis.compare.difference import ConversationName
from segue.analysis.compare.measures import Figures
from segue.core.conversation import Report
from segue.core.segments import IMPLIED, Segment

_Stay: TypeAlias = tuple[datetime, datetime, ConversationName]
"""The start and the end of a connection, and its conversation."""


class VoiceOverlap(NamedTuple):
    """A period in which an agent was connected to two voice conversations."""

    agent: str
    conversations: tuple[ConversationName, ConversationName]
    """The conversation that the agent was connected to, and the one that came next."""
    start: datetime
    end: datetime

    def to_dict(self) -> dict[str, object]:
        """Return the period as a JSON object."""
        return {
            "agent": self.agent,
            "conversations": [name._asdict() for name in self.conversations],
            "start": self.start.isoformat(),
            "end": self.end.isoformat(),
            "seconds": (self.end - self.start).total_seconds(),
        }


@dataclass(slots=True)
class VoiceConnections:
    """Collects the connections of agents to voice conversations. Pass each report to `add`.

    Connections without an exit are left out, because nobody told how long they lasted. So are those
    of events that an explanation puts in, because their time is only known to be in a range.
    """

    figures: Figures = "best"
    """The segments that count: those as told, or the mended ones of conversations with mistakes."""
    stays: dict[str, list[_Stay]] = field(default_factory=dict)
    """The connections by the identity of the agent."""

    def add(self, report: Report) -> None:
        """Collect the connections of a conversation."""
        name = ConversationName(report.conversation_id, report.key[0])
        for segment in self._segments(report):
            if segment.experience != "voice":
                continue
            for each in segment.connections:
                start, end = each.started_at, each.ended_at
                if start is not None and end is not None and each.closed_kind != IMPLIED:
                    self.stays.setdefault(segment.agent, []).append((start, end, name))

    def _segments(self, report: Report) -> Iterator[Segment]:
        mended = None if self.figures == "told" else report.mended
        if mended is None:
            yield from report.segments
        else:
            yield from (each.segment for each in mended.segments if each.segment.agent)

    def overlaps(self) -> Iterator[VoiceOverlap]:
        """Yield the periods in which an agent was in two conversations, agent by agent, in order.

        Of three conversations at once, two periods are yielded.
        """
        for agent in sorted(self.stays):
            longest: _Stay | None = None
            for stay in sorted(self.stays[agent], key=itemgetter(0, 1)):
                start, end, name = stay
                if longest is not None and longest[1] > start and longest[2] != name:
                    names = longest[2], name
                    yield VoiceOverlap(agent, names, start, min(longest[1], end))
                if longest is None or end > longest[1]:
                    longest = stay
