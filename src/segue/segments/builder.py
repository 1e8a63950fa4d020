"""The ledger: turns the moves of one conversation into seats, and keeps what metrics need.

What it decides: which move opens, closes, reopens or promotes whose presence, which message counts
for whom, and which kind of gap it is when nobody is connected.

House rules.  (1) Presence is compared before and after a move, so every effect the lifecycle may
have is served by the same few lines; only `CONSUME`, `RESTORE` and redials need more.  (2) Order
is by position; times are a decoration that may be missing.  They are kept in UTC and never run
backwards.  (3) Gaps are summed up as they end: an entry may be taken back later, but that does not
change that somebody was connected.

It refuses to know what is legal, and it never asks what time it is.
"""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from segue.events import Event, EventKind
from segue.lifecycle import Effect, Move, Phase
from segue.segments.open_segment import ABANDONED, DROPPED, PENDING, REPLACED, Promotion, Seat
from segue.segments.segment import IMPLIED, Segment

__all__ = ["HELD", "RELEASE", "TRANSFER", "UNSEEN", "Ledger", "Vacancy", "utc"]

UNSEEN: Final = -1
"""The event that left waiting is not in the log."""

_ENTRIES: Final = {kind: kind.transfer_type for kind in EventKind if kind.is_entry}
_EXITS: Final = {kind: kind.transfer_type for kind in EventKind if kind.is_exit}
_HELD: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING})
_AFTERWARDS: Final = frozenset({Phase.RELEASED, Phase.SUMMARIZED})

HELD, TRANSFER, RELEASE = "held", "transfer", "release"
_STAGES: Final = {
    Phase.ACTIVE: HELD,
    Phase.CONSULTING: HELD,
    Phase.TRANSFERRING: TRANSFER,
    Phase.RELEASED: RELEASE,
    Phase.SUMMARIZED: RELEASE,
    Phase.ENDED: RELEASE,
}
"""What nobody being connected means; while waiting it means nothing."""

_FATES: Final = {
    Phase.ACTIVE: REPLACED,
    Phase.CONSULTING: REPLACED,
    Phase.TRANSFERRING: PENDING,
}
"""What becomes of the primary place when its agent leaves, by the phase that follows."""

_MANY: Final = 16
"""From so many seats on, a dictionary to find them by agent pays."""

_ZERO: Final = timedelta()


class Vacancy(NamedTuple):
    """A stretch of the conversation with nobody connected, not over yet."""

    stage: str
    """`held` (somebody no event named must be there), `transfer` or `release`."""
    since: datetime | None
    is_estimated: bool
    """It began with an implied close."""


class _Turn(NamedTuple):
    """A move with where and when it was, and who of those present had a name."""

    move: Move
    event: Event
    position: int
    at: datetime | None
    before: tuple[str, ...]
    after: tuple[str, ...]


class Ledger:
    """Who was present in one conversation. Mutable; read by `segments` and `measure`."""

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
        self.seats: list[Seat] = []
        """In order of entry."""
        self.by_agent: dict[str, Seat] | None = None
        """The latest seat of every agent, once there are many."""
        self.holder: int | None = None
        """Index of the seat that took the primary place last."""
        self.begun_by: int | None = None
        """Position of the event that left waiting, or `UNSEEN`."""
        self.begun_at: datetime | None = None
        self.ended_by: int | None = None
        """Position of END."""
        self.ended_at: datetime | None = None
        self.clock: datetime | None = None
        """The latest time seen."""
        self.messages = 0
        self.first_message_at: datetime | None = None
        """Time of the first message, if it came while waiting."""
        self.transfers_cold = 0
        self.transfers_warm = 0
        self.vacancy: Vacancy | None = None
        self.transfer_gap: timedelta | None = _ZERO
        """Sum of the gaps of this kind that are over; None: one of them has a boundary without
        a time. The same of the next two."""
        self.drop_gap: timedelta | None = _ZERO
        self.lost_time: timedelta | None = _ZERO
        self.estimated: tuple[str, ...] = ()
        """Which kinds of gap began with an implied close."""

    def segments(self) -> tuple[Segment, ...]:
        """Return all segments as values, in order of entry."""
        return tuple(seat.segment() for seat in self.seats)

    def message(  # noqa: PLR0913 - a message, and who was there
        self,
        kind: EventKind,
        agent: str,
        primary: str | None,
        consultants: tuple[str, ...],
        at: datetime | None,
        *,
        count: int = 1,
    ) -> None:
        """Count messages: a user's for the agent in charge, an agent's for that agent.

        `primary` and `consultants` are those of the move.
        """
        now = self._tick(at) if at is not None else None
        if self.ended_by is not None:
            return
        if not self.messages and self.begun_by is None:
            self.first_message_at = now
        self.messages += count
        if kind is EventKind.AGENT_MESSAGE:
            seat = self.latest(agent)
            if seat is not None:
                seat.agent_messages += count
        elif kind is EventKind.USER_MESSAGE:
            if primary is None and len(consultants) == 1:
                primary = consultants[0]
            if primary:
                self._seat(primary).user_messages += count

    def flag(self, agent: str, code: str) -> None:
        """Keep the code of a finding about an agent with the agent's latest segment."""
        seat = self.latest(agent)
        if seat is not None and code not in seat.codes:
            seat.codes += (code,)

    def record(self, move: Move, event: Event, position: int, at: datetime | None) -> None:
        """Take in what a lifecycle event has done; an unchanged move has done nothing."""
        now = self._tick(at) if at is not None else None
        if move.effect is Effect.NONE:
            return
        if self.begun_by is None:
            self.begun_by, self.begun_at = position, now
            if move.phase_before is not Phase.WAITING:
                self.begun_by, self.begun_at = UNSEEN, None
        before = _named(move.primary_before, move.consultants_before)
        after = _named(move.primary, move.consultants)
        turn = _Turn(move, event, position, now, before, after)
        if move.effect is Effect.CONSUME:
            self._consume(turn)
        else:
            self._follow(turn)

    def close(self, move: Move | None, *, partial_end: bool) -> None:
        """Take in that there is no more; `partial_end`: the conversation went on unseen."""
        if partial_end or move is None or move.phase_before is Phase.ENDED:
            return
        for agent in _named(move.primary_before, move.consultants_before):
            self._seat(agent).close(None, IMPLIED, None)
        if move.phase_before is Phase.TRANSFERRING:
            self._settle_transfer(is_taken=False)
        if self.vacancy is not None:
            if self.vacancy.stage != RELEASE:
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

    def add(self, seat: Seat) -> None:
        """Append a seat."""
        self.seats.append(seat)
        if self.by_agent is not None:
            self.by_agent[seat.agent] = seat
        elif len(self.seats) >= _MANY:
            self.by_agent = {each.agent: each for each in self.seats}

    def _seat(self, agent: str) -> Seat:
        seat = self.latest(agent)
        assert seat is not None, "whoever is present has entered"  # noqa: S101
        return seat

    def _tick(self, at: datetime) -> datetime:
        """Return the time to believe: never before one that was seen already."""
        if at.tzinfo is not UTC:
            at = utc(at)
        if self.clock is None or at > self.clock:
            self.clock = at
        return self.clock

    def _follow(self, turn: _Turn) -> None:
        """Let agents leave, enter and change places."""
        move = turn.move
        is_estimated = self._leave(turn)
        if move.phase_before is Phase.TRANSFERRING and move.phase is not Phase.TRANSFERRING:
            self._settle_transfer(is_taken=move.phase in _HELD)
        if move.effect is Effect.RESTORE:
            self._restore(turn)
        else:
            self._enter(turn)
        if move.phase is Phase.ENDED:
            self.ended_by, self.ended_at = turn.position, turn.at
        if not (turn.before and turn.after):
            self._watch(turn, is_estimated=is_estimated)

    def _consume(self, turn: _Turn) -> None:
        """Note by which exit an agent left whose leaving was believed already."""
        seat = self._seat(turn.move.agent)
        seat.learn(turn.event)
        seat.closed_kind = _EXITS[turn.move.kind]
        if seat.closed_kind == "COLD" and seat.fate in {REPLACED, DROPPED}:
            self.transfers_cold += 1

    def _leave(self, turn: _Turn) -> bool:
        """Close the connection of everyone gone; return whether any close was implied."""
        move = turn.move
        is_estimated = False
        for agent in turn.before:
            if agent in turn.after:
                continue
            seat = self._seat(agent)
            if agent == move.agent and move.kind in _EXITS:
                seat.close(turn.position, _EXITS[move.kind], turn.at)
                seat.learn(turn.event)
            else:
                seat.close(turn.position, IMPLIED, turn.at)
                is_estimated = True
            if agent == move.primary_before:
                seat.fate = _FATES.get(move.phase, ABANDONED)
        if move.code == "SG119":
            self.transfers_warm += 1
        return is_estimated

    def _enter(self, turn: _Turn) -> None:
        """Connect the agent of an entry, and let whoever is the primary now take the place."""
        move = turn.move
        if move.kind in _ENTRIES:
            is_redial = move.kind is EventKind.REDIAL_ENTRY
            is_present = move.agent in turn.before
            seat = self.latest(move.agent) if is_present or is_redial else None
            if seat is None:
                seat = self._open(turn)
            elif is_redial:
                if is_present:
                    seat.close(turn.position, IMPLIED, turn.at)
                seat.reconnect(turn.position, _ENTRIES[move.kind], turn.at)
            seat.learn(turn.event)
            if is_redial:
                self._resume(turn, seat)
        if move.primary and move.primary != move.primary_before:
            self._take(turn, move.primary)

    def _open(self, turn: _Turn) -> Seat:
        """Open a segment."""
        move = turn.move
        seat = Seat(len(self.seats), move.agent, turn.position, _ENTRIES[move.kind], turn.at)
        if move.agent == move.primary:
            seat.is_primary = True
            seat.previous = self.holder
        elif move.primary:
            seat.consult_of = self._seat(move.primary).index
        self.add(seat)
        return seat

    def _resume(self, turn: _Turn, seat: Seat) -> None:
        """Let a redial go on with what another agent has dropped."""
        move = turn.move
        if self.holder is None or (
            move.phase_before not in _AFTERWARDS and move.effect is not Effect.TAKE_EXCUSING
        ):
            return
        dropped = self.seats[self.holder]
        if dropped is seat or dropped.agent != (move.primary_before or move.last_before):
            return
        if dropped.closed_kind in {"NA", IMPLIED}:
            dropped.fate = DROPPED
            seat.resumes = dropped.index

    def _take(self, turn: _Turn, agent: str) -> None:
        """Let an agent have the primary place."""
        seat = self._seat(agent)
        if not seat.is_primary:
            seat.is_primary = True
            seat.promotion = Promotion(turn.position, turn.at)
            seat.previous = self.holder
        self.holder = seat.index

    def _restore(self, turn: _Turn) -> None:
        """Take a replacement back: the one replaced never left, the other was a consultant."""
        restored = self._seat(turn.after[0])
        restored.reopen()
        self._seat(turn.move.agent).demote(restored.index)
        self.holder = restored.index

    def _settle_transfer(self, *, is_taken: bool) -> None:
        """Tell who left by the COLD exit whether anybody has taken the place."""
        self.transfers_cold += is_taken
        if self.holder is not None:
            seat = self.seats[self.holder]
            if seat.fate == PENDING:
                seat.fate = None if is_taken else ABANDONED

    def _watch(self, turn: _Turn, *, is_estimated: bool) -> None:
        """Follow the stretches with nobody connected."""
        phase = turn.move.phase
        stage = None if turn.after else _STAGES.get(phase)
        vacancy = self.vacancy
        if vacancy is not None:
            if vacancy.stage == stage:
                return
            self._add_gap(vacancy, turn.at, is_taken=phase in _HELD)
        self.vacancy = None if stage is None else Vacancy(stage, turn.at, is_estimated)

    def _add_gap(self, vacancy: Vacancy, now: datetime | None, *, is_taken: bool) -> None:
        gap = None if vacancy.since is None or now is None else now - vacancy.since
        if vacancy.stage == RELEASE:
            name, self.drop_gap = "drop_gap", _sum(self.drop_gap, gap)
        elif vacancy.stage == TRANSFER and is_taken:
            name, self.transfer_gap = "transfer_gap", _sum(self.transfer_gap, gap)
        else:
            name, self.lost_time = "lost_time", _sum(self.lost_time, gap)
        if vacancy.is_estimated and name not in self.estimated:
            self.estimated += (name,)


def utc(at: datetime) -> datetime:
    """Return the same instant in UTC, so that times compare and subtract without surprises."""
    try:
        return at.astimezone(UTC)
    except OverflowError:  # within a day of either end of the calendar
        return at.replace(tzinfo=UTC)


def _named(primary: str | None, consultants: tuple[str, ...]) -> tuple[str, ...]:
    """Return everyone present whom an event has named, the primary first."""
    return (primary, *consultants) if primary else consultants


def _sum(total: timedelta | None, gap: timedelta | None) -> timedelta | None:
    return None if total is None or gap is None else total + gap
