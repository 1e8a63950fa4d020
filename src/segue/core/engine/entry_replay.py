"""Segments from entries: each entry is judged, and what it changes goes to the builder."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from segue.core.engine.entries import Entry, entries_in, lifecycle_entries
from segue.core.engine.history import History, history_of
from segue.core.engine.state import State
from segue.core.events import Event, EventKind
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
        if kind is EventKind.UNPROCESSABLE:
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


def replay_history(history: History) -> SegmentBuilder:
    """Return the segments of a conversation as it was told, and what metrics need."""
    builder = replay_entries(
        entries_in(history),
        history.first_presence,
        is_closed=history.is_closed,
        is_cut=history.is_cut,
        is_whole=not history.unlisted,
        experience=history.experience,
        respelled=history.respelled,
    )
    times = iter(history.shared_times)
    for first, size, is_clamped in zip(times, times, times, strict=True):
        builder.share_time(first, size, is_clamped)
    builder.messages = history.messages
    return builder


def replay_entries(
    entries: Iterable[Entry],
    start: Presence = _WAITING,
    *,
    is_closed: bool = False,
    is_cut: bool = False,
    is_whole: bool = True,
    experience: str = "",
    respelled: Collection[int] = (),
) -> SegmentBuilder:
    """Return the segments of a conversation, and what metrics need.

    Args:
        entries: The past of the conversation. Their positions are the order of events.
        start: The presence before the first entry.
        is_closed: Whether the log is over.
        is_cut: Whether the end of the log is cut off.
        is_whole: Whether the entries contain all messages.
        experience: `chat` or `voice`, or an empty string if it is unknown.
        respelled: The positions of the entries with another letter case of their agent (SG206).

    """
    builder = SegmentBuilder(experience=experience)
    builder.dialogue.is_whole = is_whole
    presence, names = start, list[str]()
    for judged in judged_entries(entries, start):
        presence, names = judged.after, judged.names
        _take(builder, judged, respelled)
    if is_closed and presence.phase is not Phase.ENDED:
        _, closing = transition(presence, EventKind.CLOSE, None)
        builder.close(Move.between(presence, presence, closing, "", names), partial_end=is_cut)
    return builder


def record_history(
    builder: SegmentBuilder, history: History, presence: Presence, known: Sequence[str]
) -> None:
    """Record a later part of a history, which begins with a presence of the agents `known`."""
    builder.dialogue.is_whole &= not history.unlisted
    for judged in judged_entries(entries_in(history), presence, known):
        _take(builder, judged, history.respelled)


def judged_events(state: State) -> Iterator[JudgedEntry]:
    """Judge the lifecycle events of a state again."""
    events = lifecycle_entries(history_of(state))
    return judged_entries(events, state.first_presence, tuple(state.agents))


def presences_of(state: State) -> Iterator[Presence]:
    """Yield the presence before the first lifecycle event, and after each."""
    yield state.first_presence
    for judged in judged_events(state):
        yield judged.after


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
    participant, language, experience = entry.details
    value = {"participant": participant, "language": language}
    return Event(entry.kind, entry.agent, experience, value, "")


def _count(builder: SegmentBuilder, judged: JudgedEntry) -> None:
    """Count a run of messages for the segment that it belongs to."""
    entry, presence, names = judged.entry, judged.before, judged.names
    builder.messages += entry.count
    primary = None
    if presence.primary is not None:
        primary = "" if presence.primary == UNNAMED else names[presence.primary]
    consultants = tuple([names[number] for number in presence.consultants])
    first = EventTime(entry.position, entry.received_at)
    builder.message(entry.kind, entry.agent, primary, consultants, first, count=entry.count)
    if judged.code is not None:
        builder.flag(entry.agent, judged.code)
