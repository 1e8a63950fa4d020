"""What is known of a delivery from elsewhere than its body."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from segue.events import Flaw

__all__ = ["NO_CONTEXT", "DeliveryContext"]


@dataclass(frozen=True, slots=True)
class DeliveryContext:
    """Ids from the envelope, path or host, the time, and the place in a log."""

    conversation_id: str | None = None
    bot_id: str | None = None
    delivery_id: str | None = None
    received_at: datetime | None = None
    line: int | None = None
    flaws: tuple[Flaw, ...] = ()
    """What is wrong with the envelope itself."""


NO_CONTEXT: Final = DeliveryContext()
