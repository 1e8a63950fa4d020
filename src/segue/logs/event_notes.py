"""Notes of what deliveries say, made of their events and times only.

The accelerator keeps events and times, so it can give such notes without the reference.
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
"""What is kept of an event, its kind first."""
DeliveryNote: TypeAlias = tuple[int | None, tuple[EventNote, ...]]
"""The minute since 1970 in which a delivery came, or None, and its events."""

_USER, _AGENT = EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE
_MINUTE: Final = 60_000_000
"""In microseconds."""
_MOST_KNOWN: Final = 1 << 14
_LEFT_OUT: Final[EventNote] = ()


class EventNotes:
    """Keeps the minute of a delivery and a note of each event; of messages only if they are odd.

    It is a `NoteOf`.  Messages are most deliveries: nothing is kept of one without a finding.
    Equal notes are one object, for a log has far fewer of them than events; one replay uses it, so
    that it keeps no value for longer than the replay does.
    """

    def __init__(self, of_event: Callable[[Event], EventNote]) -> None:
        """Begin without any note.

        `of_event` looks at nothing but the event; picklable if several processes read.
        """
        self.of_event = of_event
        self._known: dict[EventNote, tuple[EventNote]] = {}

    def __reduce__(self) -> tuple[type["EventNotes"], tuple[Callable[[Event], EventNote]]]:
        """Begin anew in another process."""
        return EventNotes, (self.of_event,)

    def __call__(self, delivery: Delivery, found: Sequence[object]) -> DeliveryNote | None:
        """Return what is kept of a delivery."""
        events = delivery.events
        if len(events) == 1:  # as most have
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
        """Return a note alone, as it was returned before if it was."""
        known = self._known.get(note)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[note] = (note,)
        return known


class KnownNotes(dict[int, EventNote]):
    """The note of an event by what the accelerator says of it; made when it is first asked for.

    It is empty for a message that is alone in its delivery.
    """

    __slots__ = ("_note_of", "accelerator")

    def __init__(self, note_of: Callable[[Event], EventNote], accelerator: Accelerator) -> None:
        """Begin without any, for conversations that this accelerator has kept."""
        super().__init__()
        self._note_of, self.accelerator = note_of, accelerator

    def __missing__(self, said: int) -> EventNote:
        """Make the note of an event, and remember it."""
        text, index, size = said_in(said)
        event = self.accelerator.event_of(text, index).event
        is_alone = events_in(size) == 1
        note = _LEFT_OUT if is_alone and event.kind in (_USER, _AGENT) else self._note_of(event)
        self[said] = note
        return note


class KeptNotes(Sequence[Note]):
    """The notes of the deliveries that the accelerator has kept of a conversation."""

    def __init__(self, kept: KeptConversation, known: KnownNotes, sources: Sequence[str]) -> None:
        """Make them when they are asked for; `sources` are the logs that they may be of."""
        self.kept, self.known, self.sources = kept, known, sources

    def __reduce__(self) -> tuple[type[list[Note]], tuple[list[Note]]]:
        """Be a list in another process, which cannot ask the accelerator."""
        return list, (self._notes,)

    @property
    def is_of_one_log(self) -> bool:
        """Whether all of them are of the first of the logs."""
        return len(self.sources) == 1

    def __len__(self) -> int:
        """Return of how many deliveries something was kept."""
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
            if not noted[number] or not size:  # left out, or noted with the first of its delivery
                continue
            minute = None if at == NO_TIME else at // _MINUTE
            notes = tuple(noted[number : number + events_in(size)])
            position = actions if index == ACTION else number - actions
            actions += index == ACTION
            found.append((position, self.sources[line >> LOG_SHIFT], (minute, notes)))
        return found
