"""Notes of what deliveries say, made of their events and times only.

The accelerator keeps events and times, so it can give such notes without the reference.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from segue.conversation import Note
from segue.events import Delivery, Event, EventKind
from segue.logs.sorting import LOG_SHIFT
from segue.native import ACTION, NO_TIME, KeptConversation, events_in, said_in

EventNote: TypeAlias = tuple[str, ...]
"""What is kept of an event, its kind first."""
DeliveryNote: TypeAlias = tuple[int | None, tuple[EventNote, ...]]
"""The minute since 1970 in which a delivery came, or None, and its events."""
KnownNotes: TypeAlias = dict[int, tuple[tuple[EventNote], int, bool] | None]
"""Notes of what the accelerator keeps, the events of the delivery, and whether it is an action.

None stands for a message that is alone in its delivery.
"""

_USER, _AGENT = EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE
_MINUTE: Final = 60_000_000
"""In microseconds."""


@dataclass(frozen=True, slots=True)
class EventNotes:
    """Keeps the minute of a delivery and a note of each event; of messages only if they are odd.

    It is a `NoteOf`.  Messages are most deliveries: nothing is kept of one without a finding.
    """

    of_event: Callable[[Event], EventNote]
    """Looks at nothing but the event; picklable if several processes read."""

    def __call__(self, delivery: Delivery, found: Sequence[object]) -> DeliveryNote | None:
        """Return what is kept of a delivery."""
        events = delivery.events
        if len(events) == 1:  # as most have
            kind = events[0].kind
            if not found and (kind is _USER or kind is _AGENT):
                return None
            notes: tuple[EventNote, ...] = (self.of_event(events[0]),)
        else:
            notes = tuple([self.of_event(event) for event in events])
        at = delivery.received_at
        return None if at is None else int(at.timestamp() // 60), notes

    def of_kept(
        self, kept: KeptConversation, known: KnownNotes, sources: Sequence[str]
    ) -> list[Note]:
        """Return the notes of the deliveries that the accelerator has kept.

        `known` is of that accelerator, and is added to. `sources` are the logs that `kept` is of.
        """
        found: list[Note] = []
        events = actions = 0
        rows = kept.said()
        for at, line, said in rows:
            try:
                of_event = known[said]
            except KeyError:
                of_event = known[said] = self._known(kept, said)
            if of_event is None:
                events += 1
                continue
            notes: tuple[EventNote, ...]
            notes, size, is_action = of_event
            if size > 1:
                others = [self._note(kept, other) for _, _, other in islice(rows, size - 1)]
                notes = (*notes, *others)
            minute = None if at == NO_TIME else at // _MINUTE
            source = sources[line >> LOG_SHIFT]
            if is_action:
                found.append((actions, source, (minute, notes)))
                actions += size
            else:
                found.append((events, source, (minute, notes)))
                events += size
        return found

    def _known(
        self, kept: KeptConversation, said: int
    ) -> tuple[tuple[EventNote], int, bool] | None:
        text, index, size = said_in(said)
        event, number = kept.event_of(text, index).event, events_in(size)
        if number == 1 and event.kind in (_USER, _AGENT):
            return None
        return (self.of_event(event),), number, index == ACTION

    def _note(self, kept: KeptConversation, said: int) -> EventNote:
        text, index, _ = said_in(said)
        return self.of_event(kept.event_of(text, index).event)
