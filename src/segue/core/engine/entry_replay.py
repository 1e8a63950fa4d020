"""Segments from entries: each entry is judged, and what it changes goes to the builder."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from segue.core.engine.checks import experience_of
from segue.core.engine.entries import Entry, lifecycle_entries
from segue.core.engine.state import State
from segue.core.events import Event, EventKind
from segue.core.events.kind import JUDGED
from segue.core.lifecycle import (
    MESSAGES,
    UNNAMED,
    Decision,
    Phase,
    Presence,
    can_repeat,
    transition,
)
from segue.core.segments import EventTime, Move, SegmentBuilder

_WAITING: Final = Presence()
_JUDGED: Final = frozenset(JUDGED)


class JudgedEntry(NamedTuple):
    """An entry that could be read, with what the table decided."""

    entry: Entry
    before: Presence
    after: Presence
    decision: Decision
    is_repeat: bool
    """Whether the entry is a repeat (SG601), which changes nothing."""
    names: list[str]
    """The identities of the agents by number. Later entries may add to them."""

    @property
    def code(self) -> str | None:
        """The code of the rule that reports the entry, or None."""
        return "SG601" if self.is_repeat else self.decision.reported_code


def judged_entries(
    entries: Iterable[Entry], start: Presence = _WAITING, known: Sequence[str] = ()
) -> Iterator[JudgedEntry]:
    """Judge entries in order, beginning with a presence.

    `known` are the identities of the agents whose numbers the presence may contain.
    """
    names = [*known]
    numbers = {name: number for number, name in enumerate(names)}
    presence = start
    for entry in entries:
        kind = entry.kind
        if kind not in _JUDGED:
            continue
        number = None
        if kind.transfer_type and entry.agent not in numbers:
            numbers[entry.agent] = len(names)
            names.append(entry.agent)
        if entry.agent and (kind.transfer_type or kind is EventKind.AGENT_MESSAGE):
            number = numbers.get(entry.agent, len(names))
        after, decision = transition(presence, kind, number)
        is_repeat = entry.is_repeat and can_repeat(decision)
        after = presence if is_repeat else after
        yield JudgedEntry(entry, presence, after, decision, is_repeat, names)
        presence = after


class Past(NamedTuple):
    """A conversation as segments and figures are made of it."""

    entries: Sequence[Entry]
    start: Presence = _WAITING
    """The presence before the first entry."""
    is_closed: bool = False
    """Whether the log is over."""
    is_cut: bool = False
    """Whether the end of the log is cut off."""
    experience: str = ""
    """`chat` or `voice`, or an empty string if it is unknown or changed."""
    respelled: frozenset[int] = frozenset()
    """The positions of entries whose agent is spelled in another letter case (SG206)."""


def past_of(state: State) -> Past:
    """Return the past of a conversation up to END. Its entries must not be stored elsewhere."""
    entries, end = state.entries, state.ended_at
    if end is not None and entries and entries[-1].position > end:
        entries = [entry for entry in entries if entry.position <= end]
    respelled = (each.place.event for each in state.findings if each.code == "SG206")
    return Past(
        entries,
        state.first_presence,
        is_closed=state.closed and state.processable,
        is_cut=state.is_cut,
        experience=experience_of(state),
        respelled=frozenset(position for position in respelled if position is not None),
    )


def replay(past: Past) -> SegmentBuilder:
    """Return the segments of a conversation, and what metrics need.

    The positions of the entries must be in order.
    """
    builder = SegmentBuilder(experience=past.experience)
    judged = None
    for judged in judged_entries(past.entries, past.start):
        _take(builder, judged, past.respelled)
    presence, names = (past.start, list[str]()) if judged is None else (judged.after, judged.names)
    if past.is_closed and presence.phase is not Phase.ENDED:
        _, closing = transition(presence, EventKind.CLOSE, None)
        builder.close(Move.between(presence, presence, closing, "", names), partial_end=past.is_cut)
    return builder


def replay_told(past: Past) -> SegmentBuilder:
    """Return the segments of a conversation as told, and which of their times are inexact."""
    builder = replay(past)
    for first, *others in _deliveries(past.entries):
        if others or first.is_adjusted:
            size = (others[-1] if others else first).position + 1 - first.position
            builder.share_time(first.position, size, is_clamped=first.is_adjusted)
    return builder


def _deliveries(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries of each delivery, without messages that are only counted.

    Of a run of messages, only the first belongs to its delivery.
    """
    placed = (entry for entry in entries if not (entry.is_counted or entry.is_dropped))
    for _, group in groupby(placed, key=attrgetter("delivery")):
        yield list(group)


def record_entries(
    builder: SegmentBuilder,
    entries: Iterable[Entry],
    presence: Presence,
    known: Sequence[str],
    respelled: Collection[int],
) -> None:
    """Record further entries, before which the agents `known` had a presence."""
    for judged in judged_entries(entries, presence, known):
        _take(builder, judged, respelled)


def judged_events(state: State) -> Iterator[JudgedEntry]:
    """Judge the lifecycle events of a state again."""
    events = lifecycle_entries(state.entries, state.ended_at)
    return judged_entries(events, state.first_presence, tuple(state.agents))


def _take(builder: SegmentBuilder, judged: JudgedEntry, respelled: Collection[int]) -> None:
    """Let the builder know what an entry changes. After END it changes nothing."""
    entry = judged.entry
    if judged.before.phase is Phase.ENDED:
        return
    if entry.kind in MESSAGES:
        _count(builder, judged)
        return
    if judged.is_repeat:
        builder.flag(entry.agent, "SG601")
    else:
        _record(builder, judged)
    if entry.position in respelled:
        builder.flag(entry.agent, "SG206")


def _record(builder: SegmentBuilder, judged: JudgedEntry) -> None:
    """Let the agent of a lifecycle event come or go."""
    entry, before, after, decision, _, names = judged
    move = Move.between(before, after, decision, entry.agent, names)
    builder.record(move, _event(entry), entry.position, entry.received_at)
    if move.code is not None and entry.agent:
        builder.flag(entry.agent, move.code)


def _event(entry: Entry) -> Event:
    if entry.details is None:
        return Event(entry.kind, entry.agent, "", {}, "")
    details = entry.details
    value = {"participant": details.participant, "language": details.language}
    return Event(entry.kind, entry.agent, details.experience, value, "")


def _count(builder: SegmentBuilder, judged: JudgedEntry) -> None:
    """Count a run of messages for the segment that it belongs to."""
    entry, presence, names = judged.entry, judged.before, judged.names
    builder.messages += entry.count
    builder.dialogue.is_whole &= not entry.is_counted
    primary = None
    if presence.primary is not None:
        primary = "" if presence.primary == UNNAMED else names[presence.primary]
    consultants = tuple([names[number] for number in presence.consultants])
    first = EventTime(entry.position, entry.received_at)
    builder.message(entry.kind, entry.agent, primary, consultants, first, count=entry.count)
    if judged.code is not None:
        builder.flag(entry.agent, judged.code)
