"""The class `SegmentBuilder`, which builds the segments of one conversation from its events.

The builder compares the agents present before and after each event, which treats nearly all effects
of the lifecycle table alike. Only `CONSUME`, `RESTORE`, redials and a consultant who takes over
need more. Events are ordered by position, because their times may be unknown.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Final, NamedTuple

from segue.core.events import Event, EventKind
from segue.core.lifecycle import Phase, PresenceEffect
from segue.core.segments.dialogue import Dialogue, EventTime, response_time
from segue.core.segments.move import Move
from segue.core.segments.open_segment import (
    ABANDONED,
    DROPPED,
    PENDING,
    REPLACED,
    OpenSegment,
    Promotion,
)
from segue.core.segments.segment import IMPLIED, UNSEEN, Connection, Segment
from segue.core.segments.stretch import Intervals, Stretch, during
from segue.core.segments.transfers import COLD, WARM, Handover, Reconnection

_ENTRIES: Final = {kind: kind.transfer_type for kind in EventKind if kind.is_entry}
_EXITS: Final = {kind: kind.transfer_type for kind in EventKind if kind.is_exit}
_HELD: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING})
_RELEASED: Final = frozenset({Phase.RELEASED, Phase.SUMMARIZED})

LOST, WRAPUP, UNNAMED = "lost_time", "wrapup_time", "unnamed"
_GAPS: Final = {
    Phase.WAITING: UNNAMED,
    Phase.ACTIVE: UNNAMED,
    Phase.CONSULTING: UNNAMED,
    Phase.TRANSFERRING: "transfer_gap",
    Phase.RELEASED: "drop_gap",
    Phase.SUMMARIZED: "drop_gap",
}
"""The metric that counts time without a connected agent in each phase, if an agent enters later.

`UNNAMED` is not a metric: an agent whom no event named can have been connected.
"""

_REPLACES: Final = frozenset({PresenceEffect.TAKE_OWING, PresenceEffect.TAKE_EXCUSING})
"""The effects by which an agent takes the place of a primary who is still present."""

_TAKES_OVER: Final = frozenset({EventKind.NA_EXIT, EventKind.COLD_EXIT})
"""Exits that prove that the only consultant in a transfer had taken over."""

_OF_PRIMARY: Final = frozenset(
    {PresenceEffect.RELEASE, PresenceEffect.TRANSFER, PresenceEffect.PROMOTE}
)
"""The effects of exits by which a primary leaves."""

_CLOSING_REASONS: Final = {
    Phase.ACTIVE: REPLACED,
    Phase.CONSULTING: REPLACED,
    Phase.TRANSFERRING: PENDING,
}
"""The closing reason of the segment of a primary who leaves, by the phase after the exit."""


OTHERWISE: Final = {"transfer_gap": LOST, "drop_gap": WRAPUP}
"""The metric that replaces another one if no agent enters later."""


class PhaseRun(NamedTuple):
    """A period of one or more phases in which time without a connected agent has the same cause.

    Such time counts for one metric, such as `transfer_gap` after a COLD exit.
    """

    position: int
    """The position of the event that began the run."""
    at: datetime | None
    """The time of that event, or None if unknown."""
    metric: str | None
    """The name of the metric, such as `transfer_gap`, or None for a phase that no metric counts.

    Until the run is over, the name is the one that applies if an agent enters later.
    """

    def settled(self, *, is_taken: bool) -> "PhaseRun":
        """Return a copy with the final metric, once the run is over.

        `is_taken` tells whether an agent entered after the run. If not, the time counts for another
        metric: the wait for a next agent who never came is `lost_time`, for example.
        """
        if is_taken or self.metric not in OTHERWISE:
            return self
        return self._replace(metric=OTHERWISE[self.metric])


class SharedTime(NamedTuple):
    """A delivery whose events have no exact times, because they share one or it was adjusted."""

    first: float
    """The position of the delivery's first event."""
    size: int
    """The number of events in the delivery."""
    is_clamped: bool
    """Whether the time was replaced by that of another delivery."""


_JOINS: Final = frozenset({PresenceEffect.JOIN, PresenceEffect.JOIN_UNNAMED})


class OpenLead(NamedTuple):
    """The WARM exit by which a primary left several consultants, one of whom is in charge now."""

    by: int
    """The position of the exit."""
    at: datetime | None
    """The time of the exit, or None if unknown."""
    candidates: tuple[int, ...]
    """The indices of the segments of these consultants."""


class _Change(NamedTuple):
    """One event with its position, its time, and the change it made to the agents present."""

    move: Move
    event: Event
    position: int
    at: datetime | None


@dataclass(slots=True)
class SegmentBuilder:
    """A mutable collector of the segments of one conversation.

    A segment is the presence of one agent. Call `record` with each lifecycle event, `message` with
    messages, and `close` at the end of the log. `segments` returns the result.
    """

    open_segments: dict[int, OpenSegment] = field(default_factory=dict)
    """The segments by index, in order of entry. In a long conversation, only those that may change.
    """
    count: int = 0
    """The number of segments so far."""
    by_agent: dict[str, OpenSegment] = field(default_factory=dict)
    """The latest segment of every agent, by the identity of the agent."""
    touched: set[int] = field(default_factory=set)
    """The indices of the segments that may have changed since the caller last reset this set."""
    last_primary: int | None = None
    """The index of the segment that last became primary, or None if there is no such segment."""
    lead: OpenLead | None = None
    """The exit after which it is open who of several consultants is the primary, or None."""
    begun_by: int | None = None
    """The position of the event that ended the phase `waiting`, `UNSEEN`, or None while waiting."""
    begun_at: datetime | None = None
    ended_by: int | None = None
    """The position of END, or None before it."""
    ended_at: datetime | None = None
    messages: int = 0
    """The number of messages before END. The caller updates it."""
    dialogue: Dialogue = field(default_factory=Dialogue)
    """The messages of the customer and of agents."""
    is_cut: bool = False
    """Whether the log was closed without its end."""
    experience: str = ""
    """`chat` or `voice`, or an empty string if it is unknown."""
    handovers: list[Handover] = field(default_factory=list)
    """The transfers in order."""
    replaced: dict[str, Handover] = field(default_factory=dict)
    """The transfers whose exit has not come yet, by the identity of the agent who leaves."""
    redials: list[Reconnection] = field(default_factory=list)
    """The redials in order, without a callback that begins the conversation."""
    runs: list[PhaseRun] = field(default_factory=list)
    """The runs of phases, in order, see `PhaseRun`."""
    shared_times: list[SharedTime] = field(default_factory=list)
    """The deliveries whose events share a time or have an adjusted time, in order."""

    def segments(self, transcription: Intervals = ()) -> tuple[Segment, ...]:
        """Return all segments as `Segment` objects, in order of entry.

        `transcription` contains the periods of the transcription, from which hold times are
        computed.
        """
        holds = during("hold", transcription)[0] if transcription else None
        is_whole = self.dialogue.is_whole
        return tuple(each.segment(holds, is_whole=is_whole) for each in self.open_segments.values())

    def share_time(self, first: int, size: int, *, is_clamped: bool) -> None:
        """Record a delivery of `size` events, the first of which has the position `first`.

        `is_clamped` tells whether the time of the delivery was replaced by that of another one.
        """
        self.shared_times.append(SharedTime(first, size, is_clamped))

    def take_back(self, position: int, at: datetime) -> None:
        """Replace the time of the event at a position, which was ahead, by `at`."""
        for segment in self.open_segments.values():
            if segment.take_back(position, at):
                self.touched.add(segment.index)
        self.runs = [run._replace(at=at) if run.position == position else run for run in self.runs]
        if self.lead is not None and self.lead.by == position:
            self.lead = self.lead._replace(at=at)
        if self.begun_by == position:
            self.begun_at = at

    def is_estimated(self, stretch: Stretch) -> bool:
        """Return whether the length of the period `stretch` is only an estimate.

        It is if the time of either end was adjusted, or if both ends are events of the same
        delivery, because these share one time.
        """
        since, until = self._shared(stretch.since), self._shared(stretch.until)
        is_clamped = since.is_clamped or until.is_clamped
        return is_clamped or (stretch.since != stretch.until and since.first == until.first)

    def _shared(self, position: float) -> SharedTime:
        """Return the recorded delivery that contains the event at a position.

        If none was recorded, return one with exact times that contains only this event.
        """
        before = bisect_right(self.shared_times, position, key=itemgetter(0)) - 1
        if before >= 0 and position < sum(self.shared_times[before][:2]):
            return self.shared_times[before]
        return SharedTime(position, 1, is_clamped=False)

    def message(
        self,
        kind: EventKind,
        agent: str,
        primary: str | None,
        consultants: tuple[str, ...],
        first: EventTime,
        *,
        count: int = 1,
    ) -> None:
        """Add messages to the dialogue, and to the counts of an agent's segment.

        A message of the customer counts for the primary. A message of an agent counts for that
        agent.

        Args:
            kind: The kind of message.
            agent: The identity of the author. Empty if the author is not an agent.
            primary: The identity of the primary at that time. It is empty if no event named the
                primary, and None if there was no primary.
            consultants: The identities of the consultants at that time.
            first: The first of the messages.
            count: The number of messages.

        """
        if self.ended_by is not None:
            return
        if kind is EventKind.AGENT_MESSAGE:
            asked, segment = self.dialogue.answer(first), self.latest(agent)
            if segment is not None:
                segment.agent_messages += count
                if asked is not None:
                    last = segment.last
                    opened_by = UNSEEN if last.opened_by is None else last.opened_by
                    connected = EventTime(opened_by, last.started_at)
                    segment.responses.append(response_time(asked, connected, first))
            return
        self.dialogue.ask(kind, first)
        if kind is EventKind.USER_MESSAGE:
            if primary is None and len(consultants) == 1:
                primary = consultants[0]
            if primary:
                self._present(primary).user_messages += count

    def flag(self, agent: str, code: str) -> None:
        """Add the rule code of a finding, such as `SG103`, to the latest segment of `agent`.

        Do nothing if the agent has no segment, or if the segment has the code already.
        """
        segment = self.latest(agent)
        if segment is not None and code not in segment.findings:
            segment.findings += (code,)

    def record(self, move: Move, event: Event, position: int, at: datetime | None) -> None:
        """Apply a lifecycle event to the segments.

        Args:
            move: The change that the event made to the agents present.
            event: The event, from which facts about its agent are taken.
            position: The position of the event in the conversation.
            at: The UTC time of receipt, or None if unknown. It must not be earlier than the time of
                the previous event.

        """
        is_unseen = self._is_unseen(move)
        if move.effect is PresenceEffect.NONE and not is_unseen:
            return
        change = _Change(move, event, position, at)
        if self.begun_by is None:
            self._begin(change)
        if is_unseen:
            self._add_unseen(change)
        if move.effect is PresenceEffect.CONSUME:
            self._consume(change)
        elif move.effect is not PresenceEffect.NONE:
            self._apply(change)

    def close(self, move: Move | None, *, partial_end: bool) -> None:
        """Close the connections of the agents who are still present when the log ends.

        Do nothing if the conversation had ended, or if `partial_end` says that the log lacks its
        end. `move` is the change by the event `CLOSE`, or None if there was no such event.
        """
        self.is_cut = partial_end
        if partial_end or move is None or move.phase_before is Phase.ENDED:
            return
        for agent in move.present_before:
            self._present(agent).close(None, IMPLIED, None)
        if move.phase_before is Phase.TRANSFERRING:
            self._settle_transfer(None)
        self.runs[-1:] = [run.settled(is_taken=False) for run in self.runs[-1:]]

    def latest(self, agent: str) -> OpenSegment | None:
        """Return the latest segment of an agent, or None if the agent has not entered."""
        segment = self.by_agent.get(agent)
        return None if segment is None else self._at(segment.index)

    def _at(self, index: int) -> OpenSegment:
        self.touched.add(index)
        return self.open_segments[index]

    def _present(self, agent: str) -> OpenSegment:
        segment = self.latest(agent)
        assert segment is not None, "a present agent has entered"
        return segment

    def _begin(self, change: _Change) -> None:
        """Record the event that ends the phase `waiting`."""
        phase, is_entry = change.move.phase_before, change.move.kind in _ENTRIES
        self.begun_by, self.begun_at = change.position, change.at
        if phase is not Phase.WAITING:
            self.begun_by, self.begun_at = UNSEEN, None
        elif is_entry:
            self.dialogue.entered = EventTime(change.position, change.at)
        self.runs.append(PhaseRun(self.begun_by, None, _GAPS.get(phase)))

    def _is_unseen(self, move: Move) -> bool:
        """Return whether an exit is the first that is told of its agent, who must have been there.

        A redial has no exit, so one tells nothing.
        """
        is_exit = move.kind in _EXITS and move.kind is not EventKind.REDIAL_EXIT
        return is_exit and move.phase_before is not Phase.ENDED and move.agent not in self.by_agent

    def _add_unseen(self, change: _Change) -> None:
        """Add the segment of an agent who leaves and was not seen entering."""
        move = change.move
        segment = self._add(OpenSegment(self.count, move.agent, [Connection(None, None)]))
        segment.close(change.position, _EXITS[move.kind], change.at)
        segment.learn(change.event)
        if move.effect in _OF_PRIMARY:
            if move.phase_before is Phase.TRANSFERRING:
                self._settle_transfer(move.agent)
            self._make_primary(move.agent, None)
            segment.closing_reason = _CLOSING_REASONS.get(move.phase, ABANDONED)
        else:
            segment.may_lead = not self._has_consulted(move)
        self.runs[-1] = self.runs[-1].settled(is_taken=True)
        self.runs.append(PhaseRun(change.position, change.at, _GAPS.get(move.phase)))

    def _has_consulted(self, move: Move) -> bool:
        """Return whether an agent who was only seen leaving was a consultant."""
        is_open = move.primary_before == "" and self.begun_by != UNSEEN
        is_warm = move.kind is EventKind.WARM_EXIT
        return is_warm and not is_open and move.phase_before is not Phase.WAITING

    def _apply(self, change: _Change) -> None:
        """Update the segments and the gaps between agents after an event."""
        move = change.move
        if self._is_takeover(move):
            self._take_over(move.agent)
        if self.lead is not None and move.primary != "":
            self._settle_lead(self.lead, move)
        self._leave(change)
        if move.phase_before is Phase.TRANSFERRING and move.phase is not Phase.TRANSFERRING:
            taker = (move.primary or "") if move.phase in _HELD else None
            is_promotion = taker in move.present_before
            self._settle_transfer(taker, change.position, change.at, is_promotion=is_promotion)
        if move.effect is PresenceEffect.RESTORE:
            self._restore(change)
        else:
            self._enter(change)
        if move.phase is Phase.ENDED:
            self.ended_by, self.ended_at = change.position, change.at
        metric = _GAPS.get(move.phase)
        if metric != self.runs[-1].metric:
            self.runs[-1] = self.runs[-1].settled(is_taken=move.phase in _HELD)
            self.runs.append(PhaseRun(change.position, change.at, metric))

    def _consume(self, change: _Change) -> None:
        """Replace the assumed end of a connection by the agent's exit, which has come late."""
        segment = self._present(change.move.agent)
        segment.learn(change.event)
        kind, handover = _EXITS[change.move.kind], self.replaced.pop(segment.agent, None)
        if handover is not None and handover.taken_by == segment.last.closed_by:
            handover.left_by, handover.left_at = change.position, change.at
            handover.is_evident = handover.is_evident or kind == COLD
        segment.close(change.position, kind, change.at)

    def _is_takeover(self, move: Move) -> bool:
        """Return whether this exit proves that its agent had become the primary in a transfer.

        It does if the agent was a consultant, was alone after the primary's COLD exit, and now
        leaves by an exit that only a primary sends.
        """
        is_alone = move.present_before == (move.agent,) and not move.present
        return move.phase_before is Phase.TRANSFERRING and is_alone and move.kind in _TAKES_OVER

    def _take_over(self, agent: str) -> None:
        """Make a consultant the primary, beginning when the previous primary left."""
        left = self.runs[-1]
        self._settle_transfer(agent, left.position, left.at, is_promotion=True)
        self._make_primary(agent, Promotion(left.position, left.at))

    def _leave(self, change: _Change) -> None:
        """Close the connections of the agents whom the event removed."""
        move = change.move
        present = frozenset(move.present)
        for agent in move.present_before:
            if agent in present:
                continue
            segment = self._present(agent)
            if agent == move.agent and move.kind in _EXITS:
                segment.close(change.position, _EXITS[move.kind], change.at)
                segment.learn(change.event)
            else:
                segment.close(change.position, IMPLIED, change.at)
            if segment.index == self.last_primary:
                segment.closing_reason = _CLOSING_REASONS.get(move.phase, ABANDONED)
        if move.code == "SG119" and not move.primary:
            self._open_lead(change)
        self._hand_over(change)

    def _open_lead(self, change: _Change) -> None:
        """Leave open who of the consultants is the primary from now on."""
        candidates = [self._present(agent) for agent in change.move.present]
        for segment in candidates:
            segment.may_lead = True
        indices = tuple([segment.index for segment in candidates])
        self.lead = OpenLead(change.position, change.at, indices)

    def _settle_lead(self, lead: OpenLead, move: Move) -> None:
        """Make the candidate of whom an event tells it the primary since the last one left.

        Nothing is known of the candidates if another agent becomes the primary, or releases the
        conversation.
        """
        self.lead = None
        leader = move.primary or (move.agent if move.phase is Phase.TRANSFERRING else None)
        if leader not in move.present_before or self._present(leader).index not in lead.candidates:
            return
        for index in lead.candidates:
            if index in self.open_segments:
                self._at(index).may_lead = False
        self._make_primary(leader, Promotion(lead.by, lead.at))

    def _hand_over(self, change: _Change) -> None:
        """Note a transfer that the event begins, or at which it replaces the primary."""
        move, giver, place = change.move, change.move.primary_before, (change.position, change.at)
        is_cold = move.kind is EventKind.COLD_ENTRY
        if move.effect is PresenceEffect.TRANSFER:
            self.handovers.append(Handover(COLD, move.agent, *place))
        elif move.code == "SG119" or move.effect is PresenceEffect.PROMOTE:
            self.handovers.append(Handover(WARM, move.agent, *place, is_promotion=True))
            self.handovers[-1].settle(move.primary or "", *place)
        elif giver is not None and (move.effect in _REPLACES or is_cold) and not self._leads(move):
            is_promotion = move.agent in move.present_before
            found = Handover(COLD, giver, None, None, is_promotion=is_promotion, is_evident=is_cold)
            found.settle(move.agent, *place)
            self.handovers.append(found)
            if giver:
                self.replaced[giver] = found

    def _leads(self, move: Move) -> bool:
        """Return whether the event told of a consultant that it has led since the primary left."""
        is_present = move.agent in move.present_before
        return is_present and self._present(move.agent).index == self.last_primary

    def _enter(self, change: _Change) -> None:
        """Connect the agent of an entry, and mark the segment of a new primary."""
        move = change.move
        if move.kind in _ENTRIES:
            is_redial = move.kind is EventKind.REDIAL_ENTRY
            is_present = move.agent in move.present_before
            segment = self.latest(move.agent) if is_present or is_redial else None
            if segment is not None and segment.is_primary and move.effect in _JOINS:
                segment = None  # the agent was the primary then, and is a consultant now
            dropped = None
            if segment is None:
                segment = self._open(change)
            elif is_redial:
                if is_present:
                    segment.close(change.position, IMPLIED, change.at)
                dropped = segment.index, len(segment.connections) - 1
                segment.reconnect(change.position, _ENTRIES[move.kind], change.at)
            segment.learn(change.event)
            if is_redial:
                self._redial(change, self._resume(change, segment) or dropped)
        if move.primary and move.primary != move.primary_before:
            self._make_primary(move.primary, Promotion(change.position, change.at))

    def _open(self, change: _Change) -> OpenSegment:
        """Add a segment for the agent who enters, and return it."""
        move = change.move
        connection = Connection(change.position, _ENTRIES[move.kind], change.at)
        segment = self._add(OpenSegment(self.count, move.agent, [connection]))
        if move.agent == move.primary:
            segment.is_primary = True
            segment.previous = self.last_primary
        elif move.primary:
            segment.consult_of = self._present(move.primary).index
        return segment

    def _add(self, segment: OpenSegment) -> OpenSegment:
        """Add a segment, the latest of its agent, and return it."""
        self.count += 1
        self.open_segments[segment.index] = segment
        self.by_agent[segment.agent] = segment
        self.touched.add(segment.index)
        return segment

    def _redial(self, change: _Change, dropped: tuple[int, int] | None) -> None:
        """Note a redial, which continues a connection of a segment."""
        if change.position != self.begun_by:
            reconnection = Reconnection(change.move.agent, change.position, change.at, dropped)
            self.redials.append(reconnection)

    def _resume(self, change: _Change, segment: OpenSegment) -> tuple[int, int] | None:
        """Mark the segment of a redial as the continuation of another agent's dropped segment.

        Return the indices of that segment and of its last connection. Do nothing and return None if
        the redial does not continue the work of the last primary.
        """
        move = change.move
        if self.last_primary is None or (
            move.phase_before not in _RELEASED and move.effect is not PresenceEffect.TAKE_EXCUSING
        ):
            return None
        dropped = self._at(self.last_primary)
        if dropped is segment or dropped.agent != (move.primary_before or move.last_before):
            return None
        if dropped.last.closed_kind in {"NA", IMPLIED}:
            dropped.closing_reason = DROPPED
            segment.resumes = dropped.index
        return dropped.index, len(dropped.connections) - 1

    def _make_primary(self, agent: str, promotion: Promotion | None) -> None:
        """Mark the segment of the primary, with the event of the promotion if there was one."""
        segment = self._present(agent)
        if not segment.is_primary:
            segment.is_primary = True
            segment.promotion = promotion
            segment.previous = self.last_primary
        self.last_primary = segment.index

    def _restore(self, change: _Change) -> None:
        """Undo a replacement of the primary that a later event proved wrong.

        The replaced agent never left, and the agent of the event was a consultant.
        """
        restored = self._present(change.move.present[0])
        restored.reopen()
        if handover := self.replaced.pop(restored.agent, None):
            handover.is_evident = False
        self._present(change.move.agent).demote(restored.index)
        self.last_primary = restored.index

    def _settle_transfer(
        self,
        taker: str | None,
        by: int | None = None,
        at: datetime | None = None,
        *,
        is_promotion: bool = False,
    ) -> None:
        """Complete the segment of an agent who left by COLD exit, and the transfer.

        Args:
            taker: The identity of the next agent. It is empty if no event named the agent, and None
                if nobody took over.
            by: The position of the event by which that agent took over.
            at: The time of that event.
            is_promotion: Whether the agent had been a consultant.

        """
        is_taken = taker is not None
        for handover in self.handovers[-1:]:
            handover.is_promotion = handover.is_promotion or is_promotion
            handover.settle(taker, by, at)
        if self.last_primary is not None:
            segment = self._at(self.last_primary)
            if segment.closing_reason == PENDING:
                segment.closing_reason = None if is_taken else ABANDONED
