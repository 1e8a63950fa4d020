"""Facts about a delivery that its body does not contain."""

from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from segue.core.events import Delivery, Flaw


class DeliveryContext(NamedTuple):
    """The ids, times and line of a delivery, as far as they are known apart from its body."""

    conversation_id: str | None = None
    """The id of the conversation, or None if only the body contains one."""
    bot_id: str | None = None
    """The id of the bot, or None if only the body contains one."""
    delivery_id: str | None = None
    """The id of the delivery, or None if it has no id."""
    received_at: datetime | None = None
    """The time of receipt, with a time zone, or None if unknown."""
    line: int | None = None
    """The 1-based line of the log, or None."""
    flaws: tuple[Flaw, ...] = ()
    """The flaws of the envelope around the body."""
    asked_at: datetime | None = None
    """The time of the host's request that the delivery answers, with a time zone, or None if
    unknown.
    """
    is_unasked: bool = False
    """Whether the host announces its requests, but did not announce one that the delivery answers.
    """


NO_CONTEXT: Final = DeliveryContext()
"""The context of a delivery about which only the body is known."""


def answering(delivery: Delivery, asked_at: datetime | None) -> Delivery:
    """Return a callback with the time `asked_at` of the request that it answers.

    None means that the host did not announce a request. The callback then gets a flaw (SG710).
    """
    if asked_at is not None:
        return replace(delivery, asked_at=asked_at)
    flaw = Flaw("SG710", "", {"what": delivery.intake.noun})
    return replace(delivery, flaws=(*delivery.flaws, flaw))
