"""What is known of a delivery from elsewhere than its body."""

from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from segue.core.events import Delivery, Flaw


class DeliveryContext(NamedTuple):
    """Ids from the envelope, path or host, the time, and the place in a log."""

    conversation_id: str | None = None
    """None if only the body can name one."""
    bot_id: str | None = None
    """None if only the body can name one."""
    delivery_id: str | None = None
    """None if it came without one."""
    received_at: datetime | None = None
    """Aware."""
    line: int | None = None
    """1-based."""
    flaws: tuple[Flaw, ...] = ()
    """What is wrong with the envelope itself."""
    asked_at: datetime | None = None
    """When the host made the request that the delivery answers. Aware."""
    is_unasked: bool = False
    """Whether the host says what it asks for, and never asked for this."""


NO_CONTEXT: Final = DeliveryContext()


def answering(delivery: Delivery, asked_at: datetime | None) -> Delivery:
    """Return a callback with when its request was made; None says that it never was (SG710)."""
    if asked_at is not None:
        return replace(delivery, asked_at=asked_at)
    flaw = Flaw("SG710", "", {"what": delivery.intake.noun})
    return replace(delivery, flaws=(*delivery.flaws, flaw))
