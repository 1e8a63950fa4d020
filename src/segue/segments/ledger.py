"""The ledger: turns the moves of one conversation into seats, and keeps what metrics need.

What it decides: which move opens, closes, reopens or promotes whose presence, which message counts
for whom, and to which gap time belongs when nobody is connected.

House rules.  (1) Presence is compared before and after a move, so every effect the lifecycle may
have is served by the same few lines; only `CONSUME`, `RESTORE` and a redial need more.  (2) Order
is by position; times are a decoration that may be missing.  They are kept in UTC and never run
backwards.  (3) Gaps are summed up as they end: what a wrong entry made of the primary place can be
taken back later, that somebody was connected cannot.

It refuses to know what is legal, and it never asks what time it is.
"""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from segue.events import Event, EventKind
from segue.lifecycle import Effect, Move, Phase
from segue.segments.seat import (
    ABANDONED,
    DROPPED,
    PENDING,
    REPLACED,
    Promotion,
    Seat,
)
from segue.segments.segment import IMPLIED, Segment

__all__ = ["GAPS", "Gap", "Ledger", "Vacancy", "utc"]

UNSEEN: Final = -1
"""The event that left waiting is not in the log."""

GAPS: Final = ("transfer_gap", "drop_gap", "lost_time")
"""Attributes of a ledger: how long nobody was connected, by what came of it; None: not known."""

Gap = timedelta | None

_ENTRIES: Final = {kind: kind.transfer_type for kind in EventKind if kind.is_entry}
_EXITS: Final = {kind: kind.transfer_type for kind in EventKind if kind.is_exit}
_HELD: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING})
_AFTERWARDS: Final = frozenset({Phase.RELEASED, Phase.SUMMARIZED})
_STAGES: Final = {
    Phase.ACTIVE: "held",
    Phase.CONSULTING: "held",
    Phase.TRANSFERRING: "transfer",
    Phase.RELEASED: "release",
    Phase.SUMMARIZED: "release",
    Phase.ENDED: "release",
}
"""What it means that nobody is connected; while waiting it means nothing."""

_MANY: Final = 16
"""From so many seats on, finding one by agent pays for a dictionary."""


class Vacancy(NamedTuple):
    """A stretch of the conversation with nobody connected, not over yet."""

    stage: str
    since: datetime | None
    is_estimated: bool
    """It began with an implied close."""

    def gap(self, phase: Phase | None) -> str:
        """Name the gap it turns out to be when the conversation goes on in `phase`."""
        if self.stage == "held" or (self.stage == "transfer" and phase not in _HELD):
            return "lost_time"
        return f"{self.stage}_gap".replace("release", "drop")


class Ledger:
    """Who was present in one conversation. Mutable; read it through `segments` and `measure`."""

    __slots__ = (
        "begun_at",
        "begun_by",
        "by_agent",
        "clock",
        "drop_gap",
        "ended_at",
        "ended_by",
        "estimated",
        "first_message_at",
        "holder",
        "lost_time",
        "messages",
        "seats",
        "transfer_gap",
        "transfers_cold",
        "transfers_warm",
        "vacancy",
    )

    def __init__(self) -> None:
        self.clock: datetime | None = None
        """The latest time seen."""
        self.messages = 0
        self.first_message_at: datetime | None = None
        """Time of the first message, when it came while waiting."""
        self.begun_by: int | None = None
        """Position of the event that left waiting, or `UNSEEN`."""
        self.begun_at: datetime | None = None
        self.ended_by: int | None = None
        """Position of END."""
        self.ended_at: datetime | None = None
        self.seats: list[Seat] = []
        """In order of entry."""
        self.by_agent: dict[str, Seat] | None = None
        """The latest seat of every agent, once there are many."""
        self.holder: int | None = None
        """Seat that was the last to take the primary place."""
        self.vacancy: Vacancy | None = None
        self.transfer_gap: Gap = _NONE_YET
        self.drop_gap: Gap = _NONE_YET
        self.lost_time: Gap = _NONE_YET
        self.estimated: tuple[str, ...] = ()
        """Gaps that began with an implied close."""
        self.transfers_cold = 0
        self.transfers_warm = 0

    def segments(self) -> tuple[Segment, ...]:
        """Return all segments as values, in order of entry."""
        return tuple(seat.segment() for seat in self.seats)

    def message(
        self,
        kind: EventKind,
        agent: str,
        primary: str | None,
        consultants: tuple[str, ...],
        at: datetime | None,
    ) -> None:
        """Count a message: a user's for the one in charge, an agent's for that agent.

        `primary` and `consultants` are those of the move.
        """
        now = self._tick(at) if at is not None else None
        if self.ended_by is not None:
            return
        if not self.messages and self.begun_by is None:
            self.first_message_at = now
        self.messages += 1
        if kind is EventKind.AGENT_MESSAGE:
            seat = self.latest(agent)
            if seat is not None:
                seat.agent_messages += 1
        elif kind is EventKind.USER_MESSAGE:
            if primary is None and len(consultants) == 1:
                primary = consultants[0]
            seat = self.latest(primary) if primary else None
            if seat is not None:
                seat.user_messages += 1

    def flag(self, agent: str, code: str) -> None:
        """Keep the code of a finding about an agent with the agent's latest segment."""
        seat = self.latest(agent)
        if seat is not None and code not in seat.codes:
            seat.codes += (code,)

    def record(self, move: Move, event: Event, position: int, at: datetime | None) -> None:
        """Take in what a lifecycle event has done. Unchanged moves change nothing."""
        now = self._tick(at) if at is not None else None
        effect = move.effect
        if effect is Effect.NONE:
            return
        if self.begun_by is None:
            self._begin(move, position, now)
        if effect is Effect.CONSUME:
            self._consume(move, event)
            return
        before = _named(move.primary_before, move.consultants_before)
        after = _named(move.primary, move.consultants)
        implied = self._leave(move, event, position, now, before, after)
        if move.phase_before is Phase.TRANSFERRING and move.phase is not Phase.TRANSFERRING:
            self._settle_transfer(is_taken=move.phase in _HELD)
        if effect is Effect.RESTORE:
            self._restore(move)
        elif move.kind in _ENTRIES:
            self._enter(move, event, position, now, before)
        if move.primary and move.primary != move.primary_before and effect is not Effect.RESTORE:
            self._take(move.primary, position, now)
        if effect is Effect.FINISH:
            self.ended_by, self.ended_at = position, now
        if not before or not after:
            self._watch(move.phase, now, is_empty=not after, is_estimated=implied)

    def close(self, move: Move, *, partial_end: bool = False) -> None:
        """Take in that the log has no more; `partial_end`: the conversation goes on elsewhere."""
        if partial_end or move.phase_before is Phase.ENDED:
            return
        for agent in _named(move.primary_before, move.consultants_before):
            self._seat(agent).close(None, IMPLIED, None)
        if move.phase_before is Phase.TRANSFERRING:
            self._settle_transfer(is_taken=False)
        if self.vacancy is not None:
            if self.vacancy.stage != "release":
                self.lost_time = None
            self.vacancy = None

    def latest(self, agent: str) -> Seat | None:
        """Return the latest seat of an agent."""
        if self.by_agent is not None:
            return self.by_agent.get(agent)
        for seat in reversed(self.seats):
            if seat.agent == agent:
                return seat
        return None

    def _seat(self, agent: str) -> Seat:
        seat = self.latest(agent)
        assert seat is not None, "whoever is present has entered"  # noqa: S101
        return seat

    def _tick(self, at: datetime) -> datetime:
        """Return the time to believe."""
        at = utc(at)
        clock = self.clock
        if clock is None or at > clock:
            self.clock = at
            return at
        return clock

    def _begin(self, move: Move, position: int, now: datetime | None) -> None:
        if move.phase_before is Phase.WAITING:
            if move.phase is not Phase.WAITING:
                self.begun_by, self.begun_at = position, now
            return
        self.begun_by = UNSEEN
        self.vacancy = Vacancy("held", None, is_estimated=False)

    def _consume(self, move: Move, event: Event) -> None:
        """Tell the last connection which exit its agent has sent after all."""
        seat = self._seat(move.agent)
        kind = seat.closed_kind = _EXITS[move.kind]
        seat.learn(event)
        if kind == "COLD" and seat.fate in {REPLACED, DROPPED}:
            self.transfers_cold += 1

    def _leave(  # noqa: PLR0913, PLR0917
        self,
        move: Move,
        event: Event,
        position: int,
        now: datetime | None,
        before: tuple[str, ...],
        after: tuple[str, ...],
    ) -> bool:
        """Close the connection of everyone gone; return whether any close was implied."""
        implied = False
        for agent in before:
            if agent in after:
                continue
            seat = self._seat(agent)
            if agent == move.agent and move.kind in _EXITS:
                seat.close(position, _EXITS[move.kind], now)
                seat.learn(event)
            else:
                seat.close(position, IMPLIED, now)
                implied = True
            if agent == move.primary_before:
                seat.fate = _FATES.get(move.phase, ABANDONED)
        self.transfers_warm += move.code == "SG119"
        return implied

    def _enter(
        self,
        move: Move,
        event: Event,
        position: int,
        now: datetime | None,
        before: tuple[str, ...],
    ) -> None:
        """Open a connection for the agent of an entry, unless the entry is a mere promotion."""
        kind = _ENTRIES[move.kind]
        is_redial = kind == "redial"
        is_present = move.agent in before
        seat = self.latest(move.agent) if is_present or is_redial else None
        if seat is None:
            seat = Seat(
                len(self.seats), move.agent, move.agent == move.primary, position, kind, now
            )
            if seat.is_primary:
                seat.previous = self.holder
            elif move.primary:
                seat.consult_of = self._seat(move.primary).index
            self._add(seat)
        elif is_redial:
            if is_present:
                seat.close(position, IMPLIED, now)
            seat.reconnect(position, kind, now)
        if is_redial and (
            move.phase_before in _AFTERWARDS or move.effect is Effect.TAKE_EXCUSING
        ):
            self._resume(seat)
        seat.learn(event)

    def _add(self, seat: Seat) -> None:
        self.seats.append(seat)
        if self.by_agent is not None:
            self.by_agent[seat.agent] = seat
        elif len(self.seats) >= _MANY:
            self.by_agent = {each.agent: each for each in self.seats}

    def _resume(self, seat: Seat) -> None:
        """Let a redial go on with what another agent has dropped."""
        if self.holder is None or self.holder == seat.index:
            return
        dropped = self.seats[self.holder]
        if dropped.closed_kind in {"NA", IMPLIED}:
            dropped.fate = DROPPED
            seat.resumes = dropped.index

    def _take(self, agent: str, position: int, now: datetime | None) -> None:
        """Let an agent who is present have the primary place."""
        seat = self._seat(agent)
        if not seat.is_primary:
            seat.is_primary = True
            seat.promotion = Promotion(position, now)
            seat.previous = self.holder
        self.holder = seat.index

    def _restore(self, move: Move) -> None:
        """Take the replacement back: who was replaced never left, who did it was a consultant."""
        assert move.primary  # noqa: S101
        restored = self._seat(move.primary)
        restored.reopen()
        self._seat(move.agent).demote(restored.index)
        self.holder = restored.index

    def _settle_transfer(self, *, is_taken: bool) -> None:
        """Tell who left by a COLD exit whether anybody has taken the place."""
        self.transfers_cold += is_taken
        if self.holder is not None:
            seat = self.seats[self.holder]
            if seat.fate == PENDING:
                seat.fate = None if is_taken else ABANDONED

    def _watch(
        self,
        phase: Phase,
        now: datetime | None,
        *,
        is_empty: bool,
        is_estimated: bool,
    ) -> None:
        """Follow the stretches with nobody connected."""
        stage = _STAGES.get(phase) if is_empty else None
        vacancy = self.vacancy
        if vacancy is not None:
            if vacancy.stage == stage:
                return
            self._add_gap(vacancy, phase, now)
        self.vacancy = None if stage is None else Vacancy(stage, now, is_estimated)

    def _add_gap(self, vacancy: Vacancy, phase: Phase, now: datetime | None) -> None:
        name = vacancy.gap(phase)
        total: Gap = getattr(self, name)
        if total is None or vacancy.since is None or now is None:
            setattr(self, name, None)
        else:
            setattr(self, name, total + (now - vacancy.since))
        if vacancy.is_estimated and name not in self.estimated:
            self.estimated += (name,)


_NONE_YET: Final = timedelta()
_FATES: Final = {
    Phase.TRANSFERRING: PENDING,
    Phase.ACTIVE: REPLACED,
    Phase.CONSULTING: REPLACED,
}
"""What becomes of the primary place when its agent leaves, by the phase that follows."""


def utc(at: datetime) -> datetime:
    """Return the same instant in UTC, so that times compare and subtract without surprises."""
    if at.tzinfo is UTC:
        return at
    try:
        return at.astimezone(UTC)
    except OverflowError:  # within a day of the end of the calendar
        return at.replace(tzinfo=UTC)


def _named(primary: str | None, consultants: tuple[str, ...]) -> tuple[str, ...]:
    """Return everyone present whom an event has named."""
    return (primary, *consultants) if primary else consultants
