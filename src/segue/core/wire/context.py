"""Facts about a delivery that are not in its body."""

from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from segue.core.events import Delivery, Flaw


class DeliveryContext(NamedTuple):
    """Ids from the envelope, path or host, the time, and the place in a log."""

    conversation_id: str | None = None
    """The conversation's id, or None if only the body can name it."""
    bot_id: str | None = None
    """The bot's id, or None if only the body can name it."""
    delivery_id: str | None = None
    """The delivery's id, if it has one."""
    received_at: datetime | None = None
    """The aware time of receipt."""
    line: int | None = None
    """The 1-based line."""
    flaws: tuple[Flaw, ...] = ()
    """Flaws of the envelope itself."""
    asked_at: datetime | None = None
    """The aware time of the host's request that the delivery answers."""
    is_unasked: bool = False
    """Whether the host announces its requests and did not announce this one."""


NO_CONTEXT: Final = DeliveryContext()


def answering(delivery: Delivery, asked_at: datetime | None) -> Delivery:
    """Return a callback with the time of its request. None reports its absence (SG710)."""
    if asked_at is not None:
        return replace(delivery, asked_at=asked_at)
    flaw = Flaw("SG710", "", {"what": delivery.intake.noun})
    return replace(delivery, flaws=(*delivery.flaws, flaw))
