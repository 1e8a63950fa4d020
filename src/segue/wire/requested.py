"""Deliveries that answer a request of the host."""

from dataclasses import replace
from datetime import datetime

from segue.events import Delivery, Flaw


def answering(delivery: Delivery, asked_at: datetime | None) -> Delivery:
    """Return a callback with when its request was made; None says that it never was (SG710)."""
    if asked_at is not None:
        return replace(delivery, asked_at=asked_at)
    flaw = Flaw("SG710", "", {"what": delivery.intake.noun})
    return replace(delivery, flaws=(*delivery.flaws, flaw))
