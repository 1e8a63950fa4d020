"""Deliveries that overtook each other: which of them wait for others, and which is applied next.

A delivery that would give an error of families 1 or 2 is held, and so is END_OF_CONVERSATION,
whatever it would give.  After each delivery that is applied, the held ones of its conversation are
tried again in order of arrival; at its deadline a held one is applied whatever it gives.  Callers
keep the held deliveries, and have the clock.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Final, NamedTuple, Protocol, TypeVar

from segue.core.engine.applying import MACHINES
from segue.core.engine.machine import ApplyResult
from segue.core.engine.state import State
from segue.core.events import Delivery, EventKind

MOST_HELD: Final = 128
"""So many deliveries of a conversation are held; what comes beyond them is applied at once."""


class HeldDelivery(Protocol):
    """A delivery that waits for others, as its caller keeps it."""

    @property
    def delivery(self) -> Delivery:
        """What was sent."""

    @property
    def deadline(self) -> datetime:
        """When it is applied at the latest."""


HeldT = TypeVar("HeldT", bound=HeldDelivery)


def deadline_of(at: datetime, patience: timedelta) -> datetime:
    """Return until when a delivery waits that came at a time."""
    try:
        return at + patience
    except OverflowError:  # within the patience of the end of the calendar
        return datetime.max.replace(tzinfo=at.tzinfo)


class Outlook(NamedTuple):
    """What applying a delivery now would come to."""

    codes: tuple[str, ...]
    """Of the errors of families 1 and 2 that it would give."""
    must_wait: bool
    """Whether it is held rather than applied."""


def foresee(state: State, delivery: Delivery) -> Outlook:
    """Return what applying a delivery now would come to; the state stays as it is."""
    codes = MACHINES[delivery.intake.machine].foresee(state, delivery)
    is_end = any(event.kind is EventKind.END for event in delivery.events)
    return Outlook(codes, bool(codes) or is_end)


def next_to_apply(
    state: State, held: Sequence[HeldT], now: datetime | None
) -> tuple[HeldT, Outlook] | None:
    """Return the held delivery that is applied next, or None if all of them have to wait.

    That is the first that need not wait any more, or else the first whose deadline has come; with
    None for `now` every deadline has. `held` is in order of arrival.
    """
    outlooks = [(each, foresee(state, each.delivery)) for each in held]
    fitting = (found for found in outlooks if not found[1].must_wait)
    due = (found for found in outlooks if now is None or found[0].deadline <= now)
    return next(chain(fitting, due), None)


def apply_held(state: State, delivery: Delivery, *, enforce: bool = False) -> ApplyResult:
    """Apply a delivery that was held, at the time of the delivery before it if that is later."""
    at, latest = delivery.received_at, state.latest
    if at is not None and latest is not None and latest > at:
        delivery.received_at = latest
    return MACHINES[delivery.intake.machine].apply(state, delivery, enforce=enforce)
