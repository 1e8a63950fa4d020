"""Segments from entries: each entry is judged, and what it changes goes to the builder."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from segue.core.engine.entries import Entry
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


def judged_entries(entries: Iterable[Entry], start: Presence = _WAITING) -> Iterator[JudgedEntry]:
    """Judge entries in order, beginning with a presence in which nobody is named."""
    names: list[str] = []
    numbers: dict[str, int] = {}
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


def replay_entries(
    entries: Iterable[Entry],
    start: Presence = _WAITING,
    *,
    is_closed: bool = False,
    is_cut: bool = False,
    is_whole: bool = True,
    experience: str = "",
) -> SegmentBuilder:
    """Return the segments of a conversation, and what metrics need.

    Args:
        entries: The past of the conversation. Their positions are the order of events.
        start: The presence before the first entry.
        is_closed: Whether the log is over.
        is_cut: Whether the end of the log is cut off.
        is_whole: Whether the entries contain all messages.
        experience: `chat` or `voice`, or an empty string if it is unknown.

    """
    builder = SegmentBuilder(experience=experience)
    builder.dialogue.is_whole = is_whole
    presence, names = start, list[str]()
    for judged in judged_entries(entries, start):
        presence, names = judged.after, judged.names
        if judged.before.phase is Phase.ENDED:
            break
        if judged.entry.kind in MESSAGES:
            _count(builder, judged)
        elif judged.is_repeat:
            builder.flag(judged.entry.agent, "SG601")
        else:
            _record(builder, judged)
    if is_closed and presence.phase is not Phase.ENDED:
        _, closing = transition(presence, EventKind.CLOSE, None)
        builder.close(Move.between(presence, presence, closing, "", names), partial_end=is_cut)
    return builder


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
