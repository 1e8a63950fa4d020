"""Segments from the history: who was present when, worked out on demand.

Nothing is judged again: what happened stands in the history, and what it means for presence in the
effects of the lifecycle and in the builder of segments.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import inf
from operator import attrgetter

from segue.core.engine.history import History, HistoryRow, MessageRun, rows_of
from segue.core.engine.state import DUPLICATE, REPORTED, State
from segue.core.events import Event, EventKind
from segue.core.lifecycle import UNNAMED, Decision, Presence, apply, transition
from segue.core.segments import EventTime, Move, SegmentBuilder


def replay_segments(history: History) -> SegmentBuilder:
    """Return the segments of a conversation as it stands, and what metrics need."""
    builder = SegmentBuilder()
    presence = record_history(builder, history, history.first_presence)
    times = iter(history.shared_times)
    for first, size, is_clamped in zip(times, times, times, strict=True):
        builder.share_time(first, size, is_clamped)
    builder.messages, builder.experience = history.messages, history.experience
    if history.is_closed:
        _, closing = transition(presence, EventKind.CLOSE, None)
        move = Move.between(presence, presence, closing, "", history.names)
        builder.close(move, partial_end=history.is_cut)
    return builder


def record_history(builder: SegmentBuilder, history: History, presence: Presence) -> Presence:
    """Record a history, which begins with a presence; return the last one."""
    names, messages = history.names, deque(_messages(history))
    numbers = {name: number for number, name in enumerate(names)}
    if history.unlisted:
        builder.dialogue.is_whole = False
    for index, row in enumerate(history.rows):
        _count(builder, presence, names, messages, row.position)
        if row.verdict == DUPLICATE:
            builder.flag(row.agent, "SG601")
        else:
            presence = _record(builder, presence, names, row, numbers.get(row.agent))
        if index in history.respelled:
            builder.flag(row.agent, "SG206")
    _count(builder, presence, names, messages, inf)
    return presence


def _messages(history: History) -> Iterable[MessageRun]:
    """Return all runs of messages in the order of their positions."""
    if not history.unlisted:
        return history.runs
    return sorted((*history.runs, *history.unlisted), key=attrgetter("position"))


def presences_of(state: State) -> Iterator[Presence]:
    """Yield where the conversation stood before its first lifecycle event, and after each."""
    presence = state.first_presence
    yield presence
    for row in rows_of(state):
        if row.verdict != DUPLICATE:
            number = state.number_of(row.agent)
            presence = presence_after(presence, row.decision, number)
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
    agents = after.agents if number is None else max(after.agents, number + 1)
    return after._replace(phase=decision.to, agents=agents)


def _event(row: HistoryRow) -> Event:
    info = row.info
    if info is None:
        return Event(row.decision.kind, row.agent, "", {}, "")
    value = {"participant": info.participant, "language": info.language}
    return Event(row.decision.kind, row.agent, info.experience, value, "")


def _count(
    builder: SegmentBuilder,
    presence: Presence,
    names: tuple[str, ...],
    messages: deque[MessageRun],
    until: float,
) -> None:
    """Take the messages up to a position, and count them for agents."""
    if not messages or messages[0].position > until:
        return
    primary = None
    if presence.primary is not None:
        primary = "" if presence.primary == UNNAMED else names[presence.primary]
    consultants = tuple([names[number] for number in presence.consultants])
    while messages and messages[0].position <= until:
        run = messages.popleft()
        first = EventTime(run.position, run.first_at)
        builder.message(run.kind, run.agent, primary, consultants, first, count=run.messages)
        if run.agent not in {"", primary} and run.agent in builder.by_agent:
            _, decision = transition(presence, EventKind.AGENT_MESSAGE, names.index(run.agent))
            if decision.reported_code is not None:
                builder.flag(run.agent, decision.reported_code)
