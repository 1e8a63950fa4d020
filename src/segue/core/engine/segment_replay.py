"""Segments from the history: who was present when, worked out on demand.

Nothing is judged again: what happened stands in the history, and what it means for presence in the
effects of the lifecycle and in the builder of segments.
"""

from collections.abc import Iterator
from functools import lru_cache

from segue.core.engine.history import History, HistoryRow, MessageCounts, rows_of
from segue.core.engine.state import DUPLICATE, REPORTED, State
from segue.core.events import Event, EventKind
from segue.core.lifecycle import UNNAMED, Decision, Presence, apply, transition
from segue.core.segments import Move, SegmentBuilder, utc


def replay_segments(history: History) -> SegmentBuilder:
    """Return the segments of a conversation as it stands, and what metrics need."""
    builder = SegmentBuilder()
    presence = record_rows(builder, history, history.first_presence)
    _count(builder, presence, history.names, history.tail)
    if history.first_message is not None:
        position, at = history.first_message
        builder.first_message = position, None if at is None else utc(at)
    times = iter(history.shared_times)
    for first, size, is_clamped in zip(times, times, times, strict=True):
        builder.share_time(first, size, is_clamped)
    builder.messages = history.messages
    if history.is_closed:
        _, closing = transition(presence, EventKind.CLOSE, None)
        move = Move.between(presence, presence, closing, "", history.names)
        builder.close(move, partial_end=history.is_cut)
    return builder


def record_rows(builder: SegmentBuilder, history: History, presence: Presence) -> Presence:
    """Record the rows of a history, which begins with a presence; return the last one."""
    names = history.names
    numbers = {name: number for number, name in enumerate(names)}
    for index, row in enumerate(history.rows):
        _count(builder, presence, names, row.messages)
        if row.verdict == DUPLICATE:
            builder.flag(row.agent, "SG601")
        else:
            presence = _record(builder, presence, names, row, numbers.get(row.agent))
        if index in history.respelled:
            builder.flag(row.agent, "SG206")
    return presence


def presences_of(state: State) -> Iterator[Presence]:
    """Yield where the conversation stood before its first lifecycle event, and after each."""
    presence = state.first_presence
    yield presence
    for row in rows_of(state):
        if row.verdict != DUPLICATE:
            number = state.number_of(row.agent)
            presence = presence_after(presence, row.decision, number)
            if number is not None and number >= presence.agents:
                presence = presence._replace(agents=number + 1)
        yield presence


def _record(
    builder: SegmentBuilder,
    before: Presence,
    names: tuple[str, ...],
    row: HistoryRow,
    number: int | None,
) -> Presence:
    """Let agents come and go as the table decided at the time; return the presence after."""
    decision = row.decision
    if decision.code is not None:
        decision = decision._replace(is_reported=row.verdict == REPORTED)
    after = presence_after(before, decision, number)
    move = Move.between(before, after, decision, row.agent, names)
    builder.record(move, _event(row), row.position, row.at)
    if move.code is not None and row.agent:
        builder.flag(row.agent, move.code)
    return after


@lru_cache(maxsize=8_192)
def presence_after(before: Presence, decision: Decision, number: int | None) -> Presence:
    """Return the presence after an event; results hold integers only."""
    after = apply(before, decision.effect, number, is_offence=decision.code is not None)
    return after._replace(phase=decision.to)


def _event(row: HistoryRow) -> Event:
    info = row.info
    if info is None:
        return Event(row.decision.kind, row.agent, "", {}, "")
    value = {"participant": info.participant, "language": info.language}
    return Event(row.decision.kind, row.agent, info.experience, value, "")


def _count(
    builder: SegmentBuilder, presence: Presence, names: tuple[str, ...], messages: MessageCounts
) -> None:
    """Count the messages since the last event, by the agents they are attributed to."""
    if not any(messages):
        return
    primary = None
    if presence.primary is not None:
        primary = "" if presence.primary == UNNAMED else names[presence.primary]
    consultants = tuple([names[number] for number in presence.consultants])
    counts = [(EventKind.USER_MESSAGE, "", messages.of_users)]
    counts += [(EventKind.AGENT_MESSAGE, agent, count) for agent, count in messages.of_others]
    if primary:
        counts.append((EventKind.AGENT_MESSAGE, primary, messages.of_primary))
    for kind, agent, count in counts:
        if count:
            builder.message(kind, agent, primary, consultants, count)
    for agent, _ in messages.of_others:
        _, decision = transition(presence, EventKind.AGENT_MESSAGE, names.index(agent))
        if decision.reported_code is not None:
            builder.flag(agent, decision.reported_code)
