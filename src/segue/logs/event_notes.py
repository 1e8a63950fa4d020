"""Notes of what deliveries say, made of their events and times only.

The accelerator keeps events and times, so it can give such notes without the reference.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from segue.events import Delivery, Event, EventKind
from segue.native import ACTION, NO_TIME, KeptConversation, events_in

EventNote: TypeAlias = tuple[str, ...]
"""What is kept of an event, its kind first."""
DeliveryNote: TypeAlias = tuple[int | None, tuple[EventNote, ...]]
"""The minute since 1970 in which a delivery came, or None, and its events."""
KnownNotes: TypeAlias = dict[int, tuple[EventNote, bool]]
"""Notes of the texts that the accelerator keeps, and whether they are of usual messages."""

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
        self, kept: KeptConversation, known: KnownNotes
    ) -> Iterator[tuple[int, int, DeliveryNote]]:
        """Yield position, line and note of each delivery that the accelerator has kept.

        `known` is of that accelerator, and is added to.
        """
        events = actions = 0
        rows = kept.rows()
        for at, line, text, _, index, size in rows:
            is_action = index == ACTION
            position = actions if is_action else events
            found = self._known(kept, text << 8 | index, known)
            notes: tuple[EventNote, ...] = (found[0],)
            is_usual = found[1]
            if events_in(size) > 1:
                others = [row[2] << 8 | row[4] for row in islice(rows, events_in(size) - 1)]
                notes += tuple([self._known(kept, key, known)[0] for key in others])
                is_usual = False
            if is_action:
                actions += len(notes)
            else:
                events += len(notes)
            if not is_usual:
                yield position, line, (None if at == NO_TIME else at // _MINUTE, notes)

    def _known(self, kept: KeptConversation, key: int, known: KnownNotes) -> tuple[EventNote, bool]:
        found = known.get(key)
        if found is None:
            event = kept.event_of(*divmod(key, 256)).event
            found = known[key] = self.of_event(event), event.kind in (_USER, _AGENT)
        return found
