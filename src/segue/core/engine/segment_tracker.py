"""Segments of a conversation whose history is elsewhere, kept up to date event by event.

Only what an event can still change is kept: the latest segment of each agent, that of the latest
primary, and of each the latest connections; of the earlier ones the sums.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from datetime import datetime, timedelta
from math import inf
from typing import Any, Final

from segue.core.engine.applying import TRANSCRIPTION_MACHINE
from segue.core.engine.entries import Entry
from segue.core.engine.entry_replay import past_of, record_entries
from segue.core.engine.state import State
from segue.core.epoch import from_iso, to_iso
from segue.core.lifecycle import MESSAGES, Presence
from segue.core.segments import IMPLIED, EventTime, SegmentBuilder
from segue.core.segments.builder import OpenLead, PhaseRun
from segue.core.segments.open_segment import FROM_THE_START, OpenSegment, Promotion
from segue.core.segments.segment import Connection, plain, total
from segue.core.segments.stretch import Stretch, during, overlap

CUSTOM_FIELDS: Final = ("agentEmail", "queueId", "queueName")
"""The custom fields that are kept of a segment."""
MOST_CONNECTIONS: Final = 20
"""The maximum number of connections of a segment that are kept and listed."""
MOST_CHANGES: Final = 100
"""Of a transcription that changes more often, the time on hold is not known."""

_PLAIN: Final = (
    "index", "agent", "is_primary", "may_lead", "closing_reason", "previous", "consult_of",
    "resumes", "name", "type", "experience", "language", "user_messages", "agent_messages",
)  # fmt: skip
"""What is saved of a segment as it is."""
MOST_RESPONSES: Final = 100
"""The response times of an agent with more responses are not known."""
_UNKNOWN: Final = Stretch(0, None, 0, None)


@dataclass(frozen=True, slots=True)
class EarlierConnections:
    """What the connections add up to that are no longer kept."""

    count: int = 0
    kind: str | None = None
    """How the first of them was opened, or None if it has no entry."""
    connected_time: timedelta | None = timedelta()
    hold_time: timedelta | None = timedelta()


_NONE: Final = EarlierConnections()


@dataclass(slots=True)
class SegmentTracker:
    """The segments that later events may change. Mutable."""

    builder: SegmentBuilder = field(default_factory=SegmentBuilder)
    earlier: dict[int, EarlierConnections] = field(default_factory=dict)
    """Of the segments that have them, by index."""
    changes: list[tuple[str, datetime | None]] = field(default_factory=list)
    """The states of the transcription, and since when; one more than `MOST_CHANGES` at most."""
    changed: set[str] = field(default_factory=set)
    """The agents whose segments are not stored as they are; the caller clears it."""

    def advance(
        self, state: State, presence: Presence, before: Sequence[Entry] = ()
    ) -> list[tuple[int, int]]:
        """Apply the entries of a state that were added since it had a presence.

        `before` are the entries that it had then, which may have changed. Return the connections
        that were closed by exits of their agents, as the index of the segment and the index within
        it. `trim` must be called afterwards.
        """
        builder, added = self.builder, state.entries[len(before) :]
        events = [entry for entry in added if entry.kind not in MESSAGES]
        primary = builder.last_primary
        builder.touched = {primary} if events and primary is not None else set()
        for old, entry in zip(before, state.entries, strict=False):
            if entry.received_at is not None and entry.received_at != old.received_at:
                builder.take_back(entry.position, entry.received_at)
        new = [*_grown(before, state.entries), *added]
        respelled = past_of(state).respelled
        record_entries(builder, new, presence, tuple(state.agents), respelled)
        for action in TRANSCRIPTION_MACHINE.session(state).actions:
            is_change = not self.changes or self.changes[-1][0] != action.to
            if is_change and len(self.changes) <= MOST_CHANGES:
                self.changes.append((action.to.value, action.moment.at))
        self.changed |= {builder.open_segments[index].agent for index in builder.touched}
        first = events[0].position if events else inf  # messages close nothing
        return [
            (index, number)
            for index in sorted(builder.touched)
            for number, each in enumerate(self._connections(index), self._earlier(index).count)
            if each.closed_kind not in {None, IMPLIED} and (each.closed_by or 0) >= first
        ]

    def to_dict(self, index: int) -> dict[str, object]:
        """Return a segment as a report has it, with its latest connections only."""
        holds, earlier = self._holds(), self._earlier(index)
        is_whole = self.builder.dialogue.is_whole
        segment = self.builder.open_segments[index].segment(holds, is_whole=is_whole)
        value = latest_connections(segment.to_dict())
        if earlier.count:
            connected = total((earlier.connected_time, segment.connected_time))
            hold = total((earlier.hold_time, segment.hold_time))
            talk = None if connected is None or hold is None else connected - hold
            if holds is None:
                talk = connected
            value |= {"kind": earlier.kind, "connected_time": plain(connected)}
            value |= {"hold_time": plain(hold), "talk_time": plain(talk)}
            if earlier.kind is None:
                value |= dict.fromkeys(FROM_THE_START)
        return value

    def trim(self) -> None:
        """Forget what later events cannot change."""
        builder, holds = self.builder, self._holds()
        del builder.runs[:-1]
        for each in (builder.handovers, builder.replaced, builder.redials):
            each.clear()
        for index in builder.touched:
            segment = builder.open_segments[index]
            if segment is not builder.by_agent[segment.agent] and index != builder.last_primary:
                del builder.open_segments[index]
                self.earlier.pop(index, None)
                continue
            over = segment.connections[:-MOST_CONNECTIONS]
            if over:
                before = self._earlier(index)
                self.earlier[index] = EarlierConnections(
                    before.count + len(over),
                    before.kind if before.count else over[0].opened_kind,
                    total((before.connected_time, *(each.connected_time for each in over))),
                    total((before.hold_time, overlap([*map(Stretch.of, over)], holds or ()))),
                )
                del segment.connections[: len(over)]
            if len(segment.responses) > MOST_RESPONSES:
                segment.responses = [None]
            known = segment.custom_fields
            segment.custom_fields = {key: known[key] for key in CUSTOM_FIELDS if key in known}

    def _connections(self, index: int) -> list[Connection]:
        return self.builder.open_segments[index].connections

    def _earlier(self, index: int) -> EarlierConnections:
        return self.earlier.get(index, _NONE)

    def _holds(self) -> list[Stretch] | None:
        """Return when transcription was on hold, or None if there was no transcription."""
        if not self.changes:
            return None
        if len(self.changes) > MOST_CHANGES:
            return [_UNKNOWN]
        ends = [*(at for _, at in self.changes[1:]), None]
        intervals = [(to, at, end) for (to, at), end in zip(self.changes, ends, strict=False)]
        return during("hold", intervals)[0]

    def head_to_json(self) -> dict[str, Any]:
        """Return everything but the segments, as plain JSON types."""
        builder, lead, dialogue = self.builder, self.builder.lead, self.builder.dialogue
        asked = dialogue.asked
        return {
            "count": builder.count,
            "last_primary": builder.last_primary,
            "begun_by": builder.begun_by,
            "asked": asked and [asked.position, to_iso(asked.at)],
            "is_whole": dialogue.is_whole,
            "lead": lead and [lead.by, to_iso(lead.at), lead.candidates],
            "runs": [[run.position, to_iso(run.at), run.metric] for run in builder.runs],
            "changes": [[to, to_iso(at)] for to, at in self.changes],
        }

    def segments_to_json(self, agent: str) -> list[Any]:
        """Return the segments of an agent that are kept, the latest last."""
        latest, primary = self.builder.by_agent.get(agent), self.builder.last_primary
        kept = [latest] if latest else []
        if primary is not None and (before := self.builder.open_segments[primary]) is not latest:
            kept = [before, *kept] if before.agent == agent else kept
        return [_to_json(each, self._earlier(each.index)) for each in kept]

    @classmethod
    def from_json(
        cls, head: dict[str, Any], segments: Iterable[dict[str, Any]]
    ) -> "SegmentTracker":
        """Return the tracker of which this is the head, with the segments of all agents."""
        found = cls(changes=[(to, from_iso(at)) for to, at in head["changes"]])
        builder = found.builder
        builder.count, builder.last_primary = head["count"], head["last_primary"]
        builder.begun_by = head["begun_by"]
        builder.dialogue.is_whole = head["is_whole"]
        if head["asked"]:
            position, at = head["asked"]
            builder.dialogue.asked = EventTime(position, from_iso(at))
        if head["lead"]:
            by, at, candidates = head["lead"]
            builder.lead = OpenLead(by, from_iso(at), tuple(candidates))
        builder.runs = [PhaseRun(by, from_iso(at), metric) for by, at, metric in head["runs"]]
        for value in segments:
            segment = _from_json(value)
            builder.open_segments[segment.index] = builder.by_agent[segment.agent] = segment
            if value["earlier"]:
                count, kind, *times = value["earlier"]
                sums = [None if each is None else timedelta(seconds=each) for each in times]
                found.earlier[segment.index] = EarlierConnections(count, kind, *sums)
        return found


def _grown(before: Iterable[Entry], after: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the messages by which runs of messages have grown."""
    for old, entry in zip(before, after, strict=False):
        if entry.count > old.count:
            count = entry.count - old.count
            yield entry._replace(position=old.end, count=count, received_at=entry.last_at)


def latest_connections(segment: dict[str, Any]) -> dict[str, object]:
    """Return a segment with its latest connections only."""
    return segment | {"connections": segment["connections"][-MOST_CONNECTIONS:]}


def _to_json(segment: OpenSegment, earlier: EarlierConnections) -> dict[str, Any]:
    sums = plain(earlier.connected_time), plain(earlier.hold_time)
    return {
        **{name: getattr(segment, name) for name in _PLAIN},
        "connections": [
            [to_iso(each) if isinstance(each, datetime) else each for each in astuple(connection)]
            for connection in segment.connections
        ],
        "promotion": segment.promotion and [segment.promotion.by, to_iso(segment.promotion.at)],
        "custom_fields": dict(segment.custom_fields),
        "responses": [plain(each) for each in segment.responses],
        "findings": segment.findings,
        "earlier": [earlier.count, earlier.kind, *sums] if earlier.count else None,
    }


def _from_json(value: dict[str, Any]) -> OpenSegment:
    connections = [
        Connection(by, kind, from_iso(start), closed_by, closed_kind, from_iso(end))
        for by, kind, start, closed_by, closed_kind, end in value["connections"]
    ]
    promotion = value["promotion"] and Promotion(
        value["promotion"][0], from_iso(value["promotion"][1])
    )
    return OpenSegment(
        **{name: value[name] for name in _PLAIN},
        connections=connections,
        promotion=promotion,
        custom_fields=value["custom_fields"],
        responses=[
            None if each is None else timedelta(seconds=each) for each in value["responses"]
        ],
        findings=tuple(value["findings"]),
    )
