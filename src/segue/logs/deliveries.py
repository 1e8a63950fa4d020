"""Tells whether a line that was read is a delivery of the platform."""

from segue.core.events import Delivery
from segue.core.events.fields import FIELDS


def has_events(delivery: Delivery) -> bool:
    """Return whether a delivery has an event of a known kind.

    In a delivery without a conversation id, the event must also have no flaws. Otherwise any JSON
    with a key such as `query` would count.
    """
    unprocessable = FIELDS[delivery.intake.name].unprocessable
    is_named = delivery.conversation_id is not None
    return any(
        event.kind is not unprocessable and (is_named or not event.flaws)
        for event in delivery.events
    )
