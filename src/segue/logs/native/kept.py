"""What the library keeps of a conversation: all that was sent, to be read again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import islice
from struct import Struct
from typing import Final, NamedTuple

from segue.core.engine import EventDetails, State
from segue.core.epoch import time_at
from segue.core.events import HOOKS, INTAKES, Delivery, Event, Intake

RECORD: Final = Struct("<2qIhBB")
"""Microseconds since 1970, line, number of the text, offset of the time in minutes, number in
`events`, and how many events the delivery has, with `_HAS_ID`; 0 for all but its first."""
ACTION: Final = 254
"""Stands for a number in `events`: the body itself is an action, or with one more a message."""
_HAS_ID: Final = 1 << 7
NO_TIME: Final = -(1 << 63)
_RECEIPT: Final = Struct("<I12sB")
"""Size of all that follows, fingerprint, number of the intake; its id stands behind it."""
_SIZE: Final = Struct("<I")
_INTAKES: Final = tuple(INTAKES.values())


class KeptEvent(NamedTuple):
    """An event, and what it says of its agent."""

    event: Event
    details: EventDetails | None
    """None for an action or a message."""


class KeptDelivery(NamedTuple):
    """What is kept of a delivery that had an id."""

    intake: Intake
    delivery_id: str
    fingerprint: str


@dataclass(frozen=True, slots=True, eq=False)
class KeptConversation:
    """What the library kept of a conversation in which nothing was wrong so far."""

    key: str
    """What identifies it in its log."""
    conversation_id: str
    bot_id: str
    agents: tuple[str, ...]
    """The agents whom lifecycle events have named, in order of appearance."""
    example: State
    """Another conversation that stands where this one stands; not to be changed."""
    receipts: tuple[KeptDelivery, ...]
    """Of the deliveries that had an id, in order."""
    exported: bytes
    """As the library has written it."""
    sizes: tuple[int, int]
    """How many events and actions there were."""
    _records: slice
    """Where in it the records are."""
    event_of: Callable[[int, int], KeptEvent]
    """Returns the event of a text and a number in `events`."""

    @property
    def records(self) -> bytes:
        """What was sent: see `RECORD`."""
        return self.exported[self._records]

    @property
    def last_size(self) -> int:
        """How many events the last delivery has."""
        at = self._records.stop - 1
        while not self.exported[at]:
            at -= RECORD.size
        return events_in(self.exported[at])

    def rows(self) -> Iterator[tuple[int, int, int, int, int, int]]:
        """Return the records, unpacked."""
        return RECORD.iter_unpack(self.records)

    def deliveries(self) -> Iterator[Delivery]:
        """Yield all that was sent, as the reader would have it, but for the bodies."""
        records, receipts = self.rows(), iter(self.receipts)
        for at, line, text, offset, index, size in records:
            events = [self.event_of(text, index).event]
            for _, _, other, _, number, _ in islice(records, events_in(size) - 1):
                events.append(self.event_of(other, number).event)
            receipt = next(receipts) if size & _HAS_ID else None
            yield Delivery(
                self.conversation_id,
                self.bot_id,
                tuple(events),
                delivery_id=receipt and receipt.delivery_id,
                received_at=time_of(at, offset),
                line=line,
                intake=INTAKES["transcription"] if index == ACTION else HOOKS,
                known_fingerprint=receipt and receipt.fingerprint,
            )


def columns_of(records: bytes) -> tuple[list[int], list[int], list[int]]:
    """Return of records the times, the lines, and all else, which `said_in` takes apart.

    The same event said in the same way has the same number in all of a log.
    """
    numbers = memoryview(records).cast("q")
    return numbers[::3].tolist(), numbers[1::3].tolist(), numbers[2::3].tolist()


def said_in(said: int) -> tuple[int, int, int]:
    """Return the number of the text, the number in `events`, and the size."""
    return said & 0xFFFF_FFFF, said >> 48 & 255, said >> 56 & 255


def receipts_of(packed: bytes) -> Iterator[KeptDelivery]:
    """Yield the receipts that the library exported."""
    at = 0
    while at < len(packed):
        size, digest, intake = _RECEIPT.unpack_from(packed, at)
        begin, at = at + _RECEIPT.size, at + _SIZE.size + size
        yield KeptDelivery(_INTAKES[intake], packed[begin:at].decode(), digest.hex())


def events_in(size: int) -> int:
    """Return how many events a delivery has whose first record has this size."""
    return size & ~_HAS_ID


def time_of(at: int, offset: int) -> datetime | None:
    """Return the time of a record; None if it has none."""
    if at == NO_TIME:
        return None
    when = time_at(at)
    return when.astimezone(_zone(offset)) if offset else when


@cache
def _zone(offset: int) -> timezone:
    return timezone(timedelta(minutes=offset))
