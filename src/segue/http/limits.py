"""How much of a sender's request is taken.

House rule: a limit is a number somebody may change.  How deep a body may be nested is the
processor's to say, since a body that is too deep is kept like any other unreadable one.
"""

from dataclasses import dataclass
from typing import Final

from segue.errors import ConfigurationError

__all__ = ["LIMITS", "Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes and times of requests."""

    max_body_bytes: int = 256 * 1024
    body_seconds: float = 10.0
    """How long a sender may take for a body; ASGI only, elsewhere it is the server's to limit."""
    feed_seconds: float = 20.0
    """How long a reader of the feed may be kept waiting for news."""
    page: int = 200
    """How many conversations or entries a reader may ask for at once."""
    max_id_length: int = 1024
    """Of bot, conversation and delivery ids in path, query and headers."""

    def __post_init__(self) -> None:
        """Refuse limits under which nothing could pass."""
        for name in ("max_body_bytes", "body_seconds", "page", "max_id_length"):
            if getattr(self, name) <= 0:
                raise ConfigurationError(f"Limits({name}=…) must be more than 0")
        if self.feed_seconds < 0:
            raise ConfigurationError("Limits(feed_seconds=…) must not be negative")


LIMITS: Final = Limits()
