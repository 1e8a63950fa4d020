"""Metrics: what the presence of agents adds up to over one conversation.

House rules.  (1) A metric is None when a boundary it needs has no time, never a partial sum.
(2) Sums are exact: a `timedelta` counts whole microseconds, so
`duration == connected_time + transfer_gap + drop_gap + lost_time + wrapup_time` holds to the last
one.  (3) Who was present together is decided by positions; only lengths are decided by times.

It does not know events or phases: it reads the ledger, and is told what transcription did.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any, Final

from segue.segments.builder import HELD, RELEASE, TRANSFER, UNSEEN, Ledger, utc
from segue.segments.open_segment import CONSULTED, Seat
from segue.segments.segment import IMPLIED, Connection

__all__ = ["Metrics", "measure"]

Spells = Sequence[tuple[str, datetime | None, datetime | None]]
"""State, start and end of what transcription did, in order."""

Span = tuple[datetime | None, datetime | None]

_Count = tuple[float, int, datetime | None]
"""A position, how many were connected from then on, and its time."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Durations and counts of one conversation."""

    duration: timedelta | None
    """From the event that leaves waiting to END."""
    connected_time: timedelta | None
    """At least one agent connected."""
    transfer_gap: timedelta | None
    """Nobody connected during transfers that somebody took."""
    drop_gap: timedelta | None
    """Nobody connected after a release, until somebody entered again."""
    lost_time: timedelta | None
    """Nobody connected during transfers that nobody took, or when an agent no event named must
    have been there alone."""
    wrapup_time: timedelta | None
    """Nobody connected from the last release to END."""
    wait_time: timedelta | None
    """From the first message to the event that leaves waiting."""
    agent_time: timedelta | None
    """The sum of all connections."""
    overlap_time: timedelta | None
    """Two or more agents connected."""
    hold_time: timedelta | None
    """Transcription on hold while connected."""
    talk_time: timedelta | None
    """Connected and not on hold."""
    handle_time: timedelta | None
    """Connected, and wrapping up."""
    consult_time: timedelta | None
    """At least one consultant connected."""
    transcription_coverage: float | None
    """Part of the connected time with transcription active; None when it was never started."""
    transfers_cold: int
    """COLD exits whose place somebody took."""
    transfers_warm: int
    """Primaries who handed over to a consultant by a WARM exit."""
    consults: int
    """WARM entries that opened a segment."""
    redials: int
    """Redial entries other than callbacks."""
    callbacks: int
    """Redial entries that began the conversation."""
    max_concurrent_agents: int
    messages: int
    implied_closures: int
    """Connections whose exit never came."""
    estimated: tuple[str, ...] = ()
    """Names of the metrics above that rest on an implied close."""

    def to_dict(self) -> dict[str, object]:
        """Return the metrics as the documented JSON object, durations in seconds."""
        return {name: _plain(getattr(self, name)) for name in _NAMES}


_NAMES: Final = tuple(field.name for field in fields(Metrics))


_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
_LATEST: Final = datetime.max.replace(tzinfo=UTC)

_PRESENCE: Final = (
    "connected_time",
    "agent_time",
    "overlap_time",
    "hold_time",
    "talk_time",
    "handle_time",
    "transcription_coverage",
)
"""Metrics that rest on when each connection closed."""

_FROM_THE_START: Final = (*_PRESENCE, "consult_time", "transfer_gap", "drop_gap", "lost_time")
"""Metrics that would leave something out if the beginning is not in the log."""


def measure(ledger: Ledger, spells: Spells = ()) -> Metrics:
    """Work out the metrics; `spells` are the times transcription spent in each state.

    The end of the last spell is None: that state goes on.
    """
    stays = [stay for seat in ledger.seats for stay in seat.connections]
    consults = [stay for seat in ledger.seats for stay in _consults(seat)]
    counts = _counts(stays)
    spans = _spans(counts, 1)
    connected = _length(spans)
    hold = _common(spans, _during("hold", spells))
    wrapup = None if ledger.vacancy is None else _between(ledger.vacancy.since, ledger.ended_at)
    transfer_gap, drop_gap, lost_time = _gaps(ledger)
    redials = [stay.opened_by for stay in stays if stay.opened_kind == "redial"]
    callbacks = int(ledger.begun_by in redials)
    metrics = Metrics(
        duration=_between(ledger.begun_at, ledger.ended_at),
        connected_time=connected,
        transfer_gap=transfer_gap,
        drop_gap=drop_gap,
        lost_time=lost_time,
        wrapup_time=wrapup,
        wait_time=_between(ledger.first_message_at, ledger.begun_at),
        agent_time=_length((stay.started_at, stay.ended_at) for stay in stays),
        overlap_time=_length(_spans(counts, 2)),
        hold_time=hold,
        talk_time=None if connected is None or hold is None else connected - hold,
        handle_time=None if connected is None or wrapup is None else connected + wrapup,
        consult_time=_length(_spans(_counts(consults), 1)),
        transcription_coverage=_coverage(spans, connected, spells),
        transfers_cold=ledger.transfers_cold,
        transfers_warm=ledger.transfers_warm,
        consults=sum(seat.kind == "WARM" for seat in ledger.seats),
        redials=len(redials) - callbacks,
        callbacks=callbacks,
        max_concurrent_agents=max((count for _, count, _ in counts), default=0),
        messages=ledger.messages,
        implied_closures=sum(stay.closed_kind == IMPLIED for stay in stays),
    )
    if ledger.begun_by == UNSEEN:
        unknown: dict[str, Any] = dict.fromkeys(_FROM_THE_START)
        metrics = replace(metrics, **unknown)
    estimated = _estimated(ledger, metrics, consults)
    return replace(metrics, estimated=estimated) if estimated else metrics


def _estimated(ledger: Ledger, metrics: Metrics, consults: Iterable[Connection]) -> tuple[str, ...]:
    """Name the metrics that rest on an implied close, in the order of their fields."""
    names = set(ledger.estimated)
    if metrics.implied_closures:
        names.update(_PRESENCE)
    if any(stay.closed_kind == IMPLIED for stay in consults):
        names.add("consult_time")
    if ledger.vacancy is not None and ledger.vacancy.is_estimated:
        names.add("wrapup_time")
    return tuple(name for name in _NAMES if name in names and getattr(metrics, name) is not None)


def _gaps(ledger: Ledger) -> tuple[timedelta | None, ...]:
    """Return the gaps of a transfer, of a drop, and for nothing; an open one may be of two."""
    stage = None
    if ledger.vacancy is not None and ledger.ended_by is None:
        stage = ledger.vacancy.stage
    return (
        None if stage == TRANSFER else ledger.transfer_gap,
        None if stage == RELEASE else ledger.drop_gap,
        None if stage in {TRANSFER, HELD} else ledger.lost_time,
    )


def _consults(seat: Seat) -> list[Connection]:
    """Return the connections of a consultant, up to the promotion."""
    stays = list(seat.connections)
    if not seat.is_primary:
        return stays
    promotion = seat.promotion
    if promotion is None:
        return stays[-1:] if seat.fate == CONSULTED else []
    before = [stay for stay in stays if stay.opened_by < promotion.by]
    if before[-1].closed_by is None or before[-1].closed_by > promotion.by:
        before[-1] = replace(
            before[-1], closed_by=promotion.by, closed_kind="WARM", ended_at=promotion.at
        )
    return before


def _counts(stays: Iterable[Connection]) -> list[_Count]:
    """Return how many are connected after every event that changes it."""
    changes: defaultdict[float, int] = defaultdict(int)
    times: dict[float, datetime | None] = {}
    for stay in stays:
        closed_by = inf if stay.closed_by is None else stay.closed_by
        changes[stay.opened_by] += 1
        changes[closed_by] -= 1
        times[stay.opened_by] = stay.started_at
        times[closed_by] = stay.ended_at
    count = 0
    counts = []
    for position in sorted(changes):
        count += changes[position]
        counts.append((position, count, times[position]))
    return counts


def _spans(counts: Iterable[_Count], least: int) -> list[Span]:
    """Return when so many agents or more were connected."""
    spans: list[Span] = []
    start: datetime | None = None
    enough = False
    for _, count, at in counts:
        if enough is not (count >= least):
            if enough:
                spans.append((start, at))
            enough, start = not enough, at
    return spans


def _during(state: str, spells: Spells) -> list[Span]:
    """Return when transcription was in a state; the last spell goes on."""
    spans: list[Span] = []
    clock = _EARLIEST
    for number, (each, start, end) in enumerate(spells, 1):
        if start is not None:
            clock = max(clock, utc(start))
        begun_at = None if start is None else clock
        if end is not None:
            clock = max(clock, utc(end))
        ended_at = clock if end is not None else _LATEST if number == len(spells) else None
        if each == state:
            spans.append((begun_at, ended_at))
    return spans


def _length(spans: Iterable[Span]) -> timedelta | None:
    """Return the sum of the lengths."""
    total = timedelta()
    for start, end in spans:
        if start is None or end is None:
            return None
        total += end - start
    return total


def _common(spans: list[Span], others: list[Span]) -> timedelta | None:
    """Return for how long both were the case; each is in order and does not overlap itself."""
    total = timedelta()
    if not spans or not others:
        return total
    known = [(start, end) for start, end in spans if start is not None and end is not None]
    known_others = [(start, end) for start, end in others if start is not None and end is not None]
    if len(known) < len(spans) or len(known_others) < len(others):
        return None
    ours, theirs = 0, 0
    while ours < len(known) and theirs < len(known_others):
        start = max(known[ours][0], known_others[theirs][0])
        end = min(known[ours][1], known_others[theirs][1])
        total += max(end - start, timedelta())
        if known[ours][1] <= known_others[theirs][1]:
            ours += 1
        else:
            theirs += 1
    return total


def _between(start: datetime | None, end: datetime | None) -> timedelta | None:
    return None if start is None or end is None else end - start


def _coverage(spans: list[Span], connected: timedelta | None, spells: Spells) -> float | None:
    active = _common(spans, _during("active", spells))
    return active / connected if spells and connected and active is not None else None


def _plain(value: object) -> object:
    if isinstance(value, timedelta):
        return value.total_seconds()
    return list(value) if isinstance(value, tuple) else value
