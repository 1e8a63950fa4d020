"""The options of a replay: what of a log is asked for, and how its lines are read.

House rule: what cannot be meant fails here, and not somewhere in a log.
"""

from collections.abc import Container
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from segue.engine import Partial, new
from segue.errors import ConfigurationError
from segue.events import Delivery
from segue.findings import DEFAULT, Policy
from segue.logs.field_mapping import FieldMapping

__all__ = ["ReplayOptions"]


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What of a log is replayed, and how its lines are read.

    Raises `ConfigurationError` for what cannot be meant.
    """

    policy: Policy = DEFAULT
    partial: Partial = None
    field_mapping: FieldMapping | None = None
    conversations: Container[str] | None = None
    """Only these; None: all."""
    since: datetime | None = None
    until: datetime | None = None
    """Only deliveries received from `since` on and before `until`; one without a time is not."""
    time_zone: tzinfo = UTC
    """Of times that have none."""
    day_first: bool = False
    """`02/03/2026` is in March."""

    def __post_init__(self) -> None:
        """Refuse mistakes."""
        new(None, partial=self.partial)
        if isinstance(self.conversations, str):
            msg = f"conversations is a collection of ids, not one string: ({self.conversations!r},)"
            raise ConfigurationError(msg)
        for name in ("since", "until"):
            at: datetime | None = getattr(self, name)
            if at is not None and at.tzinfo is None:
                msg = f"{name} has no time zone: pass an aware datetime"
                raise ConfigurationError(msg)
        zone: object = self.time_zone
        if not isinstance(zone, tzinfo):
            msg = f'time_zone is a tzinfo such as ZoneInfo("Europe/Berlin"), not {zone!r}'
            raise ConfigurationError(msg)

    @property
    def is_filtered(self) -> bool:
        """Whether only some deliveries are asked for."""
        return any(choice is not None for choice in (self.conversations, self.since, self.until))

    def matches(self, delivery: Delivery) -> bool:
        """Whether this delivery is asked for."""
        identity, at = delivery.conversation_id, delivery.received_at
        if self.conversations is not None and (
            identity is None or identity not in self.conversations
        ):
            return False
        if self.since is None and self.until is None:
            return True
        return (
            at is not None
            and (self.since is None or at >= self.since)
            and (self.until is None or at < self.until)
        )
