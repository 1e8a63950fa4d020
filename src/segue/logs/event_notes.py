"""Notes of what deliveries say, made of their events and times only.

The accelerator keeps events and times, so it can give such notes without the reference.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from segue.events import Delivery, Event, EventKind
from segue.findings import Finding
from segue.native import ACTION, KeptConversation

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

    def __call__(self, delivery: Delivery, found: Sequence[Finding]) -> DeliveryNote | None:
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
        positions = {False: 0, True: 0}
        for at, line, events in kept.sent():
            notes = [known.get(key) or self._learn(kept, key, known) for key in events]
            is_action = events[0] & 255 == ACTION
            position = positions[is_action]
            positions[is_action] += len(events)
            if len(notes) > 1 or not notes[0][1]:
                minute = None if at is None else at // _MINUTE
                yield position, line, (minute, tuple([note for note, _ in notes]))

    def _learn(self, kept: KeptConversation, key: int, known: KnownNotes) -> tuple[EventNote, bool]:
        event = kept.event_of(*divmod(key, 256)).event
        known[key] = self.of_event(event), event.kind in (_USER, _AGENT)
        return known[key]
