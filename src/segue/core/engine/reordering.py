"""Deliveries that arrive in the wrong order: which of them wait, and which is applied next.

A delivery that would cause an error or a warning of the rules SG1 or SG2 is held, and so is one
that has its own delivery id and would be reported as a repeat (SG601). END_OF_CONVERSATION is
always held. After each applied delivery, the held deliveries of its conversation are tried again in
order of arrival. At its deadline a held delivery is applied with the findings that it then causes.
The callers store the held deliveries and provide the time.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Final, NamedTuple, Protocol, TypeVar

from segue.core.engine.applying import MACHINES
from segue.core.engine.machine import ApplyResult
from segue.core.engine.state import State
from segue.core.events import Delivery, EventKind
from segue.core.findings import BY_CODE, Severity

MOST_HELD: Final = 128
"""The maximum number of held deliveries of a conversation. Further deliveries are applied at once.
"""


class HeldDelivery(Protocol):
    """A delivery that waits for others, in the form in which a caller stores it."""

    @property
    def delivery(self) -> Delivery:
        """The delivery that waits."""

    @property
    def deadline(self) -> datetime:
        """The time at which the delivery is applied even if it causes errors."""


HeldT = TypeVar("HeldT", bound=HeldDelivery)


def deadline_of(at: datetime, patience: timedelta) -> datetime:
    """Return the deadline of a delivery that arrived at `at` and may wait for `patience`."""
    try:
        return at + patience
    except OverflowError:  # within the patience of the end of the calendar
        return datetime.max.replace(tzinfo=at.tzinfo)


class Outlook(NamedTuple):
    """The consequences that applying a delivery now would have."""

    codes: tuple[str, ...]
    """The codes that make the delivery wait: errors and warnings of the rules SG1 and SG2, such as
    `SG103`, and `SG601`.
    """
    must_wait: bool
    """Whether the delivery is held rather than applied."""

    @property
    def is_valid(self) -> bool:
        """Whether the delivery would cause no error."""
        return all(BY_CODE[code].severity is not Severity.ERROR for code in self.codes)


def foresee(state: State, delivery: Delivery) -> Outlook:
    """Return the consequences of applying a delivery now, without changing the state."""
    codes = MACHINES[delivery.intake.machine].foresee(state, delivery)
    return Outlook(codes, bool(codes) or _is_end(delivery))


def _is_end(delivery: Delivery) -> bool:
    """Return whether a delivery ends its conversation."""
    return any(event.kind is EventKind.END for event in delivery.events)


def next_to_apply(
    state: State, held: Sequence[HeldT], now: datetime | None
) -> tuple[HeldT, Outlook] | None:
    """Return the held delivery to apply next and its consequences, or None if all must wait.

    The first delivery that need not wait takes precedence, then the first whose deadline has
    passed. If that one ends the conversation, deliveries that would only cause warnings precede it,
    because after it they would be errors.

    Args:
        state: The state of the conversation.
        held: The held deliveries in order of arrival.
        now: The current time. None treats every deadline as passed.

    """
    outlooks = [(each, foresee(state, each.delivery)) for each in held]
    fitting = (found for found in outlooks if not found[1].must_wait)
    due = (found for found in outlooks if now is None or found[0].deadline <= now)
    first = next(chain(fitting, due), None)
    if first is None or not _is_end(first[0].delivery):
        return first
    valid = (found for found in outlooks if found[1].is_valid and not _is_end(found[0].delivery))
    return next(valid, first)


def apply_held(state: State, delivery: Delivery, *, enforce: bool = False) -> ApplyResult:
    """Apply a delivery that was held.

    If another delivery has a later time of receipt, that time replaces the delivery's own time.
    """
    at, latest = delivery.received_at, state.latest
    if at is not None and latest is not None and latest > at:
        delivery.received_at = latest
    return MACHINES[delivery.intake.machine].apply(state, delivery, enforce=enforce)
