"""A replayer that holds deliveries that are out of order, according to their times.

The current time is that of the line being read. A held delivery is applied as soon as a line is
later than its deadline. A line without a time has the time of the line before it. Until the first
line with a time, no delivery is held.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import heappop, heappush

from segue.core.conversation import Report
from segue.core.engine import is_known, note_id
from segue.core.engine.reordering import MOST_HELD, apply_held, deadline_of, foresee, next_to_apply
from segue.core.events import Delivery
from segue.logs.plan import OnDelivery, ReplayOptions
from segue.logs.replayer import Replayer


@dataclass(frozen=True, slots=True, eq=False)
class HeldLine:
    """A held delivery of a log."""

    delivery: Delivery
    deadline: datetime
    codes: tuple[str, ...]
    """The codes of the errors that it would have given when it was received."""
    source: str
    """The name of the log that it came from."""


class ReorderingReplayer(Replayer):
    """Holds deliveries that are out of order for a limited time.

    See `segue.core.engine.reordering`.
    """

    def __init__(
        self, options: ReplayOptions, patience: timedelta, on_delivery: OnDelivery | None = None
    ) -> None:
        super().__init__(options, on_delivery)
        self._patience = patience
        self._held: dict[str, list[HeldLine]] = {}
        self._deadlines: list[tuple[datetime, str]] = []
        """A heap of the deadlines of held deliveries. Some may have been applied since."""
        self._now: datetime | None = None

    def close(self) -> Iterator[Report]:
        """Apply the deliveries still held, then close the log."""
        yield from self._apply_all()
        yield from super().close()

    def interrupt(self) -> Iterator[Report]:
        """Apply the deliveries still held, then report open conversations."""
        yield from self._apply_all()
        yield from super().interrupt()

    def _apply_batch(self, deliveries: Sequence[Delivery | None]) -> Iterator[tuple[int, Report]]:
        for delivery in deliveries:
            if delivery is not None:
                for report in self._apply_in_time(delivery):
                    yield delivery.line or 0, report

    def _apply_in_time(self, delivery: Delivery) -> Iterator[Report]:
        """Apply deliveries that are due, then this one, then those that it allows to proceed."""
        now = self._now = delivery.received_at or self._now
        while now is not None and self._deadlines and self._deadlines[0][0] <= now:
            yield from self._settle(heappop(self._deadlines)[1], now)
        if now is not None and self._hold(delivery, now):
            return
        [note] = self._notes_on([delivery])
        report = self._apply(delivery, note)
        if report is not None:
            yield report
        identity = self._reader.key_of(delivery)
        if identity is not None:
            yield from self._settle(identity, now)

    def _hold(self, delivery: Delivery, now: datetime) -> bool:
        """Hold a delivery if it must wait. Return whether it is held."""
        identity = self._reader.key_of(delivery)
        if identity is None:
            return False
        state = self._open.get(identity)
        if state is None:
            if identity in self._ended:
                return False
            state = self._open[identity] = self._begin(delivery)
        codes, must_wait = foresee(state, delivery)
        held = self._held.get(identity, [])
        if not must_wait or len(held) >= MOST_HELD or is_known(state, delivery):
            return False
        note_id(state, delivery)
        deadline = deadline_of(now, self._patience)
        self._held[identity] = [*held, HeldLine(delivery, deadline, codes, self._source)]
        heappush(self._deadlines, (deadline, identity))
        return True

    def _settle(self, identity: str, now: datetime | None) -> Iterator[Report]:
        """Apply the held deliveries of a conversation that need not wait any longer."""
        held = self._held.get(identity, [])
        while held and (found := self._next(identity, held, now)) is not None:
            line, codes = found
            held.remove(line)
            self.healed += bool(line.codes) and not codes
            source, self._source = self._source, line.source
            self._go_on_in(line.source, identity)
            [note] = self._notes_on([line.delivery])
            report = self._apply(line.delivery, note, apply_held)
            if report is not None:
                yield report
            self._go_on_in(source, identity)
        if not held:
            self._held.pop(identity, None)

    def _next(
        self, identity: str, held: list[HeldLine], now: datetime | None
    ) -> tuple[HeldLine, tuple[str, ...]] | None:
        """Return the next delivery to apply, and the codes of the errors it gives."""
        state = self._open.get(identity)
        if state is None:  # it has ended, so the order no longer matters
            return held[0], held[0].codes
        found = next_to_apply(state, held, now)
        return found and (found[0], found[1].codes)

    def _apply_all(self) -> Iterator[Report]:
        for identity in list(self._held):
            yield from self._settle(identity, None)
