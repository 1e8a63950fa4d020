"""What came with a body: ids of the envelope, path or host, a time, a place in a log.

House rule: what comes with a body is taken as it is; the body decides whether it is needed.
"""

from dataclasses import dataclass
from datetime import datetime

from segue.events import Flaw

__all__ = ["Given"]


@dataclass(slots=True)
class Given:
    """All that a delivery knows from elsewhere than its body."""

    conversation_id: str | None = None
    bot_id: str | None = None
    delivery_id: str | None = None
    received_at: datetime | None = None
    line: int | None = None
    flaws: tuple[Flaw, ...] = ()
    """What is wrong with the envelope itself."""
