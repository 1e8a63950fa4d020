"""Notes of deliveries that are computed from the deliveries' events and times only.

The accelerator stores events and times. Such notes can therefore be made without decoding the
deliveries again in Python.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias, overload

from segue.core.conversation import Note
from segue.core.events import Delivery, Event, EventKind
from segue.core.findings import split_line
from segue.logs.native import (
    ACTION,
    NO_TIME,
    Accelerator,
    KeptConversation,
    columns_of,
    events_in,
    said_in,
)

EventNote: TypeAlias = tuple[str, ...]
"""The note of an event: a tuple of strings. The first string is the kind of the event."""
DeliveryNote: TypeAlias = tuple[int | None, tuple[EventNote, ...]]
"""The note of a delivery: the minute in which it was received, and the notes of its events.

The minute is counted from 1970. It is None if the time is unknown.
"""

_USER, _AGENT = EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE
_MINUTE: Final = 60_000_000
"""Microseconds in a minute."""
_MOST_KNOWN: Final = 1 << 14
_LEFT_OUT: Final[EventNote] = ()


class EventNotes:
    """A function for the option `note` of `replay`, which annotates deliveries event by event.

    The replay stores the results (the notes) in `Report.notes`. A delivery with a single message
    gets a note only if it has a finding, because most deliveries are messages. An instance caches
    notes so that equal notes share one object. Use it for one replay only.
    """

    def __init__(self, of_event: Callable[[Event], EventNote]) -> None:
        """Create the function from one that annotates a single event.

        Args:
            of_event: A function that returns the note of an event. The note must depend on the
                event only. The function must be picklable if several processes read the log.

        """
        self.of_event = of_event
        self._known: dict[EventNote, tuple[EventNote]] = {}

    def __reduce__(self) -> tuple[type["EventNotes"], tuple[Callable[[Event], EventNote]]]:
        """Pickle the instance without its cached notes."""
        return EventNotes, (self.of_event,)

    def __call__(self, delivery: Delivery, found: Sequence[object]) -> DeliveryNote | None:
        """Return the note of a delivery, or None for a single message without findings."""
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
        """Return `(note,)`, as the same tuple object for equal notes."""
        known = self._known.get(note)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[note] = (note,)
        return known


class KnownNotes(dict[int, EventNote]):
    """A cache of the notes of events that the native accelerator has read.

    The keys are the numbers by which the accelerator identifies equal events. A note is computed on
    first access. It is an empty tuple for a message that is the only event of its delivery.
    """

    __slots__ = ("_note_of", "accelerator")

    def __init__(self, note_of: Callable[[Event], EventNote], accelerator: Accelerator) -> None:
        """Create an empty cache for the events that `accelerator` reads."""
        super().__init__()
        self._note_of, self.accelerator = note_of, accelerator

    def __missing__(self, said: int) -> EventNote:
        """Compute and cache the note of the event that the accelerator numbered `said`."""
        text, index, size = said_in(said)
        event = self.accelerator.event_of(text, index).event
        is_alone = events_in(size) == 1
        note = _LEFT_OUT if is_alone and event.kind in (_USER, _AGENT) else self._note_of(event)
        self[said] = note
        return note


class KeptNotes(Sequence[Note]):
    """The notes of one conversation that the native accelerator has read.

    The notes are computed on first access.
    """

    def __init__(
        self, kept: KeptConversation, known: KnownNotes, sources: Mapping[int, str]
    ) -> None:
        """Create the sequence without computing any notes.

        Args:
            kept: The conversation, as the accelerator stores it.
            known: The notes of single events.
            sources: The names of the logs that were read, by number.

        """
        self.kept, self.known, self.sources = kept, known, sources

    def __reduce__(self) -> tuple[type[list[Note]], tuple[list[Note]]]:
        """Pickle the notes as a list, because other processes have no access to the accelerator."""
        return list, (self._notes,)

    @property
    def is_of_one_log(self) -> bool:
        """Whether the replay reads a single log, which then contains all deliveries."""
        return len(self.sources) == 1

    def __len__(self) -> int:
        """Return the number of deliveries that have a note."""
        return len(self._notes)

    @overload
    def __getitem__(self, index: int) -> Note: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Note]: ...
    def __getitem__(self, index: int | slice) -> Note | Sequence[Note]:
        """Return the `(position, name of the log, note)` at an index.

        The position is the number of events, or of actions, that precede the delivery.
        """
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
            found.append((position, self.sources[split_line(line)[0]], (minute, notes)))
        return found
