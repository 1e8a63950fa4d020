"""A replayer that holds deliveries that are out of order, to apply them after later lines.

The current time is the time of the line being read. A held delivery is applied at the latest when
the time of a line reaches the delivery's deadline. A line without a time has the time of the line
before it. Until the first line with a time, no delivery is held.
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
    """A delivery that waits for deliveries that should have preceded it."""

    delivery: Delivery
    deadline: datetime
    codes: tuple[str, ...]
    """The codes of the findings that the delivery would have given when it was received."""
    log: int
    """The number of the log that contains the delivery."""


class ReorderingReplayer(Replayer):
    """A replayer that tolerates deliveries in the wrong order.

    It holds a delivery that arrives too early, for a limited time, until the missing deliveries
    have been applied. `segue.core.engine.reordering` decides which deliveries to hold.
    """

    def __init__(
        self, options: ReplayOptions, patience: timedelta, on_delivery: OnDelivery | None = None
    ) -> None:
        super().__init__(options, on_delivery)
        self._patience = patience
        self._held: dict[str, list[HeldLine]] = {}
        self._deadlines: list[tuple[datetime, str]] = []
        """A heap of `(deadline, conversation key)`. It may contain deliveries already applied."""
        self._now: datetime | None = None

    def close(self) -> Iterator[Report]:
        """Apply the held deliveries, end the log, and yield all reports that are still due."""
        yield from self._apply_all()
        yield from super().close()

    def interrupt(self) -> Iterator[Report]:
        """Apply the held deliveries, and yield reports of the conversations read so far."""
        yield from self._apply_all()
        yield from super().interrupt()

    def _apply_batch(self, deliveries: Sequence[Delivery | None]) -> Iterator[tuple[int, Report]]:
        for delivery in deliveries:
            if delivery is not None:
                for report in self._apply_in_time(delivery):
                    yield delivery.line or 0, report
                for report in self._due():
                    yield delivery.line or 0, report

    def _apply_in_time(self, delivery: Delivery) -> Iterator[Report]:
        """Apply or hold a delivery, and yield the reports of conversations that end.

        Held deliveries whose deadlines have passed are applied first. Those that `delivery` makes
        valid are applied after it.
        """
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
        """Hold a delivery if it arrives too early. Return whether it is held."""
        identity = self._reader.key_of(delivery)
        if identity is None:
            return False
        state = self._open.get(identity)
        if state is None:
            if self._has_ended(identity):
                return False
            state = self._open[identity] = self._begin(delivery)
        codes, must_wait = foresee(state, delivery)
        held = self._held.get(identity, [])
        if not must_wait or len(held) >= MOST_HELD or is_known(state, delivery):
            return False
        note_id(state, delivery)
        deadline = deadline_of(now, self._patience)
        self._held[identity] = [*held, HeldLine(delivery, deadline, codes, self._log)]
        heappush(self._deadlines, (deadline, identity))
        return True

    def _settle(self, identity: str, now: datetime | None) -> Iterator[Report]:
        """Apply the held deliveries of a conversation that are now valid or overdue.

        Yield the conversation's report if it ends.
        """
        held = self._held.get(identity, [])
        while held and (found := self._next(identity, held, now)) is not None:
            line, codes = found
            held.remove(line)
            self.healed += bool(line.codes) and not codes
            log = self._log
            self._go_on_in(line.log, identity)
            [note] = self._notes_on([line.delivery])
            report = self._apply(line.delivery, note, apply_held)
            if report is not None:
                yield report
            self._go_on_in(log, identity)
        if not held:
            self._held.pop(identity, None)

    def _next(
        self, identity: str, held: list[HeldLine], now: datetime | None
    ) -> tuple[HeldLine, tuple[str, ...]] | None:
        """Select the held delivery to apply next.

        Return it with the codes of the findings that it will give, or None if all must wait.
        """
        state = self._open.get(identity)
        if state is None:  # it has ended, so the order no longer matters
            return held[0], held[0].codes
        found = next_to_apply(state, held, now)
        return found and (found[0], found[1].codes)

    def _apply_all(self) -> Iterator[Report]:
        for identity in list(self._held):
            yield from self._settle(identity, None)
