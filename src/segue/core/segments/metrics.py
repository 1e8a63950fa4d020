"""The durations and counts of one conversation.

A duration is None if a time that it depends on is unknown. It is never a partial sum. Sums are
exact: `duration == connected_time + transfer_gap + drop_gap + lost_time + wrapup_time` to the
microsecond. The positions of events decide which agents were present at the same time. Times only
determine how long.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from math import inf
from typing import Any, Final, TypeAlias

from segue.core.reprs import shows
from segue.core.segments.builder import LOST, OTHERWISE, UNNAMED, WRAPUP, SegmentBuilder
from segue.core.segments.open_segment import CONSULTED, OpenSegment
from segue.core.segments.segment import IMPLIED, UNSEEN, Connection, json_object
from segue.core.segments.stretch import (
    Count,
    Intervals,
    Stretch,
    counts,
    during,
    length,
    overlap,
    stretches,
)
from segue.core.segments.transfers import COLD, WARM, count


@dataclass(frozen=True, slots=True)
class Metrics:
    """The durations and counts of one conversation.

    A duration is a `timedelta`, or None if a time that it depends on is unknown. The conversation
    is measured from the event that ends the phase `waiting`, which is normally the first entry.
    Every instant from then to END counts for exactly one of `connected_time`, `transfer_gap`,
    `drop_gap`, `lost_time` and `wrapup_time`, so the sum of these five is `duration`.
    """

    duration: timedelta | None
    """The time from the event that ends the phase `waiting` to END."""
    connected_time: timedelta | None
    """The time in which at least one agent was connected."""
    transfer_gap: timedelta | None
    """The time without a connected agent between a COLD exit and the entry of the next agent."""
    drop_gap: timedelta | None
    """The time without a connected agent after the last agent left, if an agent entered later."""
    lost_time: timedelta | None
    """The time after a COLD exit that no entry followed in which no agent can have been connected.

    None if an agent whom no event named was the only one who can have been connected at some time.
    """
    wrapup_time: timedelta | None
    """The time without a connected agent from the last exit to END."""
    answer_time: timedelta | None
    """The time from the first message of the customer to the first entry. None if the customer
    wrote nothing before it.
    """
    first_response: timedelta | None
    """The time from the first entry or the first message of the customer, whichever came later, to
    the first message of an agent after it.
    """
    agent_time: timedelta | None
    """The sum of the lengths of all connections."""
    overlap_time: timedelta | None
    """The time in which two or more agents were connected."""
    hold_time: timedelta | None
    """The time in which an agent was connected and transcription was on hold.

    None in a conversation without transcription.
    """
    talk_time: timedelta | None
    """The time in which an agent was connected and transcription was not on hold.

    In a conversation without transcription, it is the connected time.
    """
    handle_time: timedelta | None
    """The sum of the connected time and the wrap-up time."""
    consult_time: timedelta | None
    """The time in which at least one consultant was connected."""
    ring_time: timedelta | None
    """The time from the host's request for an outbound call to the answer."""
    call_time: timedelta | None
    """The time from the answer of an outbound call to its disconnect."""
    transcription_coverage: float | None
    """The fraction of the connected time in which transcription was active, from 0 to 1.

    It is None if transcription was never started.
    """
    transfers_cold: int
    """The number of transfers of the kind `COLD` that another agent took, see `Transfer`."""
    transfers_warm: int
    """The number of transfers of the kind `WARM`."""
    consults: int
    """The number of WARM entries of agents who were not present."""
    redials: int
    """The number of drops: redial entries, without callbacks."""
    callbacks: int
    """The number of redial entries that began the conversation, which is 0 or 1."""
    max_concurrent_agents: int | None
    """The largest number of agents who were connected at the same time.

    None if it depends on the unknown start of a segment.
    """
    messages: int
    """The number of messages of the customer and of agents before END."""
    implied_closures: int
    """The number of connections that were closed without an exit event."""
    unanswered: bool | None
    """Whether the last message is of the customer. None if the customer wrote nothing, or if the
    author of the last message is unknown.
    """
    abandoned: bool | None
    """Whether the customer wrote and END came before any agent.

    None as long as an agent may enter, and if nobody wrote in a conversation that is not a chat,
    because a caller gives up without a message.
    """

    __repr__ = shows("duration", "transfers_cold", "transfers_warm", "redials", "messages")

    def known(self, names: Collection[str]) -> tuple[str, ...]:
        """Return those of some names that are metrics with a value, in the order of the fields."""
        return tuple(
            name for name in METRIC_NAMES if name in names and getattr(self, name) is not None
        )

    def to_dict(self) -> dict[str, object]:
        """Return the metrics as a JSON object with the keys of the report schema.

        Durations are numbers of seconds.
        """
        return _METRICS(self)


METRIC_NAMES: Final = tuple(field.name for field in fields(Metrics))
"""The names of all metrics, in order."""
_METRICS: Final = json_object(*METRIC_NAMES)


_PRESENCE: Final = ("connected_time", "agent_time", "overlap_time")
"""The metrics that depend on the end of every connection."""
_GAPS: Final = ("transfer_gap", "drop_gap", LOST, WRAPUP)
_BEGINNINGS: Final = frozenset({"NA", "redial"})
"""The kinds of entries that may begin a conversation."""
_CHAT: Final = "chat"
"""The experience of conversations in which customers write."""
_MOMENT: Final = 0.5
"""A part of the distance between the positions of two events."""
_UNKNOWN: Final = Stretch(inf, None, inf, None)
"""A period of unknown length."""
_GAP_BEFORE: Final = {COLD: "transfer_gap", "redial": "drop_gap"}
"""The metric of the time without an agent before a connection, by the kind of its entry."""
_TRANSCRIBED: Final = {"hold_time": "hold", "transcription_coverage": "active"}
"""The metrics that depend on the time in a state of the transcription, with that state."""
_Transcribed: TypeAlias = dict[str, tuple[list[Stretch], bool]]
_RESTS_ON: Final = {
    "talk_time": {"connected_time", "hold_time"},
    "handle_time": {"connected_time", WRAPUP},
}
"""The metrics that are computed from other metrics, with the names of these."""
_FROM_THE_START: Final = (*_PRESENCE, "consult_time", *_GAPS[:3], *_TRANSCRIBED, *_RESTS_ON)
"""The metrics that are unknown if the log lacks the beginning of the conversation."""


_Start: TypeAlias = tuple[float, datetime | None]
"""The position and the time of an entry."""
_EVER: Final[_Start] = (-inf, None)
"""The start of an agent who was there before all events."""


def measure(builder: SegmentBuilder, transcription: Intervals = ()) -> Metrics:
    """Compute the metrics of a conversation from its segments.

    A metric that depends on the start of an agent who was only seen leaving is None. `lost_time`
    does not, because it is the time in which no such agent can have been connected.

    `transcription` contains the periods that the transcription spent in each state, in order. The
    last period has no end. `ring_time` and `call_time` are None in the result, because they depend
    on call notifications.
    """
    metrics = _measured(builder, transcription, _earliest(builder))
    unknown: dict[str, Any] = {}
    if builder.begun_by == UNSEEN:
        unknown = dict.fromkeys(_FROM_THE_START)
    elif _unseen(builder):
        latest = _measured(builder, transcription, None)
        names = (name for name in METRIC_NAMES if name != LOST)
        unknown = {n: None for n in names if getattr(latest, n) != getattr(metrics, n)}
        if "connected_time" in unknown:  # a share of it may be the same at both ends alone
            unknown["transcription_coverage"] = None
    return replace(metrics, **unknown) if unknown else metrics


def unknown_starts(builder: SegmentBuilder, transcription: Intervals = ()) -> set[str]:
    """Return the metrics that are unknown only because an agent was only seen leaving.

    Return none of a log that lacks the beginning, in which more than that is unknown.
    """
    if builder.begun_by == UNSEEN:
        return set()
    latest, metrics = _measured(builder, transcription, None), measure(builder, transcription)
    return {*latest.known(METRIC_NAMES)} - {*metrics.known(METRIC_NAMES)}


def _earliest(builder: SegmentBuilder) -> _Start:
    """Return the earliest possible entry of an agent who was only seen leaving.

    It is the entry that began the conversation, if that was told.
    """
    segment = builder.open_segments.get(0)
    first = segment and segment.connections[0]
    if first and first.opened_by == builder.begun_by and first.opened_kind in _BEGINNINGS:
        return builder.begun_by or 0, builder.begun_at
    return _EVER


def _begun(connections: Iterable[Connection], start: _Start | None) -> list[Stretch]:
    """Return the periods of connections, of which those with an unknown start begin at `start`.

    If `start` is None, they begin just before their exits.
    """
    return [
        Stretch.of(each) if each.opened_by is not None else _from(start, Stretch.of(each))
        for each in connections
    ]


def _from(start: _Start | None, found: Stretch) -> Stretch:
    since, at = start or (found.until - _MOMENT, found.end)
    return found._replace(since=since, start=at)


def _measured(builder: SegmentBuilder, transcription: Intervals, start: _Start | None) -> Metrics:
    """Compute the metrics with all unknown starts at `start`, see `_begun`."""
    segments = [*builder.open_segments.values()]
    connections = _connections(builder)
    connected = _begun(connections, start)
    changes = counts(connected)
    found = _periods(builder, start, connected, changes)
    values: dict[str, Any] = {name: length(each) for name, each in found.items()}
    transcribed = {name: during(state, transcription) for name, state in _TRANSCRIBED.items()}
    values |= _with_transcription(found["connected_time"], values, transcribed)
    if not transcription:
        values |= dict.fromkeys(_TRANSCRIBED)
    redials = [each.opened_by for each in connections if each.opened_kind == "redial"]
    callbacks = int(builder.begun_by in redials)
    return Metrics(
        **values,
        ring_time=None,
        call_time=None,
        transfers_cold=count(builder.handovers, COLD),
        transfers_warm=count(builder.handovers, WARM),
        consults=sum(segment.connections[0].opened_kind == "WARM" for segment in segments),
        redials=len(redials) - callbacks,
        callbacks=callbacks,
        max_concurrent_agents=max((count for _, count, _ in changes), default=0),
        messages=builder.messages,
        implied_closures=sum(each.closed_kind == IMPLIED for each in connections),
        unanswered=builder.dialogue.is_unanswered(is_cut=builder.is_cut),
        abandoned=_abandoned(builder),
    )


def _connections(builder: SegmentBuilder) -> list[Connection]:
    return [each for segment in builder.open_segments.values() for each in segment.connections]


def _unseen(builder: SegmentBuilder) -> list[Connection]:
    """Return the connections whose start is unknown."""
    first = (segment.connections[0] for segment in builder.open_segments.values())
    return [each for each in first if each.opened_by is None]


def _earliest_periods(builder: SegmentBuilder) -> dict[str, list[Stretch]]:
    """Return the periods as in `_periods`, with all unknown starts as early as possible."""
    start = _earliest(builder)
    connected = _begun(_connections(builder), start)
    return _periods(builder, start, connected, counts(connected))


def _periods(
    builder: SegmentBuilder,
    start: _Start | None,
    connected: list[Stretch],
    changes: Sequence[Count],
) -> dict[str, list[Stretch]]:
    """Return the periods whose length is a metric, by its name.

    Args:
        builder: The segments.
        start: The start of connections whose start is unknown, see `_begun`.
        connected: The periods of all connections.
        changes: The result of `counts` for these.

    """
    consults = [each for segment in builder.open_segments.values() for each in _consults(segment)]
    begun: _Start = builder.begun_by or 0, builder.begun_at
    if start == _EVER and any(each.closed_by == builder.begun_by for each in _unseen(builder)):
        begun = _EVER
    return {
        "duration": [Stretch(*begun, builder.ended_by or 0, builder.ended_at)],
        "connected_time": stretches(changes, 1),
        **_gaps(builder, changes),
        "answer_time": [builder.dialogue.wait],
        "first_response": [builder.dialogue.first_response],
        "agent_time": connected,
        "overlap_time": stretches(changes, 2),
        "consult_time": stretches(counts(_begun(consults, start)), 1),
    }


def _abandoned(builder: SegmentBuilder) -> bool | None:
    """Return whether the customer wrote and END came before any agent, see `Metrics`."""
    if builder.begun_by is None or (builder.begun_by == UNSEEN and not builder.open_segments):
        return None
    if builder.begun_by != builder.ended_by:
        return False
    wrote = builder.dialogue.wrote
    return None if wrote is False and builder.experience != _CHAT else wrote


def _with_transcription(
    connected: Sequence[Stretch], values: dict[str, Any], transcribed: _Transcribed
) -> dict[str, Any]:
    """Return `hold_time`, `talk_time`, `handle_time` and `transcription_coverage` by name.

    Args:
        connected: The periods in which at least one agent was connected.
        values: The metrics computed so far, by name.
        transcribed: The periods of a state of the transcription, by the metric they are needed for.

    """
    hold, active = (overlap(connected, there) for there, _ in transcribed.values())
    total, wrapup = values["connected_time"], values[WRAPUP]
    return {
        "hold_time": hold,
        "talk_time": None if total is None or hold is None else total - hold,
        "handle_time": None if total is None or wrapup is None else total + wrapup,
        "transcription_coverage": active / total if total and active is not None else None,
    }


def _gaps(builder: SegmentBuilder, changes: Sequence[Count]) -> dict[str, list[Stretch]]:
    """Return the periods without a connected agent, as a list for each metric such as `drop_gap`.

    `changes` contains the number of connected agents after each event that changed it.
    """
    times: dict[float, datetime | None] = {run.position: run.at for run in builder.runs}
    times |= {position: at for position, _, at in changes if position != inf}
    counted = {position: count for position, count, _ in changes}
    metrics: dict[float, str | None] = {run.position: run.metric for run in builder.runs}
    gaps: dict[str, list[Stretch]] = {name: [] for name in (*_GAPS, UNNAMED)}
    count, metric = 0, None
    since: tuple[float, datetime | None] | None = None
    for position in sorted(times):
        count = counted.get(position, count)
        if since and (count or position in metrics):
            gaps[metric or WRAPUP].append(Stretch(*since, position, times[position]))
            since = None
        metric = metrics.get(position, metric)
        if not count and since is None:
            since = position, times[position]
    if builder.ended_by is not None:
        gaps[WRAPUP].append(Stretch(*(builder.ended_by, builder.ended_at) * 2))
    else:
        unfinished = {metric, OTHERWISE.get(metric or "")} if since else set()
        for name in gaps.keys() & {WRAPUP, *unfinished}:
            gaps[name].append(_UNKNOWN)
    if length(gaps.pop(UNNAMED)) != timedelta():
        gaps[LOST].append(_UNKNOWN)
    return gaps


def rough_times(builder: SegmentBuilder, transcription: Intervals) -> set[str]:
    """Return the metrics that depend on an adjusted time, or on two events of one delivery."""
    if not builder.shared_times and not transcription:
        return set()
    holds = {name: during(state, transcription) for name, state in _TRANSCRIBED.items()}
    names = {name for name, (_, is_clamped) in holds.items() if is_clamped}
    if builder.shared_times:
        found = _earliest_periods(builder)
        names |= {name for name, each in found.items() if any(map(builder.is_estimated, each))}
    return _with_dependent(names, holds)


def implied_times(builder: SegmentBuilder, transcription: Intervals) -> set[str]:
    """Return the metrics that depend on a connection without an exit event."""
    connections = _connections(builder)
    implied = {each.closed_by for each in connections if each.closed_kind == IMPLIED}
    if not implied:
        return set()
    found = _earliest_periods(builder)
    names = {name for name in _PRESENCE if found[name]}
    names |= {name for name in _GAPS if any(each.since in implied for each in found[name])}
    after = {each.opened_kind or "" for each in connections if each.opened_by in implied}
    names |= {_GAP_BEFORE[kind] for kind in after & _GAP_BEFORE.keys()}
    segments = builder.open_segments.values()
    if any(each.closed_kind == IMPLIED for segment in segments for each in _consults(segment)):
        names.add("consult_time")
    holds = {name: during(state, transcription) for name, state in _TRANSCRIBED.items()}
    return _with_dependent(names, holds)


def _with_dependent(names: set[str], transcribed: _Transcribed) -> set[str]:
    """Return names of metrics, and of the metrics that are computed from them."""
    if "connected_time" in names:
        names = names | {name for name, (there, _) in transcribed.items() if there}
    return names | {name for name, parts in _RESTS_ON.items() if parts & names}


def _consults(segment: OpenSegment) -> list[Connection]:
    """Return the connections of a segment in which its agent was a consultant.

    If the agent then became the primary, the last of these connections is cut off at that event.
    """
    connections = segment.connections
    if not segment.is_primary:
        return connections
    promotion = segment.promotion
    if promotion is None:
        return connections[-1:] if segment.closing_reason == CONSULTED else []
    before = [each for each in connections if (each.opened_by or 0) < promotion.by]
    if before[-1].closed_by is None or before[-1].closed_by > promotion.by:
        before[-1] = replace(
            before[-1], closed_by=promotion.by, closed_kind="WARM", ended_at=promotion.at
        )
    return before
