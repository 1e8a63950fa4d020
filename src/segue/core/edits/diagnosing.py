"""What happened to a conversation with errors, in one line: its smallest repair, in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from segue.core.edits.cheapest import search_briefly
from segue.core.edits.costs import PRICES, EditKind
from segue.core.edits.single import SingleEdit, rearranged, single_edits
from segue.core.edits.stream import UNKNOWN_AGENT, EditableEvent
from segue.core.edits.walk import Walk
from segue.core.engine import Partial
from segue.core.events import EventKind, quoted
from segue.core.lifecycle import MESSAGES

_ALTERNATIVES: Final = 3
_COMPARED: Final = 50
"""How many single edits are compared; the cheapest come first."""
_NOTE: Final = 2
"""What a note that an edit leaves counts, beside its cost: a legal oddity is less likely."""
_UNKNOWN: Final = "several mistakes (the search for the smallest repair ended before it was found)"


@dataclass(frozen=True, slots=True)
class StoredStream:
    """The events of a conversation as its history has them, without their values."""

    events: tuple[EditableEvent, ...]
    positions: tuple[int, ...]
    """The position of each event in the conversation."""
    partial: Partial = None
    warned: frozenset[str] = frozenset()
    has_more: bool = False
    """Whether more events came after END than are kept, so that no edit of these is enough."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Every agent that is named."""
        named = dict.fromkeys(each.agent for each in self.events if each.agent)
        return tuple(named) or (UNKNOWN_AGENT,)


def diagnose(stream: StoredStream) -> tuple[tuple[str, ...], SingleEdit | None]:
    """Return what happened, and the likeliest edit if any single one explains it.

    Up to three edits explain it, the likeliest first. If no single edit does, the edits that do are
    one line. If the search for them ends before they are found, it says so.
    """
    if stream.has_more:
        kinds = [event.kind for event in stream.events]
        end = kinds.index(EventKind.END)
        late, position = len(kinds) - end - 1, stream.positions[end]
        return (
            f"more than {late} events came after {EventKind.END.value} (event {position})",
        ), None
    chosen, is_complete = alternatives(stream)
    if chosen:
        return tuple([_said(stream, each) for each in chosen]), chosen[0]
    solution = search_briefly(stream, _no_value) if is_complete else None
    if solution is None:
        return (_UNKNOWN,), None
    edits = [
        SingleEdit(PRICES[edit], edit, each.origin, each.at, each.kind, each.agent)
        for each in solution.events
        for edit in each.edits
    ]
    return ("; ".join(_said(stream, each) for each in edits),), None


def diagnose_late(stream: StoredStream) -> tuple[str, ...]:
    """Return what happened in one line, given only what came after END_OF_CONVERSATION."""
    late = [
        (event, position)
        for event, position in zip(stream.events, stream.positions, strict=True)
        if event.kind is not EventKind.UNPROCESSABLE
    ]
    deliveries = groupby(late, key=lambda each: each[0].delivery)
    return ("; ".join(_said_late([*group]) for _, group in deliveries),)


def _said_late(delivery: Sequence[tuple[EditableEvent, int]]) -> str:
    (event, first), (_, last) = delivery[0], delivery[-1]
    if first != last:
        return f"a delivery came after {EventKind.END.value} (events {first} to {last})"
    if event.kind is EventKind.END:
        return f"{event.kind.value} is one too many (event {first})"
    named = "a message" if event.kind in MESSAGES else _named(event.kind, event.agent)
    return f"{named} came after {EventKind.END.value} (event {first})"


def _no_value(position: int | None, kind: EventKind, agent: str) -> object:
    """Stand for values that are not stored: they tell repetitions, which a stored stream lacks."""
    raise NotImplementedError


def alternatives(stream: StoredStream) -> tuple[list[SingleEdit], bool]:
    """Return the single edits to show, and whether all were looked at.

    No two come to the same conversation or are said in the same words.
    """
    found, is_complete = single_edits(stream, _no_value)
    results: dict[tuple[tuple[EventKind, str], ...], SingleEdit] = {}
    for each in found[:_COMPARED]:
        results.setdefault(edited(stream, each), each)
    walk = Walk(stream.agents, stream.partial)
    likely = sorted(results, key=lambda events: results[events].cost + _NOTE * _notes(walk, events))
    said: dict[str, SingleEdit] = {}
    for each in map(results.__getitem__, likely):
        said.setdefault(_said(stream, each).partition(" (")[0], each)
    return list(said.values())[:_ALTERNATIVES], is_complete


def _notes(walk: Walk, events: Iterable[tuple[EventKind, str]]) -> int:
    """Return how many notes there are about events without errors."""
    place, notes = walk.start, 0
    for kind, agent in events:
        if kind is not EventKind.UNPROCESSABLE:
            step = walk.step(place, kind, agent)
            place, notes = step.place, notes + (step.code is not None)
    return notes


def edited(stream: StoredStream, edit: SingleEdit) -> tuple[tuple[EventKind, str], ...]:
    """Return the conversation after an edit, without its messages."""
    events = [(event.kind, event.agent) for event in stream.events]
    after = rearranged(events, edit, (edit.kind, edit.agent))
    return tuple(event for event in after if event[0] not in MESSAGES)


def _said(stream: StoredStream, edit: SingleEdit) -> str:
    after = _named(edit.kind, edit.agent)
    if edit.origin is None:
        at_end = edit.to == len(stream.events)
        where = "at the end" if at_end else f"before event {stream.positions[edit.to]}"
        return f"{after} was lost ({where})"
    event, position = stream.events[edit.origin], stream.positions[edit.origin]
    if event.kind is EventKind.UNPROCESSABLE:
        return f"{after} cannot be read (event {position})"
    before = _named(event.kind, event.agent)
    if edit.edit is EditKind.MOVE:
        return _moved(stream, edit, before)
    article = "an" if edit.kind.value[0] == "N" else "a"
    words = {
        EditKind.RETYPE: f"was {article} {edit.kind.value}",
        EditKind.REIDENTIFY: f"was that of {quoted(edit.agent)}",
        EditKind.DELETE: "is one too many",
    }
    return f"{before} {words[edit.edit]} (event {position})"


def _moved(stream: StoredStream, edit: SingleEdit, named: str) -> str:
    index = edit.origin or 0
    where = f"event {stream.positions[index]}"
    if edit.size > 1:
        where = f"events {stream.positions[index]} to {stream.positions[index + edit.size - 1]}"
        named = "a delivery"
    passed = stream.events[index + edit.size : edit.to]
    if passed and all(event.kind in MESSAGES for event in passed):
        return f"a message came after {named} (event {stream.positions[index + 1]})"
    if edit.to > index:
        return f"{named} came too early ({where}, due after event {stream.positions[edit.to - 1]})"
    if any(event.kind is EventKind.END for event in stream.events[edit.to : index]):
        return f"{named} came after {EventKind.END.value} ({where})"
    return f"{named} came too late ({where}, due before event {stream.positions[edit.to]})"


def _named(kind: EventKind, agent: str) -> str:
    return f"the {kind.value} of {quoted(agent)}" if kind.transfer_type else kind.value
