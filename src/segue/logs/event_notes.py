"""Notes of deliveries that depend only on their events and times.

The accelerator keeps events and times, so it can make such notes without the Python implementation.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, TypeAlias, overload

from segue.core.conversation import Note
from segue.core.events import Delivery, Event, EventKind
from segue.logs.native import (
    ACTION,
    NO_TIME,
    Accelerator,
    KeptConversation,
    columns_of,
    events_in,
    said_in,
)
from segue.logs.sorting import LOG_SHIFT

EventNote: TypeAlias = tuple[str, ...]
"""The note of an event. Its first element is the kind."""
DeliveryNote: TypeAlias = tuple[int | None, tuple[EventNote, ...]]
"""The minute since 1970 in which a delivery was received, or None, and the notes of its events."""

_USER, _AGENT = EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE
_MINUTE: Final = 60_000_000
"""Microseconds in a minute."""
_MOST_KNOWN: Final = 1 << 14
_LEFT_OUT: Final[EventNote] = ()


class EventNotes:
    """Makes notes of the minute of a delivery and of each of its events.

    It is a `NoteOf`. A message that is alone in its delivery has no note unless there is a finding,
    because most deliveries are messages. Equal notes are one object. An instance serves one replay,
    so that it keeps no values for longer.
    """

    def __init__(self, of_event: Callable[[Event], EventNote]) -> None:
        """Create the notes.

        `of_event` must depend on the event only. It must be picklable if several processes read.
        """
        self.of_event = of_event
        self._known: dict[EventNote, tuple[EventNote]] = {}

    def __reduce__(self) -> tuple[type["EventNotes"], tuple[Callable[[Event], EventNote]]]:
        """Pickle as a new instance without cached notes."""
        return EventNotes, (self.of_event,)

    def __call__(self, delivery: Delivery, found: Sequence[object]) -> DeliveryNote | None:
        """Return the note of a delivery, or None."""
        events = delivery.events
        if len(events) == 1:  # the usual case
            kind = events[0].kind
            if not found and (kind is _USER or kind is _AGENT):
                return None
            note = self.of_event(events[0])
            notes: tuple[EventNote, ...] = self._known.get(note) or self._one(note)
        else:
            notes = tuple([note for event in events for note in self._one(self.of_event(event))])
        at = delivery.received_at
        return None if at is None else int(at.timestamp() // 60), notes

    def _one(self, note: EventNote) -> tuple[EventNote]:
        """Return a note as a tuple of one, cached if it has occurred before."""
        known = self._known.get(note)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[note] = (note,)
        return known


class KnownNotes(dict[int, EventNote]):
    """The notes of events, by the number that the accelerator has for them, made on first use.

    The note of a message that is alone in its delivery is empty.
    """

    __slots__ = ("_note_of", "accelerator")

    def __init__(self, note_of: Callable[[Event], EventNote], accelerator: Accelerator) -> None:
        """Create an empty cache for conversations that this accelerator has kept."""
        super().__init__()
        self._note_of, self.accelerator = note_of, accelerator

    def __missing__(self, said: int) -> EventNote:
        """Make the note of an event and cache it."""
        text, index, size = said_in(said)
        event = self.accelerator.event_of(text, index).event
        is_alone = events_in(size) == 1
        note = _LEFT_OUT if is_alone and event.kind in (_USER, _AGENT) else self._note_of(event)
        self[said] = note
        return note


class KeptNotes(Sequence[Note]):
    """The notes of a conversation that the accelerator has kept, made on first use."""

    def __init__(self, kept: KeptConversation, known: KnownNotes, sources: Sequence[str]) -> None:
        """Create the sequence. `sources` are the logs that the deliveries may be in."""
        self.kept, self.known, self.sources = kept, known, sources

    def __reduce__(self) -> tuple[type[list[Note]], tuple[list[Note]]]:
        """Pickle as a list, because another process cannot ask the accelerator."""
        return list, (self._notes,)

    @property
    def is_of_one_log(self) -> bool:
        """Whether all deliveries are in the first of the logs."""
        return len(self.sources) == 1

    def __len__(self) -> int:
        """Return the number of deliveries with a note."""
        return len(self._notes)

    @overload
    def __getitem__(self, index: int) -> Note: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Note]: ...
    def __getitem__(self, index: int | slice) -> Note | Sequence[Note]:
        """Return the note of a delivery."""
        return self._notes[index]

    @cached_property
    def _notes(self) -> list[Note]:
        found: list[Note] = []
        actions = 0
        times, lines, said = columns_of(self.kept.records)
        noted = list(map(self.known.__getitem__, said))
        for number, (at, line, each) in enumerate(zip(times, lines, said, strict=True)):
            _, index, size = said_in(each)
            if not noted[number] or not size:  # no note, or part of the note of its delivery
                continue
            minute = None if at == NO_TIME else at // _MINUTE
            notes = tuple(noted[number : number + events_in(size)])
            position = actions if index == ACTION else number - actions
            actions += index == ACTION
            found.append((position, self.sources[line >> LOG_SHIFT], (minute, notes)))
        return found
