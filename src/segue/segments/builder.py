"""Builds the segments of one conversation from its lifecycle events, and sums up its gaps.

Who is present is compared before and after each event, so all effects of the lifecycle table are
handled alike; only `CONSUME`, `RESTORE` and redials need more.  Order is by position; times may be
missing.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from segue.events import Event, EventKind
from segue.lifecycle import Phase, PresenceEffect
from segue.segments.move import Move
from segue.segments.open_segment import (
    ABANDONED,
    DROPPED,
    PENDING,
    REPLACED,
    OpenSegment,
    Promotion,
)
from segue.segments.segment import IMPLIED, Connection, Segment, between, total

__all__ = ["UNSEEN", "Gap", "SegmentBuilder", "utc"]

UNSEEN: Final = -1
"""The event that ended waiting is not in the log."""

_ENTRIES: Final = {kind: kind.transfer_type for kind in EventKind if kind.is_entry}
_EXITS: Final = {kind: kind.transfer_type for kind in EventKind if kind.is_exit}
_HELD: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING})
_RELEASED: Final = frozenset({Phase.RELEASED, Phase.SUMMARIZED})

_GAPS: Final = {
    Phase.ACTIVE: "lost_time",
    Phase.CONSULTING: "lost_time",
    Phase.TRANSFERRING: "transfer_gap",
    Phase.RELEASED: "drop_gap",
    Phase.SUMMARIZED: "drop_gap",
    Phase.ENDED: "drop_gap",
}
"""The metric that a gap in each phase counts for; there is no gap while waiting."""

_CLOSING_REASONS: Final = {
    Phase.ACTIVE: REPLACED,
    Phase.CONSULTING: REPLACED,
    Phase.TRANSFERRING: PENDING,
}
"""What becomes of the primary role when its agent leaves, by the phase that follows."""


def _no_gaps() -> dict[str, timedelta | None]:
    return dict.fromkeys(_GAPS.values(), timedelta())


class Gap(NamedTuple):
    """A stretch without a connected agent that is not over yet."""

    metric: str
    """The metric that it counts for; a transfer that is not taken is lost time."""
    since: datetime | None
    is_estimated: bool
    """Whether it began with an implied close."""


class _Change(NamedTuple):
    """A move with its event, position and time."""

    move: Move
    event: Event
    position: int
    at: datetime | None


@dataclass(slots=True)
class SegmentBuilder:
    """The open and closed segments of one conversation. Mutable; read by `measure`."""

    open_segments: list[OpenSegment] = field(default_factory=list)
    """All segments, in order of entry."""
    by_agent: dict[str, OpenSegment] = field(default_factory=dict)
    """The latest segment of every agent."""
    last_primary: int | None = None
    """Index of the segment that became primary last."""
    begun_by: int | None = None
    """Position of the event that ended waiting, or `UNSEEN`."""
    begun_at: datetime | None = None
    ended_by: int | None = None
    """Position of END."""
    ended_at: datetime | None = None
    messages: int = 0
    """How many messages there are before END; set by the caller."""
    first_message_at: datetime | None = None
    """UTC time of the first message, if it came while waiting; set by the caller."""
    transfers_cold: int = 0
    transfers_warm: int = 0
    gap: Gap | None = None
    """The gap that is not over."""
    gaps: dict[str, timedelta | None] = field(default_factory=_no_gaps)
    """Totals of the closed gaps by metric, or `None` if a boundary has no time."""
    estimated: tuple[str, ...] = ()
    """Names of the metrics of gaps that began with an implied close."""

    def segments(self) -> tuple[Segment, ...]:
        """Return all segments as values, in order of entry."""
        return tuple(each.segment() for each in self.open_segments)

    def message(
        self,
        kind: EventKind,
        agent: str,
        primary: str | None,
        consultants: tuple[str, ...],
        count: int = 1,
    ) -> None:
        """Count messages for a segment: a user's for the primary, an agent's for that agent.

        Args:
            kind: The kind of message.
            agent: Identity of the author, empty if it is not an agent.
            primary: The primary at that time; empty if no event named it, `None` without one.
            consultants: The consultants at that time.
            count: How many messages there are.

        """
        if self.ended_by is not None:
            return
        if kind is EventKind.AGENT_MESSAGE:
            segment = self.latest(agent)
            if segment is not None:
                segment.agent_messages += count
        elif kind is EventKind.USER_MESSAGE:
            if primary is None and len(consultants) == 1:
                primary = consultants[0]
            if primary:
                self._present(primary).user_messages += count

    def flag(self, agent: str, code: str) -> None:
        """Add the code of a finding about an agent to the agent's latest segment."""
        segment = self.latest(agent)
        if segment is not None and code not in segment.findings:
            segment.findings += (code,)

    def record(self, move: Move, event: Event, position: int, at: datetime | None) -> None:
        """Apply a lifecycle event.

        Args:
            move: What the event did to who is present.
            event: The event, for what it says about its agent.
            position: Its position in the conversation.
            at: When it was received in UTC, not before the event before it; `None` if unknown.

        """
        if move.effect is PresenceEffect.NONE:
            return
        if self.begun_by is None:
            self.begun_by, self.begun_at = position, at
            if move.phase_before is not Phase.WAITING:
                self.begun_by, self.begun_at = UNSEEN, None
        change = _Change(move, event, position, at)
        if move.effect is PresenceEffect.CONSUME:
            self._consume(change)
        else:
            self._apply(change)

    def close(self, move: Move | None, *, partial_end: bool) -> None:
        """Apply the end of the log; with `partial_end` the conversation went on after it."""
        if partial_end or move is None or move.phase_before is Phase.ENDED:
            return
        for agent in move.present_before:
            self._present(agent).close(None, IMPLIED, None)
        if move.phase_before is Phase.TRANSFERRING:
            self._settle_transfer(is_taken=False)
        if self.gap is not None:
            if self.gap.metric != "drop_gap":
                self.gaps["lost_time"] = None
            self.gap = None

    def latest(self, agent: str) -> OpenSegment | None:
        """Return the latest segment of an agent."""
        return self.by_agent.get(agent)

    def _present(self, agent: str) -> OpenSegment:
        segment = self.latest(agent)
        assert segment is not None, "a present agent has entered"  # noqa: S101
        return segment

    def _apply(self, change: _Change) -> None:
        """Let agents leave, enter and change roles."""
        move = change.move
        is_estimated = self._leave(change)
        if move.phase_before is Phase.TRANSFERRING and move.phase is not Phase.TRANSFERRING:
            self._settle_transfer(is_taken=move.phase in _HELD)
        if move.effect is PresenceEffect.RESTORE:
            self._restore(change)
        else:
            self._enter(change)
        if move.phase is Phase.ENDED:
            self.ended_by, self.ended_at = change.position, change.at
        if not (move.present_before and move.present):
            self._track_gap(change, is_estimated=is_estimated)

    def _consume(self, change: _Change) -> None:
        """Note the exit of an agent who was believed to have left already."""
        segment = self._present(change.move.agent)
        segment.learn(change.event)
        kind = _EXITS[change.move.kind]
        segment.close(segment.last.closed_by, kind, segment.last.ended_at)
        if kind == "COLD" and segment.closing_reason in {REPLACED, DROPPED}:
            self.transfers_cold += 1

    def _leave(self, change: _Change) -> bool:
        """Close the connections of agents who left; return whether any close was implied."""
        move = change.move
        is_estimated = False
        for agent in move.present_before:
            if agent in move.present:
                continue
            segment = self._present(agent)
            if agent == move.agent and move.kind in _EXITS:
                segment.close(change.position, _EXITS[move.kind], change.at)
                segment.learn(change.event)
            else:
                segment.close(change.position, IMPLIED, change.at)
                is_estimated = True
            if agent == move.primary_before:
                segment.closing_reason = _CLOSING_REASONS.get(move.phase, ABANDONED)
        if move.code == "SG119":
            self.transfers_warm += 1
        return is_estimated

    def _enter(self, change: _Change) -> None:
        """Connect the agent of an entry, and make the primary of the move primary."""
        move = change.move
        if move.kind in _ENTRIES:
            is_redial = move.kind is EventKind.REDIAL_ENTRY
            is_present = move.agent in move.present_before
            segment = self.latest(move.agent) if is_present or is_redial else None
            if segment is None:
                segment = self._open(change)
            elif is_redial:
                if is_present:
                    segment.close(change.position, IMPLIED, change.at)
                segment.reconnect(change.position, _ENTRIES[move.kind], change.at)
            segment.learn(change.event)
            if is_redial:
                self._resume(change, segment)
        if move.primary and move.primary != move.primary_before:
            self._make_primary(change, move.primary)

    def _open(self, change: _Change) -> OpenSegment:
        move = change.move
        connection = Connection(change.position, _ENTRIES[move.kind], change.at)
        segment = OpenSegment(len(self.open_segments), move.agent, [connection])
        if move.agent == move.primary:
            segment.is_primary = True
            segment.previous = self.last_primary
        elif move.primary:
            segment.consult_of = self._present(move.primary).index
        self.open_segments.append(segment)
        self.by_agent[segment.agent] = segment
        return segment

    def _resume(self, change: _Change, segment: OpenSegment) -> None:
        """Let a redial continue the segment that another agent has dropped."""
        move = change.move
        if self.last_primary is None or (
            move.phase_before not in _RELEASED and move.effect is not PresenceEffect.TAKE_EXCUSING
        ):
            return
        dropped = self.open_segments[self.last_primary]
        if dropped is segment or dropped.agent != (move.primary_before or move.last_before):
            return
        if dropped.last.closed_kind in {"NA", IMPLIED}:
            dropped.closing_reason = DROPPED
            segment.resumes = dropped.index

    def _make_primary(self, change: _Change, agent: str) -> None:
        segment = self._present(agent)
        if not segment.is_primary:
            segment.is_primary = True
            segment.promotion = Promotion(change.position, change.at)
            segment.previous = self.last_primary
        self.last_primary = segment.index

    def _restore(self, change: _Change) -> None:
        """Undo a replacement: the replaced agent never left, the other was a consultant."""
        restored = self._present(change.move.present[0])
        restored.reopen()
        self._present(change.move.agent).demote(restored.index)
        self.last_primary = restored.index

    def _settle_transfer(self, *, is_taken: bool) -> None:
        """Note for the agent who left by COLD exit whether another agent took over."""
        self.transfers_cold += is_taken
        if self.last_primary is not None:
            segment = self.open_segments[self.last_primary]
            if segment.closing_reason == PENDING:
                segment.closing_reason = None if is_taken else ABANDONED

    def _track_gap(self, change: _Change, *, is_estimated: bool) -> None:
        """Open or close the gap, and add a closed one to its total.

        The totals stay when an entry is undone later: an agent was connected all the same.
        """
        phase = change.move.phase
        metric = None if change.move.present else _GAPS.get(phase)
        if self.gap is not None:
            if self.gap.metric == metric:
                return
            self._add_gap(self.gap, change.at, is_taken=phase in _HELD)
        self.gap = None if metric is None else Gap(metric, change.at, is_estimated)

    def _add_gap(self, gap: Gap, now: datetime | None, *, is_taken: bool) -> None:
        is_lost = gap.metric == "transfer_gap" and not is_taken
        metric = "lost_time" if is_lost else gap.metric
        self.gaps[metric] = total([self.gaps[metric], between(gap.since, now)])
        if gap.is_estimated and metric not in self.estimated:
            self.estimated += (metric,)


def utc(at: datetime) -> datetime:
    """Return the same instant in UTC, so that times compare and subtract without surprises."""
    try:
        return at.astimezone(UTC)
    except OverflowError:  # within a day of either end of the calendar
        return at.replace(tzinfo=UTC)
